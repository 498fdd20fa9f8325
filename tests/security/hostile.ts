/** Tables of hostile input and its outcome. */
import { assertEquals } from "@std/assert";

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
