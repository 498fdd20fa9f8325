import { assertEquals, assertStringIncludes } from "@std/assert";
import { App, bool, int, list, money, Off, struct, text } from "../../mod.ts";
import type { Bound, Ctx, Infer, Node } from "../../mod.ts";
import { newTestClient } from "../../runtime/testing/mod.ts";
import * as ui from "../../ui/mod.ts";

const Line = struct({
  what: text("required"),
  count: int("min=1"),
  price: money("EUR"),
  sent: bool(),
});
const Invoice = struct({ lines: list(Line, "required,max=5") });
type Invoice = Infer<typeof Invoice>;

const kept: Invoice = { lines: [{ what: "Rope", count: 2, price: 1250, sent: false }] };

/** An application with a form of rows, which responds with the values that it read. */
function makeApp(values?: Invoice, lines: ui.ControlOptions = {}): App {
  const form = (c: Ctx, sent?: Bound<Invoice>): Node =>
    ui.form(c, Invoice, {
      values: sent ?? values,
      labels: { lines: "Lines", "lines.what": "Item" },
      fields: { lines, "lines.count": { attributes: [] } },
    });
  const app = new App({ env: "dev", logRequest: Off });
  app.route({
    pattern: "/",
    page: (c) => form(c),
    methods: {
      POST: async (c) => {
        const input = await c.tryBind(Invoice);
        if (input.ok) return c.json(200, input.value);
        c.status(422);
        return form(c, input);
      },
    },
  });
  return app;
}

const rows: readonly (readonly [name: string, values: Invoice | undefined, whats: string[]])[] = [
  ["an empty row if it has none", undefined, [""]],
  ["its row", kept, ["Rope"]],
  ["all six rows, although max is five", { lines: [1, 2, 3, 4, 5, 6].flatMap(() => kept.lines) }, [
    ...["Rope", "Rope", "Rope", "Rope", "Rope", "Rope"],
  ]],
];
for (const [name, values, whats] of rows) {
  Deno.test(`form: a list of structs shows ${name}`, async () => {
    const page = await newTestClient(makeApp(values)).get("/");
    const inputs = page.queryAll('input[name$=".what"]');
    assertEquals(inputs.map((each) => each.attribute("value") ?? ""), whats);
    assertEquals(page.query('label[for="lines.0.what"]')?.text, "Item 1");
    assertEquals(page.query("input[required]"), undefined);
  });
}

const addRow = 'button[value="lines"]';

Deno.test("form: the rows of a list are read again, without empty ones", async () => {
  const client = newTestClient(makeApp(kept));
  const added = { "lines.2.what": "Shoes", "lines.2.count": "1", "lines.2.price": "5.00" };
  const page = await client.get("/").submit(addRow).submit(addRow)
    .submit("form", { ...added, "lines.2.sent": true });
  const shoes = { what: "Shoes", count: 1, price: 500, sent: true };
  assertEquals(JSON.parse(page.body), { lines: [...kept.lines, shoes] });
});

Deno.test("form: a row that is wrong is shown again with its message", async () => {
  const page = await newTestClient(makeApp()).get("/").submit(addRow)
    .submit("form", { "lines.1.count": "2" });
  assertEquals(page.status, 422);
  assertEquals(page.query('input[name="lines.1.count"]')?.attribute("value"), "2");
  assertEquals(page.query('a[href="#lines.1.what"]')?.text, "Item 2 is required");
  assertEquals(page.queryAll('input[name$=".what"]').length, 2);
});

Deno.test("form: buttons add and remove rows, save nothing and show no message", async () => {
  const client = newTestClient(makeApp(kept));
  // The row is valid, so only the button keeps the form from being saved.
  const typed = { "lines.0.what": "Rod", "lines.0.count": "x" };
  let page = await client.get("/").submit(addRow).submit(addRow, typed);
  assertEquals([page.status, page.query("[aria-invalid]")], [200, undefined]);
  const whats = () => page.queryAll('input[name$=".what"]').map((each) => each.attribute("value"));
  assertEquals(whats(), ["Rod", undefined, undefined]);
  assertEquals(page.queryAll("[autofocus]").map((each) => each.attribute("name")), [
    "lines.2.what",
  ]);
  page = await client.postForm("/", { ...typed, "lines.4.what": "Net", "_rows": "lines.0" });
  assertEquals(whats(), ["Net"]);
  page = await client.postForm("/", { "lines.4.what": "Net", "_rows": "lines.4" });
  assertEquals(whats(), [undefined]);
  page = await client.postForm("/", { ...typed, "_rows": "other.4" });
  assertEquals([page.status, ...whats()], [200, "Rod"]);
});

