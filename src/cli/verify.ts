import manifest from "../../package.json" with { type: "json" };
import { EXIT_REFUSED, SkillprError } from "../core/errors.ts";
import { count } from "../core/text.ts";
import { readUserSkills } from "../user-skills.ts";
import type { Profile } from "../verify/change.ts";
import { hasError } from "../verify/finding.ts";
import { secretRangesIn, withoutSecrets } from "../verify/shown-text.ts";
import { verifyRange } from "../verify-range.ts";
import { annotation } from "./annotations.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { printFindings } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

type Format = "text" | "json" | "sarif" | "github";

export async function runVerify(call: Call, terminal: Terminal): Promise<number> {
  const format = formatOf(call);
  const place = await openPlace(call, terminal);
  const { changes, findings } = await verifyRange(place, {
    base: text(call, "base") ?? null,
    head: text(call, "head") ?? "HEAD",
    profile: (text(call, "profile") ?? "proposal") as Profile,
    userSkills: readUserSkills(process.env),
  });
  const isOk = !hasError(findings);
  if (format === "json") {
    // One search for all: hardly ever is there one.
    const isSafe = secretRangesIn(changes.map(({ path }) => path).join("\n")).length === 0;
    const shown = changes.map(({ path, status, oldMode, mode }) => ({
      path: isSafe ? path : withoutSecrets(path),
      status,
      oldMode,
      mode,
    }));
    terminal.json({ ok: isOk, changes: shown, findings });
  } else if (format === "sarif") {
    const { toSarif } = await import("./sarif.ts");
    const root = place.config.skillsRoot;
    terminal.json(toSarif(findings, { root, version: manifest.version }));
  } else {
    if (format === "github") for (const finding of findings) terminal.line(annotation(finding));
    else printFindings(findings, terminal);
    const verdict = isOk ? terminal.paint.green("ok") : terminal.paint.red("refused");
    terminal.line(
      `${verdict}: ${count(changes.length, "changed file")}, ${count(findings.length, "finding")}`,
    );
  }
  return isOk ? 0 : EXIT_REFUSED;
}

/** `--json` is `--format json`, as on every command. @throws SkillprError `usage` when both are given and differ */
function formatOf(call: Call): Format {
  const format = text(call, "format") as Format | undefined;
  if (!isJson(call)) return format ?? "text";
  if (format === undefined || format === "json") return "json";
  throw new SkillprError(
    "usage",
    `--json and --format ${format} name two formats`,
    "leave one of them out",
  );
}
