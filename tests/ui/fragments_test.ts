import { assertEquals, assertThrows } from "@std/assert";
import * as h from "../../html/mod.ts";
import { App, createLogger, type Ctx, Off } from "../../mod.ts";
import { testPage, testRequest, withHeader } from "../../runtime/testing/mod.ts";
import * as ui from "../../ui/mod.ts";

const rows: readonly [name: string, node: () => h.Node, want: string][] = [
  ["swap", () => h.a(ui.swap("list")), '<a data-ui-swap="list"></a>'],
  [
    "swap with a place",
    () => h.a(ui.swap("list", { place: "append" })),
    '<a data-ui-swap="list" data-ui-place="append"></a>',
  ],
  ["noPush", () => h.a(ui.noPush()), "<a data-ui-no-push></a>"],
  ["submitOn", () => h.form(ui.submitOn("input")), '<form data-ui-submit-on="input 250"></form>'],
  [
    "submitOn",
    () => h.select(ui.submitOn("change")),
    '<select data-ui-submit-on="change 0"></select>',
  ],
  [
    "submitOn",
    () => h.form(ui.submitOn("change", { delayMs: 40 })),
    '<form data-ui-submit-on="change 40"></form>',
  ],
  ["navigate", () => h.body(ui.navigate("main")), '<body data-ui-navigate="main"></body>'],
  ["noNavigate", () => h.a(ui.noNavigate()), "<a data-ui-no-navigate></a>"],
  [
    "uploadTo",
    () => h.form(ui.uploadTo("photos")),
    '<form method="post" enctype="multipart/form-data" data-ui-upload-to="photos"></form>',
  ],
  [
    "uploadBar",
    () => ui.uploadBar(h.class("wide")),
    '<div class="ui-row" hidden data-ui-upload-box>' +
    '<progress aria-label="Upload" class="wide" max="1" value="0" data-ui-upload-bar></progress>' +
    '<span class="ui-num" data-ui-upload-percent></span>' +
    '<button type="button" class="ui-button ui-outline ui-small" data-ui-upload-cancel>Cancel</button></div>',
  ],
  ["load", () => h.div(ui.load("/a?b=1&c")), '<div data-ui-load="/a?b=1&amp;c"></div>'],
  ["poll", () => h.div(ui.poll("/a", 500)), '<div data-ui-poll="500 /a"></div>'],
  ["more", () => h.a(ui.more("/a?page=2", "list")), '<a href="/a?page=2" data-ui-more="list"></a>'],
  ["live", () => h.div(ui.live("/a")), '<div data-ui-live="/a"></div>'],
  ["method", () => h.form(ui.method("PATCH")), '<form data-ui-method="PATCH"></form>'],
  [
    "values",
    () => ui.values({ id: 3, tag: ["a", "<b>"], none: undefined }),
    '<input type="hidden" name="id" value="3"><input type="hidden" name="tag" value="a">' +
    '<input type="hidden" name="tag" value="&lt;b&gt;">',
  ],
];

for (const [name, node, want] of rows) {
  Deno.test(`ui.${name}: writes its attributes`, () => assertEquals(h.render(node()), want));
}

for (const delayMs of [-1, NaN, Infinity]) {
  Deno.test(`ui.submitOn: refuses a delay of ${delayMs} ms`, () => {
    assertThrows(() => ui.submitOn("input", { delayMs }), TypeError, "use milliseconds from 0");
  });
}

Deno.test("ui.submitOn: refuses an unsupported event", () => {
  const event = JSON.parse('"click"');
  assertThrows(() => ui.submitOn(event), TypeError, 'use "input" or "change"');
});

const refused: readonly [name: string, node: () => h.Node, text: string][] = [
  ["poll too often", () => ui.poll("/a", 499), "at least 500"],
  ["poll for no number", () => ui.poll("/a", NaN), "at least 500"],
  ["poll nothing", () => ui.poll("", 500), "use a URL without"],
  ["load with a space", () => ui.load("/a b"), "use a URL without"],
  ["live of nothing", () => ui.live(""), "use a URL without"],
  [
    "swap with an invalid target",
    () => ui.swap("list", { place: JSON.parse('"top"') }),
    'ui.swap("list", { place: "top" }): use morph, replace, append, prepend, before, after, remove.',
  ],
  ["method GET", () => ui.method(JSON.parse('"GET"')), "use PUT, PATCH, DELETE"],
];

