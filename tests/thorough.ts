/** Whether dear tests try all of their rows, which `deno task soak` does: other runs try a part of them. */
export const isThorough = Deno.env.get("TEST_KIND") === "soak";

/** Adds a test that only a thorough run has. */
export function testThorough(
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): void {
  if (isThorough) Deno.test(name, fn);
}
