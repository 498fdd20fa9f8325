import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { readOlderDocument } from "../../../../cli/describe/diff/against.ts";
import { messagesIn } from "../../../../cli/messages/catalog.ts";
import { Stop } from "../../../../cli/stop.ts";
import { git, runCli } from "../../support.ts";
import { inApp } from "../openapi_app.ts";

const route = (field: string): string =>
  `import { type Ctx, struct, text } from "@fw/fw";

export const NewEvent = struct({ title: text("required,max=80"), note: text("${field}") });

/** Creates an event. */
export async function POST(c: Ctx) {
  const { title } = await c.bindJson(NewEvent);
  return c.json(201, { title, seats: 12 });
}
`;

Deno.test("openapi --against fails only for breaking changes", () =>
  inApp({ "app/api/events/route.ts": route("max=9") }, async (root) => {
    assertEquals((await runCli(["openapi"], { cwd: root })).code, 0);
    const before = await Deno.readTextFile(join(root, "openapi.json"));
    await git(root, "init", "-q", "-b", "main");
    await git(root, "add", "openapi.json");
    await git(root, "commit", "-qm", "Add the document");
    const same = await runCli(["openapi", "--against", "main"], { cwd: root });
    assertEquals([same.code, same.stdout], [0, "No difference from main.\n"]);
    await Deno.writeTextFile(join(root, "app/api/events/route.ts"), route("required,max=9"));
    const json = await runCli(["openapi", "--against", "HEAD", "--json"], { cwd: root });
    const report = JSON.parse(json.stdout);
    assertEquals([json.code, report.ok], [1, false]);
    assertEquals(report.problems[0].code, "breaking_change");
    assertEquals(report.changes[0], {
      level: "breaking",
      kind: "became required",
      operation: "",
      place: "NewEvent.note",
    });
    // Nothing was written: the file still has the old form.
    assertEquals(await Deno.readTextFile(join(root, "openapi.json")), before);
    await Deno.writeTextFile(join(root, "app/api/events/route.ts"), route("max=20"));
    const compatible = await runCli(["openapi", "--against", "openapi.json"], { cwd: root });
    assertEquals(compatible.code, 0, compatible.stdout);
    assertMatch(compatible.stdout, /^compatible: NewEvent.note: maxLength changed/);
    await Deno.writeTextFile(join(root, "text.json"), "{}");
    // Else git would write a file there, which its syntax names after the option.
    await Deno.mkdir(join(root, "x:."));
    await Deno.writeTextFile(join(root, "big.json"), before.padEnd(16 * 1024 * 1024 + 1));
    const refused = "nowhere --output=x main:deno.json text.json big.json -x main..x".split(" ");
    for (const against of refused) {
      const options = { cwd: root, root, file: "openapi.json", messages: messagesIn("en") };
      const { problems } = await assertRejects(() => readOlderDocument(against, options), Stop);
      assertStringIncludes(problems[0]?.message ?? "", "Cannot compare with");
    }
    assertEquals(await Array.fromAsync(Deno.readDir(join(root, "x:."))), []);
  }));
