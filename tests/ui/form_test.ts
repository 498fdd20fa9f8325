import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  App,
  bool,
  type Bound,
  createLogger,
  type Ctx,
  date,
  FieldErrors,
  float,
  type Infer,
  int,
  list,
  type MiddlewareHandler,
  type Node,
  Off,
  type Result,
  type Route,
  struct,
  type StructSchema,
  text,
  texts,
} from "../../mod.ts";
import * as h from "../../html/mod.ts";
import { testPage, testRequest, withHeader } from "../../runtime/testing/mod.ts";
import * as ui from "../../ui/mod.ts";

/** The part of a request that a form reads. */
const c = {
  zone: "UTC",
  app: { config: { csrf: {} } },
  csrfToken: () => "token",
} as unknown as Ctx;

const token = '<input type="hidden" name="_csrf" value="token">';

/**
 * Returns the form between the token and its buttons, without the "optional" mark, which has a
 * separate test.
 */
function inner(form: Node): string {
  const html = h.render(form).replaceAll(" <small>optional</small>", "");
  return html.slice(html.indexOf(token) + token.length, html.lastIndexOf("</form>"));
}

/** Returns the only field of a schema, without buttons. */
function only(
  field: Parameters<typeof struct>[0][string],
  options: ui.FormOptions<{ a: unknown }> = {},
): string {
  const schema = struct({ a: field }) as StructSchema<{ a: unknown }>;
  return inner(ui.form(c, schema, { submit: false, ...options }));
}

const label = '<label class="ui-label" for="a">A</label>';
const box = 'id="a" class="ui-input"';
const choose = '<option value="">Choose one</option>';

/**
 * Returns the content of a field's element; `form_rules_test.ts` covers the attributes of each
 * rule.
 */
const controls: [name: string, html: string, want: string][] = [
  ["text", only(text()), `${label}<input ${box} type="text" name="a">`],
  [
    "long text",
    only(text("required,max=500")),
    `${label}<textarea id="a" class="ui-input ui-textarea" name="a" required maxlength="500"></textarea>`,
  ],
  [
    "a stored time with seconds between limits",
    only(date("min=2026-01-01T09:30,max=2026-12-31"), {
      values: { a: new Date("2026-12-31T23:59:30Z") },
    }),
    `${label}<input ${box} type="datetime-local" name="a" step="any" min="2026-01-01T09:30" ` +
    'max="2026-12-31T23:59:59.999" value="2026-12-31T23:59:30">',
  ],
  [
    "oneof",
    only(text("required,oneof=x y"), { values: { a: "y" } }),
    `${label}<select id="a" class="ui-input ui-select" name="a" required>${choose}` +
    '<option value="x">x</option><option value="y" selected>y</option></select>',
  ],
  [
    "a value with markup",
    only(text(), { values: { a: '"><b>' } }),
    `${label}<input ${box} type="text" name="a" value="&quot;&gt;&lt;b&gt;">`,
  ],
  [
    "an invalid number has no step",
    only(int(), { values: { a: "1.5" } }),
    `${label}<input ${box} type="number" name="a" step="any" value="1.5">`,
  ],
  [
    "help, error and label",
    only(text(), {
      labels: { a: "Name" },
      help: { a: "Why" },
      errors: new FieldErrors().add("a", "is wrong"),
    }),
    '<label class="ui-label" for="a">Name</label>' +
    `<input ${box} type="text" name="a" aria-describedby="a-help a-error" aria-invalid="true">` +
    '<p class="ui-help" id="a-help">Why</p><p class="ui-error" id="a-error">Name is wrong</p>',
  ],
  [
    "labels of a function",
    only(text(), { labels: (name) => `The ${name}` }),
    `<label class="ui-label" for="a">The a</label><input ${box} type="text" name="a">`,
  ],
  [
    "attributes override",
    only(text(), { fields: { a: { type: "search", attributes: h.autocomplete("off") } } }),
    `${label}<input ${box} type="search" name="a" autocomplete="off">`,
  ],
];

