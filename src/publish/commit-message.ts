/** The message of a proposal's commit. Only checked words enter it: no free text of model or session. */
import { fill } from "../core/fill.ts";
import { TRAILER_WORD_MAX_CHARS } from "../core/limits.ts";
import type { Proposal } from "../proposal/proposal.ts";

/**
 * @param template templates/commit-message.txt
 * @returns title, one sentence, and the trailers that later runs read
 */
export function commitMessage(template: string, proposal: Proposal): string {
  const values: Record<string, string> = {
    verb: proposal.operation === "ADD" ? "add" : "update",
    skill: proposal.skill,
    session: trailerWord(proposal.session.id),
    digest: digestLines(proposal.session),
    agent: trailerWord([proposal.session.agent, proposal.session.agentVersion ?? ""].join("/")),
    reviewer: trailerWord(proposal.usage.reviewer),
    model: trailerWord(proposal.usage.model ?? "none"),
  };
  values["origin"] =
    proposal.revision === undefined
      ? `Learned from a ${values["agent"]} session`
      : "Revised after review comments";
  const message = fill(template, values);
  const others = (proposal.alsoFrom ?? []).map(({ session }) => {
    return `Skillpr-Session: ${trailerWord(session.id)}\nSkillpr-Digest: ${digestLines(session)}\n`;
  });
  return others.length === 0 ? message : `${message.trimEnd()}\n${others.join("")}`;
}

/** The digest, and how far the session was reviewed: by that a later run tells what is new of one that went on. */
export function digestLines({ digest, reviewed }: Proposal["session"]): string {
  if (reviewed === undefined) return digest;
  return `${digest}\nSkillpr-Turns: ${reviewed.turns} ${reviewed.before}`;
}

/**
 * One harmless word: what a transcript says of itself must not mention people or issues (`#1`, `GH-1`,
 * an address), close one, or start a trailer of its own. A message has no code to put it into.
 */
export function trailerWord(text: string): string {
  const safe = text
    .replace(/[^A-Za-z0-9._:+/-]+/g, "-")
    .replace(/:\/+/g, "-")
    .replace(/\b(gh|www)[-.]/gi, "$1_")
    .replace(/^[-/]+|[-/]+$/g, "")
    .slice(0, TRAILER_WORD_MAX_CHARS);
  return safe === "" ? "unknown" : safe;
}
