import { assertEquals, assertNotMatch, assertStringIncludes, assertThrows } from "@std/assert";
import {
  App,
  bool,
  type Bound,
  createLogger,
  type Ctx,
  date,
  day,
  float,
  type Infer,
  int,
  int64,
  list,
  money,
  Off,
  struct,
  text,
} from "../../mod.ts";
import * as h from "../../html/mod.ts";
import { newTestClient, testPage } from "../../runtime/testing/mod.ts";
import * as ui from "../../ui/mod.ts";
import { newFolder } from "../new_folder.ts";

Deno.test("actOnRows: asks, then applies the action, and ignores unknown actions", async () => {
  const done: unknown[] = [];
  const app = new App({ env: "dev", logRequest: Off });
  app.route({
    pattern: "/rows",
    page: (c) => ui.flashes(c),
    methods: {
      POST: (c) =>
        ui.actOnRows(c, {
          rows: (count) => `${count} row${count === 1 ? "" : "s"}`,
          remove: (ids) => {
            done.push(["remove", ids]);
            return Promise.resolve(ids.includes(9) ? undefined : ids.length);
          },
          set: {
            name: "kind",
            values: ["a", "b"],
            run: (ids, value) => Promise.resolve(done.push([value, ids])),
          },
          restore: (ids) => Promise.resolve(done.push(["restore", ids])),
          purge: (ids) => Promise.resolve(done.push(["purge", ids])),
        }),
    },
  });
  const client = newTestClient(app);
  await client.get("/rows");
  const cases = [
    [{ act: "delete", id: "1" }, 200, [], 'name="sure" value="on"'],
    [{ act: "delete", id: "1", sure: "on" }, 303, [["remove", [1]]], "1 row deleted"],
    [{ act: "restore", id: "1" }, 303, [["restore", [1]]], "1 row restored"],
    [{ act: "delete", id: "1" }, 200, [], "<h1>Delete 1 row?</h1>"],
    [{ act: "purge", id: "1" }, 200, [], "This can’t be undone."],
    [{ act: "purge", id: "1", sure: "on" }, 303, [["purge", [1]]], "1 row deleted"],
    [{ act: "delete", id: "9", sure: "on" }, 303, [["remove", [9]]], "other rows depend on it"],
    [{ act: "kind.b", id: "2" }, 303, [["b", [2]]], "1 row changed"],
    [{ act: "kind.c", id: "2" }, 303, [], ""],
    [{ act: "delete", id: "x", sure: "on" }, 303, [], ""],
  ] as const;
  for (const [form, status, wanted, shown] of cases) {
    const answer = await client.postForm("/rows", form).wantStatus(status);
    const page = status === 200 ? answer : await client.get("/rows");
    page.wantContains(shown);
    assertEquals(done.splice(0), [...wanted].map((each) => [...each]), JSON.stringify(form));
  }
});

Deno.test("nearby: searches for the words of the path", async () => {
  const page = (c: Ctx) => ui.nearby(c, [{ label: "Teas", href: "/teas" }]);
  for (
    const [last, words] of [
      ["ch%C3%A1-verde", "ch\u00e1 verde"],
      ["a%25b&c+d%20e", "a%b&amp;c+d e"],
      ["%F0%9F%8D%B5".repeat(60), "\u{1f375}".repeat(50)],
    ] as const
  ) {
    await testPage({ pattern: "/{path...}", page }, `/teas/${last}`)
      .wantContains(`value="${words}"`);
  }
});

const named: readonly [name: string, found: readonly string[], wanted: string | undefined][] = [
  ["one name, as text", ["A <b>"], "<strong>A &lt;b&gt;</strong></div></li></ul>"],
  ["ten names", Array<string>(10).fill("x"), "<strong>x</strong></div></li></ul>"],
  ["more than ten", Array<string>(12).fill("x"), "and 2 more</p></li></ul>"],
  ["rows that are gone", [], undefined],
];
for (const [name, found, wanted] of named) {
  Deno.test(`actOnRows: the question lists ${name}`, async () => {
    const asked: unknown[] = [];
    const app = new App({ env: "dev", logRequest: Off });
    const remove = (): Promise<number> => Promise.resolve(0);
    const names = (ids: readonly number[], { deleted }: { readonly deleted: boolean }) => {
      asked.push([ids, deleted]);
      return Promise.resolve(found);
    };
    const POST = (c: Ctx): ReturnType<typeof ui.actOnRows> => ui.actOnRows(c, { names, remove });
    app.route({ pattern: "/rows", page: (c) => ui.flashes(c), methods: { POST } });
    const client = newTestClient(app);
    await client.get("/rows");
    for (const act of ["delete", "purge"]) {
      const answer = client.postForm("/rows?q=a", { act, id: ["7", "1e3", "x"] });
      if (wanted === undefined) await answer.wantRedirect("/rows?q=a");
      else {
        const page = await answer.wantStatus(200);
        page.wantContains(wanted).wantContains(`Delete ${found.length} selected?`)
          .wantContains('href="/rows?q=a"');
        assertEquals(page.body.match(/<strong>/g)?.length, Math.min(found.length, 10));
      }
    }
    assertEquals(asked, [[[7, 1_000], false], [[7, 1_000], true]]);
  });
}

