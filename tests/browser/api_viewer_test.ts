// deno-lint-ignore-file no-import-prefix -- the viewer that the guide names
/** The OpenAPI viewer that the guide names, under the default policy. */
import { newFolder } from "../new_folder.ts";
import { assert, assertEquals } from "@std/assert";
import folderOfViewer from "npm:swagger-ui-dist@5.32.0/absolute-path.js";
import * as h from "../../html/mod.ts";
import { App, createLogger, type Ctx, type Node } from "../../mod.ts";
import { testUnless } from "../../tools/skip.ts";
import { noChromium, withPage, withServer } from "./browser.ts";

const guide = await Deno.readTextFile(new URL("../../docs/api_client.md", import.meta.url));

const document = {
  openapi: "3.1.0",
  info: { title: "Events", version: "1.0.0" },
  paths: {
    "/api/events": {
      get: { summary: "Lists the events", responses: { 200: { description: "The events" } } },
    },
  },
};

function script(): string {
  const [, code] = /```js\n(\/\/ public\/viewer\.js\n[^`]+)```/.exec(guide) ?? [];
  assert(code !== undefined, "the guide has no public/viewer.js");
  return code;
}

testUnless(noChromium, {
  name: "the API viewer of the guide shows a document and sends a request under the default policy",
  fn: async () => {
    await using temporary = await newFolder();
    const folder = temporary.path;
    await Deno.mkdir(`${folder}/viewer`);
    for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
      await Deno.copyFile(`${folderOfViewer()}/${name}`, `${folder}/viewer/${name}`);
    }
    await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(document));
    await Deno.writeTextFile(`${folder}/viewer.js`, script());
    const app = new App({
      logRequest: () => false,
      logger: createLogger({ format: "text", write: () => {} }),
      secret: "s".repeat(32),
      public: folder,
    });
    const page = (c: Ctx): Node =>
      h.main(
        h.link(h.rel("stylesheet"), h.href(c.asset("/viewer/swagger-ui.css"))),
        h.div(h.id("viewer"), h.data("document", c.asset("/openapi.json"))),
        h.script(h.src(c.asset("/viewer/swagger-ui-bundle.js")), h.defer()),
        h.script(h.src(c.asset("/viewer.js")), h.defer()),
      );
    const layout = (_c: Ctx, children: Node): Node =>
      h.html(h.head(h.link(h.rel("icon"), h.href("data:image/png;base64,"))), h.body(children));
    app.route({ pattern: "/api-docs", page, layouts: [layout] });
    app.route({
      pattern: "/api/events",
      kind: "api",
      methods: { GET: (c) => c.json(200, ["Fair"]) },
    });
    await withServer(app.handler(), (url) =>
      withPage(async (page) => {
        const said: string[] = [];
        page.on("console", (message) => message.type() === "error" && said.push(message.text()));
        page.on("pageerror", (error) => said.push(error.message));
        await page.goto(`${url}/api-docs`);
        await page.getByText("Lists the events").click();
        await page.getByRole("button", { name: "Try it out" }).click();
        await page.getByRole("button", { name: "Execute" }).click();
        await page.locator(".live-responses-table").getByText("Fair").first().waitFor();
        assertEquals(said, []);
      }));
  },
});
