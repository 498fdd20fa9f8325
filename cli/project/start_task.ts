import { publicFolder } from "@fw/fw/conventions";
import { memberOf, textOf } from "./json.ts";

const spoolFolder = ".fw/spool";

/** The permissions of a new project: listen, read settings and static files, store uploads. */
export const leastFlags: readonly string[] = [
  // Without it, a missing permission prompts on the terminal and blocks the server.
  "--no-prompt",
  // Without ports, because a port in the flag would exclude others from PORT.
  "--allow-net=0.0.0.0,127.0.0.1,[::]",
  // The library reads these; hosting platforms set the last two.
  "--allow-env=FW_*,PORT,ADDR",
  `--allow-read=${publicFolder},${spoolFolder}`,
  `--allow-write=${spoolFolder}`,
];

export interface StartTask {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  /** The flags of `deno run` in order, each value joined with `=`. */
  readonly flags: readonly string[];
  /** Permissions with a separate list, which Deno takes for the file: `--allow-read data`. */
  readonly detached: readonly string[];
  readonly args: readonly string[];
  /** Words of the lists above that only a shell can expand, such as `$HOME`. */
  readonly unread: readonly string[];
}

const packageUrl = /^(?:npm|jsr|https?):/;

const scriptFile = /^[^=-].*\.[cm]?[jt]sx?$/;

export function parseStartTask(command: string): StartTask | undefined {
  for (const { env, args, unread } of denoCommands(command, "run")) {
    const run = readRun(args);
    if (run !== undefined) return { ...run, env, unread };
  }
  return undefined;
}

/** Returns the parts of a shell command that run `deno` with a command: `NAME=value deno run …`. */
export function denoCommands(command: string, name: "run" | "test"): {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Words that only a shell can expand. */
  readonly unread: readonly string[];
}[] {
  return shellWords(command).flatMap((words) => {
    const texts = words.map(({ text }) => text);
    const deno = texts.indexOf("deno");
    if (deno === -1 || texts[deno + 1] !== name) return [];
    const assignments = texts.slice(0, deno).flatMap((word) => {
      const [, name, value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
      return name === undefined ? [] : [[name, value]];
    });
    const unread = words.filter(({ isExpanded }) => isExpanded).map(({ text }) => text);
    return [{ env: Object.fromEntries(assignments), args: texts.slice(deno + 2), unread }];
  });
}

const valueFlag =
  /^(?:--(?:cert|conditions|config|ext|import|import-map|inspect-publish-uid|location|lock|log-level|min-dep-age|minimum-dependency-age|node-modules-linker|preload|require|seed)|-[cL])$/;

const listFlag = /^(?:--(?:allow|deny)-[a-z]+|-[RWNESI])$/;

function readRun(
  words: readonly string[],
): Pick<StartTask, "file" | "flags" | "args" | "detached"> | undefined {
  const flags: string[] = [];
  const detached: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      return scriptFile.test(word)
        ? { file: word, flags, args: words.slice(at + 1), detached }
        : undefined;
    }
    const value = words[at + 1] ?? "-";
    const isDetached = listFlag.test(word) && !value.startsWith("-") && !scriptFile.test(value) &&
      !packageUrl.test(value);
    if (isDetached) detached.push(`${word} ${value}`);
    if (isDetached || (at + 1 < words.length && valueFlag.test(word))) {
      flags.push(`${word}=${value}`);
      at++;
    } else flags.push(word);
  }
  return undefined;
}

export function commandOf(
  manifest: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const task = memberOf(manifest["tasks"], name);
  return textOf(task) ?? textOf(memberOf(task, "command"));
}

export function isAllowAll(flag: string): boolean {
  return flag === "--allow-all" || (/^-[a-zA-Z]+$/.test(flag) && flag.includes("A"));
}

const permissionFlag = /^(?:--(?:allow|deny|ignore)-[a-z]+(?:=|$)|-[ARWNESI]+(?:=|$))/;
const carriedFlag = /^--(?:unstable-[a-z-]+|v8-flags|location|cert|seed)(?:=|$)/;
const silentFlag = /^(?:--no-prompt|--quiet|-q|--(?:no-)?check(?:=.*)?|--cached-only|--frozen.*)$/;

/** Splits flags for an executable into effective and dropped. */
export function executableFlags(
  flags: readonly string[],
): { readonly flags: readonly string[]; readonly dropped: readonly string[] } {
  const kept = new Set<string>(["--no-prompt"]);
  const dropped: string[] = [];
  for (const flag of flags) {
    if (permissionFlag.test(flag) || carriedFlag.test(flag)) kept.add(flag);
    else if (!silentFlag.test(flag)) dropped.push(flag);
  }
  return { flags: [...kept], dropped };
}

const settingFlag =
  /^--(?:env-file|import-map|config|no-config|lock|no-lock|node-modules-dir|preload|import|require|conditions)(?:=|$)/;

/** Keeps the flags for another program that runs the application: no watcher, no debugger. */
export function programFlags(flags: readonly string[]): string[] {
  return flags.filter((flag) =>
    isAllowAll(flag) || permissionFlag.test(flag) || carriedFlag.test(flag) ||
    settingFlag.test(flag) || silentFlag.test(flag)
  );
}

/** Returns a local address on which these flags allow listening, with any fixed port. */
export function listenHostOf(flags: readonly string[]): { hostname: string; port?: number } {
  const lists = flags.flatMap((flag) => /^(?:--allow-net|-N)=(.*)$/s.exec(flag)?.[1] ?? []);
  const hosts = lists.flatMap((list) => list.split(",")).flatMap((entry) => {
    const [, hostname, port] = /^(127\.0\.0\.1|0\.0\.0\.0|localhost)(?::(\d+))?$/.exec(entry) ?? [];
    if (hostname === undefined) return [];
    return [port === undefined ? { hostname } : { hostname, port: Number(port) }];
  });
  const preferred = hosts.find(({ hostname }) => hostname === "127.0.0.1") ?? hosts[0];
  return preferred ?? { hostname: "127.0.0.1" };
}

export interface ShellWord {
  readonly text: string;
  /** Whether it contains a variable or a command that only the shell can expand. */
  readonly isExpanded: boolean;
}

/** A quoted part, an escaped character, an operator, a blank, or any other character. */
const parts = /'([^']*)'?|"((?:[^"\\]|\\[^])*)"?|\\([^])|(&&|\|\||[;|&\n])|(\s)|[^]/g;

export function shellWords(command: string): ShellWord[][] {
  const commands: ShellWord[][] = [[]];
  let word: { text: string; isExpanded: boolean } | undefined;
  for (const [part, single, double, escaped, operator, blank] of command.matchAll(parts)) {
    if (operator !== undefined || blank !== undefined) {
      if (operator !== undefined) commands.push([]);
      word = undefined;
      continue;
    }
    if (word === undefined) {
      word = { text: "", isExpanded: false };
      commands.at(-1)?.push(word);
    }
    word.text += single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? part;
    word.isExpanded ||= double === undefined ? /^[$`]/.test(part) : /(?<!\\)[$`]/.test(double);
  }
  return commands.filter((words) => words.length > 0);
}