const ada = { name: "Ada", price: 2790, year: 1887 };

Deno.test("importPage: shows a preview, errors by line and the list after the import", async () => {
  const app = new App({ env: "dev", logRequest: Off });
  const handle = (c: Parameters<typeof ui.importPage>[0]): ReturnType<typeof ui.importPage> =>
    ui.importPage(c, {
      title: "Import rows",
      list: "/rows",
      add: async (file) => {
        const sent = await new Response(file).text();
        const isWrong = sent.includes("wrong");
        const faults = isWrong ? [{ line: 2, field: "price", message: "must be a number" }] : [];
        return { count: 1, first: [{ ...ada, lines: [], key: "secret" }], faults };
      },
      label: (name) => name === "name" ? "Name" : name === "year" ? "Year" : "Price",
      schema: struct({
        name: text(),
        price: money("EUR"),
        year: int(),
        lines: list(struct({ what: text() })),
        key: text("password"),
      }),
    });
  app.route({ pattern: "/import", page: handle, methods: { POST: handle } });
  const client = newTestClient(app);
  const send = (csv: string, isPreview: boolean): ReturnType<typeof client.get> =>
    client.get("/import").submit(`form button${isPreview ? "[name]" : ":not([name])"}`, {
      file: new File([csv], "rows.csv", { type: "text/csv" }),
    });
  await client.get("/import").wantStatus(200).wantContains("<h1>Import rows</h1>");
  const isPreview = true;
  await send("name", isPreview).wantStatus(200).wantContains("Rows that can be imported: 1")
    .wantContains('<th scope="col" class="ui-num">Price</th>')
    .wantContains('ui-money-cell">€27.90</td><td class="ui-num">1887</td></tr>');
  await send("wrong", !isPreview).wantStatus(422).wantContains("Line 2").wantContains(
    "must be a number",
  );
  await send("name", !isPreview).wantRedirect("/rows");
  // With the script only the findings change, so the form keeps its file.
  const page = client.get("/import").wantContains('data-ui-swap="import-findings"');
  await page.submit('form[method="post"]').wantStatus(422)
    .wantContains('id="import-findings"><div class="ui-alert ui-destructive" role="alert"');
});

Deno.test("formPage: the edited row is a step of the trail, and errors are only in the title", async () => {
  const Row = struct({ name: text("required") });
  const layout = (c: Ctx, content: h.Node): h.Node =>
    h.html(
      h.head(h.title(c.title)),
      h.body(ui.shell(c, { brand: "Shop", nav: [{ label: "Rows", href: "/rows" }] }, content)),
    );
  const page = (c: Ctx): h.Node => {
    c.title = "Edit row";
    c.status(422);
    return ui.formPage(c, Row, { title: c.title, of: "Mug", cancel: "/rows/1" });
  };
  const pattern = "/rows/1/edit";
  const response = await testPage({ pattern, page, layouts: [layout] }, "/rows/1/edit");
  response.wantContains("<title>Error: Edit row").wantContains("<h1>Edit row")
    .wantContains('<li><a href="/rows">Rows</a></li><li><a href="/rows/1">Mug</a></li>')
    .wantContains('<span aria-current="page">Edit row</span>');
});

