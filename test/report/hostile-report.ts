/** A report whose every text wants to be more than text. */
import type { ReportData } from "../../src/report/report-data.ts";
import { sampleReport } from "./sample-report.ts";

/** Each sets `window.hit` when it runs, or asks for an address when it is loaded. */
const ATTACKS: readonly string[] = [
  "<script>window.hit = 1</script>",
  "<img src=x onerror='window.hit=1'>",
  '"><svg onload=window.hit=1>',
  "</style><script>window.hit=1</script><style>",
  "</title></head><body onload=window.hit=1>",
  "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
  "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/meta'>",
  "<link rel=stylesheet href=http://127.0.0.1:9/css>",
  "<style>body{background:url(http://127.0.0.1:9/bg)}</style>",
  "[run](javascript:window.hit=1)",
  "[run][ref]\n\n[ref]: javascript:window.hit=1",
  "![pixel](http://127.0.0.1:9/pixel.png)",
  "<http://127.0.0.1:9/auto> and <javascript:window.hit=1>",
  "<!-- hidden words --> <details open ontoggle=window.hit=1>",
  "<math><mtext></mtext><mglyph><style><img src=x onerror=window.hit=1>",
  "' autofocus tabindex=1 onfocus='window.hit=1",
  '" style="position:fixed;inset:0;background:red',
  "`</code></pre><script>window.hit=1</script>`",
  "```html\n</code></pre><script>window.hit=1</script>\n```",
  '```x" onclick="window.hit=1\nx\n```',
  "| a |\n|---|\n| <script>window.hit=1</script> |",
  "&lt;script&gt;window.hit=1&lt;/script&gt; &#60;script&#62;",
  "\u202egnp.exe \u2066isolate\u2069 \u200bzero\u200d \u0000\u0007\u001b[31mred \ud800 \u{e0041}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template engine would run
  "${window.hit=1} {{constructor.constructor('window.hit=1')()}} $& $1 $` $'",
];

const ALL = ATTACKS.join("\n\n");

/** The sample with the attacks in every text that is foreign. */
export async function hostileReport(): Promise<ReportData> {
  return poisoned(await sampleReport()) as ReportData;
}

/** Ids, counts and words of ours stay, so that the page keeps its form. */
const OWN = new Set([
  "id",
  "level",
  "outcome",
  "kind",
  "role",
  "operation",
  "day",
  "month",
  "generatedAt",
  "how",
  "from",
  "at",
  "turn",
  "startedAt",
  "endedAt",
  "digest",
]);

function poisoned(value: unknown, key = ""): unknown {
  if (typeof value === "string") {
    if (OWN.has(key)) return value;
    return key === "diff" ? hostileDiff() : `${value} ${ALL}`;
  }
  if (Array.isArray(value)) return value.map((one) => poisoned(one, isTurnList(key) ? "id" : key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, poisoned(inner, name)]),
  );
}

function isTurnList(key: string): boolean {
  return key === "turns" || key === "failedIn" || key === "succeededIn";
}

function hostileDiff(): string {
  const lines = ALL.split("\n");
  return [
    "diff --git a/x b/x",
    "--- /dev/null",
    `+++ b/.qwen/skills/x/${(ATTACKS[0] ?? "").replaceAll("/", "")}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
}
