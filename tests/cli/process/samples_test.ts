/** The applications of `cli/samples` as they stand. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import samples from "../../../cli/samples.json" with { type: "json" };
import { root } from "../../../tools/workspace.ts";

Deno.test("cli/samples: the tests of both applications pass", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--allow-env", "--allow-read", "."],
    cwd: join(root, "cli/samples"),
    env: { NO_COLOR: "1", FW_ENV: "dev", FW_DB: ":memory:" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assertEquals(code, 0, decoder.decode(stdout) + decoder.decode(stderr));
});

Deno.test("cli/samples: only the frame of a new app links to its start page, which others may lack", () => {
  const frame = /^(?:kit|plain)\/app\/(?:error|layout|nav|not_found)\.ts$/;
  const linking = Object.entries(samples)
    .filter(([path, text]) => text.includes('href("/")') && !frame.test(path));
  assertEquals(linking.map(([path]) => path), []);
});
