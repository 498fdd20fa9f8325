/** The unmodified applications of `cli/samples`. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import samples from "../../../cli/samples.json" with { type: "json" };
import { root } from "../../../tools/workspace.ts";
import { denoOutput } from "../support.ts";

Deno.test("cli/samples: the tests of both applications pass", async () => {
  const args = ["test", "--no-check", "--allow-env", "--allow-read", "."];
  const env = { FW_ENV: "dev", FW_DB: ":memory:" };
  await denoOutput(args, join(root, "cli/samples"), env);
});

Deno.test("cli/samples: only the layout of a new app links to the start page, which other apps may lack", () => {
  const frame = /^(?:kit|plain)\/app\/(?:error|layout|nav|not_found)\.ts$/;
  const linking = Object.entries(samples)
    .filter(([path, text]) => text.includes('href("/")') && !frame.test(path));
  assertEquals(linking.map(([path]) => path), []);
});
