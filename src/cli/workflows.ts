/** The workflows that come with skillpr: `templates/workflows/skillpr-<name>.yml`. */

/** Name of each workflow, and what it is for. */
export const WORKFLOWS: Readonly<Record<string, string>> = {
  verify: "the check on pull requests; needs no secret",
  agent: "runs an agent and learns from what it did",
  "follow-up": "follows a workflow of yours that runs an agent",
  inbox: "reviews what developers sent with `skillpr upload`",
  revise: "works comments on skillpr's pull requests into their next commits",
};
