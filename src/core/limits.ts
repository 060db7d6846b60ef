/**
 * Every bound of skillpr, with its unit in the name and its reason beside it (invariant 8).
 * Nothing else in the code base may hold a number that limits size, count or time.
 */

// --- core ----------------------------------------------------------------------------------------

/** Foreign text quoted in a finding or an error. */
export const QUOTE_MAX_CHARS = 120;
/** A config file of skillpr; anything larger is not one. */
export const CONFIG_MAX_BYTES = 256 * 1024;
/** Nesting of a YAML document: configs and frontmatters stay below 8, and a deep one exhausts the parser's stack. */
export const YAML_DEPTH_MAX = 32;
/** Problems listed of one YAML document: the first few are the cause of the rest. */
export const YAML_PROBLEMS_MAX = 20;

// --- secrets -------------------------------------------------------------------------------------

/** Shorter values of credentials are words, and replacing every occurrence of a word destroys the text. */
export const CREDENTIAL_MIN_CHARS = 8;
/** A secret found by its context is replaced elsewhere too when it has at least this many characters. */
export const SECRET_ECHO_MIN_CHARS = 12;
/** Text searched for secrets at once: much of the cost is per call, the memory per character. */
export const SECRET_SCAN_BATCH_CHARS = 4 * 1024 * 1024;
/** A text of that length is searched alone: copying it would cost more than a call. */
export const SECRET_SCAN_ALONE_CHARS = 4096;
/** What the scanner library sees before and after a suspicious place: the name before a secret, and the longest that it knows of one line. */
export const SECRET_SCAN_WINDOW_BEFORE_CHARS = 128;
export const SECRET_SCAN_WINDOW_AFTER_CHARS = 1536;
/** How far before an option its command is looked for, and around an AWS id its secret: a long command line. */
export const SECRET_CONTEXT_CHARS = 400;
/** A provider's token has at least that many letters and digits in a row; only such stretches are looked at. */
export const SECRET_RUN_CHARS = 14;
/** Before such a stretch, where its prefix is looked for: the address of a webhook is the longest. */
export const SECRET_PREFIX_REACH_CHARS = 64;
/** Of the name that a value is given to: a longer one is no name, and a run of letters must cost nothing. */
export const SECRET_NAME_MAX_CHARS = 64;
/** Before the `@` of an e-mail address: RFC 5321 allows no more. */
export const EMAIL_NAME_MAX_CHARS = 64;
/** Of a value, looked at to tell random characters from words: more doesn't make it clearer. */
export const RANDOM_LOOK_CHARS = 128;
/** A line that a terminal broke is at least that wide: no terminal is narrower. */
export const TERMINAL_MIN_CHARS = 20;
/** Around a line that a terminal broke, none of that many is longer: a screenful has one width, a log need not. */
export const WRAP_LINES_AROUND = 8;
/** Around a broken line, put together with it: several lines of a wide terminal. */
export const WRAP_REACH_CHARS = 640;
/** Of a value, looked at to decide whether it is a secret; one that is goes on until its separator. */
export const SECRET_VALUE_LOOK_CHARS = 512;

// --- git -----------------------------------------------------------------------------------------

