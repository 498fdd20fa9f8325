/** Runs the commands of docs/api_client.md with the npm packages they name. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { deno, type Files } from "../cli/support.ts";
import { inGuideApp } from "../e2e/guides/app.ts";
import { readBlock, readBlocks } from "../e2e/guide.ts";
import { noProgram } from "../npm_program.ts";

Deno.test("api client guide: the client is checked against the types its commands write, and runs", async () => {
  const missing = await noProgram("openapi-typescript@7.13.0");
  if (missing !== undefined) return console.log(`skipped: ${missing}`);
  const guide = "docs/api_client.md";
  const commands = (await readBlock(guide, { language: "sh", holds: "openapi-typescript" }))
    .trim().split("\n").map((line) => line.split(" ").slice(1));
  const files: Files = Object.fromEntries(
    (await readBlocks(guide)).flatMap(({ text }) => {
      const name = /^\/\/ (lib\/api_client\S*)\n/.exec(text)?.[1];
      return name === undefined ? [] : [[name, text]];
    }),
  );
  await inGuideApp(guide, async ({ cwd }) => {
    for (const args of commands) {
      const { code, output } = await deno(args, cwd);
      assertEquals(code, 0, output);
    }
    const { code, output } = await deno(["test", "-A", "lib"], cwd);
    assertEquals(code, 0, output);
    assertStringIncludes(output, "1 passed");
    // The types are checked: a body without its fields does not compile.
    const test = join(cwd, "lib/api_client_test.ts");
    const text = await Deno.readTextFile(test);
    await Deno.writeTextFile(test, text.replace('title: "Jazz", seats: 2', 'title: "Jazz"'));
    assertStringIncludes((await deno(["check", "lib"], cwd)).output, "'seats' is missing");
  }, { files });
});
