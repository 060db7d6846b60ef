/** The two mutations of GraphQL that skillpr uses, the first on a bare repository. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { GitServer } from "./git-server.ts";

interface CommitInput {
  readonly branch: { readonly repositoryNameWithOwner: string; readonly branchName: string };
  readonly expectedHeadOid: string;
  readonly message: { readonly headline: string; readonly body?: string };
  readonly fileChanges: { readonly additions: readonly { path: string; contents: string }[] };
}

/** Answers the two mutations. @param onDraft is told the pull request's node id */
export function answerGraphql(
  git: GitServer,
  body: Readonly<Record<string, unknown>>,
  {
    tamper,
    onDraft,
  }: { tamper: ((contents: string) => string) | null; onDraft: (id: string) => void },
): { status: number; body: unknown } {
  const { id } = body["variables"] as { id?: string };
  if (id === undefined) return createCommitOnBranch(git, body, tamper);
  onDraft(id);
  return { status: 200, body: { data: { convertPullRequestToDraft: { clientMutationId: null } } } };
}

/** Writes 100644 files only, compares and swaps the branch, and signs as GitHub's own committer would. */
function createCommitOnBranch(
  git: GitServer,
  body: Readonly<Record<string, unknown>>,
  tamper: ((contents: string) => string) | null,
): { status: number; body: unknown } {
  const { input } = body["variables"] as { input: CommitInput };
  const { repositoryNameWithOwner: name, branchName } = input.branch;
  const ref = `refs/heads/${branchName}`;
  const tip = git.git(name, ["for-each-ref", "--format=%(objectname)", ref]);
  if (tip === "") return refusal("NOT_FOUND", `No ref matching "${branchName}" found`);
  if (tip !== input.expectedHeadOid) {
    return refusal(
      "STALE_DATA",
      `Expected branch to point to "${input.expectedHeadOid}" but it did not. Pull and try again.`,
    );
  }
  const index = join(git.bare(name), "graphql-index");
  const env = { GIT_INDEX_FILE: index };
  git.git(name, ["read-tree", tip], { env });
  for (const { path, contents } of input.fileChanges.additions) {
    const text = Buffer.from(contents, "base64").toString("utf8");
    const blob = git.git(name, ["hash-object", "-w", "--stdin"], { input: tamper?.(text) ?? text });
    git.git(name, ["update-index", "--add", "--cacheinfo", `100644,${blob},${path}`], { env });
  }
  const tree = git.git(name, ["write-tree"], { env });
  rmSync(index);
  const oid = git.git(name, ["commit-tree", tree, "-p", tip, "-F", "-"], {
    input: `${input.message.headline}\n\n${input.message.body ?? ""}`,
    env: {
      GIT_AUTHOR_NAME: "skillpr-bot",
      GIT_AUTHOR_EMAIL: "skillpr-bot@users.noreply.example.com",
      GIT_COMMITTER_NAME: "GitHub",
      GIT_COMMITTER_EMAIL: "noreply@github.com",
    },
  });
  git.git(name, ["update-ref", ref, oid, tip]);
  return { status: 200, body: { data: { createCommitOnBranch: { commit: { oid } } } } };
}

function refusal(type: string, message: string) {
  const errors = [{ type, path: ["createCommitOnBranch"], message }];
  return { status: 200, body: { data: { createCommitOnBranch: null }, errors } };
}
