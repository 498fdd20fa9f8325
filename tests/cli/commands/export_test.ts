import { assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { runCli } from "../support.ts";

const example = fromFileUrl(new URL("../../../examples/events", import.meta.url));

const usage: readonly [args: readonly string[], text: string][] = [
  [["--base-url", "example.com"], 'Cannot export for "example.com"'],
  [["--base-url", "ftp://example.com"], "use the site's address"],
  [["--base-url", "https://e.com/a", "--base-path", "/b"], 'the path of --base-url is "/a"'],
  [["--base-url", "https://a:b@example.com"], "without user, query and fragment"],
  [["--base-url", "https://example.com/?a"], "without user, query and fragment"],
  [["--base-url", "https://example.com/#a"], "without user, query and fragment"],
  [
    ["--base-url", "https://example.com/a%20b"],
    'Cannot read --base-url "https://example.com/a%20b"',
  ],
  [["--base-path", "shop"], 'Cannot read --base-path "shop": use a path such as /shop'],
  [["--base-path", "/a/../b"], 'Cannot read --base-path "/a/../b"'],
  [["--layout", "flat"], '--layout "flat"'],
  [["--concurrency", "0"], 'Cannot read --concurrency "0"'],
  [["--concurrency", "x"], "use a positive integer"],
  [["--exclude", "admin"], 'Cannot read --exclude "admin"'],
  [["--elsewhere", "/a/"], 'Cannot read --elsewhere "/a/"'],
  [["--out"], "--out needs a value"],
  [["--base-ulr", "x"], "Did you mean --base-url?"],
  [["site"], 'Unexpected argument "site"'],
];

for (const [args, text] of usage) {
  Deno.test(`export ${args.join(" ")} is a wrong command line`, async () => {
    const { code, stdout, stderr } = await runCli(["export", ...args], { cwd: example });
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, text);
  });
}