for (const [name, html, want] of controls) {
  Deno.test(`form: ${name}`, () => {
    const end = html.slice(html.indexOf('<div class="ui-field">'));
    assertEquals(end, `<div class="ui-field">${want}</div>`);
  });
}

const boxes: [name: string, html: string, want: string][] = [
  [
    "bool",
    only(bool("required"), { values: { a: true } }),
    '<div class="ui-check"><input class="ui-checkbox" name="a" required checked type="checkbox"' +
    ' id="a"><label class="ui-label" for="a">A</label></div>',
  ],
  [
    "an optional bool says no, and then required accepts no",
    only(bool("required").optional()),
    '<input type="hidden" name="a" value="0"><div class="ui-check"><input class="ui-checkbox"' +
    ' name="a" type="checkbox" id="a"><label class="ui-label" for="a">A</label></div>',
  ],
  [
    "an input with a prefix and a suffix",
    only(int("required"), {
      values: { a: 2 },
      fields: { a: { type: "text", prefix: "€", suffix: "/ kg" } },
    }),
    '<div class="ui-field"><label class="ui-label" for="a">A</label><div class="ui-input ui-affix">' +
    '<span aria-hidden="true">€</span>' +
    '<input id="a" class="ui-input" type="text" name="a" required value="2">' +
    '<span aria-hidden="true">/ kg</span></div></div>',
  ],
  [
    "switch",
    only(bool(), { fields: { a: { type: "switch" } } }),
    '<div class="ui-check"><input class="ui-switch" role="switch" name="a" type="checkbox" id="a">' +
    '<label class="ui-label" for="a">A</label></div>',
  ],
  [
    "texts",
    only(texts("max=1"), {
      values: { a: ["y"] },
      errors: new FieldErrors().add("a", "is wrong"),
      summary: false,
      fields: { a: { choices: [{ value: "x", label: "X" }, "y"] } },
    }),
    '<fieldset class="ui-group ui-field" aria-describedby="a-group-error"><legend class="ui-label">A</legend>' +
    '<div class="ui-check"><input class="ui-checkbox" name="a" value="x" aria-invalid="true"' +
    ' type="checkbox" id="a"><label class="ui-label" for="a">X</label></div>' +
    '<div class="ui-check"><input class="ui-checkbox" name="a" value="y" checked aria-invalid="true"' +
    ' type="checkbox" id="a-2"><label class="ui-label" for="a-2">y</label></div>' +
    '<p class="ui-error" id="a-group-error">A is wrong</p></fieldset>',
  ],
  [
    "hidden",
    only(text("required"), { values: { a: "7" }, fields: { a: { type: "hidden" } } }),
    '<input type="hidden" name="a" value="7">',
  ],
  [
    "radio",
    only(int("required,oneof=1 2"), { values: { a: 2 }, fields: { a: { type: "radio" } } }),
    '<fieldset class="ui-field ui-group" role="radiogroup" aria-required="true">' +
    '<legend class="ui-label">A</legend><div class="ui-check"><input class="ui-radio" type="radio"' +
    ' id="a" name="a" value="1" required><label class="ui-label" for="a">1</label></div>' +
    '<div class="ui-check"><input class="ui-radio" type="radio" id="a-2" name="a" value="2" checked' +
    ' required><label class="ui-label" for="a-2">2</label></div></fieldset>',
  ],
  [
    "a render function with id and value",
    only(text(), {
      values: { a: "v" },
      fields: { a: { render: ({ id, value }) => h.i(id, "=", value) } },
    }),
    "<i>a=v</i>",
  ],
  [
    "options and a render function with the control",
    only(text(), { fields: { a: { type: "hidden", render: ({ node }) => h.i(node) } } }),
    '<i><input type="hidden" name="a" value=""></i>',
  ],
  ["only nothing", only(text(), { only: [] }), ""],
  ["except", only(text(), { except: ["a"] }), ""],
];

