/** Fetch and push against a real HTTP remote: what is sent, what is left behind, what errors say. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHALLOW_FETCH_DEPTH } from "../../src/core/limits.ts";
import { openRemote } from "../../src/git/remote.ts";
import { remoteEnvironment } from "../../src/git/remote-environment.ts";
import { openRepository } from "../../src/git/repository.ts";
import { startGitServer } from "../support/git-server.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temp-repository.ts";

const TOKEN = "example-token-0123456789";
const BRANCH = "refs/heads/auto-skill/x";
const BASIC = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`;

async function setUp(local: TemporaryRepository) {
  const server = await startGitServer(join(local.home, "remote"), TOKEN);
  const bare = server.bare("acme/parcels");
  await local.git("push", "--quiet", bare, "main");
  const url = `${server.url}/acme/parcels.git`;
  const repository = await openRepository(local.dir);
  const remote = openRemote(repository, { url, token: TOKEN });
  const at = (ref: string) =>
    server.git("acme/parcels", ["for-each-ref", "--format=%(objectname)", ref]);
  return { server, url, repository, remote, at, bare };
}

const files = { "README.md": "# parcels\n" };

describe("what is pushed", () => {
  test("exactly that commit, created only where nothing is, moved only from where it was seen (complaints 3, 4)", async () => {
    await using local = await temporaryRepository({ files });
    const { server, remote, at } = await setUp(local);
    await using _ = server;
    const first = await local.git("rev-parse", "HEAD");
    const second = await local.commit("second");
    expect(await remote.push({ commit: first, ref: BRANCH, expected: null })).toBe("pushed");
    expect(at(BRANCH)).toBe(first);
    expect(await remote.push({ commit: second, ref: BRANCH, expected: null })).toBe("lost-race");
    expect(await remote.push({ commit: second, ref: BRANCH, expected: second })).toBe("lost-race");
    expect(at(BRANCH)).toBe(first);
    expect(await remote.push({ commit: second, ref: BRANCH, expected: first })).toBe("pushed");
    expect(at(BRANCH)).toBe(second);
    expect(await remote.remove(BRANCH, first)).toBe("lost-race");
    expect(await remote.remove(BRANCH, second)).toBe("pushed");
    expect(await remote.list(["refs/heads/"])).toEqual([{ name: "refs/heads/main", id: first }]);
  });

  test("hooks don't run (complaint 13), and nothing of the repository changes (39)", async () => {
    await using local = await temporaryRepository({ files });
    const { server, remote } = await setUp(local);
    await using _ = server;
    local.hook("pre-push", "exit 1");
    const before = await local.snapshot();
    const commit = await local.git("rev-parse", "HEAD");
    expect(await remote.push({ commit, ref: BRANCH, expected: null })).toBe("pushed");
    expect(await local.snapshot()).toEqual(before);
  });
});

describe("what is fetched", () => {
  test("a commit that no branch here names; no ref, no FETCH_HEAD", async () => {
    await using local = await temporaryRepository({ files });
    const { server, remote, repository, bare } = await setUp(local);
    await using _ = server;
    const clone = join(local.home, "clone");
    await local.gitIn(local.home, "clone", "--quiet", bare, clone);
    await local.gitIn(clone, "commit", "--quiet", "--allow-empty", "-m", "elsewhere");
    await local.gitIn(clone, "push", "--quiet", "origin", "HEAD:refs/heads/other");
    const commit = await local.gitIn(clone, "rev-parse", "HEAD");
    const before = await local.snapshot();
    await remote.fetch([commit]);
    expect(await repository.git.text(["cat-file", "-t", commit])).toBe("commit");
    expect(await local.snapshot()).toEqual(before);
  });

  test("a whole clone stays whole, a shallow one stays shallow (complaint 28)", async () => {
    await using local = await temporaryRepository({ files });
    const { server, url, bare } = await setUp(local);
    await using _ = server;
    for (let n = 0; n < SHALLOW_FETCH_DEPTH + 2; n++)
      await local.git("commit", "--quiet", "--allow-empty", "-m", `change ${n}`);
    await local.git("push", "--quiet", bare, "main");
    const tip = await local.git("rev-parse", "HEAD");
    for (const depth of [[], ["--depth=1"]]) {
      const clone = join(local.home, `clone${depth.length}`);
      const elsewhere = ["clone", "--quiet", "--no-local", ...depth, `file://${bare}`, clone];
      await local.gitIn(local.home, ...elsewhere);
      const repository = await openRepository(clone);
      await openRemote(repository, { url, token: TOKEN }).fetch([tip]);
      const isShallow = await local.gitIn(clone, "rev-parse", "--is-shallow-repository");
      expect(isShallow).toBe(String(depth.length === 1));
    }
  });
});

describe("the credential", () => {
  /** Both of them as actions/checkout leaves them behind. */
  const LAYOUTS: Readonly<
    Record<string, (local: TemporaryRepository, host: string) => Promise<void>>
  > = {
    "v4: in .git/config": async (local, host) => {
      await local.git("config", `http.${host}/.extraheader`, "AUTHORIZATION: basic b2xkOm9sZA==");
    },
    "v6: in a file that .git/config includes": async (local, host) => {
      const file = join(local.home, "git-credentials-1.config");
      writeFileSync(file, `[http "${host}/"]\n\textraheader = AUTHORIZATION: basic b2xkOm9sZA==\n`);
      await local.git("config", `includeIf.gitdir:${local.dir}/.git.path`, file);
    },
    "set for the repository itself": async (local, host) => {
      await local.git(
        "config",
        `http.${host}/acme/parcels.git.extraheader`,
        "AUTHORIZATION: basic b2xkOm9sZA==",
      );
    },
    "for every host": async (local) => {
      await local.git("config", "http.extraheader", "AUTHORIZATION: basic b2xkOm9sZA==");
    },
  };

  for (const [name, lay] of Object.entries(LAYOUTS)) {
    test(`is the only one that is sent (complaint 5): ${name}`, async () => {
      await using local = await temporaryRepository({ files });
      const { server, remote, repository } = await setUp(local);
      await using _ = server;
      await lay(local, server.url);
      const before = readFileSync(join(local.dir, ".git/config"), "utf8");
      const commit = await local.git("rev-parse", "HEAD");
      expect(await remote.push({ commit, ref: BRANCH, expected: null })).toBe("pushed");
      expect(server.requests.length).toBeGreaterThan(0);
      for (const request of server.requests) expect(request.authorization).toEqual([BASIC]);
      expect(readFileSync(join(local.dir, ".git/config"), "utf8")).toBe(before);
      expect(repository.isShallow).toBe(false);
    });
  }

  test("stands in no argument list and in no error", async () => {
    await using local = await temporaryRepository({ files });
    const { server, url, repository } = await setUp(local);
    await using _ = server;
    const environment = remoteEnvironment(process.env, repository.git.options, {
      url,
      token: TOKEN,
    });
    expect(Object.values(environment).filter((value) => value.includes(BASIC))).toHaveLength(1);
    server.intercept = () => ({ status: 403, body: `no: ${TOKEN} ${BASIC}` });
    const failed = openRemote(repository, { url, token: TOKEN }).list(["refs/heads/"]);
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(TOKEN);
    expect(error).toMatchObject({ code: "git", hint: expect.stringContaining("contents: write") });
  });

  test("doesn't follow an address that the config rewrites, nor a redirect", async () => {
    await using local = await temporaryRepository({ files });
    const { server, url, repository } = await setUp(local);
    await using _ = server;
    await using elsewhere = await startGitServer(join(local.home, "elsewhere"), TOKEN);
    await local.git("config", `url.${elsewhere.url}/.insteadOf`, `${server.url}/`);
    await local.git("config", `url.${elsewhere.url}/.pushInsteadOf`, `${server.url}/`);
    const remote = openRemote(repository, { url, token: TOKEN });
    expect(await remote.list(["refs/heads/"])).toHaveLength(1);
    expect(elsewhere.requests).toEqual([]);
  });

  test("no helper is asked and nobody is prompted when it is refused", async () => {
    await using local = await temporaryRepository({ files });
    const { server, url, repository } = await setUp(local);
    await using _ = server;
    const asked = join(local.home, "asked");
    await local.git("config", "credential.helper", `!touch '${asked}'; echo password=x; :`);
    await local.git("config", `credential.${server.url}.helper`, `!touch '${asked}'; :`);
    const remote = openRemote(repository, { url, token: "a-wrong-token-0000" });
    await expect(remote.list(["refs/heads/"])).rejects.toMatchObject({
      code: "git",
      message: expect.stringContaining("did not accept the token"),
    });
    expect(() => readFileSync(asked)).toThrow(/ENOENT/);
  });
});

