/**
 * Tables of hostile input that prove themselves: a row counts only when it turns red once the guard
 * that it names is switched off. A guard is switched off in a copy of its source.
 *
 * @module
 */
import { assertEquals, equal } from "@std/assert";
import { dirname, fromFileUrl, join, toFileUrl } from "@std/path";

const root = fromFileUrl(new URL("../../", import.meta.url));

/** One change to a source: the text must occur in it exactly once. */
export type Edit = readonly [find: string, replace: string];

/** One hostile input. */
export interface HostileRow<M> {
  /** What is tried. */
  readonly name: string;
  /** The guard that stops it. */
  readonly guard: string;
  /** Tries it with the module, or with its copy. */
  run(module: M): unknown;
  /** What comes out while the guard stands. */
  readonly want: unknown;
}

/** A table over one module. */
export interface HostileTable<M> {
  /** The module's file, relative to the root. */
  readonly path: string;
  /** The module as it is. */
  readonly module: M;
  /** How each guard is switched off. */
  readonly guards: Readonly<Record<string, readonly Edit[]>>;
  /** The rows. */
  readonly rows: readonly HostileRow<M>[];
}

/** Defines the tests of a table. */
export function testHostile<M>(title: string, table: HostileTable<M>): void {
  const { module, guards, rows } = table;
  for (const [index, row] of rows.entries()) {
    Deno.test(`${title} ${index + 1}: ${row.name}`, async () => {
      assertEquals(await row.run(module), row.want);
    });
  }
  Deno.test(`${title}: every row turns red without the guard that it names`, async () => {
    assertEquals([...new Set(rows.map(({ guard }) => guard))].sort(), Object.keys(guards).sort());
    for (const [guard, edits] of Object.entries(guards)) {
      const mutant = await loadMutant<M>(table.path, edits);
      const green: string[] = [];
      for (const row of rows.filter((each) => each.guard === guard)) {
        if (equal(await outcome(() => row.run(mutant)), row.want)) green.push(row.name);
      }
      assertEquals(green, [], `still stopped without the guard "${guard}"`);
    }
  });
}

async function outcome(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return error;
  }
}

/** Loads a copy of a module with changes; its imports lead to the originals. */
export async function loadMutant<M>(path: string, edits: readonly Edit[]): Promise<M> {
  let source = await Deno.readTextFile(join(root, path));
  for (const [find, replace] of edits) {
    const count = source.split(find).length - 1;
    if (count !== 1) throw new Error(`Cannot change "${path}": ${count} times ${find}`);
    source = source.replace(find, () => replace);
  }
  const base = toFileUrl(join(root, dirname(path)) + "/");
  source = source.replace(
    /(from ")(\.\.?\/[^"]+)(")/g,
    (_, open, specifier, close) => open + new URL(specifier, base).href + close,
  );
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, source);
    return await import(toFileUrl(file).href);
  } finally {
    await Deno.remove(file);
  }
}