for (const [name, html, want] of boxes) Deno.test(`form: ${name}`, () => assertEquals(html, want));

const Book = struct({
  title: text("required,max=80"),
  publishedAt: date(),
  note: text("", { form: "remark" }),
  place: struct({ shelfMark: text("required"), floor: int() }).optional(),
});

const explained = ["x", "y"].map((value) => ({ value, help: "Of a choice" }));
const notes = { labels: { a: "A" }, help: { a: "Why" } };
const references: [name: string, html: string][] = [
  ["checkboxes with help", only(texts(), { ...notes, fields: { a: { choices: explained } } })],
  ["cards, help", only(text(), { ...notes, fields: { a: { choices: explained, type: "cards" } } })],
  [
    "names with spaces",
    inner(ui.form(c, struct({ "a b": text("required"), "c\td": text("oneof=x y") }), {
      help: { "a b": "Why" },
      fields: { "c\td": { type: "radio" } },
      errors: new FieldErrors().add("a b", "is wrong").add("c\td", "is wrong"),
    })),
  ],
];

for (const [name, html] of references) {
  Deno.test(`form: each id is unique, and each reference leads to one: ${name}`, () => {
    const valuesOf = (names: string): string[] =>
      [...html.matchAll(new RegExp(` (?:${names})="#?([^"]*)"`, "g"))].map(([, value = ""]) =>
        value
      );
    const ids = valuesOf("id");
    assertEquals(ids, [...new Set(ids)]);
    const wanted = [
      ...valuesOf("for|href"),
      ...valuesOf("aria-describedby").flatMap((list) => list.split(" ")),
    ];
    assertEquals(wanted.filter((id) => !ids.includes(id) || /\s/.test(id)), []);
  });
}

Deno.test("form: a nested struct is a group whose fields are optional if it may be absent", () => {
  const html = inner(ui.form(c, Book, { only: ["place"], submit: false }));
  assertEquals(
    html,
    '<fieldset class="ui-group" id="place"><legend class="ui-label">Place</legend>' +
      '<div class="ui-field"><label class="ui-label" for="place.shelfMark">Shelf mark</label>' +
      '<input id="place.shelfMark" class="ui-input" type="text" name="place.shelfMark"></div>' +
      '<div class="ui-field"><label class="ui-label" for="place.floor">Floor</label>' +
      '<input id="place.floor" class="ui-input" type="number" name="place.floor" step="1"></div></fieldset>',
  );
});

Deno.test("form: only orders fields, including those of a struct", () => {
  const html = h.render(ui.form(c, Book, { only: ["place.floor", "note", "title"] }));
  const names = [...html.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name);
  assertEquals(names, ["_csrf", "place.floor", "remark", "title"]);
});

const layouts: [name: string, options: ui.FormOptions<Infer<typeof Book>>, want: string][] = [
  [
    "groups, followed by the remaining fields",
    { layout: (field) => h.section(field("note", "title")), except: ["place"] },
    "<section>remark title </section>publishedAt ",
  ],
  ["nothing named", { layout: () => h.p() }, "<p></p>title publishedAt remark place(shelf floor )"],
  [
    "part of a struct, followed by the rest of it",
    { layout: (field) => h.p(field("place.floor")), only: ["title", "place"] },
    "<p>floor </p>title shelf ",
  ],
  [
    "part of a struct before the struct",
    { layout: (field) => h.p(field("place.floor", "place")), only: ["place"] },
    "<p>floor place(shelf )</p>",
  ],
  [
    "omitted fields",
    { layout: (field) => h.p(field("title", "place.floor", "note")), only: ["note"] },
    "<p>remark </p>",
  ],
  [
    "fields of an omitted struct",
    {
      layout: (field) => h.p(field("place.floor", "place")),
      except: ["place", "publishedAt", "note"],
    },
    "<p></p>title ",
  ],
];

