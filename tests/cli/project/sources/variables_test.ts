import { assertEquals } from "@std/assert";
import { createProject } from "../../../../cli/project/project.ts";
import { inProject } from "../../support.ts";

/** A line of code and the variable that it reads. */
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

Deno.test("variableReads: variables of the environment and of the application", async () => {
  const code = rows.map(([line]) => line).join("\n");
  await inProject({ "lib/a.ts": `${code}\n` }, async (root) => {
    const reads = await createProject(root).variableReads();
    rows.forEach(([line, variable], index) => {
      assertEquals(reads.find((read) => read.line === index + 1)?.variable, variable, line);
    });
  });
});

Deno.test("settings: a setting that is read from a variable of the application", async () => {
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
