import { createModelClient, type ModelClient } from "./model.ts";
import { openModelLog } from "./model-log.ts";
import type { UsableModel } from "./model-settings.ts";

/** How a reviewer comes to its model. */
export interface ModelAccess {
  /** Asked when a review begins: a session that is skipped needs no model. */
  readonly model: () => UsableModel;
  /** Folder for every model request and response; null: none. */
  readonly modelLogDir: string | null;
}

/** @throws SkillprError `config` when there is no model, `usage` when the folder can't be written */
export async function connectModel(
  { model, modelLogDir }: ModelAccess,
  input: { readonly redact: (text: string) => Promise<string> },
): Promise<ModelClient> {
  const settings = model();
  const log =
    modelLogDir === null ? null : await openModelLog({ dir: modelLogDir, redact: input.redact });
  return createModelClient({ ...settings, log });
}
