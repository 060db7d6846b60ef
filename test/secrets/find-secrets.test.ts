import { describe, expect, it } from "vitest";
import { findSecrets, SecretSearch } from "../../src/secrets/find-secrets.ts";

const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

describe("findSecrets", () => {
  it("gives exact ranges, sorted and without overlaps", async () => {
    const text = `DEPLOY_TOKEN=${token} and the pass phrase`;
    const ranges = await findSecrets(text, { credentials: ["pass phrase"] });
    expect(ranges.map(({ rule, start, end }) => [rule, text.slice(start, end)])).toEqual([
      ["github-token", token],
      ["credential", "pass phrase"],
    ]);
  });

  it("maps the findings of a batch back to their texts", async () => {
    const texts = ["", `a ${token}`, "nothing", `${token}`, `😀 ${token} ${token}`];
    const found = await new SecretSearch({ credentials: [] }).find(texts);
    expect([...found].map(([at, ranges]) => [at, ranges.length])).toEqual([
      [1, 1],
      [3, 1],
      [4, 2],
    ]);
    expect(found.get(4)).toEqual([
      { rule: "github-token", start: 3, end: 43, value: token },
      { rule: "github-token", start: 44, end: 84, value: token },
    ]);
  });

  it("finds a token behind characters of an address that are written as numbers", async () => {
    const found = await findSecrets(`https://example.com/?q=%22${token}%22`, { credentials: [] });
    expect(found.map(({ value }) => value)).toEqual([token]);
  });

  const scanned = `S${"G.a1B2c3D4e5f6G7"}.${"a1B2c3D4e5f6G7h8I9j0".repeat(3).slice(0, 51)}`;

  it("finds what only the scanner knows", async () => {
    expect(await findSecrets(`x ${scanned}`, { credentials: [] })).toHaveLength(1);
  });

  it("a comment in the text can't switch the scanner off", async () => {
    const text = `secretlint-disable\nx ${scanned} // secretlint-disable-line`;
    expect(await findSecrets(text, { credentials: [] })).toHaveLength(1);
  });

  it("finds what another text makes a secret: beside an AWS id, or under a home folder's name", async () => {
    const id = `AKIA${"Q7WE9RT2".repeat(2)}`;
    const secret = "a1B2c3D4e5".repeat(4);
    const texts = [secret, "x", id, "secret", secret, "see /home/robin", "/home/robin/shop/a.ts"];
    const found = await new SecretSearch({ credentials: [] }).find(texts);
    expect([...found].map(([at, ranges]) => [at, ...ranges.map(({ rule }) => rule)])).toEqual([
      [0, "aws-secret"],
      [2, "aws-access-key"],
      [4, "aws-secret"],
      [5, "home-user"],
      [6, "home-user"],
    ]);
  });

  it("does not join two texts into one secret", async () => {
    const texts = [
      "-----BEGIN RSA PRIVATE KEY-----\n",
      `${"a1B2".repeat(16)}\n-----END RSA PRIVATE KEY-----`,
    ];
    const found = await new SecretSearch({ credentials: [] }).find(texts);
    expect(found.get(0)).toBeUndefined();
  });
});