/** Entries that the walk of a workspace visits before it refuses: bounds a runaway reviewer. */
export const WORKSPACE_MAX_ENTRIES = 20_000;
/** Folder levels that it goes down, in a tree of skills too: real ones stay below 10. */
export const WORKSPACE_MAX_DEPTH = 64;
/** Bytes of skills that are materialised into a workspace. */
export const WORKSPACE_MAX_BYTES = 64 * 1024 * 1024;
/** The oldest git that the tests run on. */
export const GIT_MINIMUM_VERSION = "2.39.0";
/** One local plumbing call. A healthy one takes milliseconds; a lazy fetch of a partial clone takes longer. */
export const GIT_CALL_TIMEOUT_MS = 120_000;
/** What one git call may answer; the largest answers are tree listings and blobs of skills. */
export const GIT_OUTPUT_MAX_BYTES = 256 * 1024 * 1024;
/** The last few trees from this size on are kept, and worked on as bytes: about 1,000 entries. */
export const LARGE_TREE_BYTES = 32 * 1024;
export const LARGE_TREES_KEPT = 4;
/** Tries to move a ref that another process holds locked, and the pause between two of them. */
export const REF_LOCK_TRIES = 5;
export const REF_LOCK_PAUSE_MS = 40;
/** Tries to take a lock that another process holds or also wants, and the middle of the pause between two. */
export const LOCK_TRIES = 40;
export const LOCK_RETRY_PAUSE_MS = 50;
/** Tries of a `git worktree` call: git reads the others' half-made registrations and gives up on them. */
export const WORKTREE_TRIES = 6;
/** Before the second try; it doubles. */
export const WORKTREE_RETRY_PAUSE_MS = 25;
/** Workspaces left by a process on another machine (shared disk) count as dead after this. */
export const FOREIGN_WORKSPACE_MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Kept of what git says on stderr: enough for its longest advice. */
export const GIT_STDERR_MAX_CHARS = 4 * 1024;
/** Between asking a stuck git to end, so that it removes its lock files, and killing it. */
export const GIT_KILL_GRACE_MS = 2000;
/** Blobs asked for ahead of the one being written: hides git's latency, bounds the memory. */
export const OBJECTS_IN_FLIGHT = 32;
/** Branch names that an error suggests: a terminal line or two. */
export const BASE_SUGGESTIONS_MAX = 8;
/** One file of a workspace that is read; beyond it is reported by size. Above SKILL_FILE_MAX_BYTES, so that the size rule can speak. */
export const WALK_FILE_MAX_BYTES = 1024 * 1024;
/** All files of a workspace that are read: what was materialised, and room for what a review adds. */
export const WALK_MAX_BYTES = WORKSPACE_MAX_BYTES + 16 * 1024 * 1024;

// --- transcript ----------------------------------------------------------------------------------

/** Kept of one tool result; the rest is dropped while reading, so memory follows the calls, not the file. */
export const TOOL_RESULT_MAX_CHARS = 8 * 1024;
/** Kept of one message: long pastes teach nothing beyond their head and tail. */
export const TURN_TEXT_MAX_CHARS = 64 * 1024;
/** Kept of one string argument of a tool call (a whole written file is one). */
export const TOOL_ARGUMENT_MAX_CHARS = 16 * 1024;
/** One line of a JSONL transcript. Real ones reach 2.2 MB; beyond this the line is skipped and counted. */
export const TRANSCRIPT_LINE_MAX_BYTES = 64 * 1024 * 1024;
/** A transcript that must be parsed as one JSON document (arrays, exports): it is held in memory whole. */
export const TRANSCRIPT_DOCUMENT_MAX_BYTES = 256 * 1024 * 1024;
/** Good records looked at before a format is decided: some agents write ~50 others first. */
export const DETECTION_RECORDS = 50;
/** JSON nesting that is walked; deeper values are dropped. Real arguments stay below 20. */
export const JSON_DEPTH_MAX = 64;
/** Transcripts that one call of `review` takes: beyond it a CI matrix is the way. */
export const TRANSCRIPTS_MAX = 1000;
/** Bytes read from a transcript at once: large enough that the calls cost nothing, small enough for memory. */
export const TRANSCRIPT_CHUNK_BYTES = 1024 * 1024;
/** Values (keys, items, scalars) kept of one call's arguments: real ones stay below a few hundred. */
export const TOOL_ARGUMENT_MAX_VALUES = 2000;
/** A token longer than this may be split where a text is cut; shorter ones fall to one side whole, so that no half secret is kept. */
export const CUT_TOKEN_MAX_CHARS = 2048;
/** Different calls under one id; beyond it the id is worthless (a redactor's placeholder) and order decides. */
export const SAME_ID_CALLS_MAX = 100;
/** Of a shell command, searched for the paths that it writes: longer ones are data, not commands. */
export const SHELL_SCAN_MAX_CHARS = 256 * 1024;
/** Shells inside shells (`bash -c "sh -c '…'"`) that are followed. */
export const SHELL_NESTING_MAX = 3;
/** Paths kept of one call: no real patch or command names more. */
export const WRITE_PATHS_MAX = 1000;
/** A path in a command, as Linux limits it; longer ones are no paths, and variables could grow without end. */
export const AGENT_PATH_MAX_CHARS = 4096;
/** Of a stored session, read to learn the folder that it belongs to: the first records name it. */
export const SESSION_HEAD_BYTES = 256 * 1024;
/** Times that a damaged JSON text may be read over in search of whole objects: bounds the work on hostile input. */
export const JSON_RESCUE_PASSES = 8;

