import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { App, type Ctx } from "../../mod.ts";
import * as h from "../../html/mod.ts";
import { newTestClient, testPage } from "../../runtime/testing/mod.ts";
import * as ui from "../../ui/mod.ts";

const layout = (c: Ctx, children: h.Node): h.Node =>
  h.html(h.head(h.title("T"), ui.head(c)), h.body(ui.body(), children, ui.flashes(c)));

Deno.test("head: the script that chooses light or dark runs under the default policy", async () => {
  const response = await testPage({ page: () => h.p("x"), layouts: [layout] }, "/");
  const [, nonce] = /^<script nonce="([^"]+)">/m.exec(headOf(response.body)) ?? [];
  assert(nonce !== undefined);
  assertStringIncludes(response.header("content-security-policy") ?? "", `'nonce-${nonce}'`);
});

Deno.test("head: the choice of the theme comes before the stylesheets, the module last", async () => {
  const response = await testPage({ page: () => h.p("x"), layouts: [layout] }, "/");
  const found = headOf(response.body).matchAll(/<script nonce|ui\.theme\.css|ui\.css|ui\.js/g);
  assertEquals([...found].map(([text]) => text), [
    "<script nonce",
    "ui.theme.css",
    "ui.css",
    "ui.js",
  ]);
});

Deno.test("head: the files carry their fingerprints and the base path", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const name of ["ui.theme.css", "ui.css", "ui.js"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "/* */");
    }
    const app = new App({ basePath: "/shop", public: folder, logRequest: () => false });
    app.route({ pattern: "/", page: () => h.p("x"), layouts: [layout] });
    const body = await (await app.fetch(new Request("http://localhost/shop/"))).text();
    for (const name of ["ui.theme.css", "ui.css", "ui.js"]) {
      assert(new RegExp(`"/shop/${name.replaceAll(".", "\\.")}\\?v=[\\w-]{12}"`).test(body), body);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("flashes: a handler's message appears on the next page, once", async () => {
  const app = new App({ env: "dev", logRequest: () => false });
  app.route({
    pattern: "/",
    page: () => h.p("x"),
    layouts: [layout],
    methods: {
      POST: (c) => {
        c.flash("success", "Saved <1>");
        c.flash("error", "But not all");
        return c.redirect("/");
      },
    },
  });
  const client = newTestClient(app);
  await client.get("/");
  await client.postForm("/", {}).wantStatus(303);
  const { body } = await client.get("/");
  assertStringIncludes(
    body,
    '<div class="ui-toast ui-success" data-ui-toast data-ui-fade="6000"><p>Saved &lt;1&gt;</p>',
  );
  assertStringIncludes(
    body,
    '<div class="ui-toast ui-destructive" role="alert" data-ui-toast><p>But not all</p>',
  );
  const again = await client.get("/");
  assertStringIncludes(again.body, "data-ui-toaster></div>");
});

function headOf(page: string): string {
  return page.slice(page.indexOf("<title>T</title>") + "<title>T</title>".length);
}
