/** A commit that GitHub makes and signs, as its GraphQL takes it. */
import type { RepositoryName } from "./github-address.ts";

export interface NewCommit {
  readonly repository: RepositoryName;
  readonly branch: string;
  readonly expectedHead: string;
  readonly message: string;
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

export const CREATE_COMMIT =
  "mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }";

/** The variable `input` of that mutation. */
export function commitInput({ repository, branch, expectedHead, message, files }: NewCommit) {
  const [headline = "", ...rest] = message.split("\n");
  return {
    branch: {
      repositoryNameWithOwner: `${repository.owner}/${repository.name}`,
      branchName: branch,
    },
    expectedHeadOid: expectedHead,
    message: { headline, body: rest.join("\n").trim() },
    fileChanges: {
      additions: files.map(({ path, bytes }) => ({
        path,
        contents: Buffer.from(bytes).toString("base64"),
      })),
    },
  };
}