Deno.test("formPage: a stale form says who changed the row, and sends the version it shows", async () => {
  const Row = struct({ name: text("required"), seats: int() });
  const fields = ["name", "seats", "gone"].map((name) => ({ name, from: "1", to: "2" }));
  const change = { at: new Date(), act: "changed", fields } as const;
  const kept = "Your entries below are not saved yet.";
  type Case = readonly [query: string, by: string | null, status: number, part: string];
  const cases: readonly Case[] = [
    ["", "Ada", 422, 'action="?shown=v2"'],
    ["?shown=v2", "Ada", 422, 'action="?shown=v2"'],
    ["?shown=v1", "Ada", 409, "<strong>Ada</strong> changed NAME and Seats <time"],
    ["?shown=v1", "Ada", 409, `</p><p>${kept}`],
    ["?shown=v1", null, 409, `in the meantime</p><p>${kept}`],
    ["?shown=", null, 409, 'action="?shown=v2"'],
    [
      "?at=3&shown=v1&back=%2Frows%3Fq%3Da",
      "Ada",
      409,
      '"?shown=v2&amp;back=%2Frows%3Fq%3Da&amp;at=3"',
    ],
  ];
  for (const [query, by, status, part] of cases) {
    const form = (c: Ctx, values?: Bound<Infer<typeof Row>>): h.Node =>
      ui.formPage(c, Row, {
        title: "Edit row",
        cancel: "/rows/1",
        tag: "v2",
        changes: [{ ...change, act: "restored", by: "Bo" }, { ...change, by }],
        labels: { name: "NAME" },
        values,
      });
    const app = new App({ env: "dev", logRequest: Off });
    const POST = async (c: Ctx): Promise<h.Node> => form(c, await c.tryBind(Row));
    app.route({ pattern: "/rows", page: (c) => form(c), methods: { POST } });
    const client = newTestClient(app);
    await client.get(`/rows${query}`).wantStatus(200).wantNotContains(kept);
    const sent = await client.postForm(`/rows${query}`, { name: "Mug" });
    sent.wantStatus(status).wantContains(part).wantContains('value="Mug"');
    assertEquals(sent.body.includes(kept), status === 409);
  }
});

Deno.test("formPage: what was typed for a row deleted in the meantime comes back as a new one", async () => {
  const Row = struct({ name: text("required") });
  const form = (c: Ctx, values?: Bound<Infer<typeof Row>>): h.Node =>
    ui.formPage(c, Row, { title: "New row", cancel: "/rows", values }, h.action("/rows/new"));
  const app = new App({ env: "dev", logRequest: Off });
  const POST = async (c: Ctx): Promise<h.Node> => form(c, await c.tryBind(Row));
  app.route({ pattern: "/rows", page: (c) => form(c), methods: { POST } });
  const client = newTestClient(app);
  for (const [query, status] of [["", 422], ["?shown=v1", 409]] as const) {
    const sent = await client.postForm(`/rows${query}`, { name: "Mug" });
    sent.wantStatus(status).wantContains('value="Mug"').wantContains('action="/rows/new"');
    assertEquals(sent.body.includes("Deleted in the meantime"), status === 409);
    await client.get(`/rows${query}`).wantStatus(200).wantNotContains("Deleted in the meantime");
  }
});

const growth = { total: 1, added: [1], counts: [1], sums: [], shares: new Map() };
type Made = (c: Ctx, given: { readonly isReadOnly?: boolean }) => h.Node;
type Id = { readonly id: number };
type IdList = (c: Ctx, given: Partial<ui.ListPageOptions<Id>>) => h.Node;
const rowList = (rows: readonly Id[]): IdList => (c, given) =>
  ui.listPage(c, {
    title: "Rows",
    page: { rows },
    columns: [{ title: "Name", cell: ({ id }) => id }],
    label: ({ id }) => String(id),
    search: "Search",
    create: ["/new", "New"],
    importHref: "/import",
    exportHref: "/csv",
    edit: () => "/edit",
    remove: () => "/delete",
    acts: { value: ({ id }) => String(id) },
    empty: ["None yet", "The first one takes a minute."],
    ...given,
  });
const row = { title: "Mug", edit: "/edit", remove: { href: "/delete", submit: "Delete" } };
const part: ui.OverviewPart = {
  title: "Rows",
  href: "/rows",
  create: ["/new", "New"],
  growth: { ...growth, total: 1 },
  newest: h.p(),
};
const overview = (total: number): Made => (c, given) =>
  ui.overviewPage(c, "Start", [{ ...part, growth: { ...growth, total }, ...given }]);
