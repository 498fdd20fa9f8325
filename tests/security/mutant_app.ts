/**
 * Tables of hostile requests that prove themselves: each row passes a whole application, and turns red
 * in a copy of the framework in which the guard that it names is switched off.
 *
 * @module
 */
import { assertEquals, equal } from "@std/assert";
import * as original from "../../mod.ts";
import { type Change, loadMutant } from "./mutant_modules.ts";

/** The framework, or a copy of it. */
export type Framework = typeof import("../../mod.ts");

/** Where a guard stands, and how it is switched off. */
export type Guard = Change;

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
  const quick = rows.filter(({ isIdle = areIdle }) => !isIdle);
  if (quick.length > 0) testCopy(title, { guards, rows: quick });
  for (const [guard, change] of Object.entries<Guard>(guards)) {
    Deno.test(`${title}: without the guard "${guard}" its rows turn red`, async () => {
      const fw = await loadMutant<Framework>(change, "mod.ts");
      const own = rows.filter((row) => row.guard === guard);
      // Side by side, rows that compute would make one another late, which is red as well.
      const green = areIdle || own.every(({ isIdle }) => isIdle)
        ? await Promise.all(own.map((row) => isGreen(row, fw)))
        : await Array.fromAsync(own, (row) => isGreen(row, fw));
      assertEquals(own.filter((_, index) => green[index]).map(({ name }) => name), []);
    });
  }
}

/** Red means that a guard is missing: in copies without a change, nothing turns red. */
function testCopy(
  title: string,
  { guards, rows }: {
    readonly guards: Readonly<Record<string, Guard>>;
    readonly rows: readonly HostileRequest<string>[];
  },
): void {
  Deno.test(`${title}: copies without a change stop the same`, async () => {
    const paths = new Set(Object.values(guards).map(({ path }) => path));
    for (const path of paths) {
      const fw = await loadMutant<Framework>({ path, edits: [] }, "mod.ts");
      for (const row of rows.filter(({ guard }) => guards[guard]?.path === path)) {
        const found = await inTime(row.run(fw), maxRowMs);
        assertEquals(found, row.want, `${row.name}, in a copy of ${path}`);
      }
    }
  });
}

async function isGreen(row: HostileRequest<string>, fw: Framework): Promise<boolean> {
  try {
    return equal(await inTime(row.run(fw), maxMutantRowMs), row.want);
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
