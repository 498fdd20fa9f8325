/** Registers a test, or an ignored one whose name carries the reason. */
export function testUnless(reason: string | undefined, test: Deno.TestDefinition): void {
  if (reason === undefined) return Deno.test(test);
  Deno.test({ ...test, name: `${test.name} (skipped: ${reason})`, ignore: true });
}

/** Finds the reason in a test's name, or `undefined` when it carries none. */
export function parseSkipReason(name: string): string | undefined {
  return /\(skipped: (.+)\)$/.exec(name)?.[1];
}
