import { assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { runCli } from "../support.ts";

const example = fromFileUrl(new URL("../../../examples/events", import.meta.url));

const usage: readonly [args: readonly string[], text: string][] = [
  [["--base-url", "example.com"], 'Cannot export for "example.com"'],
  [["--out"], "--out needs a value"],
  [["--base-ulr", "x"], "Did you mean --base-url?"],
  [["site"], 'Unexpected argument "site"'],
];

for (const [args, text] of usage) {
  Deno.test(`export ${args.join(" ")} is a usage error`, async () => {
    const { code, stdout, stderr } = await runCli(["export", ...args], { cwd: example });
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, text);
  });
}
