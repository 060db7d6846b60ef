// Texts of skills for benchmarks: with headings, lists, tables, code and addresses (2–4 KB each), or short as those
// are that a session teaches (about 0.8 KB), made of sentences and commands as skills have them. The same number
// gives the same text.

const FILL = {
  thing:
    "parcel label|shipping address|release branch|changelog entry|search index|query planner|migration file|lookup table|session cache|image layer|test runner|retry queue|system clock|fixture folder|module alias|import path|export map|configuration file|lock file|type checker|style sheet|build output|worker thread|message broker|feature flag|database connection|error boundary|form validation|date picker|rate limiter|request handler|response header|background job|event stream|unit test|integration suite|coverage report|container registry|health check|log line|stack trace|memory profile|schema change|seed data|page template|route table|design token|accessibility tree|locale file|currency format".split(
      "|",
    ),
  trait:
    "stale|empty|too large|out of order|cached twice|not indexed|locked by another process|missing in production|slower than before|different on each run|rounded wrongly|in the wrong time zone|renamed|not exported|half written".split(
      "|",
    ),
  file: "src/server/router.ts|src/index.ts|lib/parse.py|app/models/order.rb|config/settings.toml|docs/guide.md|tests/test_export.py|packages/core/src/queue.ts|Makefile|docker-compose.yml|.github/workflows/ci.yml|pyproject.toml|package.json|go.mod|cmd/serve/main.go|migrations/0042_orders.sql".split(
    "|",
  ),
  command:
    "npm test -- --run|npm run build|npx tsc --noEmit|pytest -q tests/unit|make lint|go test ./...|cargo test --workspace|docker compose up -d db|git diff --stat HEAD~1|git log --oneline -5|python -m build|bundle exec rspec spec/models|psql -c 'explain analyze select 1'|node scripts/report.mjs --json|pnpm --filter core test|rg -n 'createQueue' src|ls -la dist|du -sh node_modules".split(
      "|",
    ),
  site: "https://docs.example.com/guide/|https://example.com/handbook/|https://wiki.example.org/team/|https://example.net/reference/".split(
    "|",
  ),
};

const SENTENCES =
  "Check the {thing} before the {thing}, because a {thing} that is {trait} looks the same in the output.|Run `{command}` and read its last lines; a warning about the {thing} is normal here.|If the {thing} is {trait}, open `{file}` and compare it with the version on the main branch.|The {thing} lives in `{file}`, next to the {thing}.|Start with the smallest case: one {thing}, no {thing}, and the default settings.|The order matters: first the {thing}, then the {thing}, and the {thing} last.|Use the helper in `{file}` instead of a second copy of the {thing}.|When a reviewer asks why the {thing} changed, point to the section on the {thing} in [the guide]({site}{n}).|A {thing} that is {trait} usually means that the {thing} was updated in another branch.|Keep the {thing} and the {thing} in one commit, so that a revert takes both back.|Measure again with the {thing} switched on; the difference should be below {n} ms.|See {site}{n} for the background of this decision.|The team agreed that every {thing} has an owner and a test.|Without the {thing} the first request takes about {n} seconds, which is expected.|Write down which {thing} you changed, and add a line to the {thing} if users can see it.|The old {thing} was removed in version {n}; search for its name in `{file}` before you reuse it.|Both readers accept a {thing} that is {trait}, but only one of them says so.|Look at the {thing} in the browser as well: the {thing} is rendered on the server.|Set the limit in `{file}` to {n} and not higher, since the {thing} is read into memory.|Ask for a second look when the {thing} touches the {thing}.".split(
    "|",
  );

const STEPS =
  "Open `{file}` and find the {thing}.|Run `{command}` and wait until it has finished.|Change the {thing} so that it is no longer {trait}.|Compare the {thing} with the {thing}; they should have the same number of rows.|Add a test for the {thing} in `{file}`.|Build again and look at the {thing}.|Commit the {thing} with a message that says why it was {trait}.|Read the {thing} from top to bottom once more.|Check that `{command}` still passes.|Update the {thing} in [the handbook]({site}{n}).".split(
    "|",
  );

const CODE = [
  "```sh\n{command}\n{command}\ngit add {file}\ngit status --short\n```",
  "```ts\nimport {{ createQueue }} from './queue';\n\nexport async function drain(limit = {n}): Promise<number> {{\n  const queue = await createQueue({{ limit, name: 'orders' }});\n  let done = 0;\n  for await (const job of queue) {{\n    if (job.state === 'failed') continue;\n    done += await job.run();\n  }}\n  return done;\n}}\n```",
  '```python\nfrom pathlib import Path\n\n\ndef rows(path: Path, limit: int = {n}) -> list[str]:\n    text = path.read_text(encoding="utf-8")\n    return [line.strip() for line in text.splitlines()[:limit] if line]\n```',
  "```yaml\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: {command}\n      - run: {command}\n```",
  "```sql\nselect o.id, o.created_at, count(*) as lines\nfrom orders o\njoin order_lines l on l.order_id = o.id\nwhere o.created_at > now() - interval '{n} days'\ngroup by o.id, o.created_at;\n```",
];

