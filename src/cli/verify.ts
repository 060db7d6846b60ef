import { EXIT_REFUSED } from "../core/errors.ts";
import { count } from "../core/text.ts";
import { verifyRange } from "../proposals.ts";
import type { Profile } from "../verify/change.ts";
import { hasError } from "../verify/finding.ts";
import { isJson, openPlace, text } from "./open-place.ts";
import { printFindings } from "./print-outcome.ts";
import type { Call } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export async function runVerify(call: Call, terminal: Terminal): Promise<number> {
  const place = await openPlace(call, terminal);
  const { changes, findings } = await verifyRange(place, {
    base: text(call, "base") ?? null,
    head: text(call, "head") ?? "HEAD",
    profile: (text(call, "profile") ?? "proposal") as Profile,
  });
  const isOk = !hasError(findings);
  if (isJson(call) || call.flags["format"] === "json") {
    const shown = changes.map(({ path, status, oldMode, mode }) => ({
      path,
      status,
      oldMode,
      mode,
    }));
    terminal.json({ ok: isOk, changes: shown, findings });
  } else {
    printFindings(findings, terminal);
    const verdict = isOk ? terminal.paint.green("ok") : terminal.paint.red("refused");
    terminal.line(
      `${verdict}: ${count(changes.length, "changed file")}, ${count(findings.length, "finding")}`,
    );
  }
  return isOk ? 0 : EXIT_REFUSED;
}
