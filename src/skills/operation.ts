/** Update operations on the Skillbook, as ACE spells them. The names are those of its JSON. */
import type { Occurrence, Section } from "./skillbook.ts";

/** Where an operation comes from: numbers of reflections from 0, or the sources themselves. */
export interface Provenance {
  readonly reason?: string;
  /** The reflection that it mainly comes from. */
  readonly reflection_index?: number;
  /** All that contributed. */
  readonly reflection_indices?: readonly number[];
  readonly learning_index?: number;
  readonly insight_source?: Occurrence | readonly Occurrence[];
}

export interface AddOperation extends Provenance {
  readonly type: "ADD";
  readonly section: Section;
  readonly keywords: readonly string[];
  readonly issue: string;
  /** Required for `context`. */
  readonly insight?: string;
  /** An id of one's own; usually the Skillbook gives one. */
  readonly skill_id?: string;
}

export interface UpdateOperation extends Provenance {
  readonly type: "UPDATE";
  readonly skill_id: string;
  readonly issue: string;
  /** Absent: as it was. An insight can't be cleared; the same for the keywords. */
  readonly insight?: string;
  readonly keywords?: readonly string[];
  /** Read and not used: a strategy never changes its section. */
  readonly section?: string;
}

export interface TagOperation extends Provenance {
  readonly type: "TAG";
  readonly skill_id: string;
  /** 1: it helped; -1: it harmed; 0: neither. */
  readonly metadata: { readonly delta: -1 | 0 | 1 };
  /** How often the strategy was used besides: only an import knows, and no batch can say it. */
  readonly used?: number;
}

export interface RemoveOperation extends Provenance {
  readonly type: "REMOVE";
  readonly skill_id: string;
}

/** One change of the Skillbook. */
export type Operation = AddOperation | UpdateOperation | TagOperation | RemoveOperation;

/** Operations that are applied together or not at all. */
export interface UpdateBatch {
  /** Why, in the words of whoever made it; may be empty. */
  readonly reasoning: string;
  readonly operations: readonly Operation[];
}

/** What is wrong with a batch, so that whoever wrote it can mend it. */
export interface BatchProblem {
  readonly code:
    | "wrong_type"
    | "unknown_type"
    | "missing_field"
    | "missing_insight"
    | "bad_delta"
    | "bad_id"
    | "bad_text"
    | "too_large"
    | "unknown_skill_id"
    | "duplicate_skill_id"
    | "ambiguous_skill_id"
    | "removed_skill_id";
  /** From 0; null when it is about the batch. */
  readonly operation: number | null;
  /** `metadata.delta`; empty for the whole operation or batch. */
  readonly field: string;
  /** One sentence without a full stop: operation, field, value; may quote the source unescaped. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
}
