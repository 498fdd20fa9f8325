import { assertEquals } from "@std/assert";
import { createProject } from "../../../../cli/project/project.ts";
import { inProject } from "../../support.ts";

/** A line of code and the variable it reads. */
const rows: readonly (readonly [code: string, variable: string | undefined])[] = [
  ['Deno.env.get("SHOP_DB");', "SHOP_DB"],
  ['Deno.env.has("SHOP_DB");', "SHOP_DB"],
  ['variable(app, "SHOP_DB");', "SHOP_DB"],
  ['variable(config, "SHOP_DB") ?? "data";', "SHOP_DB"],
  ["variable(app, name);", undefined],
  ['variable("SHOP_DB");', undefined],
  ['variable(app, "colour");', undefined],
  ['css.variable(app, "SHOP_DB");', undefined],
  ["Deno.env.get(name);", undefined],
];

Deno.test("variableReads: finds variables of the environment and of the application", async () => {
  const code = rows.map(([line]) => line).join("\n");
  const files = { "lib/a.ts": `import { variable } from "@fw/fw";\n${code}\n` };
  await inProject(files, async (root) => {
    const reads = await createProject(root).variableReads();
    rows.forEach(([line, variable], index) => {
      assertEquals(reads.find((read) => read.line === index + 2)?.variable, variable, line);
    });
  });
});

/** The origin of `variable` in a file, its call, and whether it is the library's. */
const imports: readonly (readonly [source: string, call: string, isRead: boolean])[] = [
  ['import { variable } from "@fw/fw";', "variable", true],
  ['import { key, variable as env } from "@fw/fw";', "env", true],
  ['import { variable as env } from "@fw/fw";', "variable", false],
  ['import * as fw from "@fw/fw";', "fw.variable", true],
  ['import * as fw from "./own.ts";', "fw.variable", false],
  ['import { variable } from "./own.ts";', "variable", false],
  ['import { variable } from "npm:sql@1";', "variable", false],
  ["function variable(a, b) {}", "variable", false],
  ['import { variable } from "jsr:@fw/fw@^0.2.0";', "variable", true],
];

for (const [source, call, isRead] of imports) {
  Deno.test(`variableReads: ${source} ${call}`, () =>
    inProject({ "lib/a.ts": `${source}\n${call}(app, "SHOP_DB");\n` }, async (root) => {
      const reads = await createProject(root).variableReads();
      assertEquals(reads.map(({ variable }) => variable), isRead ? ["SHOP_DB"] : []);
    }));
}

Deno.test("settings: reads a setting from a variable of the application", async () => {
  const setup =
    'import { variable } from "@fw/fw";\nexport function Config(config) {\n  config.basePath = variable(config, "SHOP_PATH") ?? "/shop";\n}\nexport function Setup() {}\n';
  await inProject({ "app/setup.ts": setup }, async (root) => {
    const project = createProject(root);
    const values = async (env: Record<string, string>) =>
      (await project.settings(env)).possible("basePath").map((value) =>
        value.kind === "known" && value.value
      );
    assertEquals(await values({ SHOP_PATH: "/a" }), ["/a"]);
    assertEquals(await values({}), ["/shop"]);
  });
});