for (const [name, node, text] of refused) {
  Deno.test(`ui refuses to write: ${name}`, () => void assertThrows(node, Error, text));
}

const takers: readonly [name: string, take: (id: string) => h.Node][] = [
  ["swap", ui.swap],
  ["navigate", ui.navigate],
  ["uploadTo", ui.uploadTo],
  ["more", (id) => ui.more("/", id)],
];

for (const [name, take] of takers) {
  for (const id of ["", "a b", "#a", "ü", 'x"y', "x".repeat(101)]) {
    Deno.test(`ui.${name}: refuses the id ${JSON.stringify(id.slice(0, 9))}`, () => {
      assertThrows(() => take(id), TypeError, `Cannot write ui.${name}(`);
    });
  }
}

Deno.test("ui.head and ui.navigateScript load the script, with texts in the kit's language", async () => {
  const app = new App({ basePath: "/shop", labels: ui.labelsPt, logRequest: Off });
  app.route({
    pattern: "/",
    page: (c) => h.html(h.head(ui.head(c)), h.body(ui.navigateScript(c))),
  });
  const html = await (await app.fetch(new Request("http://localhost/shop/"))).text();
  const script = '<script type="module" src="/shop/ui.js"\ndata-ui-file-swap="/shop/ui.swap.js" ' +
    'data-ui-file-live="/shop/ui.live.js"\ndata-ui-file-parts="/shop/ui.parts.js" ' +
    'data-ui-offline="Sem ligação."\ndata-ui-retry="Tentar novamente" ' +
    'data-ui-again="Enviar novamente?"\ndata-ui-again-text="Não houve resposta, mas o que enviou pode ter chegado." ' +
    'data-ui-again-ok="Enviar novamente"\ndata-ui-again-cancel="Cancelar"></script>';
  assertEquals(html.split(script).length - 1, 2);
});

Deno.test("ui.head: in development, the log names once the labels that a language lacks", async () => {
  for (const [labels, wanted] of [[{ nav: "Menu" }, 1], [ui.labels, 0]] as const) {
    let log = "";
    const logger = createLogger({ write: (lines) => void (log += lines) });
    const languageTexts = { fr: { labels } };
    const app = new App({ env: "dev", languages: ["en", "fr"], languageTexts, logger });
    app.route({ pattern: "/", page: (c) => h.html(h.head(ui.head(c))) });
    for (const language of ["en", "fr", "fr"]) {
      await testRequest(app, "GET", "/", withHeader("accept-language", language));
    }
    assertEquals(log.split("labels of the kit").length - 1, wanted);
  }
});

const edits: readonly [name: string, path: string, page: string | undefined, want: string][] = [
  ["the page, with any query", "/desk?q=saw", undefined, "/desk?q=saw&amp;edit=due"],
  ["no action of the page", "/desk?/lend", undefined, "/desk?edit=due"],
  ["the page of a stream", "/desk/live?last_event_id=1", "/desk?q=1", "/desk?q=1&amp;edit=due"],
];
for (const [name, path, page, want] of edits) {
  Deno.test(`ui.inlineEdit: links to ${name}`, async () => {
    const edit = (c: Ctx): h.Node =>
      ui.inlineEdit(c, {
        id: "due",
        value: "Friday",
        form: () => "",
        ...(page === undefined ? {} : { page }),
      });
    const url = new URL(path, "http://localhost");
    await testPage({ pattern: url.pathname, page: edit }, path).wantContains(`href="${want}"`);
  });
}

Deno.test("c.stream: the kit's words are in the language of the request", async () => {
  const app = new App({ languages: ["en", "pt-PT"] });
  app.route({
    pattern: "/live",
    methods: {
      GET: (c) =>
        c.stream(async (s) => {
          const edit = { id: "due", value: "", form: () => "", page: "/" };
          await s.send("message", h.render(ui.inlineEdit(c, edit)));
          await s.done();
        }),
    },
  });
  await testRequest(app, "GET", "/live", withHeader("accept-language", "pt-PT"))
    .wantContains(">Editar<");
});