for (const [name, options, want] of layouts) {
  Deno.test(`form: layout with ${name}`, () => {
    const bare = { render: (field: ui.FormField): string => `${field.name} ` };
    const fields = {
      title: bare,
      publishedAt: bare,
      note: bare,
      "place.floor": { render: (): string => "floor " },
      "place.shelfMark": { render: (): string => "shelf " },
    };
    const html = inner(ui.form(c, Book, { ...options, fields, submit: false }))
      .replace(/<fieldset class="ui-group" id="place"><legend[^>]*>Place<\/legend>/, "place(")
      .replace("</fieldset>", ")");
    assertEquals(html, want);
  });
}

Deno.test("form: the summary does not link a hidden field", () => {
  const errors = new FieldErrors().add("title", "is bad");
  const html = h.render(ui.form(c, Book, { errors, fields: { title: { type: "hidden" } } }));
  assert(html.includes("Title is bad") && !html.includes('href="#title"'), html);
});

Deno.test("form: the summary has the order of the layout", () => {
  const errors = new FieldErrors().add("title", "is bad").add("remark", "is bad");
  const html = h.render(
    ui.form(c, Book, { errors, layout: (field) => h.div(field("note"), field("title")) }),
  );
  assertEquals([...html.matchAll(/<a href="#(\w+)">/g)].map(([, id]) => id), ["remark", "title"]);
});

Deno.test("form: accepts a number as text", () => {
  const price = struct({ price: float() });
  const html = h.render(ui.form(c, price, { values: { price: "7.50" } }));
  assertStringIncludes(html, 'value="7.50"');
});

Deno.test("form: lists an error without a field, and finds one of a renamed field", () => {
  const errors = new FieldErrors().add("remark", "is too long").add("stock", "is empty");
  const html = h.render(ui.form(c, Book, { errors, labels: { note: "Note" }, except: ["place"] }));
  const want = '<ul><li><a href="#remark">Note is too long</a></li><li>Stock is empty</li></ul>';
  assertStringIncludes(html, want);
});

Deno.test("form: accepts a record of values, for example from a database", () => {
  const publishedAt = new Date("1934-12-01T09:30Z");
  const row = { id: 7, title: "Mensagem", publishedAt, note: null, place: { floor: 2 } };
  const html = h.render(ui.form(c, Book, { values: row, idPrefix: "edit-" }));
  const values = [...html.matchAll(/id="([^"]+)"[^>]* value="([^"]+)"/g)]
    .map(([, id, value]) => [id, value]);
  assertEquals(values, [
    ["edit-title", "Mensagem"],
    ["edit-publishedAt", "1934-12-01"],
    ["edit-place.floor", "2"],
  ]);
});

Deno.test("form: GET has no token, files set the encoding, and attributes and nodes have their place", () => {
  const get = h.render(ui.form(c, Book, { method: "get", action: "/books", only: ["title"] }));
  assertStringIncludes(get, '<form class="ui-form" method="get" action="/books"><div');
  const files = { cover: { accept: ["image/png", "image/jpeg"] }, pages: { multiple: true } };
  const post = h.render(
    ui.form(c, Book, { files, only: ["cover", "pages"], submit: "Send" }, h.novalidate(), h.p("x")),
  );
  assertEquals(
    post,
    '<form class="ui-form" method="post" enctype="multipart/form-data" novalidate>' + token +
      '<div class="ui-field"><label class="ui-label" for="cover">Cover</label><input id="cover"' +
      ' class="ui-input ui-file" type="file" name="cover" accept="image/png,image/jpeg" required></div>' +
      '<div class="ui-field"><label class="ui-label" for="pages">Pages</label><input id="pages"' +
      ' class="ui-input ui-file" type="file" name="pages" multiple required></div><p>x</p>' +
      '<div class="ui-actions"><button class="ui-button" type="submit">Send</button></div></form>',
  );
});

