/** Runs the command line in-process, in scratch folders. */
import { assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import type { Io } from "../../cli/io.ts";
import { main } from "../../cli/main.ts";
import type { Problem } from "../../cli/problem.ts";
import { type DenoOutput, runDeno } from "../../tools/workspace.ts";
import { makeKeptFolder, makeRandomFolder } from "../kept_folder.ts";

export interface CliOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  /** The environment. @default {} */
  readonly env?: Io["env"];
  /** Whether the output is a terminal. @default false */
  readonly isTerminal?: boolean;
  /** Aborts the command. @default never */
  readonly signal?: AbortSignal;
}

/** The environment of a command, with its output. */
export interface TestIo extends Io {
  readonly printed: { stdout: string; stderr: string };
}

export function testIo(options: CliOptions): TestIo {
  const { cwd, env = {}, isTerminal = false, signal = new AbortController().signal } = options;
  const printed = { stdout: "", stderr: "" };
  return {
    printed,
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    cwd,
    env,
    isTerminal,
    signal,
  };
}

export async function runCli(args: readonly string[], options: CliOptions): Promise<CliOutput> {
  const io = testIo(options);
  const code = await main(args, io);
  return { code, ...io.printed };
}

/** Files to write: path to text. A value that starts with `-> ` becomes a symbolic link. */
export type Files = Readonly<Record<string, string>>;

export interface ScratchOptions {
  /**
   * The name of a folder with the same path in every run, for an application whose types are
   * checked. The name must be unique. @default a random path
   */
  readonly name?: string;
}

export async function inScratch(
  work: (folder: string) => Promise<void>,
  options: ScratchOptions = {},
): Promise<void> {
  const { name } = options;
  const folder = await (name === undefined ? makeRandomFolder("fw-cli") : makeKeptFolder(name));
  try {
    await work(folder.path);
  } finally {
    await folder.release();
  }
}

export async function inProject(
  files: Files,
  work: (root: string) => Promise<void>,
  options: ScratchOptions = {},
): Promise<void> {
  await inScratch(async (folder) => {
    const root = join(folder, "project");
    await writeFiles(root, { "deno.json": "{}\n", ...files });
    await work(root);
  }, options);
}

/** Runs a test in a new application; `generate` runs a generator and returns what it printed. */
export async function inNewApp(
  flags: readonly string[],
  work: (cwd: string, generate: (line: string) => Promise<string>) => Promise<void>,
  options: ScratchOptions = {},
): Promise<void> {
  await inScratch(async (folder) => {
    assertEquals((await runCli(["new", "app", ...flags], { cwd: folder })).code, 0);
    const cwd = join(folder, "app");
    await work(cwd, async (line) => {
      const { code, stdout, stderr } = await runCli(["generate", ...line.split(" ")], { cwd });
      assertEquals([code, stderr], [0, ""], line);
      return stdout;
    });
  }, options);
}

export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    const link = /^-> (.+)$/.exec(text)?.[1];
    if (link === undefined) await Deno.writeTextFile(target, text);
    else await Deno.symlink(link, target);
  }
}

export async function listTree(root: string, folder = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(join(root, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await listTree(root, path));
    else found.push(path);
  }
  return found.sort();
}

/** Runs the current `deno` to its end; `output` combines both streams. */
export async function deno(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<DenoOutput & { readonly output: string }> {
  const ended = await runDeno([...args], { cwd, env });
  return { ...ended, output: ended.stdout + ended.stderr };
}

/** Runs `deno`, which has to succeed, and returns its output. */
export async function denoOutput(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, output } = await deno(args, cwd, env);
  assertEquals(code, 0, `${args.join(" ")}: ${output}`);
  return output;
}

export async function git(root: string, ...args: readonly string[]): Promise<string> {
  const own = ["user.name=t", "user.email=t@example.org", "protocol.file.allow=always"];
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: [...own.flatMap((setting) => ["-c", setting]), ...args],
    cwd: root,
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/**
 * A member of `deno.json` that omits the platform's declarations, which take the compiler a second.
 */
export const leanTypes = '"compilerOptions": { "lib": ["esnext"] }';

export function showPlace({ place, code }: Problem): string {
  return `${place?.file}:${place?.line}:${place?.column} ${code}`;
}

export const page = "export function Page(): void {}\n";

export function routeWith(...methods: readonly string[]): string {
  return methods.map((method) => `export function ${method}(): void {}\n`).join("");
}
