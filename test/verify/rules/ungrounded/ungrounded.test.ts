import { describe, expect, it } from "vitest";
import { claimsOf, groundedTokens } from "../../../../src/verify/claims.ts";
import { createDocument } from "../../../../src/verify/content/content-document.ts";
import { verify } from "../../../../src/verify/verify.ts";
import { FLOW, inputOf, skillText } from "../../verify-input.ts";

function found(body: string, session: string | null): string[] {
  const text = skillText("release-flow", { body });
  const claims = claimsOf(createDocument(FLOW, text));
  const grounded = session === null ? {} : { grounded: groundedTokens(claims, [session]) };
  return verify({ ...inputOf({ next: { [FLOW]: text } }), ...grounded })
    .filter(({ rule }) => rule.startsWith("ungrounded."))
    .map(({ rule, level, line, column, message }) => {
      expect(level).toBe("warning");
      const quote = /^`(.*?)`/.exec(message)?.[1] ?? "";
      return `${rule.slice("ungrounded.".length)} ${line}:${column} ${quote}`;
    });
}

const sh = (...lines: string[]) => ["```bash", ...lines, "```"].join("\n");

describe("ungrounded.*", () => {
  it("says nothing where there is no session", () => {
    expect(found("See https://get.unknown-tool.dev/x.", null)).toEqual([]);
  });

  it("finds an address, with the exact token and its place", () => {
    const body = "Read the page, then\nopen <https://get.unknown-tool.dev/a/b>.";
    expect(found(body, "nothing")).toEqual(["url 11:7 https://get.unknown-tool.dev/a/b"]);
    expect(found(body, "curl HTTPS://get.unknown-tool.dev/a/b/ works")).toEqual([]);
    expect(found(body, "https://get.unknown-tool.dev/a/bc")).toHaveLength(1);
    expect(found("The service is api.unknown-tool.dev here.", "")).toEqual([
      "url 10:16 api.unknown-tool.dev",
    ]);
  });

  it.each([
    "Call http://localhost:3000/health and http://127.0.0.1/x.",
    "Call https://example.com/a, https://api.example.org and https://$HOST/a.",
    "Open main.py, next.config.js and README.md; `config.io.ts` too.",
    "Write to robin@unknown-tool.dev.",
  ])("passes over what is nobody's, and files: %s", (body) => {
    expect(found(body, "")).toEqual([]);
  });

  it.each([
    ["npm install left-pad-pro", "left-pad-pro"],
    ["npm i -D @scope/thing@1.2.3", "@scope/thing@1.2.3"],
    ["$ sudo pip install 'x' requests-plus==2.0", "requests-plus==2.0"],
    ["npx some-tool --flag value", "some-tool"],
    ["FOO=1 cargo add serde_plus", "serde_plus"],
    ["cd app && go install github.com/x/y@latest", "github.com/x/y@latest"],
  ])("finds the package of: %s", (command, token) => {
    const packages = found(sh(command), "").filter((place) => place.startsWith("package "));
    expect(packages).toEqual([`package 11:${command.indexOf(token) + 1} ${token}`]);
  });

  it("takes a package for known whatever its version, and one in a code span too", () => {
    const session = "npm install left-pad-pro@0.9";
    expect(found(sh("npm install left-pad-pro@1.2.3"), session)).toEqual([]);
    expect(found("Run `npm install other-pad` once.", session)).toEqual([
      "package 10:18 other-pad",
    ]);
  });

  it("finds commands of shell fences that were never seen, not those that every shell has", () => {
    const body = sh("cd app && ls", "npm run build | tee log", "# comment", "terraform destroy -y");
    expect(found(body, "npm run build was fine, and tee log")).toEqual([
      "command 14:1 terraform destroy",
    ]);
    expect(found("```\nterraform destroy\n```\n`terraform destroy`", "")).toEqual([]);
    expect(found(sh("cat > a <<EOF", "terraform destroy", "EOF"), "")).toEqual([]);
  });
});
