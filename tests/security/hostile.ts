/** Tables of hostile input: what is tried, the guard that stops it, and what comes out. */
import { assertEquals } from "@std/assert";
import * as original from "../../mod.ts";

export type Framework = typeof original;

/** One hostile input to a module: what is tried, the guard that stops it, and the outcome. */
export type HostileRow<M> = readonly [
  name: string,
  guard: string,
  want: unknown,
  run: (module: M) => unknown,
];

export type HostileRequest = HostileRow<Framework>;

export function testHostile<M>(
  title: string,
  { module, rows }: { readonly module: M; readonly rows: readonly HostileRow<M>[] },
): void {
  rows.forEach(([name, guard, want, run], index) => {
    Deno.test(`${title} ${index + 1}: ${name} (${guard})`, async () => {
      const before = Object.getOwnPropertyNames(Object.prototype).join();
      assertEquals(await run(module), want);
      assertEquals(Object.getOwnPropertyNames(Object.prototype).join(), before);
    });
  });
}

export function testHostileRequests(title: string, rows: readonly HostileRequest[]): void {
  testHostile(title, { module: original, rows });
}