// --- gate ----------------------------------------------------------------------------------------

/** Completed tool calls below which a session is not reviewed: the AutoSkill design's number. */
export const AUTO_SKILL_THRESHOLD = 20;
/** Tool calls from which the `experience` trigger may fire early: the AutoSkill design's floor. */
export const EXPERIENCE_FLOOR_CALLS = 5;
/** A ledger entry: a digest and a few names. */
export const LEDGER_ENTRY_MAX_BYTES = 64 * 1024;

// --- skills and verify ---------------------------------------------------------------------------

/** Folder and `name`: the Agent Skills specification. */
export const SKILL_NAME_MAX_CHARS = 64;
/** `description`: the Agent Skills specification. */
export const SKILL_DESCRIPTION_MAX_CHARS = 1024;
/** One file of a skill: a reviewer reads it in two minutes, and Qwen Code watches the folder. */
export const SKILL_FILE_MAX_BYTES = 64 * 1024;
/** All files of one skill. */
export const SKILL_TOTAL_MAX_BYTES = 256 * 1024;
/** Files of one skill: SKILL.md and a few references. */
export const SKILL_MAX_FILES = 16;
/** Skills that one review may change: the prompt asks for one or two; more is a runaway. */
export const SKILLS_CHANGED_MAX = 8;
/** Folder levels below the skill (`references/a/b/c.md` has three). */
export const SKILL_PATH_MAX_DEPTH = 4;
/** One path component, in bytes: the limit of ext4, APFS and NTFS. */
export const PATH_COMPONENT_MAX_BYTES = 255;
/** The YAML block of a SKILL.md: the longest allowed description in 4-byte characters, and room. */
export const FRONTMATTER_MAX_BYTES = 16 * 1024;
/** One line of a skill file: longer ones hide text beyond a reviewer's screen. */
export const SKILL_LINE_MAX_CHARS = 2000;
/** `compatibility` of a skill: the Agent Skills specification. */
export const SKILL_COMPATIBILITY_MAX_CHARS = 500;
/** A blob that is loaded to be verified; anything larger is refused by its size alone. */
export const VERIFY_BLOB_MAX_BYTES = 1024 * 1024;

// --- review --------------------------------------------------------------------------------------

/** Rounds of the review agent: the AutoSkill design's number. */
export const REVIEW_MAX_TURNS = 8;
/** Wall time of one review: the AutoSkill design's two minutes. */
export const REVIEW_TIMEOUT_SECONDS = 120;
/** The most that anybody may configure: a review that takes an hour is stuck. */
export const REVIEW_TIMEOUT_MAX_SECONDS = 3600;
export const REVIEW_MAX_TURNS_MAX = 100;
/** Finished reviews that a host can still ask for by id: enough for a list, not a leak. */
export const REVIEW_TASKS_KEPT = 100;

// --- review: what a model is given of a session --------------------------------------------------

