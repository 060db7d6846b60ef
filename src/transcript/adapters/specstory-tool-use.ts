import { toolKind } from "../tool-kinds.ts";
import { CodeFence } from "./code-fence.ts";
import { Paragraphs } from "./paragraphs.ts";

/** A `<tool-use>` element of a SpecStory history, from its lines. */
export class ToolUse {
  readonly #fence = new CodeFence();
  readonly #block = new Paragraphs();
  readonly #args: Record<string, string> = {};
  readonly #type: string;
  #name: string;
  #language = "";
  #result: string | null = null;

  /** @param line the one that begins the element */
  constructor(line: string) {
    this.#type = attribute(line, "data-tool-type");
    this.#name = attribute(line, "data-tool-name");
    this.#summary(line);
  }

  line(line: string): void {
    const { kind, language } = this.#fence.take(line);
    if (kind === "open") this.#language = language;
    else if (kind === "close") this.#endBlock();
    else if (this.#fence.isOpen) this.#block.add(line);
    else if (line.includes("<summary>")) this.#summary(line);
    else this.#arguments(line);
  }

  finish(): { name: string; args: Readonly<Record<string, string>>; result: string | null } {
    this.#endBlock();
    const name = this.#name === "" ? "unknown" : this.#name;
    return { name, args: this.#args, result: this.#result };
  }

  /** `Tool use: **write** • Edit file: src/a.ts` */
  #summary(line: string): void {
    const text = /<summary>(.*?)(?:<\/summary>|$)/.exec(line)?.[1] ?? "";
    if (this.#name === "") this.#name = /\*\*([^*]+)\*\*/.exec(text)?.[1] ?? "";
    const [, what, value] = /\u2022 ([^:\u2022]+): (.+)$/.exec(text) ?? [];
    if (what === undefined || value === undefined) return;
    const key = /file|folder|director/i.test(what) ? "path" : this.#isShell() ? "command" : what;
    this.#args[key] = unescaped(value.replace(/^`|`$/g, ""));
  }

  /** `path `./src` pattern `x``, or one value that names itself. */
  #arguments(line: string): void {
    const only = /^\s*`([^`]+)`\s*$/.exec(line)?.[1];
    if (only !== undefined) {
      this.#args[this.#isShell() ? "command" : "path"] ??= unescaped(only);
      return;
    }
    for (const [, key = "", value = ""] of line.matchAll(/(\w{1,64}) `([^`]*)`/g)) {
      if (Object.keys(this.#args).length < 32) this.#args[key] ??= unescaped(value);
    }
  }

  #endBlock(): void {
    const text = unescaped(this.#block.take());
    if (text === "") return;
    if (/^(?:bash|sh|shell|zsh|powershell|cmd)$/.test(this.#language) && this.#isShell()) {
      this.#args["command"] ??= text;
    } else if (this.#language === "diff") this.#args["diff"] ??= text;
    else if (toolKind(this.#name, {}) === "write" && this.#language !== "text") {
      this.#args["content"] ??= text;
    } else this.#result = this.#result === null ? text : `${this.#result}\n${text}`;
  }

  #isShell(): boolean {
    return this.#type === "shell" || toolKind(this.#name, {}) === "shell";
  }
}

function attribute(line: string, name: string): string {
  return unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(line)?.[1] ?? "");
}

/** Backticks and the characters of HTML are written as entities. */
function unescaped(text: string): string {
  const CHARACTERS: Readonly<Record<string, string>> = {
    "&#96;": "`",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&amp;": "&",
  };
  return text.replace(/&(?:#96|lt|gt|quot|amp);/g, (entity) => CHARACTERS[entity] ?? entity);
}