const pages: Readonly<Record<string, readonly [make: Made, parts: string]>> = {
  "a list": [rowList([{ id: 1 }]), '/new /import /edit /delete name="id"'],
  "a list without rows": [rowList([]), "/new /import minute"],
  "a row": [(c, given) => ui.detailPage(c, { ...row, ...given }), "/edit /delete"],
  "a deleted row": [
    (c, given) =>
      ui.detailPage(c, { ...row, restore: { href: "/restore", text: "Restore" }, ...given }),
    "/restore",
  ],
  "an overview": [overview(1), "/new"],
  "an overview without rows": [overview(0), "/new charts"],
  "rows on the page of another": [
    (c, given) =>
      ui.relatedRows(c, {
        ...{ title: "Lines", page: { rows: [], total: 0 }, columns: [], href: "/lines" },
        ...{ create: ["/new", "New"], empty: "None", ...given },
      }),
    "/new",
  ],
};
for (const [name, [make, parts]] of Object.entries(pages)) {
  Deno.test(`isReadOnly and an export: ${name} has no controls that change rows`, async () => {
    const bodyOf = async (given: { readonly isReadOnly?: boolean }): Promise<string> =>
      (await testPage({ page: (c) => make(c, given) }, "/")).body;
    const [whole, bare] = [await bodyOf({}), await bodyOf({ isReadOnly: true })];
    await using folder = await newFolder();
    const app = new App({ logger: createLogger({ write: () => {} }) });
    let exported = "";
    app.route({ pattern: "/", page: (c) => h.raw(exported = h.render(make(c, {}))) });
    // Fails, because the pages of the links are missing.
    await app.export(`${folder.path}/site`).catch(() => {});
    for (const part of parts.split(" ")) {
      const has = [whole, bare, exported].map((body) => body.includes(part));
      assertEquals([part, ...has], [part, true, false, false]);
    }
    for (const body of [bare, exported]) {
      assertEquals(body.includes("<p></p>"), whole.includes("<p></p>"));
    }
    assertNotMatch(exported, /^$|\/csv/);
  });
}

