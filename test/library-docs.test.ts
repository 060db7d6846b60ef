/** What the library exports says what it is: an editor shows it to whoever uses it. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const INDEX = resolve(import.meta.dirname, "../src/index.ts");

/** Every exported name, as the file that declares it has it. */
function exported(): { readonly name: string; readonly file: string }[] {
  const statements = readFileSync(INDEX, "utf8").matchAll(
    /^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm,
  );
  return Array.from(statements).flatMap(([, names = "", from = ""]) =>
    names
      .split(",")
      .map((name) =>
        name
          .trim()
          .replace(/^type /, "")
          .replace(/ as \w+$/, ""),
      )
      .filter((name) => name !== "")
      .map((name) => ({ name, file: resolve(dirname(INDEX), from) })),
  );
}

/** The comment right above the declaration; null when there is none. */
function docstringOf(source: string, name: string): string | null {
  const declared = new RegExp(
    `(?<=(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\n)export (?:declare )?(?:async )?(?:function|const|class|interface|type) ${name}\\b`,
  );
  return declared.exec(source)?.[1] ?? null;
}

describe("every export of the library", () => {
  const all = exported();

  test("is found", () => {
    expect(all.length).toBeGreaterThan(50);
    expect(docstringOf("/** Words. */\nexport function review() {}", "review")).toBe(
      "/** Words. */",
    );
    expect(docstringOf("/** Words. */\n\nexport function review() {}", "review")).toBeNull();
  });

  test.each(all)("$name has a docstring", ({ name, file }) => {
    expect(docstringOf(readFileSync(file, "utf8"), name)).not.toBeNull();
  });

  // What reads files, a repository or a server fails in ways that a caller has to know.
  test.each([
    ...["openRepository", "listProposals", "showProposal", "accept", "reject", "verifyRange"],
    ...["publishFolder", "readTemplate"],
  ])("%s says what it throws", (name) => {
    const file = all.find((one) => one.name === name)?.file ?? "";
    expect(docstringOf(readFileSync(file, "utf8"), name)).toContain("@throws");
  });
});
