/**
 * Skillbook proposals that were sealed at the same time: unlike two texts of one skill they don't exclude each
 * other, so the operations of all become one proposal.
 */
import { JOINED_SESSIONS_MAX, PROPOSAL_WHY_MAX_CHARS } from "./core/limits.ts";
import { cut } from "./core/text.ts";
import { hashObject, ObjectReader } from "./git/objects.ts";
import type { Repository } from "./git/repository.ts";
import { buildFolderTree } from "./proposal/folder-tree.ts";
import type { Joined } from "./proposal/join-proposals.ts";
import type { Proposal } from "./proposal/proposal.ts";
import { readSkillbookAt } from "./publish/skillbook-at.ts";
import { rebaseSkillbook } from "./skills/rebase-skillbook.ts";
import { parseSkillbook, type Skillbook } from "./skills/skillbook.ts";
import {
  renderSkillbookFiles,
  SKILLBOOK_FILE_NAME,
  SKILLBOOK_FOLDER,
} from "./skills/skillbook-files.ts";

/** @param proposals all of them checked against their seal */
export async function combineSkillbooks(
  repository: Repository,
  proposals: readonly Proposal[],
): Promise<{ readonly proposals: readonly Proposal[]; readonly joined: Joined["joined"] }> {
  const groups = new Map<string, Sealed[]>();
  const rest: Proposal[] = [];
  for (const proposal of proposals) {
    const skillbook = sealedBook(proposal);
    const { parent, continues = "" } = proposal;
    const key = `${parent} ${continues}`;
    if (skillbook === null) rest.push(proposal);
    else groups.set(key, [...(groups.get(key) ?? []), { proposal, skillbook }]);
  }
  const joined: Joined["joined"][number][] = [];
  for (const group of groups.values()) {
    const combined = await combine(repository, group);
    rest.push(combined);
    const others = group.slice(1).map(({ proposal }) => ({ proposal, kept: combined }));
    joined.push(...others);
  }
  return { proposals: rest, joined };
}

interface Sealed {
  readonly proposal: Proposal;
  readonly skillbook: Skillbook;
}

/** Null for any other skill, and for a file that the verifier will refuse. */
function sealedBook({ skill, files }: Proposal): Skillbook | null {
  const file = files.find(({ path }) => path === SKILLBOOK_FILE_NAME);
  if (skill !== SKILLBOOK_FOLDER || file === undefined) return null;
  const parsed = parseSkillbook(file.content);
  return parsed.ok ? parsed.skillbook : null;
}

/** The same answer in whatever order they come: a session that is handed over twice counts once. */
async function combine(repository: Repository, group: Sealed[]): Promise<Proposal> {
  group.sort((a, b) => (a.proposal.session.digest < b.proposal.session.digest ? -1 : 1));
  const [first, ...others] = group;
  if (first === undefined) throw new Error("no Skillbook to combine");
  const seen = new Set([first.proposal.session.digest]);
  const fresh = others.filter(({ proposal: { session } }) => {
    const isNew = !seen.has(session.digest);
    seen.add(session.digest);
    return isNew;
  });
  if (fresh.length === 0) return first.proposal;
  await using reader = new ObjectReader(repository.git, repository.objectFormat);
  const { parent, skillsRoot } = first.proposal;
  const from = await readSkillbookAt(reader, (await reader.commit(parent)).tree, skillsRoot);
  const all = fresh.reduce(
    (book, { skillbook }) => rebaseSkillbook(from, skillbook, book).skillbook,
    first.skillbook,
  );
  return { ...first.proposal, ...filesOf(repository, all), ...toldBy([first, ...fresh]) };
}

function filesOf({ objectFormat }: Repository, book: Skillbook): Pick<Proposal, "files" | "tree"> {
  const files = renderSkillbookFiles(book).map(({ path, content }) => ({ path, content }));
  const entries = files.map(({ path, content }) => {
    return { path, mode: "100644", id: hashObject("blob", Buffer.from(content), objectFormat) };
  });
  return { files, tree: buildFolderTree(entries, objectFormat).tree };
}

function toldBy(group: readonly Sealed[]): Pick<Proposal, "why" | "alsoFrom"> {
  const whys = [...new Set(group.map(({ proposal }) => proposal.why).filter((why) => why !== ""))];
  const sessions = group.flatMap(({ proposal: { session, evidence, alsoFrom = [] } }) => [
    { session, evidence },
    ...alsoFrom,
  ]);
  return {
    why: cut(whys.join(" "), PROPOSAL_WHY_MAX_CHARS),
    alsoFrom: sessions.slice(1, 1 + JOINED_SESSIONS_MAX),
  };
}
