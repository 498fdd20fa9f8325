/**
 * The command line of fw.
 *
 * ```sh
 * deno run -A jsr:@fw/cli new my-app
 * ```
 *
 * @module
 */
import { findNearest } from "@fw/fw/addon";
import { version } from "@fw/fw/conventions";
import { type Command, parseCommandArgs } from "./args.ts";
import { formatCommands, formatHelp } from "./help.ts";
import { exitCodes, type Io, systemIo } from "./io.ts";
import { type Messages, messagesOf } from "./messages/catalog.ts";
import { ManifestError } from "./project/manifest.ts";
import { printJson } from "./printer.ts";
import { reported, runStoppable, UsageError } from "./stop.ts";

export type { Io } from "./io.ts";

const commands: Readonly<Record<string, (subject?: string) => Promise<Command>>> = {
  new: async () => (await import("./commands/new.ts")).newProject,
  dev: async () => (await import("./commands/dev.ts")).dev,
  gen: async () => (await import("./commands/gen.ts")).gen,
  generate: async (subject) => (await import("./commands/generate.ts")).generate(subject),
  routes: async () => (await import("./commands/routes.ts")).routes,
  build: async () => (await import("./commands/build.ts")).build,
  export: async () => (await import("./commands/export.ts")).exportSite,
  check: async () => (await import("./commands/check.ts")).check,
  audit: async () => (await import("./commands/audit.ts")).audit,
  incident: async () => (await import("./commands/incident.ts")).incident,
  migrate: async () => (await import("./commands/migrate.ts")).migrate,
  jobs: async () => (await import("./commands/jobs.ts")).jobs,
  ui: async () => (await import("./commands/ui.ts")).ui,
  openapi: async () => (await import("./commands/openapi.ts")).openapi,
  ctx: async () => (await import("./commands/ctx.ts")).ctx,
  policy: async () => (await import("./commands/policy.ts")).policy,
  docs: async () => (await import("./commands/docs.ts")).docs,
  agents: async () => (await import("./commands/agents.ts")).agents,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
};

/** Returns the subjects of `generate`, each of which has its own help. */
function subjectsOf({ help }: Messages): readonly string[] {
  return Object.keys(help).flatMap((key) => /^generate (.+)/.exec(key)?.[1] ?? []);
}

/**
 * Runs one command.
 *
 * @param args The command's name and its arguments.
 * @param io The environment of the command.
 * @returns The exit code: 0 success, 1 failure or problems found, 2 wrong command line.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { type Io, main } from "@fw/cli";
 *
 * let printed = "";
 * const io: Io = {
 *   stdout: (text) => void (printed += text),
 *   stderr: () => {},
 *   cwd: "/",
 *   env: {},
 *   isTerminal: false,
 *   signal: new AbortController().signal,
 * };
 * assertEquals(await main(["--version"], io), 0);
 * assertEquals(/^fw \d+\.\d+\.\d+\n$/.test(printed), true);
 * ```
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const [name, ...rest] = args;
  if (name === "--version" || name === "version") {
    io.stdout(`fw ${version}\n`);
    return exitCodes.ok;
  }
  if (name === undefined) {
    io.stderr(mainHelp(messages));
    return exitCodes.usage;
  }
  if (helpWords.includes(name)) {
    const [topic = "help"] = rest;
    // `fw help generate page` is `fw generate page --help`.
    if (!helpWords.includes(topic)) return await main([...rest, "--help"], io);
    io.stdout(mainHelp(messages));
    return exitCodes.ok;
  }
  const subjects = subjectsOf(messages);
  const subject = name === "generate" ? rest.find((word) => subjects.includes(word)) : undefined;
  const own = subject === undefined ? rest : rest.toSpliced(rest.indexOf(subject), 1);
  const command = subject === undefined ? name : `${name} ${subject}`;
  const known = Object.hasOwn(commands, name) ? command : "";
  const isJson = own.includes("--json");
  try {
    const start = () => run({ name, subject, command }, own, io);
    return await runStoppable(known, io, start, isJson);
  } catch (error) {
    // The reader closed the pipe, as `head` does, so no output is possible.
    if (error instanceof Deno.errors.BrokenPipe) return exitCodes.failure;
    const text = explain(error, io);
    if (isJson) printJson({ ok: false, problems: reported([], text) }, io);
    else io.stderr(`${text}\n`);
    return exitCodes.failure;
  }
}

const helpWords: readonly string[] = ["--help", "-h", "help"];

function mainHelp(messages: Messages): string {
  return messages.help.main.replace("{commands}", formatCommands(Object.keys(commands), messages));
}

async function run(
  { name, subject, command }: {
    readonly name: string;
    readonly subject: string | undefined;
    readonly command: string;
  },
  args: readonly string[],
  io: Io,
): Promise<number> {
  const messages = messagesOf(io);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw unknownCommand(name, messages);
  // Before the flags, which belong to the subjects.
  const what = args.find((arg) => !arg.startsWith("-"));
  if (command === "generate" && what !== undefined) throw unknownSubject(what, messages);
  const own = new Map(Object.entries(messages.help)).get(command) ?? "";
  const help = subject === undefined
    ? own
    : own.replace(/(?=\nfw )|$/, `\n${messages.printed.dryRun}`);
  const parsed = parseCommandArgs(args, { command, help, messages });
  if (parsed === "help") {
    io.stdout(formatHelp(command, help, messages));
    return exitCodes.ok;
  }
  return await (await load(subject))(parsed, io);
}

function unknownCommand(name: string, messages: Messages): UsageError {
  if (!name.startsWith("-")) {
    return new UsageError(
      messages.unknownCommand(name, findNearest(name, Object.keys(commands))),
    );
  }
  const near = /^--?v/i.test(name) ? "--version" : findNearest(name, ["--help"]);
  return new UsageError(messages.unknownFlag(name, near));
}

function unknownSubject(what: string, messages: Messages): UsageError {
  const subjects = subjectsOf(messages);
  return new UsageError(
    messages.generateWhat(what, subjects.join(", "), findNearest(what, subjects)),
  );
}

/** Describes an error: the message of a system error, the stack of a defect. */
function explain(error: unknown, io: Io): string {
  const messages = messagesOf(io);
  if (!(error instanceof Error)) return messages.crashed(String(error));
  if (error instanceof ManifestError) return error.message;
  // A chain of thousands of modules exhausts the stack of the readers, which are recursive.
  if (error instanceof RangeError && /call stack/.test(error.message)) return messages.tooDeep;
  return isRefusal(error)
    ? messages.refused(error.message)
    : messages.crashed(error.stack ?? error.message);
}

/** Error codes of the system, for which the program prints no stack. */
const refusals: ReadonlySet<unknown> = new Set(
  `EACCES EBUSY EDQUOT EFBIG EIO EISDIR ELOOP EMFILE ENAMETOOLONG ENFILE ENOEXEC ENOSPC ENOTDIR
    EPERM EROFS`.split(/\s+/),
);

function isRefusal(error: Error & { readonly code?: unknown }): boolean {
  return error instanceof Deno.errors.PermissionDenied ||
    error instanceof Deno.errors.NotCapable || refusals.has(error.code);
}

if (import.meta.main) Deno.exit(await main(Deno.args, systemIo()));
