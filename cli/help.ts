import type { Messages } from "./messages/catalog.ts";

/** A flag that a help declares, as in `-o, --out <folder>  the output folder`. */
export interface HelpFlag {
  readonly name: string;
  readonly short: string | undefined;
  readonly takesValue: boolean;
  /** Whether a value may follow with `=`, as in `--guard=editor`. */
  readonly mayTakeValue: boolean;
  readonly isRepeated: boolean;
}

const flagLine = /^(?:-(\w), )?--([\w-]+)(\[=<[^>]+>\])?(?: (\S+(?: \S+)*))? {2}/gm;

export function parseHelpFlags(help: string): readonly HelpFlag[] {
  return [...help.matchAll(flagLine)].map(([, short, name = "", option, value]) => ({
    name,
    short,
    takesValue: value !== undefined,
    mayTakeValue: option !== undefined,
    isRepeated: value?.endsWith("…") === true,
  }));
}

/** Parses the arguments of a usage line: `<name>` is required, `[<id>]` optional, `…` repeats. */
export function parseHelpArguments(
  help: string,
): { readonly needed: readonly string[]; readonly max: number } {
  const [usage = ""] = help.split("\n", 1);
  const words = (usage.match(/\[[^\]]*\]|\S+/g) ?? []).filter((word) => /[<|…]/.test(word));
  const own = words.filter((word) => !word.startsWith("[-"));
  const needed = own.filter((word) => !word.startsWith("[") && word !== "…");
  return { needed, max: own.some((word) => /…\]?$/.test(word)) ? Infinity : own.length };
}

/** Returns the first sentence of each help, up to a full stop or a colon. */
export function summarize({ help }: Messages): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(help).map(([name, text]) => {
      const [, summary = ""] = /^.*\n([^]*?)(?=[.:]\s)/.exec(text) ?? [];
      return [name, summary.replaceAll("\n", " ")];
    }),
  );
}

export function formatCommands(commands: readonly string[], messages: Messages): string {
  const summaries = summarize(messages);
  return commands.map((name) => `  ${name.padEnd(9)} ${summaries.get(name)}`).join("\n");
}

type Line = "text" | "flag" | "example";

/**
 * Formats a help: its first line is the usage, lines that start with a flag are the flags, and lines that start with
 * `fw` the examples. Indented lines belong to those above.
 */
export function formatHelp(
  command: string,
  help: string,
  { printed: { usage, flags, example, examples } }: Messages,
): string {
  const [first = "", ...lines] = help.split("\n");
  const text = [`${usage}: fw ${command} ${first}`.trimEnd(), ""];
  let last: Line = "text";
  for (const line of lines) {
    const isFlag: boolean = /^-/.test(line) || (last === "flag" && /^ /.test(line));
    const kind: Line = /^fw /.test(line) ? "example" : isFlag ? "flag" : "text";
    if (kind !== last) text.push("");
    if (kind !== last && kind === "flag") text.push(`${flags}:`);
    if (kind !== last && kind === "example") {
      text.push(`${lines.at(-2)?.startsWith("fw ") ? examples : example}:`);
    }
    text.push(kind === "text" ? line : `  ${line}`);
    last = kind;
  }
  return `${text.join("\n")}\n`;
}
