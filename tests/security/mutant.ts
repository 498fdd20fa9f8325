/**
 * Tables of hostile input that prove themselves: a row counts only when it turns red once the guard
 * that it names is switched off. A guard is switched off in a copy of its source.
 *
 * @module
 */
import { assertEquals, equal } from "@std/assert";
import { type Edit, loadMutant } from "./mutant_modules.ts";

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
    const copy = await loadMutant<M>({ path: table.path, edits: [] });
    for (const row of rows) assertEquals(await row.run(copy), row.want, `${row.name}, in a copy`);
    assertEquals([...new Set(rows.map(({ guard }) => guard))].sort(), Object.keys(guards).sort());
    for (const [guard, edits] of Object.entries(guards)) {
      const mutant = await loadMutant<M>({ path: table.path, edits });
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
