/** The flags that say where proposals go, and what their pull requests are like. */
import type { PullRequestWishes } from "../core/pull-request-config.ts";
import type { AddCommand, Call, Choices } from "./program.ts";

const TOKEN = `
With --publish pr (auto: where origin is on GitHub and a token is there):
  GITHUB_TOKEN, GH_TOKEN    what it may: docs/permissions.md
  GITHUB_SERVER_URL         a GitHub Enterprise Server; its API: GITHUB_API_URL
  GITHUB_REPOSITORY         owner/name, where origin doesn't say it`;

export function withPublishing(
  command: ReturnType<AddCommand>,
  targets: readonly string[],
  { oneOf }: Pick<Choices, "oneOf">,
): ReturnType<AddCommand> {
  return command
    .addOption(oneOf("--publish <target>", "where it goes (default: branch)", targets))
    .option("--draft", "pull requests start as drafts")
    .option("--sign-commits", "let GitHub make and sign the commits")
    .option("--push-to <owner/name>", "push branches to this fork of the repository")
    .addHelpText("after", TOKEN);
}

/** What the flags say; a flag can only switch on. */
export function pullRequestFlags({ flags }: Call): PullRequestWishes {
  const { draft, signCommits, pushTo } = flags;
  return {
    draft: draft === true ? true : undefined,
    signCommits: signCommits === true ? true : undefined,
    pushTo: typeof pushTo === "string" ? pushTo : undefined,
  };
}
