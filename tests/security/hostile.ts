/** Tables of hostile input: what is tried, and what comes out. */
import { assertEquals } from "@std/assert";

/** One hostile input: what is tried, and the outcome. */
export type HostileRow = readonly [name: string, want: unknown, run: () => unknown];

export function testHostile(title: string, rows: readonly HostileRow[]): void {
  rows.forEach(([name, want, run], index) => {
    Deno.test(`${title} ${index + 1}: ${name}`, async () => {
      const before = Object.getOwnPropertyNames(Object.prototype).join();
      assertEquals(await run(), want);
      assertEquals(Object.getOwnPropertyNames(Object.prototype).join(), before);
    });
  });
}