const fiveWeeksAgo = new Date(Date.now() - 35 * 86_400_000);
const longAgo = fiveWeeksAgo.toLocaleDateString("en", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const sixWeeks = (c: Ctx): h.Node => {
  c.zone = "UTC";
  const six = { ...growth, total: 3, added: [0, 1, 1, 1, 1, 2], counts: [3, 3] };
  return ui.overviewPage(c, "Start", [{ ...part, growth: six }]);
};
const sumsOf = (...sums: number[]) => (c: Ctx): h.Node => {
  const sum = { label: "Price", currency: "EUR" };
  const equal = { ...growth, added: [0, 0], counts: [1, 1], sums };
  return ui.overviewPage(c, "Start", [{ ...part, sum, growth: equal }]);
};
const known = (...content: h.Node[]) => (c: Ctx): h.Node =>
  ui.detailPage(c, { title: "Mug", known: h.b("Facts") }, ...content);
const oneRow = rowList([{ id: 1 }]);
const filters = [{ name: "open", label: "Open", choices: ["yes"] }];
const next = { page: { rows: [{ id: 1 }], next: "n" } };
const file = { href: "/file", name: "a.png" };
const details: readonly (readonly [
  name: string,
  make: (c: Ctx) => h.Node,
  wanted: string,
  missing: string,
  query?: string,
])[] = [
  [
    "listPage: a search without filters has a button",
    (c) => oneRow(c, {}),
    ">Search</button>",
    "ui-chip",
  ],
  [
    "listPage: filters need no button",
    (c) => oneRow(c, { filters }),
    "ui-chip",
    ">Search</button>",
  ],
  ["listPage: one page has no pager", (c) => oneRow(c, {}), ">20</a>", "ui-page-step"],
  ["listPage: more rows have a pager", (c) => oneRow(c, next), "at=last", "at=undefined"],
  ["overviewPage: shows all weeks, and no growth of none", sixWeeks, longAgo, "ui-delta"],
  ["overviewPage: shows four weeks on request", sixWeeks, "4 weeks", longAgo, "?weeks=4"],
  ["overviewPage: a sum that grew has a change", sumsOf(10_000, 10_100), ">€1</", "€0"],
  [
    "overviewPage: a change of a few cents is none",
    sumsOf(10_000, 10_001),
    "<small>.01",
    "ui-delta",
  ],
  ["detailPage: facts are beside the content", known(h.p("Text")), "ui-split", "undefined"],
  ["detailPage: facts without content take its place", known(), "<b>Facts</b>", "ui-split"],
  ["currentFile: a link", () => ui.currentFile(file), ">a.png</a>", "<img"],
  ["currentFile: a picture", () => ui.currentFile({ ...file, isPicture: true }), "<img", "<p"],
  ["currentFile: no file", () => ui.currentFile({ ...file, name: null }), "<body>", "ui-row"],
];
for (const [name, page, wanted, missing, query = ""] of details) {
  Deno.test(name, async () => {
    (await testPage({ page }, `/${query}`)).wantContains(wanted).wantNotContains(missing);
  });
}

Deno.test("formPage: texts of the query fill an unsubmitted form", async () => {
  const Row = struct({ name: text("required"), seats: int() });
  const page = async (c: Ctx): Promise<h.Node> => {
    const values = await c.tryBindQuery(Row);
    return ui.formPage(c, Row, { title: "New row", cancel: "/", values });
  };
  await testPage({ page }, "/?name=Mug").wantStatus(200).wantContains('value="Mug"');
});

Deno.test("shell: the trail of a list starts with the home page", async () => {
  const nav = [{ label: "Start", href: "/" }, { label: "Rows", href: "/rows" }];
  const page = (c: Ctx): h.Node => ui.shell(c, { brand: "Shop", nav }, "");
  (await testPage({ pattern: "/rows", page }, "/rows"))
    .wantContains('<ol><li><a href="/">Start</a></li><li><span aria-current="page">Rows</span>');
  (await testPage({ pattern: "/", page }, "/"))
    .wantContains('<ol><li><span aria-current="page">Start</span></li></ol>');
  const account = (c: Ctx): h.Node => {
    c.title = "Account";
    return page(c);
  };
  (await testPage({ pattern: "/account", page: account }, "/account"))
    .wantContains('<ol><li><a href="/">Start</a></li><li><span aria-current="page">Account</span>');
});

Deno.test("listPage: a list without matches names the active search and filters", async () => {
  const page = (c: Ctx): h.Node =>
    ui.listPage(c, {
      title: "Rows",
      page: { rows: [] },
      columns: [],
      label: String,
      search: "Search rows",
      filters: [{ name: "open", label: "Open", choices: ["yes"] }],
      empty: ["No rows yet", "Add one."],
    });
  (await testPage({ page }, "/?q=mug&open=yes")).wantContains("Nothing matches “mug”")
    .wantContains("Check the spelling, or try another word. Filters in force: Open.");
  (await testPage({ page }, "/?open=yes")).wantContains("<p>Filters in force: Open.</p>");
  (await testPage({ page }, "/?q=mug")).wantContains("<p>Check the spelling, or try another word.");
});

Deno.test("listPage: a page whose rows were removed leads back to the last one", async () => {
  const page = (c: Ctx): h.Node =>
    ui.listPage<{ id: number }>(c, {
      title: "Products",
      page: { rows: [], previous: "last" },
      columns: [],
      label: () => "",
      search: "Search",
      empty: ["No products yet", ""],
    });
  await testPage({ page }, "/?q=mug&at=x").wantContains('href="/?q=mug&amp;at=last"');
});

for (
  const [language, heading] of [
    ["en", "Newest our VAT customers"],
    ["pt-PT", "<h2>Our VAT Customers: mais recentes"],
    ["de", "Newest Our VAT Customers"],
    ["fr", "Newest Our VAT Customers"],
  ] as const
) {
  Deno.test(`overviewPage: keeps the capitals of labels in ${language} as it writes them`, async () => {
    const app = new App({ languages: [language], logRequest: Off });
    app.route({
      pattern: "/",
      page: (c) => ui.overviewPage(c, "", [{ ...part, title: "Our VAT Customers" }]),
    });
    await newTestClient(app).get("/").wantContains(heading);
  });
}

const Shown = struct({
  name: text(),
  mail: text("email"),
  reply: text("email"),
  site: text("url"),
  state: text("required,oneof=open closed"),
  done: bool(),
  seats: int(),
  views: int64(),
  fee: money("EUR"),
  opens: day().optional(),
  begins: date(),
  ownerId: int(),
  paid: bool(),
  tags: list(text()),
  level: int("oneof=1 2"),
});
const shown: ui.FieldTexts<Infer<typeof Shown>, "plan"> = {
  schema: Shown,
  label: (name) => name.toUpperCase(),
  value: (key) => {
    // A catalog throws for a key that it lacks.
    if (!key.startsWith("state.")) throw new TypeError(key);
    return `<${key}>`;
  },
  tones: { "state.open": [ui.success] },
  links: { ownerId: (id) => `/owners/${id}` },
};
const full = {
  name: "Ada",
  mail: "a@b.co",
  reply: "a?cc=b#%@c.co",
  site: "https://a.co/",
  state: "open",
  done: false,
  seats: 0,
  views: 9_007_199_254_740_993n,
  fee: 950,
  opens: "2026-03-01",
  begins: new Date("2026-03-01T12:00:00Z"),
  ownerId: 7,
  ownerName: "<Bo>",
  // As a statement on SQLite returns it.
  paid: 1,
  tags: ["a", "b"],
  level: 1,
};
const empty = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
/** The column kind, the cell and the detail of each field. */
const fieldRows = [
  ["name", "", "Ada", "Ada"],
  ["mail", "", "a@b.co", '<a href="mailto:a@b.co">a@b.co</a>'],
  [
    "reply",
    "",
    "a?cc=b#%@c.co",
    '<a href="mailto:a%3Fcc=b%23%25@c.co">a?cc=b#%@c.co</a>',
  ],
  ["site", "", "https://a.co/", '<a href="https://a.co/">https://a.co/</a>'],
  ["state", "badge", '<span class="ui-badge ui-success">&lt;state.open&gt;</span>'],
  ["done", "", "No"],
  ["seats", "num", "0"],
  ["views", "num", "9007199254740993"],
  ["fee", "money", "€9.50"],
  ["opens", "date", "Mar 1, 2026"],
  ["begins", "date", '<time datetime="2026-03-01T12:00:00.000Z">Mar 1, 2026, 12:00 PM</time>'],
  ["ownerId", "", '<a href="/owners/7">&lt;Bo&gt;</a>'],
  ["paid", "", "Yes"],
  ["tags", "", "a, b"],
  ["level", "num", "1"],
] as const;
for (const [name, kind, cell, detail = cell] of fieldRows) {
  Deno.test(`fieldColumns and fieldDetails: the field ${name}`, async () => {
    const page = (c: Ctx): h.Node => {
      const columns = ui.fieldColumns(c, { ...shown, names: [name], sorts: [] });
      return h.div(
        ui.dataTable({
          caption: "x",
          columns: [{ title: "#", cell: () => "1" }, ...columns],
          rows: [full],
        }),
        ui.fieldDetails(c, { ...shown, row: full }),
        ui.fieldDetails(c, {
          ...shown,
          row: empty,
          except: [name],
          title: "Card",
          values: { plan: "P" },
        }),
      );
    };
    const { body } = await testPage({ page }, "/");
    const [, attributes = "", found] = /<td( [^>]*)?>(.*?)<\/td>/.exec(body) ?? [];
    assertEquals(found, cell);
    assertEquals(kind !== "" && attributes.includes(`ui-${kind}`), kind !== "");
    const [own = "", bare = ""] = body.match(/<dl.*?<\/dl>/g) ?? [];
    assertStringIncludes(own, `<dt>${name.toUpperCase()}</dt><dd>${detail}</dd>`);
    assertNotMatch(own, /PLAN/);
    assertNotMatch(bare, new RegExp(`<dt>${name.toUpperCase()}<`));
    assertEquals(bare.match(/<dd>[^<]*/g)?.slice(-2), ["<dd>–", "<dd>P"]);
  });
}

const Secret = struct({
  id: int(),
  name: text(),
  password: text(),
  key: text("password"),
  venue: struct({ city: text(), state: text("required,oneof=open closed") }),
  lines: list(struct({ what: text() })),
});
const secretTexts: ui.FieldTexts<Infer<typeof Secret>> = {
  schema: Secret,
  label: (
    name:
      | "name"
      | "password"
      | "key"
      | "venue"
      | "venue.city"
      | "venue.state"
      | "lines"
      | "lines.what",
  ) => `<${name}>`,
  value: (key) => {
    throw new TypeError(key);
  },
};

Deno.test("fieldDetails: leaves out the id, passwords and fields with fields of their own", async () => {
  const row = { id: 1, name: "Ada", password: "x", key: "x", venue: { city: "Rome" }, lines: [] };
  const page = (c: Ctx): h.Node => ui.fieldDetails(c, { ...secretTexts, row });
  const { body } = await testPage({ page }, "/");
  assertStringIncludes(body, '"ui-details"><dt>&lt;name&gt;</dt><dd>Ada</dd></dl>');
});

Deno.test("history: hides the values of passwords", async () => {
  const fields = [{ name: "password", from: "before", to: "after" }];
  const changes = [{ at: new Date(0), by: "Ada", act: "changed", fields }] as const;
  const page = (c: Ctx): h.Node => ui.history(c, { ...secretTexts, changes });
  await testPage({ page }, "/").wantContains("&lt;password&gt;").wantContains("••••")
    .wantNotContains("before").wantNotContains("after<");
});

Deno.test("saveTheme: saves only the themes", async () => {
  const app = new App({ env: "dev", logRequest: Off });
  const POST = async (c: Ctx) => c.text(200, String(await ui.saveTheme(c)));
  app.route({ pattern: "/", page: () => h.p(), methods: { POST } });
  const client = newTestClient(app);
  await client.get("/");
  for (const [theme, isTheme] of [["dark", true], ["toString", false], ["", false]] as const) {
    const answer = await client.postForm("/", { theme }).wantContains(String(isTheme));
    assertEquals(answer.header("set-cookie")?.startsWith(`fw_theme=${theme};`) ?? false, isTheme);
  }
});

Deno.test("fieldColumns: refuses a field with fields of its own", async () => {
  const page = (c: Ctx): h.Node => {
    const names = ["venue"] as const;
    assertThrows(() => ui.fieldColumns(c, { ...secretTexts, names }), TypeError, 'field "venue"');
    return h.p();
  };
  await testPage({ page }, "/").wantStatus(200);
});

Deno.test("form: texts label the fields inside of others, whose choices have none", async () => {
  const page = (c: Ctx): h.Node => ui.form(c, Secret, { texts: secretTexts });
  await testPage({ page }, "/").wantStatus(200)
    .wantContains("&lt;venue.city&gt;").wantContains("&lt;lines.what&gt; 1")
    .wantContains('<option value="open">open</option>');
});

Deno.test("FieldTexts: names and values are those of the schema", () => {
  const schema = struct({ state: text("required,oneof=open closed") });
  const texts: ui.FieldTexts<Infer<typeof schema>> = {
    schema,
    label: (name: "state") => name,
    value: (key: "state.open" | "state.closed") => key,
    // @ts-expect-error no such value
    tones: { "state.gone": [] },
  };
  // @ts-expect-error no such field
  assertThrows(() => ui.fieldFilter(texts, "mood"), TypeError, 'the field "mood"');
});

for (
  const [name, wanted] of [
    ["state", "open <state.open>, closed <state.closed>"],
    ["done", "yes Yes, no No"],
    ["opens", "none None"],
    ["name", ""],
  ] as const
) {
  Deno.test(`fieldFilter: the values of ${name}`, () => {
    const { choices } = ui.fieldFilter(shown, name);
    assertEquals(choices.map(({ value, label }) => `${value} ${label}`).join(", "), wanted);
  });
}

Deno.test("form: texts label the fields and the choices, of which up to four required ones are cards", async () => {
  const schema = struct({ state: text("required,oneof=open closed"), mood: text("oneof=a b") });
  const texts: ui.FieldTexts<Infer<typeof schema>> = {
    schema,
    label: (name) => `The ${name}`,
    value: (key) => `Value ${key}`,
  };
  const page = (c: Ctx): h.Node => ui.form(c, schema, { texts, labels: { mood: "Own" } });
  const { body } = await testPage({ page }, "/");
  for (
    const part of [
      "The state",
      "Value state.open",
      'type="radio"',
      "Own",
      "<select",
      "Value mood.b</option>",
    ]
  ) {
    assertStringIncludes(body, part);
  }
});

const Line = struct({ what: text(), productId: int(), count: int(), price: money("EUR") });
const Cost = struct({ what: text(), productId: int(), net: money("EUR"), fee: money("EUR") });
const lines = [{ what: "Rope", productId: 1, count: 3, price: 1_250 }, {
  what: "Net",
  productId: 2,
  count: 1,
  price: 800,
}];
const costs = [{ what: "Rope", productId: 1, net: 1_000, fee: 250 }];
const label = (name: string): string => name;
const sums: readonly (readonly [name: string, make: (c: Ctx) => h.Node, sums: string[]])[] = [
  [
    "no price beside a number",
    (c) => ui.childRows(c, { title: "Lines", schema: Line, rows: lines, label }),
    [],
  ],
  [
    "each amount without a number",
    (c) => ui.childRows(c, { title: "Costs", schema: Cost, rows: costs, label }),
    ["€10.00", "€2.50"],
  ],
  [
    "the given fields",
    (c) => ui.childRows(c, { title: "Costs", schema: Cost, rows: costs, label, sums: ["fee"] }),
    ["€2.50"],
  ],
  [
    "numbers, without the errors of binary fractions",
    (c) => {
      const rows = [{ hours: 0.1, days: 1 }, { hours: 0.2, days: 2 }];
      const schema = struct({ hours: float(), days: int() });
      return ui.childRows(c, { title: "Work", schema, rows, label, sums: ["hours", "days"] });
    },
    ["0.3", "3"],
  ],
  [
    "the amount of each row",
    (c) =>
      ui.childRows(c, {
        title: "Lines",
        schema: Line,
        rows: lines,
        label,
        amount: { label: "Total", currency: "EUR", value: ({ count, price }) => count * price },
      }),
    ["€45.50"],
  ],
];
for (const [name, page, wanted] of sums) {
  Deno.test(`childRows: sums ${name}`, async () => {
    const { body } = await testPage({ page }, "/");
    assertEquals([...body.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, sum]) => sum), wanted);
    // Amounts that share a card need their titles.
    const hasSeveral = wanted.some((sum) => sum.startsWith("€"));
    assertEquals(/<td[^>]*ui-money-cell[^>]*data-ui-title/.test(body), hasSeveral);
  });
}