describe("what a remote refuses is told with what to do", () => {
  const REFUSALS: readonly (readonly [string, string, RegExp])[] = [
    [
      "signatures (complaint 30)",
      "error: GH013: Repository rule violations found\n- Commits must have verified signatures.",
      /sign-commits/,
    ],
    [
      "workflow files (complaint 12)",
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
      /workflows/,
    ],
    ["a protected name", "error: GH006: Protected branch update failed", /auto-skill/],
  ];
  for (const [name, words, hint] of REFUSALS) {
    test(name, async () => {
      await using local = await temporaryRepository({ files });
      const { server, remote, bare } = await setUp(local);
      await using _ = server;
      writeFileSync(join(bare, "hooks/update"), `#!/bin/sh\necho '${words}' >&2\nexit 1\n`, {
        mode: 0o755,
      });
      const commit = await local.git("rev-parse", "HEAD");
      await expect(remote.push({ commit, ref: BRANCH, expected: null })).rejects.toMatchObject({
        code: "git",
        hint: expect.stringMatching(hint),
      });
    });
  }

  test("an outage, and a server that isn't there", async () => {
    await using local = await temporaryRepository({ files });
    const { server, remote, url } = await setUp(local);
    server.intercept = () => ({ status: 502, body: "Bad Gateway" });
    await expect(remote.list(["refs/heads/"])).rejects.toThrow(/outage/);
    await server[Symbol.asyncDispose]();
    await expect(remote.list(["refs/heads/"])).rejects.toThrow(/can't be reached/);
    expect(url).toContain("127.0.0.1");
  });
});
