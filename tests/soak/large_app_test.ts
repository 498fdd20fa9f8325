import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { runGenerators } from "../../cli/gen/generate.ts";
import { createProject } from "../../cli/project/project.ts";
import { root } from "../../tools/workspace.ts";
import { deno } from "../cli/support.ts";
import { newFolder } from "../new_folder.ts";

async function writeApp(folder: string, routes: number): Promise<void> {
  await Deno.writeTextFile(
    join(folder, "deno.json"),
    JSON.stringify({
      links: [root],
      imports: { "@fw/fw": "jsr:@fw/fw@^0.1.0", "@fw/fw/h": "jsr:@fw/fw@^0.1.0/h" },
      lock: false,
    }),
  );
  for (let at = 0; at < routes; at++) {
    const path = `app/g${at % 50}/r${at}/id_`;
    await Deno.mkdir(join(folder, path), { recursive: true });
    const [name, text] = at % 2 === 0 ? ["route.ts", routeText(at)] : ["page.ts", pageText(at)];
    await Deno.writeTextFile(join(folder, path, name), text);
  }
  assert((await runGenerators(createProject(folder))).ok);
}

function pageText(at: number): string {
  return `import type { Ctx, Node } from "@fw/fw";
import { p } from "@fw/fw/h";
export function Page(c: Ctx): Node {
  return p("row ${at} ", c.param("id"));
}
`;
}

function routeText(at: number): string {
  return `import { type Ctx, int, struct, text } from "@fw/fw";
const Row = struct({ name: text("required"), age: int() });
export function GET(c: Ctx): Response {
  return c.json(200, { id: c.param("id"), row: ${at} });
}
export async function POST(c: Ctx): Promise<Response> {
  const { name } = await c.bindJson(Row);
  return c.json(201, { name });
}
`;
}

Deno.test("check passes for an application of 5,000 routes", async () => {
  await using folder = await newFolder();
  await writeApp(folder.path, 5_000);
  const { code, output } = await deno(["check", "--quiet", "fw_gen.ts"], folder.path);
  assertEquals([code, output], [0, ""]);
});
