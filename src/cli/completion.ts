/** `skillpr completion <shell>`: a script that completes commands, flags and their values, made of what `--help` shows. */
import { SkillprError } from "../core/errors.ts";
import { safeLine } from "../core/text.ts";
import { isJson } from "./open-place.ts";
import { type Call, createProgram } from "./program.ts";
import { SHELLS, type Shell } from "./shells.ts";
import type { Terminal } from "./terminal.ts";

/** One command as a shell needs it. */
interface Word {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
}

interface Flag {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** It takes several values, or may stand several times. */
  readonly isRepeatable: boolean;
  /** The only values that it takes; empty: any, such as a file. */
  readonly choices: readonly string[];
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Word[]) => string>> = { bash, zsh, fish };

export async function runCompletion(call: Call, terminal: Terminal): Promise<number> {
  const shell = SHELLS.find((name) => name === call.positionals[0]);
  if (shell === undefined) {
    throw new SkillprError(
      "usage",
      `there is no completion for ${safeLine(call.positionals[0] ?? "")}`,
      `name one of ${SHELLS.join(", ")}`,
    );
  }
  const script = completionScript(shell);
  if (isJson(call)) terminal.json({ shell, script });
  else terminal.line(script.trimEnd());
  return 0;
}

/** @returns the script's whole text; to be sourced by that shell */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell](words());
}

function words(): Word[] {
  const program = createProgram("", async () => {});
  const commands = program.createHelp().visibleCommands(program);
  return commands
    .filter((command) => command.name() !== "help")
    .map((command) => ({
      name: command.name(),
      summary: command.summary(),
      flags: command.options.flatMap((option) =>
        option.long === undefined || option.long === null
          ? []
          : [
              {
                name: option.long,
                description: option.description,
                takesValue: option.required || option.optional,
                isRepeatable: option.variadic,
                choices: option.argChoices ?? [],
              },
            ],
      ),
    }));
}

/** In single quotes, for all three shells: a quote ends the string, is escaped, and begins it again. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly Word[]): string {
  const values = commands.flatMap(({ name, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ name: flag, choices }) =>
        choices.length > 0
          ? `    ${name}\\ ${flag}) COMPREPLY=($(compgen -W ${quoted(choices.join(" "))} -- "$word")); return ;;`
          : `    ${name}\\ ${flag}) return ;;`,
      ),
  );
  const flags = commands.map(
    ({ name, flags }) =>
      `    ${name}) COMPREPLY=($(compgen -W ${quoted(flags.map((flag) => flag.name).join(" "))} -- "$word")) ;;`,
  );
  return `# skillpr completion bash: source it, or put it where your bash-completion looks.
_skillpr() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  # bash makes three words of --flag=value.
  if [ "$word" = "=" ]; then word=; fi
  if [ "$before" = "=" ]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(" "))} -- "$word"))
    return
  fi
  case "$command $before" in
${values.join("\n")}
  esac
  case "$word" in -*) ;; *) return ;; esac
  case "$command" in
${flags.join("\n")}
  esac
}
complete -o default -F _skillpr skillpr
`;
}

function zsh(commands: readonly Word[]): string {
  const described = (name: string, text: string) =>
    quoted(`${name}:${text.replaceAll("\\", "\\\\").replaceAll(":", "\\:")}`);
  const specOf = ({ name, description, takesValue, isRepeatable, choices }: Flag) => {
    const text = description.replaceAll(/[[\]\\:]/g, "\\$&");
    const value = choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
    // With the `=` the value may be the next word or stand in this one.
    const spec = takesValue ? `${name}=[${text}]${value}` : `${name}[${text}]`;
    return quoted(isRepeatable ? `*${spec}` : spec);
  };
  const cases = commands.map(
    ({ name, flags }) =>
      `    ${name}) _arguments ${flags.map(specOf).join(" ")} '*:argument:_files' ;;`,
  );
  return `#compdef skillpr
# skillpr completion zsh: a file named _skillpr in a folder of your fpath.
_skillpr() {
  local -a commands
  commands=(${commands.map(({ name, summary }) => described(name, summary)).join(" ")})
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_skillpr" ]; then
  _skillpr "$@"
else
  compdef _skillpr skillpr
fi
`;
}

function fish(commands: readonly Word[]): string {
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c skillpr -n __fish_use_subcommand -f -a ${name} -d ${fishQuoted(summary)}`,
    ...flags.map(({ name: flag, description, takesValue, choices }) => {
      const value = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(" "))}` : " -r";
      return `complete -c skillpr -n '__skillpr_command ${name}' -l ${flag.slice(2)}${takesValue ? value : ""} -d ${fishQuoted(description)}`;
    }),
  ]);
  // Only the first word after the program is its command: a skill may be called `review` too.
  return `# skillpr completion fish: a file named skillpr.fish in ~/.config/fish/completions.
function __skillpr_command
  set -l words (commandline -opc)
  test "$words[2]" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** fish escapes a quote and a backslash within single quotes. */
const fishQuoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
