/** Of `skillpr doctor`: whether there is a token for pull requests, and, when asked, what it may do. */
import { homedir } from "node:os";
import { readUserFile } from "../core/config-file.ts";
import { repositoryOn } from "../publish/github-address.ts";
import { originOf } from "../publish-target.ts";
import { type GithubAccess, githubByHand } from "../resolve-github.ts";
import type { Checked } from "./doctor.ts";
import type { OpenPlace } from "./open-place.ts";

/** By GitHub's own prefixes (https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/). */
const KINDS: readonly (readonly [prefix: string, kind: string])[] = [
  ["github_pat_", "a fine-grained personal token"],
  ["ghp_", "a classic personal token"],
  ["ghs_", "a workflow's or an app's token"],
  ["gho_", "an OAuth token"],
  ["ghu_", "an app's token for a user"],
];

/** Without asking anybody. @throws SkillprError `config` */
export async function tokenCheck(): Promise<Checked> {
  const { token } = access();
  if (token === null) {
    const detail = "none in GITHUB_TOKEN, GH_TOKEN or your config; only pull requests need one";
    return { status: "ok", detail };
  }
  const env = process.env;
  const from = ["GITHUB_TOKEN", "GH_TOKEN"].find((name) => env[name]?.trim());
  const [, kind = "of a kind that isn't known here"] =
    KINDS.find(([prefix]) => token.startsWith(prefix)) ?? [];
  const where = from === undefined ? "your config has one" : `${from} is set`;
  const detail = `${where}: ${kind} (\`skillpr doctor --online\` asks GitHub what it may do)`;
  return { status: "ok", detail };
}

/** Asks GitHub; reads only. @throws SkillprError `config`, `github` */
export async function githubCheck({ repository }: OpenPlace): Promise<Checked> {
  const { server, token, repository: named, hint } = access();
  if (token === null) return { status: "warning", detail: "there is no token to ask with", hint };
  const name = repositoryOn(server, { named, origin: await originOf(repository) });
  // Loaded only here: the client costs every other command its start.
  const { missingPermissions } = await import("../publish/github-permissions.ts");
  const missing = await missingPermissions({ server, token }, name);
  const full = `${name.owner}/${name.name}`;
  if (missing.length === 0) {
    const detail = `nothing is seen to be missing for ${full}; whether it may open pull requests shows when it does`;
    return { status: "ok", detail };
  }
  const what = "docs/permissions.md says what each kind of token needs";
  return { status: "error", detail: missing.join("; "), hint: what, code: "github" };
}

function access(): GithubAccess {
  const home = homedir();
  const { github: user } = readUserFile(process.env, home);
  return githubByHand({ user, env: process.env, home });
}