Deno.test("form: a custom list of choices may be empty", () => {
  for (const type of ["select", "radio"] as const) {
    const fields = { noteId: { choices: [], type } };
    const html = h.render(ui.form(c, struct({ noteId: int("required") }), { fields }));
    const found = [html.includes(">Note id<"), html.match(/<option/g)?.length ?? 0];
    assertEquals(found, [true, type === "select" ? 1 : 0]);
  }
});

const passwords: [name: string, type: ui.ControlType | undefined][] = [
  ["password", undefined],
  ["newPassword", undefined],
  ["current_password", undefined],
  ["passphrase", undefined],
  ["pin", "password"],
];
for (const [name, type] of passwords) {
  Deno.test(`form: never shows the value of "${name}" again`, () => {
    const schema: StructSchema<Record<string, string>> = struct({ [name]: text() });
    let shown = "";
    const fields = type === undefined ? {} : { [name]: { type } };
    const html = h.render(ui.form(c, schema, { values: { [name]: "s3cret" }, fields }));
    ui.form(c, schema, {
      values: { [name]: "s3cret" },
      fields: { [name]: { render: (field: ui.FormField) => shown = field.value } },
    });
    assertStringIncludes(html, ' type="password"');
    assertEquals([html.includes("s3cret"), type === undefined ? shown : ""], [false, ""]);
  });
}

const loose: StructSchema<Record<string, string>> = struct({ ["title"]: text() });

const wrong: [name: string, make: () => Node, message: string][] = [
  [
    "a name from a variable",
    () => ui.form(c, loose, { labels: { titel: "T" } }),
    'Cannot render the form field "titel": the schema has no such field; use one of title, or add',
  ],
  [
    "a list",
    () => ui.form(c, struct({ items: list(int()) })),
    'Cannot render the form field "items": a list of anything but plain structs has no control; leave it out by except: ["items"]',
  ],
  [
    "boxes without choices",
    () => ui.form(c, struct({ tags: texts() })),
    'Cannot render the form field "tags": nothing can be chosen; add fields: { "tags": { choices: [...] } }',
  ],
  [
    "a field with two places",
    () => ui.form(c, Book, { layout: (field) => [field("title"), field("note", "title")] }),
    'Cannot render the form field "title" twice: name it once in "layout"',
  ],
  [
    "a field after its struct",
    () => ui.form(c, Book, { layout: (field) => field("place", "place.floor") }),
    'Cannot render the form field "place.floor" twice: name it once in "layout"',
  ],
  [
    "a name of a layout from a variable",
    () => ui.form(c, loose, { layout: (field) => field("titel") }),
    'Cannot render the form field "titel": the schema has no such field; use one of title, or add',
  ],
  [
    "an invalid date",
    () => ui.form(c, Book, { values: { publishedAt: new Date(NaN) } }),
    'Cannot show the value of "publishedAt": it is an invalid Date.',
  ],
];
for (const [name, make, message] of wrong) {
  Deno.test(`form: ${name} is a mistake`, () => void assertThrows(make, TypeError, message));
}

const Login = struct({ name: text("required,max=20"), password: text("required"), tags: texts() });
const Avatar = { accept: ["image/png"], optional: true } as const;
const choices = { tags: { choices: ["a", "b", "c"] } };

const signUp = {
  page: (c: Ctx): Node => ui.form(c, Login, { files: { avatar: Avatar }, fields: choices }),
  methods: {
    POST: async (c: Ctx): Promise<Result> => {
      const input = await c.tryBind(Login, { files: { avatar: Avatar } });
      if (input.ok) return c.text(200, `${input.value.name} ${input.files.avatar?.size ?? "none"}`);
      c.status(422);
      return ui.form(c, Login, { values: input, files: { avatar: Avatar }, fields: choices });
    },
  },
};
const png = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]);

