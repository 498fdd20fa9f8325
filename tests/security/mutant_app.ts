/**
 * Tables of hostile requests that prove themselves: each row passes a whole application, and turns red
 * in a copy of the framework in which the guard that it names is switched off.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { dirname, join, toFileUrl } from "@std/path";
import * as original from "../../mod.ts";
import { root } from "../../tools/workspace.ts";
import type { Edit } from "./mutant.ts";

/** The framework, or a copy of it. */
export type Framework = typeof import("../../mod.ts");

/** Where a guard stands, and how it is switched off. */
export interface Guard {
  /** The file, relative to the root. */
  readonly path: string;
  /** The changes. */
  readonly edits: readonly Edit[];
}

/** One hostile request. */
export interface HostileRequest<G extends string> {
  /** What is tried. */
  readonly name: string;
  /** The guard that stops it. */
  readonly guard: G;
  /** Sends it and gives what came out. */
  readonly run: (fw: Framework) => Promise<unknown>;
  /** What comes out while the guard stands. */
  readonly want: unknown;
  /** Whether it does little but wait: such rows of a copy run side by side. @default false */
  readonly isIdle?: boolean;
}

/** How long a row may take on a busy machine; the slowest guard needs a quarter of a second. */
const maxRowMs = 60_000;

/** How long a row may take without its guard: one that hangs then is red, and its test waits as long. */
const maxMutantRowMs = 8_000;

/** Whether it is the framework itself, and no copy in which a guard is switched off. */
export function isOriginal(fw: Framework): boolean {
  return fw === original;
}

/** Defines the tests of a table. */
export function testHostileRequests<G extends string>(
  title: string,
  table: {
    readonly guards: Readonly<Record<G, Guard>>;
    readonly rows: readonly HostileRequest<G>[];
    /** Whether all rows do little but wait. @default false */
    readonly areIdle?: boolean;
  },
): void {
  const { guards, rows, areIdle = false } = table;
  rows.forEach((row, index) => {
    Deno.test(`${title} ${index + 1}: ${row.name} (${row.guard})`, async () => {
      const before = Object.getOwnPropertyNames(Object.prototype).join();
      assertEquals(await inTime(row.run(original), maxRowMs), row.want);
      assertEquals(Object.getOwnPropertyNames(Object.prototype).join(), before);
    });
  });
  Deno.test(`${title}: every guard is named by a row`, () => {
    assertEquals([...new Set(rows.map(({ guard }) => guard))].sort(), Object.keys(guards).sort());
  });
  for (const [guard, { path, edits }] of Object.entries<Guard>(guards)) {
    Deno.test(`${title}: without the guard "${guard}" its rows turn red`, async () => {
      const fw = await loadMutant(path, edits);
      const own = rows.filter((row) => row.guard === guard);
      // Side by side, rows that compute would make one another late, which is red as well.
      const green = areIdle || own.every(({ isIdle }) => isIdle)
        ? await Promise.all(own.map((row) => isGreen(row, fw)))
        : await Array.fromAsync(own, (row) => isGreen(row, fw));
      assertEquals(own.filter((_, index) => green[index]).map(({ name }) => name), []);
    });
  }
}

async function isGreen(row: HostileRequest<string>, fw: Framework): Promise<boolean> {
  try {
    assertEquals(await inTime(row.run(fw), maxMutantRowMs), row.want);
    return true;
  } catch {
    return false;
  }
}

async function inTime<T>(run: Promise<T>, maxMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), maxMs);
  });
  try {
    return await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A module of the framework. */
interface Module {
  readonly source: string;
  /** The modules of the framework that it loads. */
  readonly loads: readonly string[];
}

/** The module that loads all others. */
const entry = "mod.ts";

let modules: Promise<ReadonlyMap<string, Module>> | undefined;

/**
 * Loads the framework with a changed module: that one and whatever loads it are copies, all others are
 * the framework's own.
 */
async function loadMutant(path: string, edits: readonly Edit[]): Promise<Framework> {
  const known = await (modules ??= readModules());
  const copied = findLoaders(path, known);
  const folder = await Deno.makeTempDir();
  try {
    for (const file of copied) {
      const source = known.get(file)?.source ?? "";
      const changed = file === path ? change(source, { path, edits }) : source;
      await Deno.mkdir(join(folder, dirname(file)), { recursive: true });
      await Deno.writeTextFile(join(folder, file), redirect(changed, { file, copied }));
    }
    return await import(toFileUrl(join(folder, entry)).href);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A relative specifier where a module is loaded. */
const loading = /(\bfrom |\bimport |\bimport\()"(\.{1,2}\/[^"]+)"/g;

/** What is gone once the types are. */
const typesOnly = /^(?:import|export) type [^;]*;$/gm;

async function readModules(): Promise<ReadonlyMap<string, Module>> {
  const found = new Map<string, Module>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const source = await Deno.readTextFile(join(root, path));
    const loads = [...source.replace(typesOnly, "").matchAll(loading)]
      .map(([, , specifier = ""]) => join(dirname(path), specifier))
      .filter((file) => file.endsWith(".ts"));
    found.set(path, { source, loads });
    waiting.push(...loads);
  }
  return found;
}

/** A module and all by which it is loaded. */
function findLoaders(path: string, known: ReadonlyMap<string, Module>): ReadonlySet<string> {
  const loaders = new Set([path]);
  for (const loaded of loaders) {
    for (const [file, { loads }] of known) if (loads.includes(loaded)) loaders.add(file);
  }
  if (!loaders.has(entry)) throw new Error(`Cannot change "${path}": "${entry}" does not load it`);
  return loaders;
}

/** Leads what is no copy to the framework's own file. */
function redirect(
  source: string,
  { file, copied }: { readonly file: string; readonly copied: ReadonlySet<string> },
): string {
  return source.replace(loading, (whole, before: string, specifier: string) => {
    const target = join(dirname(file), specifier);
    return copied.has(target) ? whole : `${before}"${toFileUrl(join(root, target)).href}"`;
  });
}

function change(source: string, guard: Guard): string {
  let changed = source;
  for (const [find, replace] of guard.edits) {
    const count = changed.split(find).length - 1;
    if (count !== 1) throw new Error(`Cannot change "${guard.path}": ${count} times ${find}`);
    changed = changed.replace(find, () => replace);
  }
  return changed;
}
