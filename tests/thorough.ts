/**
 * Whether slow tests run all of their rows, as in `deno task soak`; other runs use some of them.
 */
export const isThorough = Deno.env.get("TEST_KIND") === "soak";

/** Adds a test that only a thorough run has. */
export function testThorough(
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): void {
  if (isThorough) Deno.test(name, fn);
}
