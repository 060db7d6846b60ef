/**
 * Every bound of skillpr, with its unit in the name and its reason beside it (invariant 8).
 * Nothing else in the code base may hold a number that limits size, count or time.
 */

// --- core ----------------------------------------------------------------------------------------

/** Foreign text quoted in a finding or an error. */
export const QUOTE_MAX_CHARS = 120;
/** How much of a text is searched for secrets before it is cut to be quoted: more than any token has that begins in what is shown. */
export const SHOWN_SEARCH_MAX_CHARS = 4096;
/** A piece of a file's secret that no finding shows: shorter ones are words. */
export const SHOWN_PIECE_CHARS = 8;
/** A config file of skillpr; anything larger is not one. */
export const CONFIG_MAX_BYTES = 256 * 1024;
/** Nesting of a YAML document: configs and frontmatters stay below 8, and a deep one exhausts the parser's stack. */
export const YAML_DEPTH_MAX = 32;
/** Problems listed of one YAML document: the first few are the cause of the rest. */
export const YAML_PROBLEMS_MAX = 20;
/** Runs of a command that keep the byte code of what they compiled: a first one may have ended at the gate. */
export const BYTE_CODE_TIMES = 3;
/** The line that says what follows in kept byte code: a hundred files take a tenth. */
export const BYTE_CODE_INDEX_MAX_BYTES = 64 * 1024;

// --- secrets -------------------------------------------------------------------------------------

/** Shorter values of credentials are words, and replacing every occurrence of a word destroys the text. */
export const CREDENTIAL_MIN_CHARS = 8;
/** A variable's value of small letters alone that is taken for a word: what generators make of such letters is longer. */
export const CREDENTIAL_WORD_MAX_CHARS = 15;
/** A secret found by its context is replaced elsewhere too when it has at least this many characters. */
export const SECRET_ECHO_MIN_CHARS = 12;
/** Text searched for anchors at once: small enough for a processor's cache, large enough that a call costs nothing. */
export const ANCHOR_SCAN_CHARS = 64 * 1024;
/** Texts that look alike and are compared one with the other; of more, every character is looked at. */
export const ALIKE_TEXTS_MAX = 8;
/** Places in which different texts of one session are remembered, to see that one comes again: twice those of the largest real sessions. 64 * 4^n. */
export const KNOWN_TEXTS_PLACES = 262_144;
/** Of those places, kept for the next session when one has no more: 64 KiB; to clear them is faster than to get new ones. */
export const SPARE_TEXTS_PLACES_MAX = 16_384;
/**
 * Short texts as they are searched, that differ from how they are spelled and hold nothing, kept for a second look; nearly a kilobyte
 * each. The others are made again. When most of those that it makes stay, V8 makes all further ones where only a full collection looks.
 */
export const PIECES_KEPT = 1000;
/** Longer texts take longer to be made again, and there is room for fewer of them. */
export const SHORT_PIECE_MAX_CHARS = 1000;
/** Beginning of a known value that is looked for first: the longer, the further a search leaps; beyond this it gains little. */
export const KNOWN_VALUE_HEAD_MAX_CHARS = 64;
/** What the scanner library sees before and after a suspicious place: the name before a secret, and the longest that it knows of one line. */
export const SECRET_SCAN_WINDOW_BEFORE_CHARS = 128;
export const SECRET_SCAN_WINDOW_AFTER_CHARS = 1536;
/** Of a private key's line, with the name of the file and the quotes that may stand around it. */
export const PEM_LINE_MAX_CHARS = 512;
/** What stands before a key's material in its line, and behind the marker of its beginning: the name of a file. */
export const PEM_PREFIX_MAX_CHARS = 256;
/** How far before an option its command is looked for, and around an AWS id its secret: a long command line. */
export const SECRET_CONTEXT_CHARS = 400;
/** Of the name that a value is given to: a longer one is no name, and a run of letters must cost nothing. */
export const SECRET_NAME_MAX_CHARS = 64;
/** Before the `@` of an e-mail address: RFC 5321 allows no more. */
export const EMAIL_NAME_MAX_CHARS = 64;
/** Of a value, looked at to tell random characters from words: more doesn't make it clearer. */
export const RANDOM_LOOK_CHARS = 128;
/** The credential of an `Authorization` header: a shorter one is a word. */
export const HEADER_SECRET_MIN_CHARS = 8;
/** What stands behind `Bearer` alone: a shorter one may be a word of a sentence. */
export const BEARER_SECRET_MIN_CHARS = 16;
/** Before the `@` of an address: a longer login is none. */
export const SECRET_LOGIN_MAX_CHARS = 1024;
/** Backslashes that one character is escaped with: JSON inside JSON inside JSON has seven. */
export const ESCAPE_BACKSLASHES_MAX = 8;
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
/** Objects of which one reader remembers type and size: both versions of as many files as a skills root may have. */
export const KNOWN_OBJECTS_MAX = 2 * WORKSPACE_MAX_ENTRIES;
/** Small trees that it keeps: those of some 10,000 skills. */
export const KNOWN_TREES_MAX_BYTES = 4 * 1024 * 1024;
/** Tries to move a ref that another process holds locked, and the pause between two of them. */
export const REF_LOCK_TRIES = 5;
export const REF_LOCK_PAUSE_MS = 40;
/** Tries to take a lock that another process holds or also wants, and the middle of the pause between two. */
export const LOCK_TRIES = 40;
export const LOCK_RETRY_PAUSE_MS = 50;
/** How often who holds a lock gives a sign of life, for those who can't see its process. */
export const LOCK_SIGN_MS = 60_000;
/** On another machine, or in a container that is gone, no process can be looked for: without a sign for so long, it is dead. */
export const LOCK_SILENCE_MAX_MS = 10 * 60_000;
/** Tries of a `git worktree` call: git reads the others' half-made registrations and gives up on them. */
export const WORKTREE_TRIES = 6;
/** Before the second try; it doubles. */
export const WORKTREE_RETRY_PAUSE_MS = 25;
/** Workspaces left by a process on another machine (shared disk) count as dead after this. */
export const FOREIGN_WORKSPACE_MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** A run folder whose process wrote no name into it is one that was killed: naming is the first thing it does. */
export const UNNAMED_RUN_FOLDER_MAX_AGE_MS = 60_000;
/** Kept of what git says on stderr: enough for its longest advice. */
export const GIT_STDERR_MAX_CHARS = 4 * 1024;
/** Between asking a stuck git to end, so that it removes its lock files, and killing it. */
export const GIT_KILL_GRACE_MS = 2000;
/** Blobs asked for ahead of the one being written: hides git's latency, bounds the memory. */
export const OBJECTS_IN_FLIGHT = 32;
/** Small objects (trees, texts of skills) that git is asked for at once: two processes wake for each batch. */
export const SMALL_OBJECTS_IN_FLIGHT = 256;
/** Branch names that an error suggests: a terminal line or two. */
export const BASE_SUGGESTIONS_MAX = 8;
/** One file of a workspace that is read; beyond it is reported by size. Above SKILL_FILE_MAX_BYTES and SKILLBOOK_FILE_MAX_BYTES, so that the size rule can speak. */
export const WALK_FILE_MAX_BYTES = 3 * 1024 * 1024;
/** All files of a workspace that are read: what was materialised, and room for what a review adds. */
export const WALK_MAX_BYTES = WORKSPACE_MAX_BYTES + 16 * 1024 * 1024;