/** Bytes of text that one token stands for at the very least: measured over 29 real sessions and two tokenizers, never fewer. */
const TOKEN_MIN_BYTES = 2.4;
/** Of the session, put into the prompt: leaves room for tools and answers in a model with 128k tokens. */
const PROMPT_SESSION_MAX_TOKENS = 80_000;
/** The same in bytes. */
export const PROMPT_SESSION_MAX_BYTES = PROMPT_SESSION_MAX_TOKENS * TOKEN_MIN_BYTES;
/** What a session that doesn't fit is cut to, in UTF-16 units a piece, the most generous that fits: the user's words and failures carry the lesson. */
export const RENDER_LEVELS = [
  { user: 6000, agent: 1500, args: 500, failure: 2000, success: 600 },
  { user: 3000, agent: 600, args: 300, failure: 1000, success: 240 },
  { user: 1200, agent: 240, args: 160, failure: 400, success: 0 },
] as const;
/** Skills listed in the prompt: Qwen Code itself shows a model fewer. The rest is found with `ls`. */
export const PROMPT_SKILLS_MAX = 200;
/** One description in that list: what it does and when to use it stands at the beginning. */
export const PROMPT_DESCRIPTION_MAX_CHARS = 300;
/** The model's own last sentence, when nothing better says why a skill was learned. */
export const WHY_REMARK_MAX_CHARS = 300;
/** Failures that were overcome, named in that reason: the first ones are what the skill is about. */
export const WHY_MAX_ARCS = 2;

// --- review: the model's server ------------------------------------------------------------------

/** Requests for one answer, the first included: with the pauses below about 15 s, longer outages are for the next run. */
export const MODEL_TRIES = 6;
/** Before the second try; it doubles until the longest. */
export const MODEL_RETRY_PAUSE_MS = 500;
export const MODEL_RETRY_PAUSE_MAX_MS = 8000;
/** The longest `retry-after` that is waited for: a server that asks for more is out of quota, and saying so helps more. */
export const MODEL_RETRY_AFTER_MAX_MS = 60_000;
/** One request without an answer: Node's fetch ends it then anyway. */
export const MODEL_REQUEST_TIMEOUT_MS = 300_000;
/** One response: the longest outputs of models are below 1 MB; more is a broken server. */
export const MODEL_RESPONSE_MAX_BYTES = 16 * 1024 * 1024;
/** Tool calls that are run of one answer: parallel calls come in threes and fours. */
export const MODEL_CALLS_PER_ANSWER_MAX = 32;
/** The tiny request of `doctor`: a local server may have to load the model first. */
export const MODEL_PROBE_TIMEOUT_MS = 30_000;

// --- review: the tools ---------------------------------------------------------------------------

