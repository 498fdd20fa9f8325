import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { App, bool, type Ctx, day, float, int, money, Off, struct, text } from "../../mod.ts";
import * as h from "../../html/mod.ts";
import { newTestClient, testPage } from "../../runtime/testing/mod.ts";
import * as ui from "../../ui/mod.ts";
import { newFolder } from "../new_folder.ts";

const layout = (c: Ctx, children: h.Node): h.Node =>
  h.html(h.head(h.title("T"), ui.head(c)), h.body(ui.body(), children, ui.flashes(c)));

Deno.test("head: runs the theme script under the default policy, before stylesheets and module", async () => {
  const response = await testPage({ page: () => h.p("x"), layouts: [layout] }, "/");
  const [, nonce] = /^<script nonce="([^"]+)">/m.exec(headOf(response.body)) ?? [];
  assert(nonce !== undefined);
  assertStringIncludes(response.header("content-security-policy") ?? "", `'nonce-${nonce}'`);
  const found = headOf(response.body).matchAll(/<script nonce|ui\.theme\.css|ui\.css|ui\.js/g);
  const order = ["<script nonce", "ui.theme.css", "ui.css", "ui.js"];
  assertEquals([...found].map(([text]) => text), order);
});

Deno.test("head: the files have their fingerprints and the base path", async () => {
  await using folder = await newFolder();
  for (const name of ["ui.theme.css", "ui.css", "ui.js"]) {
    await Deno.writeTextFile(`${folder.path}/${name}`, "/* */");
  }
  const app = new App({ basePath: "/shop", public: folder.path, logRequest: Off });
  app.route({ pattern: "/", page: () => h.p("x"), layouts: [layout] });
  const body = await (await app.fetch(new Request("http://localhost/shop/"))).text();
  for (const name of ["ui.theme.css", "ui.css", "ui.js"]) {
    assert(new RegExp(`"/shop/${name.replaceAll(".", "\\.")}\\?v=[\\w-]{12}"`).test(body), body);
  }
});

Deno.test("font: scales the fallback by fallbackPercent", async () => {
  const page = (c: Ctx): h.Node =>
    ui.font(c, { family: "Geist", file: "/geist.woff2", fallbackPercent: 97.5 });
  const { body } = await testPage({ page }, "/");
  assertStringIncludes(body, 'src:local("Arial");size-adjust:97.5%}');
});

Deno.test("shell: the actions beside an authCard are in one row", async () => {
  const layout = (c: Ctx, content: h.Node): h.Node =>
    h.html(h.body(ui.shell(c, { brand: "Shop", nav: [], actions: h.b("Language") }, content)));
  const page = (): h.Node => ui.authCard("Sign in", undefined);
  await testPage({ pattern: "/login", page, layouts: [layout] }, "/login")
    .wantContains('<div class="ui-row"><b>Language</b></div></header>');
});