// --- transcript ----------------------------------------------------------------------------------

/** Kept of one tool result; the rest is dropped while reading, so memory follows the calls, not the file. */
export const TOOL_RESULT_MAX_CHARS = 8 * 1024;
/** Kept of one message: long pastes teach nothing beyond their head and tail. */
export const TURN_TEXT_MAX_CHARS = 64 * 1024;
/** Kept of one string argument of a tool call (a whole written file is one). */
export const TOOL_ARGUMENT_MAX_CHARS = 16 * 1024;
/** Ids of records that are packed, in UTF-16 units: those of all agents are shorter; a longer one takes a place in a map. */
export const PACKED_ID_MAX_CHARS = 256;
/** Names of tools and folders of one session that are kept once each: no real one has as many. */
export const SHARED_TEXTS_MAX = 1000;
/** Kept of all texts of one session before each of them has less room: ten times what the largest real ones hold. */
export const SESSION_TEXT_MAX_CHARS = 8 * 1024 * 1024;
/** The part of what is left of that which one text may take: the first half is given out in full, then the room shrinks slowly. */
export const SESSION_TEXT_PART = 1 / 512;
/** The least that is kept of one text, however many there are: a result that went well; a failure, words or an argument. */
export const SUCCESS_MIN_CHARS = 256;
export const TEXT_MIN_CHARS = 1024;
/** One line of a JSONL transcript. Real ones reach 2.2 MB; beyond this the line is skipped and counted. */
export const TRANSCRIPT_LINE_MAX_BYTES = 64 * 1024 * 1024;
/** A transcript that must be parsed as one JSON document (arrays, exports): it is held in memory whole. */
export const TRANSCRIPT_DOCUMENT_MAX_BYTES = 256 * 1024 * 1024;
/** Good records looked at before a format is decided: some agents write ~50 others first. */
export const DETECTION_RECORDS = 50;
/** How often so many others are passed over before a file is given up: a session that was resumed often begins with hundreds. */
export const DETECTION_SAMPLES_MAX = 20;
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
/** Calls without an id that wait for a result; an older one doesn't get any more: agents make a few at once. */
export const UNNAMED_CALLS_WAITING_MAX = 1000;
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
/** Of that, read at once: most files name the folder in their first kilobytes, and a store holds thousands of them. */
export const SESSION_HEAD_STEP_BYTES = 32 * 1024;
/** An agent's database with its log, which is copied before it is read: what a temporary folder has room for, and a few seconds. */
export const STORE_DATABASE_MAX_BYTES = 2 * 1024 * 1024 * 1024;
/** Copies that are begun until the database isn't changed under one in a way that spoils it: that takes a restart of its log. */
export const STORE_COPY_TRIES = 5;
/** Between two of them: an agent writes in bursts. */
export const STORE_COPY_PAUSE_MS = 200;
/** Parts of one message that make a line together: far below what a line may have, so that one more part fits. */
export const STORE_LINE_BYTES = 8 * 1024 * 1024;
/** Events of a stored session looked at for the folder that it worked in: the first command names it. */
export const STORE_EVENTS_LOOKED_AT = 50;
/** Times that a damaged JSON text may be read over in search of whole objects: bounds the work on hostile input. */
export const JSON_RESCUE_PASSES = 8;
/** Bytes of a transcript, unpacked and in UTF-8, from which it is told whether it is Markdown or JSON: headers stand first. */
export const TEXT_HEAD_BYTES = 4096;
/** What a compressed transcript may unpack to; the largest real ones are below 250 MB. */
export const UNPACKED_MAX_BYTES = 512 * 1024 * 1024;
/** An archive that is read: it is held in memory whole. */
export const ARCHIVE_MAX_BYTES = 256 * 1024 * 1024;
/** One file of an archive: it is unpacked in memory. */
export const ARCHIVE_ENTRY_MAX_BYTES = 256 * 1024 * 1024;
/** Files of one archive, transcripts or not: beyond it, it is a backup of something else. */
export const ARCHIVE_ENTRIES_MAX = 10_000;
/** Archives inside archives (a build artefact of compressed transcripts has two). */
export const ARCHIVE_NESTING_MAX = 3;
/** Files of an archive that an error names. */
export const ARCHIVE_NAMES_SHOWN = 5;
/** Results kept whose calls come later: parallel writers swap neighbours, not halves of a file. */
export const EARLY_RESULTS_KEPT = 32;