/** One tool result: about 8,000 tokens, so that eight rounds of reading fit a model's context. */
export const TOOL_OUTPUT_MAX_CHARS = 24_000;
/** Lines that read_file answers unless asked for fewer: what Qwen Code's own tool answers. */
export const READ_LINES_MAX = 2000;
/** Of one line in a tool result: longer ones are generated code. */
export const READ_LINE_MAX_CHARS = 2000;
/** Entries of one `ls`: beyond it a pattern serves better. */
export const LS_ENTRIES_MAX = 500;
/** One file of the project, as the tools see it: larger ones are data, and the rest is cut off. */
export const PROJECT_FILE_MAX_BYTES = 4 * 1024 * 1024;
/** Files of the project kept in memory between two reads of the same one. */
export const PROJECT_CACHE_MAX_BYTES = 16 * 1024 * 1024;
/** Looked at for a NUL byte, which no text has: as much as git looks at. */
export const BINARY_SCAN_BYTES = 8000;
/** A text argument of a tool; a whole file of a skill fits, in any script. */
export const TOOL_TEXT_MAX_CHARS = 64 * 1024;
/** One command line of the shell. */
export const SHELL_COMMAND_MAX_CHARS = 16 * 1024;
/** One call of the shell: `grep -r` over 100,000 files takes a few seconds. */
export const SHELL_TIMEOUT_MS = 20_000;
/** After it the shell's thread is ended, whatever it does: a regular expression can't be asked to stop. */
export const SHELL_KILL_GRACE_MS = 1000;
/** Commands of one call: ends a loop of builtins in under a second. */
export const SHELL_COMMANDS_MAX = 2000;
/** Rounds of one loop, and steps of sed, awk and jq. */
export const SHELL_LOOPS_MAX = 100_000;
/** What all commands of a call may write into pipes and answers together: a listing of a large repository fits. */
export const SHELL_OUTPUT_MAX_BYTES = 16 * 1024 * 1024;
/** One string of the shell. */
export const SHELL_STRING_MAX_BYTES = 16 * 1024 * 1024;
/** Heap of the shell's thread: the whole program stays small on a build machine. */
export const SHELL_HEAP_MAX_MB = 256;
/** Refused writes that one answer of the shell names. */
export const SHELL_REFUSALS_SHOWN = 5;
/** One answer of git to the shell, before filters like `grep` and `head` see it. */
export const HISTORY_OUTPUT_MAX_BYTES = 2 * 1024 * 1024;
/** One git command of the shell. */
export const HISTORY_TIMEOUT_MS = 15_000;
/** Arguments of one git command of the shell. */
export const HISTORY_ARGUMENTS_MAX = 64;
/** A reader of the project's files that nobody asks anything ends after this. */
export const PROJECT_READER_IDLE_MS = 500;

// --- review: the offline reviewer ----------------------------------------------------------------

/** Skills that the offline reviewer writes from one session: more than two is noise for a reviewer. */
export const OFFLINE_MAX_SKILLS = 2;
/** Lines of one small diff in a skill: more is a listing, not a hint. */
export const OFFLINE_DIFF_MAX_LINES = 24;
/** A command, error line or diff line quoted in a skill: what a person reads at once. */
export const OFFLINE_QUOTE_MAX_CHARS = 240;
/** Entries of one kind (looks, pitfalls, checks, changed places) in a skill: beyond it nobody reads on. */
export const OFFLINE_MAX_ENTRIES = 5;
/** Cells of the table that compares two texts line by line; larger texts are shown as replaced whole. */
export const OFFLINE_DIFF_MAX_CELLS = 250_000;
/** A sentence of the agent that is quoted as the cause: shorter ones are headings, longer ones essays. */
export const OFFLINE_REMARK_MIN_CHARS = 20;
export const OFFLINE_REMARK_MAX_CHARS = 200;
/** The least of a session id that names it: what skills and outputs of skillpr cite. */
export const SESSION_ID_MIN_CHARS = 8;

// --- proposal and publish ------------------------------------------------------------------------

/** proposal.json: the files of one skill, JSON-escaped, with evidence and findings. */
export const PROPOSAL_MAX_BYTES = 4 * 1024 * 1024;
/** Evidence rows of one proposal: a reviewer reads a table, not a log. */
export const EVIDENCE_MAX_ROWS = 50;
/** Findings that one verification reports; the rest is counted. */
export const FINDINGS_MAX = 200;
/** Reviews of one session when another review moved the same branch meanwhile. */
export const REVIEW_TRIES = 3;
/** Why a skill was learned: two sentences in a commit message and a pull request. */
export const PROPOSAL_WHY_MAX_CHARS = 2000;
/** Turns cited for one command. */
export const EVIDENCE_MAX_TURNS = 20;
/** Files of one open proposal that are laid over the base's skills: several times what a skill may have. */
export const OVERLAY_MAX_BYTES = 4 * SKILL_TOTAL_MAX_BYTES;
/** Commits of one proposal branch that are looked at to tell ours from somebody else's. */
export const BRANCH_MAX_COMMITS = 500;
