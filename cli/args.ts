/**
 * Reads a command's arguments: every flag is declared, any other is refused with the nearest match.
 *
 * @module
 */
import { parseArgs } from "@std/cli";
import type { Io } from "./io.ts";
import { exitCodes } from "./io.ts";
import type { Messages } from "./messages/catalog.ts";
import { findNearest } from "@fw/fw/addon";

/** What a command takes. */
export interface ArgsSpec {
  /** Flags without a value, such as `check`. @default [] */
  readonly booleans?: readonly string[];
  /** Flags with a value, such as `addr`. @default [] */
  readonly strings?: readonly string[];
  /** Flags with a value that may be given several times, such as `include`. @default [] */
  readonly lists?: readonly string[];
  /** One letter by the flag that it stands for, such as `{ output: "o" }`. @default {} */
  readonly shorts?: Readonly<Record<string, string>>;
  /** How many arguments there must be beside the flags. @default 0 */
  readonly min?: number;
  /** How many arguments there may be beside the flags. @default min */
  readonly max?: number;
}

/** What was read. */
export interface CommandArgs {
  /** The arguments beside the flags, in order. */
  readonly positionals: readonly string[];
  /** Whether the flag was given. */
  has(flag: string): boolean;
  /** The value of a flag, or `undefined` where it was not given. */
  value(flag: string): string | undefined;
  /** Every value of a flag that may be given several times, in order. */
  values(flag: string): readonly string[];
}

/** Either the arguments, or the exit code with which the command must end now. */
export type ParseOutcome =
  | { readonly ok: true; readonly args: CommandArgs }
  | { readonly ok: false; readonly code: number };

/** Where {@linkcode readArgs} says what is wrong. */
export interface ReadArgsOptions {
  /** The command's name, for messages. */
  readonly command: string;
  /** The first argument beside the flags, as the help names it. @default "" */
  readonly argument?: string;
  /** The help text that `--help` prints. */
  readonly help: string;
  /** The catalogue. */
  readonly messages: Messages;
  /** The output. */
  readonly io: Io;
}

/**
 * Reads the arguments of one command; prints the help, or what is wrong, where that ends it.
 *
 * @param args The arguments after the command's name.
 * @param spec What the command takes.
 * @param options Where to print.
 * @returns The arguments, or the exit code: 0 after `--help`, 2 after a wrong command line.
 */
export function readArgs(
  args: readonly string[],
  spec: ArgsSpec,
  options: ReadArgsOptions,
): ParseOutcome {
  const { io, messages, command, argument = "", help } = options;
  const { booleans = [], strings = [], lists = [], shorts = {}, min = 0, max = min } = spec;
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
      const nearest = findNearest(flag.replace(/^-+/, ""), known);
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