Deno.test("flashes: shows a handler's message on the next page, once", async () => {
  const app = new App({ env: "dev", logRequest: Off });
  app.route({
    pattern: "/",
    page: () => h.p("x"),
    layouts: [layout],
    methods: {
      POST: (c) => {
        c.flash("success", "Saved <1>");
        const fields = { act: "restore", id: [1, 2] };
        c.flash("success", "Gone", { text: "Undo", href: "/a", fields });
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
  const want = '<div class="ui-toast ui-destructive" role="alert" data-ui-toast><p>But not all</p>';
  assertStringIncludes(body, want);
  const [, undo = ""] = /data-ui-fade="20000"><p>Gone<\/p>(<form .*?<\/form>)/.exec(body) ?? [];
  assertEquals(
    undo.replace(/<input[^>]*_csrf[^>]*>/, ""),
    '<form method="post" action="/a"><input type="hidden" name="act" value="restore">' +
      '<input type="hidden" name="id" value="1"><input type="hidden" name="id" value="2">' +
      '<button class="ui-button ui-outline ui-small" type="submit">Undo</button></form>',
  );
  const again = await client.get("/");
  assertStringIncludes(again.body, "data-ui-toaster></div>");
});

Deno.test("history: describes changes with labels and readable values", async () => {
  const Product = struct({
    name: text(),
    price: money("EUR"),
    isOld: bool(),
    since: day().optional(),
    year: int(),
    size: float(),
    kind: text("oneof=a b"),
  });
  const changed = (
    fields: readonly (readonly [name: string, from: string | null, to: string | null])[],
  ): ui.RowChange => ({
    at: new Date("2026-05-01T10:00:00Z"),
    by: "Ada",
    act: "changed",
    fields: fields.map(([name, from, to]) => ({ name, from, to })),
  });
  const changes: readonly ui.RowChange[] = [
    { at: new Date(0), by: null, act: "restored", fields: [] },
    { ...changed([["price", "2200", "2400"]]), by: null },
    changed([["price", "2200", "2400"]]),
    changed([["year", "1537", "1887"]]),
    // Stored before the field had its type, or the name of a row.
    changed([["since", "soon", "2026-13-01"]]),
    changed([["price", "cheap", "free"]]),
    changed([["year", "Ada", "Bo"]]),
    changed([["size", "1200.5", "0.125"]]),
    changed([["isOld", "false", "true"], ["since", null, "2026-03-01"], ["gone", "1", "2"]]),
    changed([["name", "short", "y".repeat(50)]]),
    changed([["kind", "a", "b"], ["name", "", "x".repeat(90)]]),
  ];
  const page = (c: Ctx): h.Node =>
    ui.history(c, {
      changes,
      schema: Product,
      label: (name) => name.toUpperCase(),
      value: (key) => key.replace("kind.", "Kind "),
    });
  const { body } = await testPage({ page }, "/");
  const shown = body.replaceAll(/<svg.*?<\/svg>|<time.*?<\/time>/g, "").replaceAll(/<[^>]+>/g, "|")
    .replaceAll(/\|+/g, "|");
  assertEquals(
    shown.slice(shown.indexOf("|Activity")),
    [
      "|Activity|Restored",
      "|Changed: PRICE from €22.00 to |€24.00",
      "|Ada| changed PRICE from €22.00 to |€24.00",
      "|Ada| changed YEAR from 1537 to |1887",
      "|Ada| changed SINCE from soon to |2026-13-01",
      "|Ada| changed PRICE from cheap to |free",
      "|Ada| changed YEAR from Ada to |Bo",
      "|Ada| changed SIZE from 1200.5 to |0.125",
      "|Ada| changed ISOLD and SINCE|ISOLD from No to |Yes|SINCE from – to |Mar 1, 2026",
      `|Ada| changed NAME|NAME from “short” to |“${"y".repeat(50)}”`,
      `|Ada| changed KIND and NAME|KIND from Kind a to |Kind b|NAME from – to |“${
        "x".repeat(80)
      }…”|`,
    ].join(""),
  );
});

Deno.test("detailPage: shows who added the row and when it last changed, if known", async () => {
  const at = new Date();
  const added: ui.RowChange = { at, by: "Ada", act: "added", fields: [] };
  const changed: ui.RowChange = { at, by: "Bo", act: "changed", fields: [] };
  const restored: ui.RowChange = { at, by: null, act: "restored", fields: [] };
  const cases = [
    ["Mug", [], "#7"],
    ["Mug", [added], "#7 · Added by Ada, now"],
    // A row without a name has its number as the heading.
    ["#7", [], ""],
    ["#7", [added], "Added by Ada, now"],
    ["Mug", [restored, changed, added], "#7 · Added by Ada, now · Last changed now"],
    // The oldest changes of a row with many are not read.
    ["Mug", [changed], "#7 · Last changed now"],
    ["Mug", [{ ...added, by: null }], "#7 · Added now"],
  ] as const;
  for (const [title, changes, wanted] of cases) {
    const page = (c: Ctx): h.Node => ui.detailPage(c, { title, text: "#7", changes });
    const { body } = await testPage({ page }, "/");
    const [, shown = ""] = /<h1>[^<]*<\/h1><p>(.*?)<\/p>/.exec(body) ?? [];
    assertEquals(shown.replaceAll(/<[^>]+>/g, ""), wanted);
  }
});

function headOf(page: string): string {
  return page.slice(page.indexOf("<title>T</title>") + "<title>T</title>".length);
}

Deno.test("lineChart: labels the newest value of a single line at its point, or below it after a fall", () => {
  const chart = (...lines: number[][]): string =>
    h.render(ui.lineChart({
      title: "Added",
      labels: ["a", "b"],
      series: lines.map((values, at) => ({ name: `${at}`, values })),
    }));
  const above = '<text x="100%" y="0%" dy="-.8em" text-anchor="end" fill="currentColor">8</text>';
  assertStringIncludes(chart([4, 8]), above);
  assertStringIncludes(chart([8, 4]), 'y="50%" dy="1.6em"');
  assertEquals(chart([4, 8], [1, 2]).match(/<text/), null);
});

Deno.test("snippet: does not break options, and copies the given text", () => {
  const shown = h.render(ui.snippet("fw auth --passwords --passkeys"));
  const option = '<span class="ui-nowrap">--passkeys</span></code>';
  assertStringIncludes(shown, option);
  const found = shown.split("<button")[0]?.replaceAll(/<[^>]+>/g, "");
  assertEquals(found, "fw auth --passwords --passkeys");
});
