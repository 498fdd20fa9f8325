/**
 * Parses a command's arguments. Every flag is declared; an unknown one is refused with the nearest
 * match.
 */
import { findNearest } from "@fw/fw/addon";
import { parseArgs } from "@std/cli";
import type { Io } from "./io.ts";
import { exitCodes } from "./io.ts";
import type { Messages } from "./messages/catalog.ts";

/** The arguments and flags that a command accepts. */
export interface ArgsSpec {
  /** Flags without a value, such as `check`. @default [] */
  readonly booleans?: readonly string[];
  /** Flags with a value, such as `addr`. @default [] */
  readonly strings?: readonly string[];
  /** Flags with a value that may be repeated, such as `include`. @default [] */
  readonly lists?: readonly string[];
  /** Short form by flag, such as `{ output: "o" }`. @default {} */
  readonly shorts?: Readonly<Record<string, string>>;
  /** The flag that is meant by one of another program, such as `{ port: "addr" }`. @default {} */
  readonly meant?: Readonly<Record<string, string>>;
  /** The minimum number of positional arguments. @default 0 */
  readonly min?: number;
  /** The maximum number of positional arguments. @default min */
  readonly max?: number;
}

export interface CommandArgs {
  readonly positionals: readonly string[];
  has(flag: string): boolean;
  /** Returns the value of a flag, or `undefined` if it was not given. */
  value(flag: string): string | undefined;
  /** Returns all values of a repeatable flag, in order. */
  values(flag: string): readonly string[];
}

/** The parsed arguments, or the exit code with which the command ends now. */
export type ParseOutcome =
  | { readonly ok: true; readonly args: CommandArgs }
  | { readonly ok: false; readonly code: number };

export interface AcceptArgsOptions {
  readonly command: string;
  /** The first positional argument, as the help names it. @default "" */
  readonly argument?: string;
  readonly help: string;
  readonly messages: Messages;
  readonly io: Io;
}

/**
 * Parses the arguments of one command. Prints the help after `--help`, and an error after a wrong
 * command line.
 */
export function acceptArgs(
  args: readonly string[],
  spec: ArgsSpec,
  options: AcceptArgsOptions,
): ParseOutcome {
  const { io, messages, command, argument = "", help } = options;
  const { booleans = [], strings = [], lists = [], shorts = {}, min = 0, max = min } = spec;
  const meant = new Map(Object.entries(spec.meant ?? {}));
  const known = [...booleans, ...strings, ...lists, "help"];
  const unknown: string[] = [];
  const parsed = parseArgs(args, {
    boolean: [...booleans, "help"],
    string: [...strings, ...lists, "_"],
    collect: [...lists],
    alias: { ...shorts, help: "h" },
    unknown: (arg, key) => {
      if (key === undefined) return true;
      unknown.push(arg.replace(/=.*$/, ""));
      return false;
    },
  });
  if (parsed["help"] === true) {
    io.stdout(help);
    return { ok: false, code: exitCodes.ok };
  }
  const positionals = parsed._.map(String);
  const wrong = firstWrong();
  if (wrong !== undefined) {
    io.stderr(`${wrong}\n${messages.seeHelp(`fw ${command} --help`)}\n`);
    return { ok: false, code: exitCodes.usage };
  }
  return {
    ok: true,
    args: {
      positionals,
      has: (flag) => parsed[flag] !== undefined && parsed[flag] !== false,
      value: (flag) => typeof parsed[flag] === "string" ? parsed[flag] : undefined,
      values: (flag) => valuesOf(parsed[flag]),
    },
  };

  function firstWrong(): string | undefined {
    const flag = unknown[0];
    if (flag !== undefined) {
      const name = flag.replace(/^-+/, "");
      const nearest = meant.get(name) ?? findNearest(name, known);
      return messages.unknownFlag(flag, nearest === undefined ? undefined : `--${nearest}`);
    }
    for (const name of [...strings, ...lists]) {
      if ([parsed[name], ...valuesOf(parsed[name])].includes("")) {
        return messages.flagNeedsValue(`--${name}`);
      }
    }
    if (positionals.length < min) return messages.missingArgument(command, argument);
    const extra = positionals[max];
    return extra === undefined ? undefined : messages.extraArgument(extra);
  }
}

function valuesOf(parsed: unknown): string[] {
  return Array.isArray(parsed) ? parsed.map(String) : [];
}