Deno.test("form: keeps the input except passwords and files", async () => {
  await testPage(signUp, "/").submit("form", {
    name: "a".repeat(21),
    password: "s3cret",
    tags: ["a", "c"],
    avatar: new File([png], "me.png"),
  }).wantStatus(422)
    .wantContains(`value="${"a".repeat(21)}"`)
    .wantContains("Name must have at most 20 characters")
    .wantContains('value="a" checked')
    .wantContains('value="c" checked')
    .wantNotContains('value="b" checked')
    .wantNotContains("s3cret")
    .wantNotContains("me.png")
    .wantContains("Choose the file again: the browser did not keep it.");
});

const limits: readonly (readonly [maxSizeBytes: number | undefined, want: string | undefined])[] = [
  [undefined, undefined],
  [Infinity, undefined],
  [0, "0=Cover must be at most 0 bytes"],
  [5 * 1024 * 1024, "5242880=Cover must be at most 5 MiB"],
];
for (const [maxSizeBytes, want] of limits) {
  Deno.test(`form: a file of at most ${maxSizeBytes} bytes passes the limit to the script`, async () => {
    const rules = maxSizeBytes === undefined ? {} : { maxSizeBytes };
    const page = (c: Ctx): Node => ui.form(c, Login, { files: { cover: rules }, fields: choices });
    const field = await testPage({ page }, "/").query("[name=cover]");
    assertEquals(field?.attribute("data-ui-max"), want);
  });
}

const raise: MiddlewareHandler = (c, next) => {
  c.allowBody(4 << 20);
  return next();
};
const reach: readonly (readonly [name: string, rules: Partial<Route>, isWarned: boolean])[] = [
  ["over the body limit", {}, true],
  ["under the limit of a middleware", { middleware: [{ Middleware: raise }] }, false],
  ["under the limit of a middleware of POST", { middleware: [{ MiddlewarePOST: raise }] }, false],
];
for (const [index, [name, rules, isWarned]] of reach.entries()) {
  Deno.test(`form: a file ${name} is ${isWarned ? "" : "not "}warned about, once`, async () => {
    let log = "";
    const logger = createLogger({ write: (lines) => void (log += lines) });
    const app = new App({ env: "dev", logRequest: Off, logger });
    const files = { cover: { maxSizeBytes: 3 << 20 } };
    const page = (c: Ctx): Node => ui.form(c, Login, { files, fields: choices });
    app.route({ pattern: `/reach-${index}`, page, ...rules });
    for (let times = 0; times < 2; times++) {
      await testRequest(app, "GET", `/reach-${index}`).wantStatus(200);
    }
    assertEquals(log.split("maxSizeBytes is over the limit").length - 1, isWarned ? 1 : 0);
  });
}

Deno.test("form: the message for a large file is in the request's language", async () => {
  const app = new App({ env: "dev", languages: ["en", "pt-PT"], logRequest: Off });
  const files = { cover: { maxSizeBytes: 1024 } };
  const options = { files, labels: { cover: "Capa = foto" }, fields: choices };
  app.route({ pattern: "/", page: (c) => ui.form(c, Login, options) });
  const field = await testRequest(app, "GET", "/", withHeader("accept-language", "pt"))
    .query("[name=cover]");
  assertEquals(field?.attribute("data-ui-max"), "1024=Capa = foto deve ter no máximo 1 KiB");
});

Deno.test("form: does not ask for the file again in a fragment, where the script keeps it", async () => {
  const avatar = new File([png], "me.png");
  const header = withHeader("fw-fragment", "*");
  await testPage(signUp, "/").submit("form", { name: "", password: "x", avatar }, header)
    .wantStatus(422).wantNotContains("Choose the file again");
});

Deno.test("form: does not ask for the file again if none was sent or it was refused", async () => {
  for (const avatar of [undefined, new File(["hello"], "me.png")]) {
    const values = { name: "", password: "x", ...(avatar && { avatar }) };
    await testPage(signUp, "/").submit("form", values).wantStatus(422)
      .wantNotContains("Choose the file again");
  }
});

Deno.test("form: lists the file's message with the fields' messages", async () => {
  const file = new File(["hello"], "me.png");
  await testPage(signUp, "/").submit("form", { name: "", password: "x", avatar: file })
    .wantStatus(422)
    .wantContains('<a href="#name">Name is required')
    .wantContains('<a href="#avatar">Avatar must be');
});