/** Long texts of one transcript that are put aside on disk, and what becomes of them: several times the largest file in use. */
export const SPOOL_MAX_BYTES = 1024 * 1024 * 1024;
/** Gathered before the disk is written, and read from it at once. */
export const SPOOL_BUFFER_BYTES = 256 * 1024;
/** Of long texts that are searched for secrets at once: the scanner's cost is per call, its memory per character. */
export const REDACTION_WINDOW_CHARS = 2 * 1024 * 1024;
/** Around the edge of two windows, to see whether a secret spans it: the longest, a private key, has 13,000 characters. */
export const REDACTION_EDGE_CHARS = 16 * 1024;
/** Edges that are tried, each further back, before the rest of the text is left out. */
export const REDACTION_EDGE_TRIES = 8;
/** One file of `/transcript`: what the reviewer's shell takes (PROJECT_FILE_MAX_BYTES). */
export const SESSION_PART_MAX_BYTES = 4 * 1024 * 1024;
/** One line of it; a longer one is broken, so that a part is made of whole lines. */
export const SESSION_LINE_MAX_CHARS = 256 * 1024;

// --- gate ----------------------------------------------------------------------------------------

/** Completed tool calls below which a session is not reviewed: the AutoSkill design's number. */
export const AUTO_SKILL_THRESHOLD = 20;
/** Tool calls from which the `experience` trigger may fire early: the AutoSkill design's floor. */
export const EXPERIENCE_FLOOR_CALLS = 5;
/** A ledger entry: a digest and a few names. */
export const LEDGER_ENTRY_MAX_BYTES = 64 * 1024;
/** Entries of one session that are looked at for the one it grew from: the longest nearly always is it. */
export const LEDGER_SESSION_LOOKS = 5;
/** Marks of one session that its entry remembers: more strategies than a session loads, and a third of what an entry may hold. */
export const LEDGER_MARKS_MAX = 200;

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
/** The Skillbook's file: a few thousand strategies, which is more than any prompt can show. */
export const SKILLBOOK_MAX_BYTES = 4 * 1024 * 1024;
/** Its nesting: ACE's own files stay below 8, and writing a deep value exhausts the stack. */
export const SKILLBOOK_DEPTH_MAX = 32;
/** An id of a strategy: ACE makes `context-00001`, people choose short names. */
export const SKILLBOOK_ID_MAX_CHARS = 100;
/** `issue` and `insight` of an operation: a strategy is a sentence or two, a procedure is a skill; with its label it fits a line (SKILL_LINE_MAX_CHARS). */
export const STRATEGY_TEXT_MAX_CHARS = 1500;
/** Keywords of one strategy, and the length of one: it is found by a few words. */
export const STRATEGY_MAX_KEYWORDS = 20;
export const STRATEGY_KEYWORD_MAX_CHARS = 80;
/** Reasons of operations that a strategy keeps, the newest: a pull request shows those that it brings. */
export const STRATEGY_REASONS_MAX = 20;
/**
 * Sources that a strategy or a skill keeps: the first (`seed`) and the newest of the others; a page names LINE_TRACES_MAX. The counts go
 * on without them: kept for ever, some 55 sessions would fill the file of 31 strategies.
 */
export const STRATEGY_SOURCES_MAX = 20;
/** What a mark says of itself, as it stands in the file: a sentence. Every session that loads the Skillbook marks each strategy. */
export const MARK_REASON_MAX_BYTES = 240;
/** Source of a mark, as JSON: the four names of a trace, of up to 80 characters each; of more only `trace_uid` is kept, from which ACE's loader makes the others. */
export const MARK_SOURCE_MAX_BYTES = 400;
/** That name, in the file: room for the longest id of a session (HOOK_SESSION_ID_MAX_CHARS); in place of a longer one stands its hash. */
export const MARK_TRACE_MAX_BYTES = 300;
/** Strategies that SKILL.md of the Skillbook holds itself, removed ones counted; of more it holds a list, and `references/` the text. */
export const SKILLBOOK_INLINE_MAX_STRATEGIES = 30;
/**
 * skillbook.json in a proposal: 100 strategies with all the marks, sources and reasons that they can ever get (23 KB each at the
 * most, 11 KB as sessions give them). People read what is rendered from it.
 */
export const SKILLBOOK_FILE_MAX_BYTES = 2560 * 1024;
/** One `references/<section>.md` of the Skillbook: an agent searches it, and reads one entry. */
export const SKILLBOOK_REFERENCE_MAX_BYTES = 192 * 1024;
/** All files of the Skillbook, each at its limit: below what an overlay may have. */
export const SKILLBOOK_TOTAL_MAX_BYTES = 3 * 1024 * 1024;
/** From this share of a limit of the Skillbook on, people are told: time enough to tidy up before changes are refused. */
export const SKILLBOOK_FULL_SHARE = 0.8;
/** Operations of one batch: one session teaches a handful; more is a runaway model. */
export const UPDATE_BATCH_MAX_OPERATIONS = 500;
/** Names that an error says somebody may have meant: more are no help to choose from. */
export const HINT_NAMES_MAX = 3;
/** A blob that is loaded to be verified: above SKILLBOOK_FILE_MAX_BYTES, so that the size rule can say what helps; anything larger is refused by its size alone. */
export const VERIFY_BLOB_MAX_BYTES = 3 * 1024 * 1024;
/** Threads that check files, ours among them: as many processors as build machines have; each loads the rules once more. */
export const VERIFY_THREADS_MAX = 8;
/** Changed files for each of them: a thread takes about as long to start as so many files take to be checked. */
export const VERIFY_FILES_PER_THREAD_MIN = 64;
/** All blobs that the threads look at, in the memory that they share; of more, one thread reads what is there already. */
export const VERIFY_SHARED_MAX_BYTES = 256 * 1024 * 1024;
/** Findings of one content rule in one file: the first few show what is wrong. */
export const CONTENT_FINDINGS_PER_FILE_MAX = 5;
/** Of what invisible characters spell: a page of text is more than a finding shows. */
export const SMUGGLED_TEXT_MAX_CHARS = 400;
/** An alternative text or a link's title that describes: more is a text of its own. */
export const LINK_TEXT_MAX_CHARS = 200;
/** Of a token that is cut in two: the longest tokens of providers have about 200 characters. */
export const SECRET_PIECE_MAX_CHARS = 200;
/** Pieces of one token: a web token of a thousand characters in the lines of a narrow box. */
export const SECRET_PIECES_MAX = 32;
/** Between two pieces of a token that stand apart: a short sentence about the second one. */
export const PARTED_TOKEN_GAP_MAX_CHARS = 120;
/** What may be a piece of one and stands behind the first or before it: more are looked at for no token. */
export const PARTED_TOKEN_PIECES_MAX = 8;
/** Of a known value's head, middle and tail, by which it is found in pieces: fewer are met in any text, more are often cut themselves. */
export const CUT_VALUE_ANCHOR_CHARS = 6;
/** What parts the pieces of a known value before the one that was met, beyond as many characters as they have: a few ends of lines with deep indentation. */
export const CUT_VALUE_JOINTS_CHARS = 256;
/** Of a project's folder name before the home folders in it: a mount's path has fewer. */
export const SLUG_LEAD_MAX_CHARS = 64;
/** An unbroken run of that many letters and digits is no word, no hash and no id. */
export const PAYLOAD_MIN_CHARS = 160;
/** Words of substance that a passage needs before it says something of its own. */
export const PURPOSE_MIN_WORDS = 5;
/** Words of substance that a calm passage needs before it is called a stranger in its skill: single steps have fewer. */
export const STRAY_MIN_WORDS = 8;
/** What has more words (a table, a list without full stops) is read in pieces, so that words far apart don't count as one order. */
export const SENTENCE_MAX_WORDS = 45;
/** Words of texts of which is remembered what they stand for: the vocabulary of some thousand skills. */
export const KNOWN_WORDS_MAX = 16_384;
/** Longer ones, in characters, are no words that come again. */
export const KNOWN_WORD_MAX_CHARS = 32;
/** Before an attack's words, in which a negation of them is looked for: a long sentence. */
export const NEGATION_REACH_CHARS = 160;
/** Likeness of two skills (0 to 1) from which one is called a duplicate: the shared skills stay below, a reworded copy is above. */
export const DUPLICATE_MIN_SIMILARITY = 0.6;
/** Words of a body, without the common ones, below which two skills are alike by chance. */
export const DUPLICATE_MIN_WORDS = 15;
/** Skills of the user in one folder whose names are read. */
export const USER_SKILLS_MAX = 500;
/** New skills that are compared with each other too; more are an import of a collection. */
export const DUPLICATE_NEW_MAX = 50;
/** Addresses, packages and commands of one file that are looked up in a session. */
export const CLAIMS_PER_FILE_MAX = 300;