Deno.test("overviewPage: without rows it links to the form of each kind", async () => {
  const growth = { total: 0, added: [0], counts: [0], sums: [0], shares: new Map() };
  const none = { growth, newest: h.fragment() };
  const page = (c: Ctx): h.Node =>
    ui.overviewPage(c, "Overview", [
      { title: "Makers", href: "/makers", create: ["/makers/new", "New maker"], ...none },
      { title: "Products", href: "/products", create: ["/products/new", "New product"], ...none },
    ]);
  (await testPage({ page }, "/")).wantContains("Nothing here yet")
    .wantContains('href="/makers/new"').wantContains('href="/products/new"');
});

const newest: readonly (readonly [kinds: string, shown: string])[] = [
  ["text text", "0 1"],
  ["text text text text text", "0 1 2 3"],
  ["text text text badge text", "0 1 2 3"],
  ["text text badge text date money", "0 2 4 5"],
  ["text money badge date text badge", "0 1 2 3"],
];
for (const [kinds, shown] of newest) {
  Deno.test(`newestRows: of ${kinds} it shows ${shown}`, () => {
    const columns = kinds.split(" ").map((kind, at): ui.Column<string> => ({
      title: `${at}`,
      cell: () => "x",
      ...kind !== "text" && { kind: kind as "date" },
    }));
    const made = h.render(ui.newestRows("Rows", ["a"], columns));
    const titles = [...made.matchAll(/<th[^>]*col[^>]*>(\d)</g)].map(([, title]) => title);
    assertEquals(titles.join(" "), shown);
  });
}

