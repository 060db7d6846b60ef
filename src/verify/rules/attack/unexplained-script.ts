import { type ContentDetail, defineContentRule } from "../../content/content-rule.ts";
import { placeInFile } from "../../content/match.ts";
import { isDisclaimed } from "../../content/voice.ts";
import { EVERY_PROFILE } from "../../rule.ts";

/** A program of a skill's own: in its folder, or named as its script. */
const SCRIPT =
  /(?:\$\{?\w{0,30}skill\w{0,30}\}?\/|\.(?:claude|qwen|agents|gemini|codex)\/skills\/[\w./-]{1,80}\/|(?<![\w./~-])(?:[\w-]{1,30}\/){0,2}scripts\/)[\w./-]{1,80}\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|rb|pl|ps1|bat)\b|\b[\w-]{1,60}\.(?:py|sh|bash|js|mjs|rb|pl|ps1|bat)\b(?=[^.;!?\n]{0,60}\bscripts?\/? (?:director(?:y|ies)|folder))/g;
const ORDER =
  /\b(?:run(?:ning)?|execut(?:e|ing)|call(?:ing)?|invok(?:e|ing)|us(?:e|ing)|start|launch|bash|sh|python[\d.]*|node|source|ruby|perl)\b/;

export const attackUnexplainedScriptRule = defineContentRule({
  id: "attack.unexplained-script",
  level: "warning",
  why: "A program that the skill orders to run and that isn't part of what was reviewed can do anything.",
  example: "`run scripts/sync.py from this skill` in a skill without it",
  profiles: EVERY_PROFILE,
  isLocal: true,
  *find(document, context): Iterable<ContentDetail> {
    const files = document.folder === null ? [] : context.filesIn(document.folder);
    for (const passage of document.passagesFor(SCRIPT, ["script", "skill"])) {
      const { lower } = passage.normal;
      for (const match of lower.matchAll(SCRIPT)) {
        const name = match[0].split("/").at(-1) ?? match[0];
        const [start, end] = [match.index, match.index + match[0].length];
        const around = lower.slice(Math.max(0, start - 80), end);
        const isThere = files.some(({ path }) => path.toLowerCase().endsWith(`/${name}`));
        if (isThere || !ORDER.test(around) || isDisclaimed(passage, start, end)) continue;
        yield {
          ...placeInFile(passage, start, end),
          says: "is a program that is run and isn't part of the skill",
          hint: "Write out what it does as commands, or name where it comes from.",
        };
      }
    }
  },
});