// --- review --------------------------------------------------------------------------------------

/** Rounds of the review agent: the AutoSkill design's number. */
export const REVIEW_MAX_TURNS = 8;
/** Wall time of one review: the AutoSkill design's two minutes. */
export const REVIEW_TIMEOUT_SECONDS = 120;
/** The most that anybody may configure: a review that takes an hour is stuck. */
export const REVIEW_TIMEOUT_MAX_SECONDS = 3600;
export const REVIEW_MAX_TURNS_MAX = 100;
/** A stopped reviewer may still say where it was; then it is left behind, whatever it does. */
export const REVIEW_STOP_GRACE_MS = 500;
/** Finished reviews that a host can still ask for by id: enough for a list, not a leak. */
export const REVIEW_TASKS_KEPT = 100;

// --- review: what a model is given of a session --------------------------------------------------

/** Bytes of a raw transcript for a token, as the estimate counts them: about what it counts in collected sessions. */
export const RAW_TOKEN_BYTES = 1.9;
/**
 * Tokens of a character of ASCII: measured with two tokenizers (o200k, cl100k), over real sessions and texts that cost most.
 * `letter` behind one that words have before it and `rareLetter` behind another, `upper` where a capital begins a part of a name
 * or no word, `start` of a word, `secondLetter` added to that behind it, `joined` a sign or blank that a word takes to itself, `sign` among
 * other signs, `digitOfSign` added to a digit behind one, `repeatedBlank` the third of a row.
 */
export const TOKEN_COSTS = {
  letter: 0.44,
  rareLetter: 0.7,
  upper: 0.85,
  start: 0.61,
  joined: 0.4,
  sign: 1.25,
  digitOfSign: 0.2,
  secondLetter: -0.35,
  repeatedBlank: 0.1,
} as const;
/** Of the session, put into the prompt: leaves room for tools and answers in a model with 128k tokens. */
export const PROMPT_SESSION_MAX_TOKENS = 48_000;
/**
 * A session that doesn't fit whole: the least that it may take, and the part of the raw transcript beyond that. A model
 * reads for money, and the rest is in the file view; below a quarter, since what fits whole may cost more than one.
 */
export const PROMPT_FOLDED_MIN_TOKENS = 16_000;
export const PROMPT_FOLDED_RAW_PART = 0.22;
/** The least budget of a rendering: a few lines. */
export const RENDER_MIN_TOKENS = 200;
/** Of one message of the user, unless the session is given whole: pastes teach nothing beyond their head and tail. */
export const FULL_USER_MAX_TOKENS = 2000;
/** What the pieces of a session that doesn't fit are cut to, in UTF-16 units, the most generous first: the user's words and failures carry the lesson. */
export const RENDER_LEVELS = [
  { user: 6000, agent: 3000, args: 800, failure: 6000, success: 2400 },
  { user: 6000, agent: 1200, args: 400, failure: 4000, success: 800 },
  { user: 4000, agent: 400, args: 240, failure: 2000, success: 240 },
  { user: 1600, agent: 160, args: 160, failure: 700, success: 0 },
  { user: 320, agent: 80, args: 100, failure: 160, success: 0 },
] as const;
/** The name of a tool or sub-agent in a rendering: real ones stay below it. */
export const RENDER_NAME_MAX_CHARS = 80;
/** Edits right before the success that ended a failure: what fixed it is among the last few. */
export const FIXING_EDITS_SHOWN = 3;
/** A result shorter than this is shown again rather than referred to. */
export const REPEAT_MIN_CHARS = 200;
/** One word of base64 or hexadecimal digits from this length on is data: the longest hash in use has 128. */
export const DATA_RUN_MIN_CHARS = 200;
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
/** Files whose lines one answer of git shows, read whole to look for secrets: a commit of a large repository, within a second or two. */
export const HISTORY_CHECKED_MAX_BYTES = 4 * 1024 * 1024;
export const HISTORY_CHECKED_MAX_FILES = 1000;
/** Searches in the history's texts (-S, -G, --grep, -L /…/) that one review may make: each says one bit of what redaction hides. */
export const HISTORY_SEARCHES_MAX = 24;
/** Arguments of one git command of the shell. */
export const HISTORY_ARGUMENTS_MAX = 64;
/** A reader of the project's files that nobody asks anything ends after this. */
export const PROJECT_READER_IDLE_MS = 500;
/** A listing of the project with more files isn't kept for the next session: about 5 MB. */
export const PROJECT_LISTING_KEPT_MAX_FILES = 20_000;

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