Deno.test("overviewPage: names the weeks in the zone of the request", async () => {
  // Their dates always differ.
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    const today = new Date().toLocaleDateString("en", { day: "numeric", month: "short", timeZone });
    const page = (c: Ctx): h.Node => {
      c.zone = timeZone;
      return ui.overviewPage(c, "", [part]);
    };
    (await testPage({ page }, "/")).wantContains(`>${today}<`);
  }
});

Deno.test("overviewPage: groups rows without a listed value as None or Other", async () => {
  const page = (c: Ctx): h.Node =>
    ui.overviewPage(c, "Overview", [{
      title: "Products",
      href: "/products",
      create: ["/products/new", "New product"],
      growth: {
        total: 50,
        added: [50],
        counts: [50],
        sums: [],
        shares: new Map([["draft", 37], ["", 11], ["gone", 2]]),
      },
      newest: h.fragment(),
      share: { label: "Status", parts: [{ value: "draft", label: "Draft" }] },
    }]);
  await testPage({ page }, "/").wantContains("<strong>50</strong>products")
    .wantContains("37 · 74%").wantContains("None").wantContains("11 · 22%")
    .wantContains("Other").wantContains("2 · 4%");
});

const amounts: readonly (readonly [currency: string, minorUnits: number, text: string])[] = [
  ["EUR", 123_450, "€1,234.50"],
  ["eur", 5, "€0.05"],
  ["JPY", 500, "¥500"],
  ["XXZ", 500, "XXZ\u00a05.00"],
  ["EURO", 123_450, "1,234.50 EURO"],
  ["€", 5, "0.05 €"],
  ["", 5, "0.05"],
  ["a b", -5, "-0.05 a b"],
  ["\ud800", 0, "0.00 \ud800"],
];

Deno.test("amount: a row with a malformed currency does not break its page", async () => {
  let shown: readonly string[] = [];
  const page = (c: Ctx): Response => {
    shown = amounts.map(([currency, minorUnits]) => ui.amount(c, minorUnits, currency));
    return c.noContent();
  };
  await testPage({ page }, "/").wantStatus(204);
  assertEquals(shown, amounts.map(([, , text]) => text));
});
