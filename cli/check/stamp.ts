/**
 * Remembers a run of `fw check` that found no error, so that the same files are not checked again.
 *
 * @module
 */
import { generatedFile, version } from "@fw/fw/conventions";
import { dirname, fromFileUrl, join, toFileUrl } from "@std/path";
import type { Io } from "../io.ts";
import type { Problem } from "../problem.ts";
import { readTextIfThere, statIfThereSync } from "../project/files/look.ts";
import { readModuleGraph } from "../project/sources/graph.ts";
import type { Project } from "../project/project.ts";
import { listTests } from "../project/sources/list_tests.ts";
import { ownFiles } from "./changed.ts";

/** A run that found no error. */
export interface Stamp {
  /** The hash of all that the run depended on. */
  readonly key: string;
  /** When, in milliseconds since 1970. */
  readonly atMs: number;
  /** Its warnings. */
  readonly problems: readonly Problem[];
}

/** The file, in a folder that `.gitignore` of a new project names. */
const stampFile = ".fw/check.json";

// Holes in packages are found on other days without a change of the project.
const maxAgeMs = 24 * 60 * 60 * 1_000;

/**
 * Returns the hash of all that a run depends on: the files that git does not ignore, the modules
 * outside the project, the versions and the variables.
 *
 * @returns `undefined` where git does not tell the files of the project.
 */
export async function stampKey(project: Project, env: Io["env"]): Promise<string | undefined> {
  const { root } = project;
  const [files, outside] = await Promise.all([ownFiles(root), outerModules(root)]);
  if (files === undefined || outside === undefined) return undefined;
  const parts: string[] = [
    version,
    Deno.version.deno,
    import.meta.url,
    project.messages.seeHelp(""),
  ];
  const names = Object.keys(env).filter((name) => /^FW_|^(?:PORT|ADDR|TZ)$/.test(name)).sort();
  for (const name of names) parts.push(`${name}=${env[name]}`);
  for (const file of [...files].filter((each) => !each.startsWith(".fw/")).sort()) {
    parts.push(file, await hashOf(join(root, file)));
  }
  for (const file of [...outside, ...await ownModules()].sort()) {
    const info = statIfThereSync(file);
    parts.push(file, `${info?.size} ${info?.mtime?.getTime()}`);
  }
  return await digest(new TextEncoder().encode(parts.join("\0")));
}

/** The files of this command line, if it runs from a checkout: a change of it may find other things. */
async function ownModules(): Promise<string[]> {
  if (!import.meta.url.startsWith("file:")) return [];
  const folder = dirname(dirname(fromFileUrl(import.meta.url)));
  const found: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for await (const { name, isDirectory } of Deno.readDir(next)) {
      if (isDirectory) folders.push(join(next, name));
      else found.push(join(next, name));
    }
  }
  return found;
}

async function outerModules(root: string): Promise<string[] | undefined> {
  const entries = [...listTests(root), generatedFile].filter((file) =>
    statIfThereSync(join(root, file))
  ).map((file) => toFileUrl(join(root, file)).href);
  const code = entries.map((url) => `import ${JSON.stringify(url)};`).join("");
  const graph = await readModuleGraph(root, `data:text/javascript,${encodeURIComponent(code)}`, {
    remote: false,
  });
  return graph?.closure(entries).flatMap(({ file }) =>
    file === undefined || file.startsWith(root) ? [] : [file]
  );
}

async function hashOf(path: string): Promise<string> {
  try {
    return await digest(await Deno.readFile(path));
  } catch {
    // Deleted, or a link to nowhere.
    return "";
  }
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Returns the last run without an error, if nothing it depended on has changed since. */
export async function readStamp(root: string, key: string): Promise<Stamp | undefined> {
  try {
    const stamp: Stamp = JSON.parse(await readTextIfThere(join(root, stampFile)) ?? "");
    const isFresh = stamp.key === key && Math.abs(Date.now() - stamp.atMs) < maxAgeMs;
    return isFresh && Array.isArray(stamp.problems) ? stamp : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a run without an error. */
export async function writeStamp(root: string, stamp: Omit<Stamp, "atMs">): Promise<void> {
  const path = join(root, stampFile);
  await Deno.mkdir(dirname(path), { recursive: true });
  // A project made by an earlier version may not ignore the folder.
  await Deno.writeTextFile(join(dirname(path), ".gitignore"), "*\n");
  await Deno.writeTextFile(path, JSON.stringify({ ...stamp, atMs: Date.now() }));
}