/** Sessions that one Reflector is shown: more of them would each be shown too little. */
export const SKILLBOOK_SESSIONS_MAX = 4;
/** Tokens of all sessions in its prompt; each has at least PROMPT_FOLDED_MIN_TOKENS. */
export const SKILLBOOK_PROMPT_SESSIONS_MAX_TOKENS = 64_000;
/** Answers that a role of the Skillbook may give, the one that repairs the first included. */
export const ROLE_ANSWERS_MAX = 2;
/** Of the Skillbook in a prompt, whole strategies: about 16,000 tokens; of the others their keywords. */
export const SKILLBOOK_PROMPT_MAX_CHARS = 64_000;
/** Learnings, marks and other lists of one reflection: a session teaches a handful. */
export const REFLECTION_ITEMS_MAX = 200;

// --- proposal and publish ------------------------------------------------------------------------

/** proposal.json: the files of one skill, at most all of the Skillbook, JSON-escaped, with evidence and findings. */
export const PROPOSAL_MAX_BYTES = 6 * 1024 * 1024;
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
/** Failed-then-fixed commands of one proposal, and as many corrections by the user: a reader sees the pattern in the first few. */
export const SIGNALS_MAX = 12;
/** Turns cited for one of them: more is a list, not a reference. */
export const SIGNAL_TURNS_MAX = 8;
/** Files that were changed between a failure and its success: more is a rewrite, and the list says nothing. */
export const SIGNAL_CHANGES_MAX = 8;
/** One such file's path: real ones stay below it. */
export const SIGNAL_PATH_MAX_CHARS = 256;
/** Files of one open proposal that are laid over the base's skills: several times what a skill may have, and all of the Skillbook. */
export const OVERLAY_MAX_BYTES = SKILLBOOK_TOTAL_MAX_BYTES + 4 * SKILL_TOTAL_MAX_BYTES;
/** Commits of one proposal branch that are looked at to tell ours from somebody else's. */
export const BRANCH_MAX_COMMITS = 500;
/** Commits of a proposal branch that are read one by one on the way to its base, before git is asked instead: sessions seldom add more. */
export const BRANCH_WALK_MAX_COMMITS = 8;

/** Operations that the message of a Skillbook commit lists; the branch has the rest. */
export const TRAILER_OPERATIONS_MAX = 50;
/** How long a run waits for its turn at the Skillbook: dozens at once take a second or two each, on a busy machine more. */
export const SKILLBOOK_LOCK_WAIT_MS = 15 * 60_000;
/** The longest pause between two looks: with dozens of runs that wait, somebody looks every few hundredths of a second. */
export const SKILLBOOK_LOCK_PAUSE_MS = 1000;
/** A batch of marks that waits for the next change; as large as any batch. */
export const WAITING_BATCH_MAX_BYTES = 1024 * 1024;
/** Batches of marks that wait on the remote, one a session: months of sessions that taught nothing else. */
export const WAITING_MARKS_MAX = 5000;
/** Tries to add to them while other runs do the same: each waits for one push of each of the others. */
export const MARKS_PUSH_TRIES = 20;
/** Versions of the Skillbook that `stats` looks at, the newest: years of weekly merges. */
export const SKILLBOOK_VERSIONS_MAX = 200;
/** Files that don't belong into the Skillbook's folder, as `validate` prints them: the first show what happened; the JSON has all. */
export const SKILLBOOK_FOREIGN_SHOWN_MAX = 20;
/** Traces named behind one operation in words: more than anybody looks up; the JSON has all. */
export const LINE_TRACES_MAX = 8;
/** Versions of the Skillbook's folder in a base's history that are looked through for what a proposal was merged as. */
export const SKILLBOOK_HISTORY_MAX = 200;
/** A file with an UpdateBatch: 500 operations at their longest. */
export const UPDATE_BATCH_MAX_BYTES = 4 * 1024 * 1024;
/** The reason of a decline, quoted to whoever proposes the same again: one or two sentences. */
export const DECLINE_REASON_MAX_CHARS = 200;
/** A commit's author, named as the one whose branch it is now. */
export const AUTHOR_NAME_MAX_CHARS = 80;
/** One word of a trailer: ids and names of models are shorter. */
export const TRAILER_WORD_MAX_CHARS = 100;

// --- pull requests -------------------------------------------------------------------------------

