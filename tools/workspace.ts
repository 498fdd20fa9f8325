/**
 * The workspace for build helpers: its root, its packages, its files, and a function to run `deno`.
 */
import { exists } from "@std/fs";
import { fromFileUrl, join } from "@std/path";

export const root: string = fromFileUrl(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
export const packageFolders: readonly string[] =
  "html runtime cache ui auth ai tmpl data jobs mail cli".split(" ");

/** The part of a `deno.json` that the helpers read. */
export interface Manifest {
  name: string;
  version: string;
  exports: string | Record<string, string>;
  imports?: Record<string, string>;
  tasks?: Record<string, unknown>;
  compilerOptions?: Record<string, unknown>;
  test?: Record<string, unknown>;
  publish?: { include?: string[]; exclude?: string[] };
}

export interface Entry {
  specifier: string;
  path: string;
}

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await Deno.readTextFile(join(root, folder, "deno.json")));
}

export function entriesOf(manifest: Manifest, folder: string): Entry[] {
  const exported = typeof manifest.exports === "string"
    ? { ".": manifest.exports }
    : manifest.exports;
  return Object.entries(exported).map(([name, path]) => ({
    specifier: manifest.name + name.slice(1),
    path: join(folder, path).replaceAll("\\", "/"),
  }));
}

export async function readEntries(): Promise<Entry[]> {
  const folders = ["", "cli"];
  const lists = folders.map(async (folder) => entriesOf(await readManifest(folder), folder));
  return (await Promise.all(lists)).flat();
}

export async function isThere(path: string): Promise<boolean> {
  return await exists(join(root, path));
}

// Folders without sources of this project: dependencies, output, version control, and the data of
// the examples, in which tests create and remove files.
const foreignFolders =
  /(^|\/)(\.git|\.fw|node_modules|coverage|dist|\.deno_cache)(\/|$)|^examples\/[^/]+\/data(\/|$)/;

/** Lists files below a folder, sorted, relative to the root with `/` as separator. */
export async function listFiles(folder: string, extensions: string[]): Promise<string[]> {
  if (!await isThere(folder)) return [];
  const found: string[] = [];
  const folders = [folder];
  for (const at of folders) {
    for await (const { name, isDirectory, isFile } of Deno.readDir(join(root, at))) {
      const path = at === "" ? name : `${at}/${name}`;
      if (foreignFolders.test(path)) continue;
      if (isDirectory) folders.push(path);
      else if (isFile && extensions.some((extension) => path.endsWith(extension))) found.push(path);
    }
  }
  return found.sort();
}

export async function listPackageFiles(): Promise<string[]> {
  const lists = packageFolders.map((folder) => listFiles(folder, [".ts", ".tsx"]));
  const files = (await Promise.all(lists)).flat();
  return ["mod.ts", ...files.filter((path) => !path.startsWith("cli/samples/"))];
}

export interface DenoOutput {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs this `deno` to its end and returns its output without colours; `env` is added to its variables. */
export async function runDeno(
  args: string[],
  { cwd = root, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<DenoOutput> {
  const output = await new Deno.Command(Deno.execPath(), {
    args,
    cwd,
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return {
    code: output.code,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
  };
}
