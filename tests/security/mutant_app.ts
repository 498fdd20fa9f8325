/**
 * Tables of hostile requests that prove themselves: each row passes a whole application, and turns red
 * in a copy of the framework in which the guard that it names is switched off.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { dirname, join, toFileUrl } from "@std/path";
import { listPackageFiles, root } from "../../tools/workspace.ts";
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
}

/** How long a row may take; the slowest guard, the read deadline, needs a quarter of a second. */
const maxRowMs = 2_000;

/** Defines the tests of a table. */
export function testHostileRequests<G extends string>(
  title: string,
  table: {
    readonly guards: Readonly<Record<G, Guard>>;
    readonly rows: readonly HostileRequest<G>[];
  },
): void {
  const { guards, rows } = table;
  rows.forEach((row, index) => {
    Deno.test(`${title} ${index + 1}: ${row.name} (${row.guard})`, async () => {
      const before = Object.getOwnPropertyNames(Object.prototype).join();
      assertEquals(await inTime(row.run(await original)), row.want);
      assertEquals(Object.getOwnPropertyNames(Object.prototype).join(), before);
    });
  });
  Deno.test(`${title}: every guard is named by a row`, () => {
    assertEquals([...new Set(rows.map(({ guard }) => guard))].sort(), Object.keys(guards).sort());
  });
  for (const [guard, { path, edits }] of Object.entries<Guard>(guards)) {
    Deno.test(`${title}: without the guard "${guard}" its rows turn red`, async () => {
      const fw = await loadMutant(path, edits);
      const green: string[] = [];
      for (const row of rows.filter((each) => each.guard === guard)) {
        if (await isGreen(row, fw)) green.push(row.name);
      }
      assertEquals(green, []);
    });
  }
}

async function isGreen(row: HostileRequest<string>, fw: Framework): Promise<boolean> {
  try {
    assertEquals(await inTime(row.run(fw)), row.want);
    return true;
  } catch {
    return false;
  }
}

async function inTime<T>(run: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), maxRowMs);
  });
  try {
    return await Promise.race([run, late]);
  } finally {
    clearTimeout(timer);
  }
}

const original: Promise<Framework> = load(root);

async function load(folder: string): Promise<Framework> {
  return await import(toFileUrl(join(folder, "mod.ts")).href);
}

async function loadMutant(path: string, edits: readonly Edit[]): Promise<Framework> {
  const folder = await Deno.makeTempDir();
  try {
    for (const file of await listPackageFiles()) {
      if (!/^(?:mod\.ts$|html\/|runtime\/)/.test(file)) continue;
      await Deno.mkdir(join(folder, dirname(file)), { recursive: true });
      await Deno.copyFile(join(root, file), join(folder, file));
    }
    // What is imported as text is no source file.
    for await (const entry of Deno.readDir(join(root, "runtime/base"))) {
      if (entry.name.endsWith(".ts")) continue;
      await Deno.copyFile(
        join(root, "runtime/base", entry.name),
        join(folder, "runtime/base", entry.name),
      );
    }
    const mutated = join(folder, path);
    await Deno.writeTextFile(mutated, change(await Deno.readTextFile(mutated), { path, edits }));
    return await load(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
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