/** A remote that says nothing for that long isn't coming back; a large fetch reports progress all the time. */
export const REMOTE_SILENCE_MS = 60_000;
/** Commits fetched of a branch into a clone that is shallow already: a proposal has a handful above the base. */
export const SHALLOW_FETCH_DEPTH = 50;
/** One answer of GitHub's API; its own gateway gives up after 10 seconds. */
export const GITHUB_ANSWER_MAX_MS = 30_000;
/** Tries of a request that met an outage, or an object that GitHub's replicas don't know yet. */
export const GITHUB_TRIES = 4;
/** First pause between two of them; it grows by the square. */
export const GITHUB_RETRY_PAUSE_MS = 1000;
/** The longest `retry-after` that a run waits for; a primary limit may ask for an hour. */
export const GITHUB_WAIT_MAX_SECONDS = 120;
/** Waits for one request. */
export const GITHUB_WAITS_MAX = 2;
/** Open proposals that people are asked to look at, by default and at most. */
export const OPEN_PULL_REQUESTS = 5;
export const OPEN_PULL_REQUESTS_MAX = 100;
/** Pages of 100 open pull requests that are looked through for ours; more are a repository of bots. */
export const PULL_REQUEST_PAGES_MAX = 10;
/** Pages of 100 events of one pull request: what is looked for happens in its first minute. */
export const PULL_REQUEST_EVENT_PAGES_MAX = 1;
/** Closed pull requests of one skill that are looked at for "this was declined". */
export const CLOSED_PULL_REQUESTS_MAX = 5;
/** Commits of a closed pull request whose content is compared. */
export const CLOSED_COMMITS_MAX = 10;
/** Names in one list of the config (labels, reviewers): GitHub takes 15 reviewers. */
export const PULL_REQUEST_NAMES_MAX = 15;
/** Of one such name; GitHub's labels end at 50, its slugs at 100. */
export const PULL_REQUEST_NAME_MAX_CHARS = 100;
/** A text that is read for a pull request (a template, SKILL.md before): larger ones are cut there anyway. */
export const PULL_REQUEST_SOURCE_MAX_BYTES = 256 * 1024;
/** A pull request's body in UTF-16 units: GitHub takes 65,536 characters, and people want to write beside ours. */
export const PULL_REQUEST_BODY_MAX_CHARS = 60_000;
/** What GitHub takes of a body, ours and theirs together. */
export const GITHUB_BODY_MAX_CHARS = 65_536;
/** A repository's own template: several times the longest that anybody reads to its end. */
export const PULL_REQUEST_TEMPLATE_MAX_CHARS = 16 * 1024;
/** Fields named in one: each may stand for a table or a whole skill. */
export const PULL_REQUEST_TEMPLATE_MAX_TAGS = 200;
/**
 * How much of each part a body shows, the most generous first; the first that fits is taken. `skill`: UTF-16 units of the
 * skill's own text; `diff`: lines; `rows`, `findings`: their number; `text`: units of one sentence or command of somebody else.
 */
export const PULL_REQUEST_DETAILS = [
  { skill: 20_000, diff: 160, rows: 50, findings: 50, text: 1200 },
  { skill: 8000, diff: 80, rows: 30, findings: 20, text: 400 },
  { skill: 0, diff: 40, rows: 20, findings: 10, text: 240 },
  { skill: 0, diff: 0, rows: 5, findings: 3, text: 120 },
] as const;
/** One line of a diff in a body: longer ones are read under "Files changed". */
export const PULL_REQUEST_DIFF_LINE_MAX_CHARS = 240;
/** A figure of a body that may differ though nothing was learned: `1,234,567 tokens in, 89,012 out`, `2 min 5 s`. */
export const PULL_REQUEST_FIGURE_MAX_CHARS = 60;
/** One command in a body's table: what fits beside its turns; the skill has all of it. */
export const PULL_REQUEST_COMMAND_MAX_CHARS = 160;

// --- hook ----------------------------------------------------------------------------------------

/** What an agent says on stdin: ids, paths, and at the most its last message. */
export const HOOK_PAYLOAD_MAX_BYTES = 1024 * 1024;
/** What is read of it at once: messages have a few hundred bytes, and cold memory costs time. */
export const HOOK_STDIN_CHUNK_BYTES = 16 * 1024;
/** For an agent that opens stdin and sends nothing: half of what it grants a hook. */
export const HOOK_STDIN_WAIT_MS = 1000;
/** Between two looks at such a stdin. */
export const HOOK_STDIN_PAUSE_MS = 2;
/** A transcript that the hook copies: a larger one takes longer than the two seconds after which the agent kills it. */
export const HOOK_TRANSCRIPT_MAX_BYTES = 512 * 1024 * 1024;
/** A copy that is flushed to the disk: of a larger one only a power cut could take something, waiting for the disk could take all of it. */
export const HOOK_SYNC_MAX_BYTES = 32 * 1024 * 1024;
/** After a turn (`Stop`) the session counts as over when nothing more came for this long. */
export const HOOK_QUIET_MS = 10 * 60 * 1000;
/** A session's id; agents use 36 characters. */
export const HOOK_SESSION_ID_MAX_CHARS = 256;
/** A capture: ids, two paths, times. */
export const CAPTURE_MAX_BYTES = 64 * 1024;
/** `.git` files, `commondir`, `HEAD`, loose refs, lock reasons: a path or two. */
export const GIT_SMALL_FILE_MAX_BYTES = 64 * 1024;
/** Git's packed refs: about a million of them; beyond it the waiting proposals aren't told. */
export const PACKED_REFS_MAX_BYTES = 64 * 1024 * 1024;
/** Linked work trees that are looked at to tell what lies inside the repository. */
export const LINKED_WORK_TREES_MAX = 1000;
/** The worker's list of waiting proposals. */
export const WAITING_MAX_BYTES = 1024 * 1024;
/** Proposals that one message at the start of a session names: one line of a terminal. */
export const ANNOUNCED_NAMES_MAX = 8;
/** The log of hooks and workers; as much again is kept of what came before it. */
export const HOOK_LOG_MAX_BYTES = 128 * 1024;
/** One message in it: what went wrong, and for a bug the first frames of its stack. */
export const HOOK_LOG_MESSAGE_MAX_CHARS = 1000;
/** The name of an event in it; agents' own are shorter than 20. */
export const HOOK_LOG_EVENT_MAX_CHARS = 40;
/** Heap of the worker: the largest transcripts are read in about a third of it. */
export const WORKER_HEAP_MAX_MB = 1024;

// --- hook: the queue and its worker --------------------------------------------------------------

