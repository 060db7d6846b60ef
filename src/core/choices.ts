/** What settings and flags can be, by name. Without the schema's library: `--help` shows them, and starts fast. */

export const REVIEWERS = ["auto-skill", "skillbook", "offline"] as const;
export const PUBLISH_TARGETS = ["none", "branch", "pr", "auto"] as const;
export const TRIGGERS = ["count", "experience"] as const;
export const MARKERS = ["metadata", "top-level", "both"] as const;

export type ReviewerName = (typeof REVIEWERS)[number];
export type PublishTarget = (typeof PUBLISH_TARGETS)[number];
export type Trigger = (typeof TRIGGERS)[number];
export type MarkerPlace = (typeof MARKERS)[number];