Deno.test("form: an accepted form returns its value and its file", async () => {
  const values = { name: "Ada", password: "x" };
  await testPage(signUp, "/").submit("form", { ...values, avatar: new File([png], "me.png") })
    .wantStatus(200).wantContains("Ada 8");
  await testPage(signUp, "/").submit("form", values).wantStatus(200).wantContains("Ada none");
});

// Checked by the compiler, never run.
export function checkNames(bound: Bound<{ title: string; publishedAt: Date | null }>): void {
  ui.form(c, Book, { labels: { title: "T", "place.floor": "F" }, values: { title: "x" } });
  ui.form(c, Book, { files: { cover: {} }, labels: { cover: "C" }, only: ["cover", "title"] });
  // @ts-expect-error -- the schema has no such field
  ui.form(c, Book, { values: { titel: "x" } });
  // @ts-expect-error -- it is a text
  ui.form(c, Book, { values: { title: 3 } });
  // @ts-expect-error -- the schema has no such field
  ui.form(c, Book, { labels: { titel: "x" } });
  // @ts-expect-error -- a field has no label
  ui.form(c, Login, { labels: (name) => ({ name: "N", password: "P" })[name] });
  // @ts-expect-error -- the struct has no such field
  ui.form(c, Book, { labels: { "place.flor": "x" } });
  // @ts-expect-error -- the schema has no such field
  ui.form(c, Book, { help: { titel: "x" } });
  // @ts-expect-error -- the schema has no such field
  ui.form(c, Book, { fields: { titel: h.p() } });
  // @ts-expect-error -- there is no such control
  ui.form(c, Book, { fields: { title: { type: "textaera" } } });
  // @ts-expect-error -- the schema has no such field
  ui.form(c, Book, { only: ["titel"] });
  // @ts-expect-error -- the schema has no such field
  ui.form(c, Book, { except: ["titel"] });
  // @ts-expect-error -- the schema has no such field
  ui.form(c, Book, { layout: (field) => field("titel") });
  ui.form(c, Book, { files: { cover: {} }, layout: (field) => field("cover", "place.floor") });
  // @ts-expect-error -- it is the result of another schema
  ui.form(c, Login, { values: bound });
}

const completions: readonly (readonly [name: string, rules: string, completion: string])[] = [
  ["password", "required", "current-password"],
  ["password", "required,min=12", "new-password"],
  ["newPassword", "required", "new-password"],
  ["passwordAgain", "required", "new-password"],
];

for (const [name, rules, completion] of completions) {
  Deno.test(`form: the password ${name} (${rules}) has autocomplete ${completion}`, () => {
    const schema = struct({ [name]: text(rules as "required") });
    const fields = { [name]: { type: "password" } } as const;
    assertStringIncludes(h.render(ui.form(c, schema, { fields })), `autocomplete="${completion}"`);
  });
}

Deno.test("form: a select has one empty option, even inside a group", () => {
  const choices = [{ label: "Places", options: [{ value: "", label: "Anywhere" }, "Lisbon"] }];
  const html = h.render(ui.form(c, struct({ city: text() }), { fields: { city: { choices } } }));
  assertEquals(html.split('<option value=""').length, 2);
});

const marks: [name: string, form: Node, isMarked: boolean][] = [
  ["an optional field", ui.form(c, struct({ a: text() })), true],
  ["a required field", ui.form(c, struct({ a: text("required") })), false],
  ["a filter of optional fields", ui.form(c, struct({ a: text() }), { method: "get" }), false],
  ["an optional file", ui.form(c, struct({}), { files: { f: { optional: true } } }), true],
];
for (const [name, form, isMarked] of marks) {
  Deno.test(`form: writes "optional": ${name}`, () => {
    assertEquals(h.render(form).includes(" <small>optional</small></label>"), isMarked);
  });
}
