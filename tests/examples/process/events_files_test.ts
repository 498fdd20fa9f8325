import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { root } from "../../../tools/workspace.ts";
import { runCli } from "../../cli/support.ts";

const cwd = join(root, "examples/events");

Deno.test("example: generated files and the kit's are up to date", async () => {
  assertEquals((await runCli(["gen", "--check"], { cwd })).stderr, "");
  assertEquals(await runCli(["ui"], { cwd }), {
    code: 0,
    stdout: "public/ui.theme.css belongs to the application and was not changed.\n" +
      "public/ui.css is up to date.\npublic/ui.css.map is up to date.\n" +
      "public/ui.js is up to date.\npublic/ui.js.map is up to date.\n" +
      "public/ui.live.js is up to date.\npublic/ui.live.js.map is up to date.\n" +
      "public/ui.parts.js is up to date.\npublic/ui.parts.js.map is up to date.\n" +
      "public/ui.swap.js is up to date.\npublic/ui.swap.js.map is up to date.\n" +
      "public/passkeys.js is up to date.\n",
    stderr: "",
  });
});