/** A capture, a record, and the small files beside them: a few names and one error message. */
export const QUEUE_FILE_MAX_BYTES = 64 * 1024;
/** A transcript that is copied once more: several times the largest real one; the disk is the user's. */
export const TRANSCRIPT_COPY_MAX_BYTES = 1024 * 1024 * 1024;
/** The quiet period of hooks, which the user may change for the worker. */
export const QUIET_MINUTES = HOOK_QUIET_MS / 60_000;
/** The most that anybody may configure: a day, after which agents themselves clean up. */
export const QUIET_MAX_MINUTES = 24 * 60;
/** A transcript that didn't change for this long is written to its end: agents flush within a second. */
export const TRANSCRIPT_SETTLED_MS = 1000;
/** The longest wait for that: a session that goes on is captured again anyway. */
export const TRANSCRIPT_SETTLE_MAX_MS = 15_000;
/** Between two looks at a transcript that still changes. */
export const TRANSCRIPT_SETTLE_PAUSE_MS = 200;
/** Tries of one job when the model, git or the network fail: with the pauses below, about six hours. */
export const JOB_TRIES_MAX = 6;
/** Before the second try; each pause is RETRY_PAUSE_GROWTH times the one before, up to the longest. */
export const RETRY_PAUSE_MS = 60_000;
export const RETRY_PAUSE_GROWTH = 4;
export const RETRY_PAUSE_MAX_MS = 6 * 60 * 60 * 1000;
/** Workers that a job may outlive: a transcript that ends every worker is parked, and the others go on. */
export const JOB_DEATHS_MAX = 3;
/** Reviews and tokens of one day, unless the user says otherwise: far above a day's work, far below a runaway's bill. */
export const REVIEWS_PER_DAY = 100;
export const TOKENS_PER_DAY = 10_000_000;
/** What may be configured: whole numbers that stay exact. */
export const TOKENS_PER_DAY_MAX = 1_000_000_000_000;
export const REVIEWS_PER_DAY_MAX = 100_000;
/** Records of finished jobs: as many as `status` is any use for, and not older than a season. */
export const DONE_RECORDS_KEPT = 1000;
export const DONE_RECORD_MAX_AGE_MS = 90 * 24 * 60 * 60 * 1000;
/** A copy that no capture names yet may belong to a hook that is about to name it; hooks live for seconds. */
export const UNNAMED_COPY_MAX_AGE_MS = 60 * 60 * 1000;
/** A temporary file whose process can't be seen may belong to one in another container: none takes this long. */
export const TEMPORARY_FILE_GRACE_MS = 10_000;
/** How much older than the process with its pid a temporary file is when it was another's: a clock may jump by an hour. */
export const REUSED_PID_MARGIN_MS = 2 * 60 * 60 * 1000;
/** Of an outcome's sentence, kept in a record. */
export const RECORD_TEXT_MAX_CHARS = 1000;
/** Branches kept in a record of a session that was reviewed again and again. */
export const RECORD_BRANCHES_MAX = 50;
/** Where a worker had nothing to do, the list of waiting proposals is renewed when it is older than this: listing takes a dozen git calls. */
export const WAITING_MAX_AGE_MS = 60 * 60 * 1000;
/** Nice value of the worker: behind everything that somebody waits for. */
export const WORKER_NICENESS = 10;

// --- hook: settings of agents and skills in place ------------------------------------------------

/** Unchanged lines around each change of a shown diff, as git shows them. */
export const DIFF_CONTEXT_LINES = 3;
/** What the agents give the hook: it takes a fraction of a second, and a slow disk must not lose a session. */
export const HOOK_TIMEOUT_SECONDS = 10;
/** Entries of one of them: several times what a skill may have, so that the rules can name what is too much. */
export const IN_PLACE_ENTRIES_MAX = 200;
/** Folders with skills in place that are looked at: as many as a model is shown of committed ones. */
export const IN_PLACE_FOLDERS_MAX = 200;
/** Bytes of one of them that are read. */
export const IN_PLACE_MAX_BYTES = 4 * SKILL_TOTAL_MAX_BYTES;
/** Nesting of a settings file: real ones stay below 10, and a deep one exhausts the parser's stack. */
export const SETTINGS_DEPTH_MAX = 100;
/** Cells of the table that compares two small texts for people; beyond it the changed part is shown as replaced whole. */
export const DIFF_MAX_CELLS = 4_000_000;
/** An agent's settings file: theirs hold a few servers and permissions; larger ones are something else. */
export const SETTINGS_MAX_BYTES = 1024 * 1024;
/** Entries of skillpr in one file: one for each event; a thousand are somebody's joke, and each is a parse. */
export const SETTINGS_OWN_ENTRIES_MAX = 100;

// --- status --------------------------------------------------------------------------------------

/** A command, a signal or a mark of a session in one line of a terminal, beside its label. */
export const ONE_LINE_MAX_CHARS = 100;
/** Of a digest, in the id of a session that has none of its own. */
export const DIGEST_ID_CHARS = 12;
/** Of a commit's id, as people read it. */
export const SHORT_COMMIT_CHARS = 12;
/** Of a session's id: enough to know it by in a table. */
export const SHORT_SESSION_MAX_CHARS = 12;
/** Months beside the totals of `skillbook stats` and of `report`, days of its queue: what a terminal has room for. */
export const STATS_MONTHS_MAX = 4;
/** Jobs in the table: two screens; `--json` has all. */
export const STATUS_ROWS_MAX = 50;
/** Failures of hooks that are shown: the newest tell what is wrong. */
export const STATUS_LOG_LINES = 5;
/** Older failures are over, or have come again. */
export const STATUS_LOG_MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** Between two looks of `status --watch`: quick for a person, nothing for the machine. */
export const STATUS_REFRESH_MS = 2000;
/** Of a job's id, to name it by its beginning: as short as git's. */
export const JOB_PREFIX_MIN_CHARS = 4;

/** Texts that a part of a rule's pattern is spelled out into, to look for them first; each costs a little at every start. */
export const PATTERN_TEXTS_MAX = 32;
/** Shorter ones, in characters, stand in every text, and tell nothing. */
export const PATTERN_TEXT_MIN_CHARS = 3;
/** Characters of a class that is spelled out: `[ =]`, but not every vowel. */
export const PATTERN_CLASS_MAX = 4;
/** Texts that a pattern is tried on before it is read for what it can't match without: reading all of them takes longer than a few skills do. */
export const PATTERN_TRIES_MAX = 4;

// --- action --------------------------------------------------------------------------------------

