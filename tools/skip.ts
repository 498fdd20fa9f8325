/** Registers a test, or an ignored test with the reason in its name. */
export function testUnless(reason: string | undefined, test: Deno.TestDefinition): void {
  if (reason === undefined) return Deno.test(test);
  Deno.test({ ...test, name: `${test.name} (skipped: ${reason})`, ignore: true });
}
