/** The rules about single files. No file's findings depend on another's, so threads can share them out. */
import { folderOfFile, readExpectedPatterns, writtenDocument } from "./content/content-document.ts";
import { createFileContext, type FileContext, type FileInput } from "./context.ts";
import type { Finding } from "./finding.ts";
import { RULES } from "./rules.ts";

/** The written files of a change, by their number. */
export interface FileCheck {
  readonly count: number;
  /** What the file rules say about one of them. Nothing that was worked out about it is kept. */
  check(index: number): Finding[];
}

export function createFileCheck(context: FileContext): FileCheck {
  const { profile } = context.input;
  const rules = RULES.filter((rule) => "checkFile" in rule).filter(({ profiles }) =>
    profiles.includes(profile),
  );
  return {
    count: context.written.length,
    check: (index) => {
      const change = context.written[index];
      const file = change === undefined ? null : writtenDocument(change, context);
      const findings: Finding[] = [];
      if (file !== null) for (const rule of rules) findings.push(...rule.checkFile(file, context));
      return findings;
    },
  };
}

/** Does what the first file has to wait for: a hundredth of a second or two, once in a thread. */
export function prepareFileChecks(): void {
  readExpectedPatterns();
}

/** Only what the file rules read of an input, as plain values: what a thread needs beside the blobs' bytes. */
export interface FileInputParts {
  readonly input: Omit<FileInput, "blob">;
  /** Of the blobs that the rules may ask for. */
  readonly blobIds: ReadonlySet<string>;
}

/** The file check of these parts has the same files under the same numbers. */
export function fileInputParts(input: FileInput): FileInputParts {
  const { skillsRoot, profile, grounded } = input;
  const { written, filesIn } = createFileContext(input);
  const folders = new Set(written.map(({ path }) => folderOfFile(path, skillsRoot)));
  const next = [...folders].flatMap((folder) => (folder === null ? [] : filesIn(folder)));
  const ids = [...written.flatMap(({ id, oldId }) => [id, oldId]), ...next.map(({ id }) => id)];
  const known = grounded === undefined ? {} : { grounded };
  return {
    input: { skillsRoot, profile, changes: written, next, ...known },
    blobIds: new Set(ids),
  };
}