/** GitHub throws a summary above 1 MiB away whole; room for what the cut says. */
export const STEP_SUMMARY_MAX_BYTES = 1000 * 1024;
/** Tokens of one run unless the workflow says otherwise: a hundred sessions of a usual length, and no runaway's bill. */
export const ACTION_TOKEN_BUDGET = 5_000_000;
/** A number in an input; whole numbers stay exact far beyond it. */
export const ACTION_NUMBER_MAX = 1_000_000_000_000;
/** The file that describes an event: GitHub cuts a webhook's payload at 25 MB. */
export const EVENT_MAX_BYTES = 32 * 1024 * 1024;
/** GitHub refuses outputs of one job above 1 MB; the rest of a list is in the report. */
export const OUTPUT_MAX_CHARS = 250_000;
/** Findings that become annotations: GitHub shows 10 of each level for a step, and 50 for a run. */
export const ANNOTATIONS_MAX = 50;
/** Rows of the summary's table of transcripts: more than a person reads; the report has all. */
export const SUMMARY_ROWS_MAX = 200;
/** Findings that the summary shows. */
export const SUMMARY_FINDINGS_MAX = 20;
/** Foreign text in one cell of it. */
export const SUMMARY_CELL_MAX_CHARS = 200;
/** Commits with our trailers that tell a fresh runner what was reviewed: years of daily proposals. */
export const RECALLED_COMMITS_MAX = 5000;
/** Jobs of a matrix by default, and at most: GitHub starts 256 of one matrix. */
export const PLAN_JOBS = 20;
export const PLAN_JOBS_MAX = 256;
/** Bytes of a transcript that cost as much as starting a job's next review: tiny ones aren't free. */
export const PLAN_REVIEW_BYTES = 64 * 1024;
/** Folders that a proposal folder may nest: `download-artifact` adds one for each artifact, a fan-out one more. */
export const PROPOSAL_DIR_DEPTH = 3;
/** Proposals that one publishing run takes from all jobs of a matrix. */
export const PUBLISH_PROPOSALS_MAX = 1000;
/** Entries of a proposal folder that are looked at: several for each proposal. */
export const PROPOSAL_DIR_ENTRIES_MAX = 20_000;
/** Sessions that are joined to one proposal; of more, the outcome is kept, not the evidence. */
export const JOINED_SESSIONS_MAX = 50;
/** What a review job says of its transcripts: as many as one call takes, a line each. */
export const OUTCOMES_FILE_MAX_BYTES = 4 * 1024 * 1024;
/** What `plan` hands to the review jobs: the words of people about some hundred proposals. */
export const CONTEXT_MAX_BYTES = 4 * 1024 * 1024;
/** Open proposals, and declined ones, that it tells of: the newest; each costs three requests or four. */
export const CONTEXT_PROPOSALS_MAX = 100;
/** Comments on one of them that it repeats, the last ones, and of each. */
export const CONTEXT_WORDS_MAX = 5;
export const CONTEXT_WORD_MAX_CHARS = 1000;
/** Pages of 100 that are read of each way to comment on a pull request; a longer talk isn't one about a skill. */
export const FEEDBACK_PAGES_MAX = 3;
/** Comments that one revision works in, the oldest first: what a person could check in the next commit. */
export const FEEDBACK_MAX = 50;
/** One of them: GitHub takes 65,536 characters, and a page of text is the most that asks for one change. */
export const FEEDBACK_WORDS_MAX_CHARS = 4000;
/** The line that it is on. */
export const FEEDBACK_QUOTE_MAX_CHARS = 240;
/** What the reviewer says to it, in the reply. */
export const FEEDBACK_ANSWER_MAX_CHARS = 500;
/** Declined pull requests that a review by hand learns of at once, the newest; each costs three requests, once. */
export const DECLINED_LEARNED_MAX = 20;
/** A skill's description in it: the format's own bound, and room for who broke it. */
export const CONTEXT_DESCRIPTION_MAX_CHARS = 4096;

// --- report --------------------------------------------------------------------------------------

/** A page that a phone opens at once, and that GitHub and mail take. */
export const REPORT_MAX_BYTES = 2 * 1024 * 1024;
/** Proposals of one report, by name; more than a person decides in one sitting. */
export const REPORT_PROPOSALS_MAX = 20;
/** Bars of a session's overview: about one for each two pixels of a phone. */
export const REPORT_OVERVIEW_SLICES = 160;
/** Other sessions that taught the same, told beside a proposal: beyond it nobody reads on. */
export const REPORT_OTHER_SESSIONS_MAX = 10;
/** Turns beside a command of a skill: the line has room for no more. */
export const REPORT_ORIGIN_TURNS_MAX = 4;
/** Days, months and reviews of a chart, the newest: more are too thin to see on a phone. */
export const REPORT_BARS_MAX = 30;
/** Strategies beside the Skillbook's chart, those with the most marks. */
export const REPORT_STRATEGIES_MAX = 12;
/**
 * What is shown, from the first stage on until the page fits: proposals, turns of a session, calls of a turn,
 * characters of a turn's text, of a failed call's result and of one line, findings, lines of a diff, characters of a
 * rendered file (a parser of Markdown takes a second for a few thousand characters that are made to slow it down). The first shows real sessions whole but for long texts; the last fits whatever there is.
 */
export const REPORT_STAGES = [
  {
    ...{ proposals: 20, findings: 200, diff: 2000, skill: 12_000, line: 600 },
    ...{ turns: 300, calls: 40, text: 2000, result: 1000 },
  },
  {
    ...{ proposals: 20, findings: 50, diff: 500, skill: 8000, line: 300 },
    ...{ turns: 100, calls: 12, text: 500, result: 300 },
  },
  {
    ...{ proposals: 20, findings: 20, diff: 100, skill: 4000, line: 120 },
    ...{ turns: 40, calls: 4, text: 200, result: 0 },
  },
  {
    ...{ proposals: 6, findings: 5, diff: 40, skill: 1500, line: 80 },
    ...{ turns: 12, calls: 2, text: 120, result: 0 },
  },
] as const;

// --- inbox ---------------------------------------------------------------------------------------

/** Sessions of an inbox that one run takes: as many as one call of `review` does. */
export const INBOX_MAX = 1000;
/** A transcript in it: GitHub refuses files above 100 MB, and JSON of this size is redacted in memory. */
export const INBOX_TRANSCRIPT_MAX_BYTES = 64 * 1024 * 1024;