Deno.test("form: buttons move the rows of a list, keep what was typed and the focus", async () => {
  const whats = ["Rope", "Net", "Rod"];
  const lines = whats.map((what) => ({ ...kept.lines[0], what })) as Invoice["lines"];
  const client = newTestClient(makeApp({ lines }, { movable: true }));
  const first = await client.get("/");
  const states = first.queryAll('button[name="_rows"]').map((each) =>
    `${each.attribute("aria-label")}${each.attribute("disabled") === undefined ? "" : ", disabled"}`
  );
  assertEquals(states.slice(0, 3), ["Move row 1 up, disabled", "Move row 1 down", "Remove row 1"]);
  assertEquals(states.slice(6, 9), [
    "Move row 3 up",
    "Move row 3 down, disabled",
    "Remove row 3",
  ]);
  let page = first;
  for (
    const [button, order, focused] of [
      ["lines.0.down", "Net,Ropes,Rod", "lines.1.down"],
      ["lines.1.down", "Net,Rod,Ropes", "lines.2.up"],
      ["lines.2.up", "Net,Ropes,Rod", "lines.1.up"],
    ] as const
  ) {
    const typed = page === first ? { "lines.0.what": "Ropes" } : {};
    page = await page.submit(`button[value="${button}"]`, typed).wantStatus(200);
    const shown = page.queryAll('input[name$=".what"]').map((each) => each.attribute("value"));
    assertEquals(shown.join(), order);
    assertEquals(page.query("[autofocus]")?.attribute("value"), focused);
  }
  const { body } = await page.submit("form");
  assertEquals(JSON.parse(body).lines.map(({ what }: { what: string }) => what), [
    "Net",
    "Ropes",
    "Rod",
  ]);
  for (const value of ["lines.0.up", "lines.9.up", "lines.x.up", "lines.up", "other.1.up"]) {
    const same = await client.postForm("/", {
      "lines.0.what": "A",
      "lines.1.what": "B",
      "_rows": value,
    });
    const shown = same.queryAll('input[name$=".what"]').map((each) => each.attribute("value"));
    assertEquals([same.status, ...shown], [200, "A", "B"]);
  }
});

Deno.test("form: the button to add a row is gone once the list is full", async () => {
  const page = await newTestClient(makeApp({ lines: [1, 2, 3, 4, 5].flatMap(() => kept.lines) }))
    .get("/");
  assertEquals([page.query(addRow), page.queryAll('button[name="_rows"]').length], [undefined, 5]);
});

Deno.test("form: pressing Enter saves, because the first button removes no row", async () => {
  const page = await newTestClient(makeApp(kept)).get("/");
  assertEquals(page.query("form button")?.attribute("name"), undefined);
});

Deno.test("form: messages of an accepted form name rows without the empty ones", async () => {
  const app = new App({ env: "dev", logRequest: () => false });
  app.route({
    pattern: "/",
    page: (c) => ui.form(c, Invoice),
    methods: {
      POST: async (c) => {
        const input = await c.tryBind(Invoice);
        input.errors.add("lines.1.what", "is already taken");
        return ui.form(c, Invoice, { values: input });
      },
    },
  });
  const row = { what: "Rope", count: "1" };
  const rows = [0, 4, 7].flatMap((at) =>
    Object.entries(row).map(([name, text]) => [`lines.${at}.${name}`, at === 4 ? "" : text])
  );
  const page = await newTestClient(app).postForm("/", Object.fromEntries(rows));
  const wrong = page.queryAll("[aria-invalid]").map((each) => each.attribute("name"));
  assertEquals([wrong, page.queryAll(".ui-alert a").length], [["lines.7.what"], 1]);
});

Deno.test("form: of many rows that a program sends, twice as many as allowed come back", async () => {
  const sent = [...Array(900).keys()].map((at) => [`lines.${at}.what`, "Rope"]);
  const page = await newTestClient(makeApp()).postForm("/", Object.fromEntries(sent));
  assertEquals([page.status, page.queryAll('input[name$=".what"]').length], [422, 10]);
});

Deno.test("form: an invalid form keeps the row numbers left by a script", async () => {
  const page = await newTestClient(makeApp()).postForm("/", {
    "lines.3.what": "Rope",
    "lines.3.count": "2",
    "lines.1764450000000.count": "x",
  });
  assertEquals(page.status, 422);
  assertEquals(
    page.queryAll("input[name]").map((each) => each.attribute("name")).filter((name) =>
      name?.endsWith(".count")
    ),
    ["lines.3.count", "lines.1764450000000.count"],
  );
  assertEquals(page.query('input[name="lines.3.what"]')?.attribute("value"), "Rope");
  assertEquals(page.query('label[for="lines.1764450000000.what"]')?.text, "Item 2");
});

Deno.test("form: a list without rows has its message in the group", async () => {
  const page = await newTestClient(makeApp()).get("/").submit("form", {});
  assertEquals(page.status, 422);
  assertStringIncludes(page.query("fieldset#lines")?.text ?? "", "at least one");
});

Deno.test("formPage: a button for a row keeps the version that the form shows", async () => {
  const Row = struct({ name: text("required"), lines: list(struct({ what: text() })) });
  const app = new App({ env: "dev", logRequest: () => false });
  const form = async (c: Ctx): Promise<Node> => {
    const values = c.method === "POST" ? await c.tryBind(Row) : undefined;
    return ui.formPage(c, Row, { title: "Edit", cancel: "/", tag: "v2", values });
  };
  app.route({ pattern: "/rows", page: form, methods: { POST: form } });
  const client = newTestClient(app);
  for (const [query, shown] of [["", "v2"], ["?shown=v1", "v1"]]) {
    const sent = await client.postForm(`/rows${query}`, { "_rows": "lines" });
    sent.wantStatus(200).wantContains(`action="?shown=${shown}"`).wantNotContains('role="alert"');
  }
});

Deno.test("form: a list of structs has its label as a heading and marks the optional fields of its rows", async () => {
  const { body } = await newTestClient(makeApp(kept)).get("/");
  assertStringIncludes(body, "<h2>Lines</h2>");
  const labels = [...body.matchAll(/<label[^>]*>(.*?)<\/label>/gs)]
    .map(([, label = ""]) => label.replaceAll(/<[^>]*>/g, " ").trim().replaceAll(/ +/g, " "));
  assertEquals(labels, ["Item 1", "Count 1 optional", "Price 1 optional", "Sent 1"]);
});
