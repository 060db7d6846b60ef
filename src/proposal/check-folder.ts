import type { Workspace } from "../git/workspace.ts";
import type { SkillSummary } from "../skills/skill-summary.ts";
import type { Finding } from "../verify/finding.ts";
import { verify } from "../verify/verify.ts";
import { changedFiles, readCandidate } from "./read-candidate.ts";
import { type Redact, secretFindings } from "./secret-findings.ts";
import { type SessionTexts, sessionGrounds } from "./session-grounds.ts";
import type { VerifyExtras } from "./verify-trees.ts";

/**
 * What the verifier says of one skill folder as it lies in the workspace now. A reviewer asks
 * while it works, to mend what would refuse its review at the end; seal() looks again.
 * @param folder its name under the skills root
 * @throws SkillprError `input` when the workspace is beyond what may be walked
 */
export async function checkFolder(
  place: {
    readonly workspace: Workspace;
    readonly skillsRoot: string;
    readonly objectFormat: "sha1" | "sha256";
    readonly redact: Redact;
    readonly extras?: VerifyExtras;
    /** Skills of the project's other roots, whose names a new one must not take. */
    readonly otherSkills?: () => Promise<readonly SkillSummary[]>;
    /** Where what the skill names is looked up; null where there is no session. */
    readonly sessionTexts?: SessionTexts | null;
  },
  folder: string,
): Promise<Finding[]> {
  const { workspace, skillsRoot, objectFormat, extras = {} } = place;
  const candidate = await readCandidate(workspace, skillsRoot, objectFormat);
  const path = `${skillsRoot}/${folder}`;
  const isHere = (file: { path: string | null }) =>
    file.path === path || file.path?.startsWith(`${path}/`) === true;
  const files = changedFiles(candidate, skillsRoot).filter(isHere);
  const known = {
    ...extras,
    ...(place.otherSkills && { otherSkills: await place.otherSkills() }),
    ...(await sessionGrounds(files, place.sessionTexts ?? null)),
  };
  const found = verify({ ...candidate, skillsRoot, profile: "proposal", ...known });
  const verified = found.filter(isHere);
  return [...verified, ...(await secretFindings(files, place.redact, verified, extras.levels))];
}
