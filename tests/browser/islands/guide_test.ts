/** The first example of the guide: rows that can be dragged, with buttons that need no script. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { toFileUrl } from "@std/path";
import type { Ctx, Node } from "../../../mod.ts";
import { pageRoute, testInBrowser, until } from "../kit/site.ts";
import order, { moveBefore } from "./sources/order.ts";

const source = new URL("./sources/order.ts", import.meta.url);

Deno.test("guide of islands: its first example is the tested source", async () => {
  const guide = await Deno.readTextFile(new URL("../../../docs/islands.md", import.meta.url));
  assertStringIncludes(guide, `// islands/order.ts\n${await Deno.readTextFile(source)}`);
});

const bundle = await Deno.makeTempDir({ prefix: "fw-guide-" });
Deno.test.beforeAll(async () => {
  const args = ["bundle", "-q", "--platform=browser", `--outdir=${bundle}`, source.pathname];
  assert((await new Deno.Command(Deno.execPath(), { args }).output()).success);
});
Deno.test.afterAll(async () => await Deno.remove(bundle, { recursive: true }));

let names: readonly string[] = [];

const routes = [
  pageRoute("/", (c: Ctx): Node => {
    names = names.length === 0 ? ["Ada", "Grace", "Mary"] : names;
    return c.island("/islands/order.js", { names, token: c.csrfToken() });
  }, {
    POST: async (c) => {
      names = moveBefore(names, await c.form("move") ?? "");
      return c.redirect("/");
    },
  }),
];

const config = { mounts: { "/islands": toFileUrl(`${bundle}/`) } };
const islands = { "/islands/order.js": order };
const shown = "[...document.querySelectorAll('li')].map(({ id }) => id.slice(5)).join()";

testInBrowser("the first example of the guide of islands", [
  ["without a script a button moves a row", undefined, routes, async ({ page, open }) => {
    names = [];
    await open("/");
    await page.getByText("Grace up").click();
    await until(page, `${shown} === 'Grace,Ada,Mary'`);
  }, { config, islands, hasScript: false }],
  ["with the script a row is dragged, or moved by its button, and the server keeps it", undefined, [
    ...routes,
  ], async ({ page, open }) => {
    names = [];
    await open("/");
    await until(page, "document.querySelector('[data-fw-island-state=mounted]')");
    const grip = { sourcePosition: { x: 2, y: 2 }, targetPosition: { x: 2, y: 2 } };
    await page.dragAndDrop("#name-Mary", "#name-Ada", grip);
    await until(page, `${shown} === 'Mary,Ada,Grace'`);
    await page.getByText("Grace up").press("Enter");
    await until(page, `${shown} === 'Mary,Grace,Ada'`);
    assertEquals(names, ["Mary", "Grace", "Ada"]);
    assertEquals(moveBefore(names, "Eve:Ada"), names);
  }, { config, islands }],
]);
