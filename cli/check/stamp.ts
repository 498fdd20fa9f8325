/**
 * Remembers a run of `fw check` that found no error, so that the same files are not checked again.
 *
 * @module
 */
import { version } from "@fw/fw/conventions";
import { join } from "@std/path";
import type { Io } from "../io.ts";
import type { Problem } from "../problem.ts";
import { keptFolder, readKept, writeKept } from "../project/files/kept_file.ts";
import { fileState, ownModules } from "../project/files/own_modules.ts";
import { isSpecialFile } from "../project/files/look.ts";
import { pathInProject } from "../project/sources/graph.ts";
import type { Project } from "../project/project.ts";
import { listTests } from "../project/sources/list_tests.ts";
import { ownFiles, readTestedModules } from "./changed.ts";

/** A run that found no error. */
export interface Stamp {
  /** The hash of all that the run depended on. */
  readonly key: string;
  /** When, in milliseconds since 1970. */
  readonly atMs: number;
  /** Its warnings. */
  readonly problems: readonly Problem[];
}

const stampFile = "check.json";

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
  for (const file of [...files].filter((each) => !each.startsWith(`${keptFolder}/`)).sort()) {
    parts.push(file, await hashOf(join(root, file)));
  }
  for (const file of outside.toSorted()) parts.push(file, fileState(file));
  parts.push(...await ownModules());
  return await digest(new TextEncoder().encode(parts.join("\0")));
}

async function outerModules(root: string): Promise<string[] | undefined> {
  const read = await readTestedModules(root, listTests(root));
  return read?.graph.closure(read.entries).flatMap(({ file }) =>
    file === undefined || pathInProject(root, file) !== undefined ? [] : [file]
  );
}

async function hashOf(path: string): Promise<string> {
  try {
    return isSpecialFile(path) ? "" : await digest(await Deno.readFile(path));
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
  const stamp = await readKept(root, stampFile);
  if (!isStamp(stamp) || stamp.key !== key) return undefined;
  return Math.abs(Date.now() - stamp.atMs) < maxAgeMs ? stamp : undefined;
}

function isStamp(value: unknown): value is Stamp {
  const { key, atMs, problems }: Partial<Stamp> = Object(value);
  return typeof key === "string" && typeof atMs === "number" && Array.isArray(problems);
}

/** Keeps a run without an error. */
export async function writeStamp(root: string, stamp: Omit<Stamp, "atMs">): Promise<void> {
  await writeKept(root, stampFile, { ...stamp, atMs: Date.now() });
}