/** Sentences of honest skills that hold words which attacks hold too. */
const SUSPICIOUS =
  "Never commit a token or a password; the {thing} reads them from the environment.|Delete the {thing} and all temporary files in `dist/` before the next run.|Install the package with `npm install --save-dev vitest` if `{command}` says that it is missing.|Send the report to the maintainers only after the user has approved it.|Always ask before you push to a remote or change the permissions of the {thing}.|Do not ignore the previous warnings of the {thing}: they tell which API key is out of date.|Download the archive with `curl -fsSLO {site}{n}.tar.gz` and compare its checksum.|Upload the {thing} to the staging server, and tell the team which files were overwritten.".split(
    "|",
  );

/**
 * The text of one skill of 2–4 KB.
 *
 * @param number which skill
 * @param version of the same skill; the next one differs in a few lines
 * @param isSuspicious with some of the words that attacks hold too
 */
export function benchSkill(number, version, isSuspicious = false) {
  const pick = picker(number + 1);
  const sentences = sentencesOf(pick);
  const steps = stepsOf(pick, 6);
  const words = isSuspicious ? [pick(SUSPICIOUS), pick(SUSPICIOUS)] : [];
  const [thing, other] = [pick(FILL.thing), pick(FILL.thing)];
  return [
    ...frontmatter(number, version, { thing, other, trait: pick(FILL.trait) }),
    `# The ${thing} and the ${other}\n`,
    `${sentences(4).join(" ")}\n`,
    `## When to use this\n\n${sentences(3)
      .map((one) => `- ${one}`)
      .join("\n")}\n`,
    `## Steps\n\n${steps.join("\n")}\n`,
    `${fill(pick(CODE), pick)}\n`,
    ...words.map((one) => `${fill(one, pick)}\n`),
    `## What the settings mean\n\n| setting | file | default |\n|---|---|---|`,
    Array.from(
      { length: 4 },
      () => `| ${pick(FILL.thing)} | \`${pick(FILL.file)}\` | ${fill("{n}", pick)} |`,
    ).join("\n"),
    `\n${sentences(3).join("\n")}\n`,
    `${fill(pick(CODE), pick)}\n`,
    `## Pitfalls\n\n${sentences(4)
      .map((one) => `- **${fill("{thing}", pick)}**: ${one}`)
      .join("\n")}`,
    `- This is version ${version} of the text.\n`,
  ].join("\n");
}

/** The same for a text of about 0.8 KB: what it is about, a few steps, one command, one pitfall. */
export function shortBenchSkill(number, version, isSuspicious = false) {
  const pick = picker(number + 1);
  const sentences = sentencesOf(pick);
  const [thing, other] = [pick(FILL.thing), pick(FILL.thing)];
  return [
    ...frontmatter(number, version, { thing, other, trait: pick(FILL.trait) }),
    `# The ${thing}\n`,
    `${sentences(1)[0]}\n`,
    `## Steps\n\n${stepsOf(pick, 3).join("\n")}\n`,
    ...(isSuspicious ? [`${fill(pick(SUSPICIOUS), pick)}\n`] : []),
    `${fill(CODE[0], pick)}\n`,
    `- ${sentences(1)[0]}`,
    `- This is version ${version} of the text.\n`,
  ].join("\n");
}

function frontmatter(number, version, { thing, other, trait }) {
  return [
    `---\nname: skill-${number}`,
    `description: How to change the ${thing} and the ${other}. Use when the ${thing} is ${trait}.`,
    `version: 1.0.${version}`,
    `metadata:\n  source: auto-skill\n  extracted_at: '2026-01-0${version}T12:00:00Z'\n---\n`,
  ];
}

function sentencesOf(pick) {
  return (count) => Array.from({ length: count }, () => fill(pick(SENTENCES), pick));
}

function stepsOf(pick, count) {
  return Array.from({ length: count }, (_, at) => `${at + 1}. ${fill(pick(STEPS), pick)}`);
}

function fill(template, pick) {
  return template.replace(/\{(\{|\w+\})|\}\}/g, (mark, name) => {
    if (mark === "{{" || mark === "}}") return mark.charAt(0);
    return name === "n}" ? String(pick(NUMBERS)) : pick(FILL[name.slice(0, -1)]);
  });
}

const NUMBERS = Array.from({ length: 97 }, (_, at) => at + 3);

/** Chooses among the entries of lists, always the same for the same seed (a linear congruence). */
function picker(seed) {
  let state = Math.imul(seed, 2654435761) >>> 0;
  return (list) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)];
  };
}
