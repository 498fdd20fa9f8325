/**
 * Parses a command's arguments. Its help declares every flag; an unknown one is refused with the nearest
 * match.
 */
import { findNearest } from "@fw/fw/addon";
import { parseArgs } from "@std/cli";
import type { Io } from "./io.ts";
import { parseHelpArguments, parseHelpFlags } from "./help.ts";
import type { Messages } from "./messages/catalog.ts";
import { UsageError } from "./stop.ts";

export interface CommandArgs {
  readonly positionals: readonly string[];
  has(flag: string): boolean;
  /** Returns the value of a flag, or `undefined` if it was not given. */
  value(flag: string): string | undefined;
  /** Returns all values of a repeatable flag, in order. */
  values(flag: string): readonly string[];
}

/** A command: takes its arguments and returns the exit code. */
export type Command = (args: CommandArgs, io: Io) => Promise<number>;

const meant: Readonly<Record<string, string>> = { port: "addr", p: "addr", host: "addr" };

/** Parses a command's arguments. @returns `help` if a help flag is given. @throws {UsageError} */
export function parseCommandArgs(
  args: readonly string[],
  { command, help, messages }: {
    readonly command: string;
    readonly help: string;
    readonly messages: Messages;
  },
): CommandArgs | "help" {
  const flags = parseHelpFlags(help);
  const valued = flags.filter(({ takesValue }) => takesValue).map(({ name }) => name);
  const known = [...flags.map(({ name }) => name), "help"];
  const switches = known.filter((name) => !valued.includes(name));
  const unknown: string[] = [];
  const parsed: Readonly<Record<string, unknown>> = parseArgs(args, {
    boolean: switches,
    string: [...valued, "_"],
    collect: flags.filter(({ isRepeated }) => isRepeated).map(({ name }) => name),
    alias: {
      ...Object.fromEntries(flags.flatMap(({ name, short }) => short ? [[name, short]] : [])),
      help: "h",
    },
    unknown: (arg, key) => {
      if (key === undefined) return true;
      unknown.push(arg.replace(/=.*$/, ""));
      return false;
    },
  });
  if (parsed["help"] === true) return "help";
  const [flag] = unknown;
  if (flag !== undefined) {
    const name = flag.replace(/^-+/, "");
    const other = meant[name];
    const near = other !== undefined && known.includes(other) ? other : findNearest(name, known);
    throw new UsageError(messages.unknownFlag(flag, near && `--${near}`));
  }
  const written = new Map(args.flatMap((arg): [string, string][] => {
    const [, name, value = ""] = /^--([\w-]+)=([^]*)$/.exec(arg) ?? [];
    return name !== undefined && switches.includes(name) ? [[name, value]] : [];
  }));
  const optional = new Map(flags.flatMap(({ name, mayTakeValue }) => {
    const value = written.get(name);
    return mayTakeValue && value !== undefined ? [[name, value] as const] : [];
  }));
  // Refused, not ignored: --public=editor would look as if it limited the page to editors.
  const given = [...written.keys()].find((name) => !optional.has(name));
  if (given !== undefined) throw new UsageError(messages.flagTakesNoValue(`--${given}`));
  const empty = valued.find((name) => [parsed[name]].flat().includes("")) ??
    [...optional.keys()].find((name) => optional.get(name) === "");
  if (empty !== undefined) throw new UsageError(messages.flagNeedsValue(`--${empty}`));
  const positionals = [parsed["_"]].flat().map(String);
  const { needed, max } = parseHelpArguments(help);
  const missing = needed[positionals.length];
  if (missing !== undefined) throw new UsageError(messages.missingArgument(command, missing));
  const extra = positionals[max];
  if (extra !== undefined) throw new UsageError(messages.extraArgument(extra));
  return {
    positionals,
    has: (name) => optional.has(name) || (parsed[name] !== undefined && parsed[name] !== false),
    value: (name) => typeof parsed[name] === "string" ? parsed[name] : optional.get(name),
    values: (name) => Array.isArray(parsed[name]) ? parsed[name].map(String) : [],
  };
}
