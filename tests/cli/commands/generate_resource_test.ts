// test: child, checks and tests what was generated
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { auditProject } from "../../../cli/audit/checks.ts";
import { gatherFacts } from "../../../cli/audit/facts.ts";
import { checkMessages } from "../../../cli/check/messages.ts";
import { describeApi } from "../../../cli/describe/openapi/describe.ts";
import { createProject } from "../../../cli/project/project.ts";
import { parseFields, typeNames } from "../../../cli/scaffold/resource/fields.ts";
import { nameResource } from "../../../cli/scaffold/resource/names.ts";
import { isAccepted, sampleOf } from "../../../cli/scaffold/resource/samples.ts";
import { shareFolder } from "../shared_folder.ts";
import { deno, inProject, listTree, page, runCli, writeFiles } from "../support.ts";
import { checkTypes } from "../type_check.ts";
import { runTests, writeWorkspace } from "../workspace.ts";

/** Every type, rules of every kind, optional ones and the plain ones beside them. */
const everything = [
  "book-loans",
  "title:text,required,min=3,max=80",
  "code:text,len=4",
  "note:long,optional",
  "story:long",
  "mail:email,required",
  "mail2:email,eqfield=mail",
  "site:url",
  "link:url,optional",
  "kind:enum,required,oneOf=talk|fair",
  "mood:enum,oneof=good|bad",
  "seats:int,min=1,max=500",
  "level:int,oneof=1|2|3",
  "left:int,optional",
  "views:int64",
  "most:int64,optional",
  "price:float,min=0.5",
  "rate:number,optional",
  "open:bool",
  "agreed:bool,required",
  "day:date,required,min=2026-01-01",
  "until:date",
  "at:datetime,required",
  "ends:datetime,max=2026-12-31T18:30",
];

/** Words of SQL and of the code around. */
const hostile = [
  "orders",
  ...[
    "group",
    "order",
    "select",
    "text",
    "errors",
    "value",
    "values",
    "row",
    "c",
    "h",
    "ui",
    "sent",
  ]
    .map((name) => `${name}:text`),
  ...["table", "from", "int", "struct", "key", "use", "Page", "input", "columns"].filter((name) =>
    name !== "Page"
  ).map((name) => `${name}:int`),
  "default:date",
  "index:bool",
];

/** Uploads of both types: one that must come, one above the limit of a body. */
const albums = [
  "albums",
  "name:text,required",
  "cover:image",
  "class:image,optional,max=64kb",
  "score:file,required,max=2mb",
];

/** Choices that a form has to offer, and refuse, without another field that can be refused. */
const choices = [
  ["picks", "kind:enum,required,oneof=novel|essay", "due:date,required"],
  ["cats", "kind:enum,oneof=in-house|out", "due:date,required"],
  ["jobs", "prio:int,required,oneof=1|2|3"],
  ["vans", "size:float,oneof=0|2", "kind:enum,oneof=a|b", "plan:file,required"],
];

/** Resources by application. */
const made: Readonly<Record<string, readonly (readonly string[])[]>> = {
  kit: [
    [...everything, "--api"],
    hostile,
    [...albums, "--api"],
    ["people", "--singular", "person", "born:date", "size:int"],
    // Longer than the text that a search takes.
    ["papers", "title:text,required,min=300", "--api"],
  ],
  plain: [everything, [...hostile, "--api"], ["boxes", "open:bool", "--api"], ...choices],
  "kit-languages": [everything, ["boxes", "open:bool"], ...choices],
  "plain-languages": [everything, hostile, albums, ...choices],
};

/** Pages of the applications with languages. */
const pages: readonly (readonly string[])[] = [
  ["/loans"],
  ["/contact", "--form"],
  ["/about/{slug}", "--tsx"],
  ["/Send/{Name}", "--form", "--tsx"],
  ["/terms", "--tmpl"],
];

const hasKit = (name: string): boolean => name.startsWith("kit");
const hasLanguages = (name: string): boolean => name.endsWith("-languages");

/** What the command said, by application and resource. */
const said = new Map<string, string>();

const shared = shareFolder("generate_resource", async (folder) => {
  for (const [name, resources] of Object.entries(made)) {
    await runCli(["new", name, ...hasKit(name) ? ["--kit"] : []], { cwd: folder });
    const cwd = join(folder, name);
    const manifest = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
    manifest.fmt = { lineWidth: 80 };
    // The generators import by relative paths.
    delete manifest.imports["@/"];
    await Deno.writeTextFile(join(cwd, "deno.json"), JSON.stringify(manifest, null, 2));
    for (const tag of hasLanguages(name) ? ["pt-PT", "fr"] : []) {
      const { code, stderr } = await runCli(["generate", "language", tag], { cwd });
      assertEquals([code, stderr], [0, ""]);
    }
    for (const resource of resources) {
      const { code, stderr, stdout } = await runCli(["generate", "resource", ...resource], { cwd });
      assertEquals([code, stderr], [0, ""], `${name}, ${resource[0]}`);
      said.set(`${name} ${resource[0]}`, stdout);
    }
    for (const args of hasLanguages(name) ? pages : []) {
      const { code, stderr, stdout } = await runCli(["generate", "page", ...args], { cwd });
      assertEquals([code, stderr], [0, ""], `${name}, ${args[0]}`);
      said.set(`${name} ${args[0]}`, stdout);
    }
    await deno(["fmt", "--quiet", "app/layout.ts", "app/page.ts", "app/not_found.ts"], cwd);
  }
  await writeWorkspace(folder, { members: Object.keys(made), like: "kit" });
});

const sources = Object.keys(made).flatMap((name) =>
  ["app", "lib", "views", "migrations"].map((folder) => `${name}/${folder}`)
);

Deno.test("generate resource: everything is formatted at the project's width, free of lint, well typed", async () => {
  const generated = Object.keys(made).map((name) => `${name}/fw_gen.ts`);
  for (const args of [["fmt", "--check"], ["lint"]]) {
    const { code, output } = await deno([...args, ...sources], shared());
    assertEquals(code, 0, `${args.join(" ")}: ${output}`);
  }
  const { code, output } = await checkTypes([...generated, ...sources], shared());
  assertEquals(code, 0, output);
});

Deno.test("generate resource: its tests leave the environment of the process alone", async () => {
  const tests = (await listTree(shared())).filter((path) => path.endsWith("_test.ts"));
  const texts = await Promise.all(tests.map((path) => Deno.readTextFile(join(shared(), path))));
  assert(texts.some((text) => text.includes('variables: { FW_DB: ":memory:" }')));
  assertEquals(tests.filter((_, index) => texts[index]?.includes("Deno.env")), []);
});

Deno.test("generate resource: its tests pass", async () => {
  const { code, output } = await runTests(shared(), Object.keys(made));
  assertEquals(code, 0, output);
  // Three for each, two for each API, one of the start page and one of the languages; a box that may be
  // open or not refuses nothing.
  const resources = Object.values(made).flat();
  const counts = resources.map((args) =>
    (args.includes("--api") ? 5 : 3) - (args[0] === "boxes" ? args.includes("--api") ? 2 : 1 : 0)
  );
  const apps = Object.keys(made);
  // A form is tested with three requests.
  const forms = pages.filter((args) => args.includes("--form")).length;
  const more = apps.length + (1 + 3 * forms) * apps.filter(hasLanguages).length;
  assertStringIncludes(output, `${counts.reduce((sum, each) => sum + each) + more} passed`);
});

/** Starts the application as production without a secret, with one, and as development. */
const starts = `import { testApp } from "@fw/fw/testing";

const variables = { FW_DB: ":memory:" };
for (const config of [{}, { secret: "s".repeat(32) }, { env: "dev" }] as const) {
  await using _app = await testApp({ config: { env: "prod", variables, ...config } });
  console.error("started");
}
`;

Deno.test("generate resource: production without a secret says at boot that messages are lost", async () => {
  const cwd = join(shared(), "plain");
  await writeFiles(cwd, { "starts.ts": starts });
  const { code, output } = await deno(["run", "--no-check", "--allow-all", "starts.ts"], cwd);
  await Deno.remove(join(cwd, "starts.ts"));
  assertEquals(code, 0, output);
  const warned = output.split("started").map((part) =>
    [...part.matchAll(/messages of (.+?) are lost: set FW_SECRET/g)].map(([, name]) => name)
  );
  const resources = ["book loans", "orders", "boxes", "picks", "cats", "jobs", "vans"];
  assertEquals(warned, [resources, [], [], []], output);
});

Deno.test("generate resource --api: the document of the API is complete", async () => {
  const cwd = join(shared(), "plain");
  const { document, problems, warnings } = await describeApi(createProject(cwd));
  assertEquals([problems, warnings], [[], []]);
  const paths = (document?.["paths"] ?? {}) as Record<string, Record<string, unknown>>;
  const statuses = Object.entries(paths).filter(([path]) => path.includes("orders"))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const { responses } = operation as { readonly responses: Record<string, unknown> };
        return `${method} ${path} ${Object.keys(responses).join(" ")}`;
      })
    );
  assertEquals(statuses, [
    "get /api/orders 200 400 default",
    "post /api/orders 201 400 413 415 422 default",
    "get /api/orders/{id} 200 400 404 default",
    "put /api/orders/{id} 200 400 404 413 415 422 default",
    "delete /api/orders/{id} 204 400 404 default",
  ]);
  const text = JSON.stringify(document);
  assertStringIncludes(
    text,
    '"rows":{"type":"array","items":{"$ref":"#/components/schemas/OrderRow"}}',
  );
  for (const name of ["id", "page"]) assertStringIncludes(text, `"${name}":{"type":"integer"}`);
});

const leaveOut = `import { newTestClient, testApp } from "@fw/fw/testing";
import { use } from "@fw/fw";
import { BookLoans } from "./lib/book_loans.ts";
Deno.env.set("FW_DB", ":memory:");
await using app = await testApp();
const client = newTestClient(app);
const values = SAMPLE;
const form = 'main form[method="post"]';
await client.get("/book-loans/new").submit(form, { ...values, note: "", link: "" })
  .wantRedirect("/book-loans/1");
const row = use(app, BookLoans).get(1);
const shown = (await client.get("/book-loans/1")).body.split("<td>–</td>").length - 1;
const read = JSON.parse((await client.get("/api/book-loans/1")).body);
await client.get("/book-loans/1/edit").submit(form, { note: "kept" }).wantRedirect("/book-loans/1");
await client.get("/book-loans/1/edit").submit(form, { note: "" }).wantRedirect("/book-loans/1");
console.log(JSON.stringify([row.note, row.link, read.note, read.link, use(app, BookLoans).get(1).note, shown]));
`;

Deno.test("generate resource: an optional text that a form leaves empty is null, and shown as a dash", async () => {
  const parsed = parseFields(everything.slice(1));
  assert(!("kind" in parsed));
  const { fields } = parsed;
  const script = leaveOut.replace("SAMPLE", JSON.stringify(sampleOf(fields)));
  const cwd = join(shared(), "kit");
  await Deno.writeTextFile(join(cwd, "leave_out.js"), script);
  const { code, output } = await deno(["run", "-A", "--no-check", "leave_out.js"], cwd);
  assertEquals(
    [code, output.trim().split("\n").at(-1)],
    [0, "[null,null,null,null,null,2]"],
    output,
  );
});

const search = `import { newTestClient, testApp, withJson } from "@fw/fw/testing";
import { use } from "@fw/fw";
import { cpuUsage } from "node:process";
import { BookLoans } from "./lib/book_loans.ts";
await using app = await testApp({ config: { variables: { FW_DB: ":memory:" } } });
const client = newTestClient(app);
const values = SAMPLE;
const found = async (text) => {
  const response = await client.get("/api/book-loans?q=" + encodeURIComponent(text));
  return JSON.parse(response.body).rows.map(({ id }) => id).join();
};
const sent = { story: "a".repeat(10_001), note: "a".repeat(10_001) };
for (const [name, value] of Object.entries(sent)) {
  const body = { ...values, [name]: value };
  await client.request("POST", "/api/book-loans", withJson(body)).wantStatus(422);
}
const store = use(app, BookLoans);
const { note, ...others } = values;
await client.request("POST", "/api/book-loans", withJson({ ...others, story: "100% of a_b" }))
  .wantStatus(201);
const row = store.get(1);
store.add({ ...row, title: "Other", story: "", note: "MIXED \\\\ Case" });
const told = [];
for (const text of ["", "%", "_", "100%", "a_B", "other", "mixed \\\\ c", "null", "%%"]) told.push(await found(text));
for (let i = 0; i < 4; i++) store.add({ ...row, story: "a".repeat(1_000_000) });
const before = cpuUsage();
store.list({ search: "a".repeat(99) + "b", page: 1 });
const { user, system } = cpuUsage(before);
console.log(JSON.stringify([told, user + system]));
`;

Deno.test("generate resource: a search takes signs as they are, and a long text costs little", async () => {
  const parsed = parseFields(everything.slice(1));
  assert(!("kind" in parsed));
  const sample = Object.fromEntries(parsed.fields.map(({ name, builder }) => {
    const value = sampleOf(parsed.fields)[name];
    const isNumber = builder === "int" || builder === "float";
    return [name, builder === "bool" ? true : isNumber ? Number(value) : value];
  }));
  const cwd = join(shared(), "kit");
  await Deno.writeTextFile(
    join(cwd, "search.js"),
    search.replace("SAMPLE", JSON.stringify(sample)),
  );
  const { code, output } = await deno(["run", "-A", "--no-check", "search.js"], cwd);
  assertEquals(code, 0, output);
  const [told, micros] = JSON.parse(output.trim().split("\n").at(-1) ?? "");
  assertEquals(told, ["2,1", "1", "1", "1", "1", "2", "2", "", ""]);
  // `like` takes forty times as long: 1.7 s.
  assert(micros < 700_000, `the search took ${micros} µs of processor time`);
});

const listUploads = `import { testApp } from "@fw/fw/testing";
import { use } from "@fw/fw";
import { cpuUsage } from "node:process";
import { Albums } from "./lib/albums.ts";
import { Database } from "./lib/database.ts";
await using app = await testApp({ config: { variables: { FW_DB: ":memory:" } } });
const store = use(app, Albums);
const file = { name: "a", type: "image/png", hash: "h", bytes: new Uint8Array(3_000_000) };
for (let i = 0; i < 20; i++) store.add({ name: "a" }, { cover: file, score: file });
use(app, Database).exec('alter table "albums" add column "later" text');
const later = use(app, Database).prepare('select "later", "score_name" from "albums"');
const before = cpuUsage();
for (let i = 0; i < 500; i++) later.all();
for (let i = 0; i < 500; i++) store.list({ search: "", page: 1 });
const { user, system } = cpuUsage(before);
store.change(1, { name: "b" });
const read = [store.bytes(1, "cover").length, store.get(1).class];
store.remove(1);
const left = use(app, Database).prepare('select count(*) as n from "albums_bytes"').get().n;
console.log(JSON.stringify([read, left, user + system]));
`;

Deno.test("generate resource: a list of rows with uploads does not read their bytes", async () => {
  const cwd = join(shared(), "plain-languages");
  await Deno.writeTextFile(join(cwd, "list_uploads.js"), listUploads);
  const { code, output } = await deno(["run", "-A", "--no-check", "list_uploads.js"], cwd);
  assertEquals(code, 0, output);
  const [read, left, micros] = JSON.parse(output.trim().split("\n").at(-1) ?? "");
  assertEquals([read, left], [[3_000_000, null], 38]);
  // With the bytes in the rows they take 540 ms.
  assert(micros < 300_000, `the lists took ${micros} µs of processor time`);
});

const askLanguages = `import { newTestClient, testApp, withHeader } from "@fw/fw/testing";
Deno.env.set("FW_DB", ":memory:");
const app = await testApp();
const client = newTestClient(app);
const ask = (language) => withHeader("accept-language", language);
for (const [language, title, label] of [["pt-PT", "Novo registo", "Título"], ["fr", "New book loan", "Title"]]) {
  const page = await client.get("/book-loans/new", ask(language));
  page.wantContains(title).wantContains(label);
}
for (const [path, text] of [["/contact", "Enviar"], ["/contact", "Nome"], ["/Send/x", "Enviar"], ["/loans", "Loans"]]) {
  await client.get(path, ask("pt-PT")).wantContains(text);
}
await app.shutdown();
`;

Deno.test("generate resource: several languages are answered, and check names what lacks", async () => {
  for (const name of Object.keys(made).filter(hasLanguages)) {
    const cwd = join(shared(), name);
    const catalog = await Deno.readTextFile(join(cwd, "lib/book_loan_messages.ts"));
    assertStringIncludes(catalog, 'title: "Título"');
    const pages = await Deno.readTextFile(join(cwd, "app/book-loans/id_/delete/page.ts"));
    assertStringIncludes(pages, "c.t(bookLoanMessages, ");
    const problems = await checkMessages(createProject(cwd));
    assert(problems.some(({ place }) => place?.file === "app/contact/page.ts"));
    assertEquals(problems.filter(({ message }) => !message.includes('"fr"')), []);
    const own = problems.filter(({ place }) => place?.file === "lib/book_loan_messages.ts");
    assertEquals(own.map(({ severity, message }) => [severity, message.includes('"fr"')]), [
      ["warning", true],
      ["warning", true],
      ["warning", true],
    ]);
    await Deno.writeTextFile(join(cwd, "ask.js"), askLanguages);
    const { code, output } = await deno(["run", "-A", "--no-check", "ask.js"], cwd);
    assertEquals(code, 0, output);
  }
});

const askChoices = `import { newTestClient, testApp, withHeader } from "@fw/fw/testing";
const app = await testApp({ config: { variables: { FW_DB: ":memory:" } } });
const client = newTestClient(app);
const due = "2026-05-01";
await client.postForm("/cats/new", { kind: "in-house", due }).wantRedirect("/cats/1");
await client.postForm("/cats/new", { kind: "", due }).wantRedirect("/cats/2");
const texts = [["pt-PT", "Da casa", "1 de maio de 2026"], ["en", "In house", "May 1, 2026"]];
for (const [language, value, date] of texts) {
  const ask = withHeader("accept-language", language);
  for (const path of ["/cats", "/cats/1"]) {
    await client.get(path, ask).wantContains(value).wantContains(date).wantNotContains("in-house");
  }
  await client.get("/cats/2", ask).wantContains("–");
  await client.get("/cats/1/edit", ask).wantContains(value + "</option>");
}
await app.shutdown();
`;

Deno.test("generate resource: the values of a choice and dates are in the language of the page", async () => {
  for (const name of Object.keys(made).filter(hasLanguages)) {
    assertStringIncludes(said.get(`${name} cats`) ?? "", "Cats, Cat, Due, In house, Out.");
    const cwd = join(shared(), name);
    const file = join(cwd, "lib/cat_messages.ts");
    const catalog = await Deno.readTextFile(file);
    const translated = catalog.replace(/("kind\.in-house": )"In house"(?![^]*\1)/, '$1"Da casa"');
    await Deno.writeTextFile(file, translated);
    await Deno.writeTextFile(join(cwd, "ask_choices.js"), askChoices);
    const { code, output } = await deno(["run", "-A", "--no-check", "ask_choices.js"], cwd);
    await Deno.writeTextFile(file, catalog);
    assertEquals(code, 0, output);
  }
});

const askPages = `import { newTestClient, testApp } from "@fw/fw/testing";
const app = await testApp({ config: { variables: { FW_DB: ":memory:" } } });
const client = newTestClient(app);
const asked = async (path) => {
  const { status, headers } = await client.get(path);
  return status + " " + headers.get("location");
};
const told = [await asked("/boxes?page=99")];
for (let i = 0; i < 21; i++) await client.postForm("/boxes/new", { open: "on" }).wantStatus(303);
told.push(await asked("/boxes?page=2"), await asked("/boxes?page=3"), await asked("/book-loans?q=a+b&page=9"));
console.log(JSON.stringify(told));
await app.shutdown();
`;

Deno.test("generate resource: a page of the list behind the last one leads to the last", async () => {
  for (const name of ["plain", "kit-languages"]) {
    const cwd = join(shared(), name);
    await Deno.writeTextFile(join(cwd, "ask_pages.js"), askPages);
    const { code, output } = await deno(["run", "-A", "--no-check", "ask_pages.js"], cwd);
    await Deno.remove(join(cwd, "ask_pages.js"));
    assertEquals(code, 0, output);
    assertEquals(JSON.parse(output.trim().split("\n").at(-1) ?? ""), [
      "303 /boxes?page=1",
      "200 null",
      "303 /boxes?page=2",
      "303 /book-loans?q=a+b&page=1",
    ]);
  }
});

Deno.test("generate resource: a picture is 240 pixels wide, however large it is", async () => {
  for (const name of ["kit", "plain-languages"]) {
    const text = await Deno.readTextFile(join(shared(), name, "app/albums/id_/page.ts"));
    assertEquals(text.match(/\bh\.img\(/g)?.length, text.match(/\bh\.width\(240\)/g)?.length);
    assertStringIncludes(text, "h.width(240)");
  }
});

Deno.test("generate resource: the audit finds nothing that is serious", async () => {
  const env = { FW_SECRET: "0123456789abcdef0123456789abcdef", FW_ALLOWED_HOSTS: "a.example" };
  // The folder is no repository and has no lock file; the types and the lint were checked above.
  const skip = ["lock", "env-file", "vulnerabilities", "lint", "types"] as const;
  const cwd = join(shared(), "plain");
  const facts = await gatherFacts(createProject(cwd), { assumed: env });
  const { problems } = await auditProject(facts, { skip });
  assertEquals(problems.filter(({ severity }) => severity !== "info"), []);
});

Deno.test("generate resource: the pages use the kit where the layout does", async () => {
  for (const name of Object.keys(made)) {
    const part = hasKit(name) ? "ui.dataTable(" : "h.table(";
    const text = await Deno.readTextFile(join(shared(), name, "app/book-loans/page.ts"));
    assertStringIncludes(text, part);
    assertEquals(text.includes("@fw/fw/ui"), hasKit(name));
    assertEquals(text.includes("c.t("), hasLanguages(name));
  }
  const setup = await Deno.readTextFile(join(shared(), "kit/app/setup.ts"));
  for (
    const call of ["openDatabase(app)", "openBookLoans(app)", "openOrders(app)", "openPeople(app)"]
  ) {
    assertStringIncludes(setup, call);
  }
  assertEquals(
    (await listTree(join(shared(), "kit/migrations"))).slice(0, 2),
    ["0001_create_book_loans.sql", "0002_create_orders.sql"],
  );
});

Deno.test("generate resource: with Portuguese, the texts to change are named", () => {
  const text = said.get("kit-languages boxes") ?? "";
  assertStringIncludes(
    text,
    "Translate your own words in lib/box_messages.ts: Boxes, Box, Open.\n" +
      'The Portuguese texts in lib/box_messages.ts call a row "registo". Write your own word there: ' +
      "new, none, created, changed, editTitle, deleteForGood, deleted.\n",
  );
  assert(!said.get("kit boxes")?.includes("registo"));
  const page = "Translate your own words in app/loans/page.ts: Loans.\n";
  assertStringIncludes(said.get("kit-languages /loans") ?? "", page);
});

const app = {
  "app/layout.ts": "export function Layout() {}\n",
  "app/api/shelves/x/route.ts": "export function GET() {}\n",
  "app/taken/x/route.ts": "export function GET() {}\n",
  "app/members-/cards/slug_/page.ts": page,
  "lib/accounts.ts": "`create table if not exists users (`",
  "migrations/0001_a.sql": 'create table "notes" (a text);\ncreate table logs_bytes (a text);\n',
};

const refused:
  readonly (readonly [args: readonly string[], code: number, en: string, pt: string])[] = [
    [[], 2, "needs an argument", "precisa de um argumento"],
    [["events"], 2, "needs fields", "precisa de campos"],
    [["../x", "a:text"], 2, 'resource "../x"', 'recurso "../x"'],
    [["Events", "a:text"], 2, "small letters", "letras minúsculas"],
    [["__proto__", "a:text"], 2, "small letters", "letras minúsculas"],
    [["constructor", "a:text"], 2, "such as constructors", "como constructors"],
    [["event", "a:text"], 2, "such as events", "como events"],
    [["news", "a:text", "--singular", "../x"], 2, 'resource "../x"', 'recurso "../x"'],
    [["testdata", "a:text", "--singular", "x"], 2, "Choose another", "Escolha outro"],
    [["nodes", "a:text", "--form"], 2, "--form has no effect", "--form não se aplica"],
    [["node", "a:text", "--singular", "x"], 2, "Choose another", "Escolha outro"],
    [["fw_migrations", "a:text"], 2, "Choose another", "Escolha outro"],
    [["events", "title"], 2, "such as title:text", "como title:text"],
    [
      ["events", "a:txt"],
      2,
      'Types: text, long, email, url, enum, int, int64, float, number, bool, date, datetime, image, file. Did you mean "text"?',
      'Queria dizer "text"?',
    ],
    [["events", "a:constructor"], 2, "Types: text", "Tipos: text"],
    [["events", "a:text,requird"], 2, 'Did you mean "required"?', 'Queria dizer "required"?'],
    [["events", "a:text,required,required"], 2, "each once", "cada uma uma vez"],
    [["events", "a:int,email"], 2, "Rules of its type: required", "Regras do tipo: required"],
    [["events", "a:int,min=x"], 2, "min=1", "min=1"],
    [["events", "a:date,min=1"], 2, "min=2026-01-31", "min=2026-01-31"],
    [["events", 'a:enum,oneof=a"b'], 2, "oneof=draft|public", "oneof=draft|public"],
    [
      ["events", "cover:image", "score:file"],
      2,
      'Cannot generate the resource from "cover", "score": add a field that is neither an image nor a file, such as title:text,required.',
      'Não é possível gerar o recurso a partir de "cover", "score": acrescente um campo que não seja imagem nem ficheiro, como title:text,required.',
    ],
    [["events", "a:text", "b:image,max=3gb"], 2, "max=2mb", "max=2mb"],
    [["events", "a:text", "b:file,max=100mb"], 2, "max=2mb", "max=2mb"],
    [
      ["events", "a:text", "b:image,min=1"],
      2,
      "required, optional, max",
      "required, optional, max",
    ],
    [["events", "a:text", "edit:image"], 2, "edit_value", "edit_value"],
    [
      ["events", "b_type:text", "b:image"],
      2,
      '"b_type" occurs twice',
      '"b_type" aparece duas vezes',
    ],
    [["boxes", "title:text", "testdata:file"], 2, '"testdata"', '"testdata"'],
    [["boxes", "title:text", "con:image"], 2, '"con"', '"con"'],
    [["kind", "--singular", "sort", "title:text", "--api"], 2, "kind", "kind"],
    [["response", "--singular", "respond", "title:text"], 2, "response", "response"],
    [["events", "a:enum"], 2, "oneof=a|b|c", "oneof=a|b|c"],
    [["events", "a:text,eqfield=b"], 2, "eqfield=email", "eqfield=email"],
    [["events", "a:int,min=5,max=2"], 2, "min above its max", "min acima do max"],
    [["events", "a:date,required,min=2026-02-30"], 2, "No value passes", "Nenhum valor passa"],
    [["events", "__proto__:text"], 2, "first_name", "first_name"],
    [["events", "a-b:text"], 2, "first_name", "first_name"],
    [["events", "constructor:text"], 2, "constructor_value", "constructor_value"],
    [["events", "id:int"], 2, "id_value", "id_value"],
    [["events", "a:text", "A:text"], 2, '"A"', '"A"'],
    [["events", "aB:text", "ab:text"], 2, "twice", "duas vezes"],
    [["taken", "a:text", "--singular", "x"], 1, "app/taken exists", "app/taken já existe"],
    [["shelves", "a:text", "--api"], 1, "app/api/shelves exists", "app/api/shelves já existe"],
    [["cards", "a:text"], 1, "already handles /cards/{slug}", "já responde a /cards/{slug}"],
    [["users", "a:text"], 1, 'lib/accounts.ts makes a table "users"', "já cria uma tabela"],
    [["notes", "a:text"], 1, "0001_a.sql makes a table", "já cria uma tabela"],
    [["logs", "a:text", "b:file"], 1, 'a table "logs_bytes"', 'uma tabela "logs_bytes"'],
  ];

for (const [args, code, en, pt] of refused) {
  Deno.test(`generate resource ${args.join(" ")} is refused and writes nothing`, async () => {
    await inProject(app, async (cwd) => {
      const before = await listTree(cwd);
      for (const [env, text] of [[{}, en], [{ FW_LANG: "pt" }, pt]] as const) {
        const run = await runCli(["generate", "resource", ...args], { cwd, env });
        assertEquals([run.code, run.stdout], [code, ""], run.stderr);
        assertStringIncludes(run.stderr, text);
      }
      assertEquals(await listTree(cwd), before);
    });
  });
}

Deno.test("generate resource: where a file is in the way nothing is left behind", async () => {
  await inProject({ "app/page.ts": page, "views/event_form.ts": "mine" }, async (cwd) => {
    const before = await listTree(cwd);
    const run = await runCli(["generate", "resource", "events", "a:text"], { cwd });
    assertEquals(run.code, 1);
    assertStringIncludes(run.stderr, "views/event_form.ts");
    assertEquals(await listTree(cwd), before);
  });
});

for (
  const [file, text] of [["lib/database.ts", "export {};\n"], ["migrations/mod.ts", "export {};\n"]]
) {
  Deno.test(`generate resource: a ${file} of another origin is kept`, async () => {
    await inProject({ "app/page.ts": page, [file ?? ""]: text ?? "" }, async (cwd) => {
      const before = await listTree(cwd);
      for (
        const [env, part] of [[{}, "is not the one"], [{ FW_LANG: "pt" }, "não é o que"]] as const
      ) {
        const run = await runCli(["generate", "resource", "events", "a:text"], { cwd, env });
        assertEquals(run.code, 1);
        assertStringIncludes(run.stderr, part);
      }
      assertEquals(await listTree(cwd), before);
    });
  });
}

Deno.test("generate resource: a setup of another form is kept, and what it lacks is printed", async () => {
  await inProject({ "app/page.ts": page }, async (cwd) => {
    const setup = "export const Setup = () => {};\n";
    await writeFiles(cwd, { "app/setup.ts": setup });
    const run = await runCli(["generate", "resource", "events", "a:text"], { cwd });
    assertEquals(run.code, 0, run.stderr);
    assertStringIncludes(run.stdout, "app/setup.ts is yours");
    assertStringIncludes(run.stdout, "openEvents(app); // in Setup");
    assertEquals(await Deno.readTextFile(join(cwd, "app/setup.ts")), setup);
  });
});

const limited: readonly (readonly [fields: readonly string[], max: readonly string[]])[] = [
  [["a:text", "b:long"], ["255", "10000"]],
  [["a:text,max=900", "b:long,max=20"], ["900", "20"]],
  [["a:text,min=3", "b:text,min=300", "c:long,min=9000"], ["255", "600", "18000"]],
  [["a:text,len=4", "b:text,oneof=x|y", "c:email", "d:url", "e:text,email"], ["", "", "", "", ""]],
  [["a:text,max=900", "b:text,eqfield=a"], ["900", ""]],
  [["a:text,eqfield=b", "b:text,eqfield=a"], ["255", "255"]],
  [["a:int", "b:bool", "c:date", "d:float", "e:int64"], ["", "", "", "", ""]],
];
for (const [texts, max] of limited) {
  Deno.test(`parseFields: the max of ${texts.join(" ")} is ${max.join(" ")}`, () => {
    const parsed = parseFields(texts);
    assert(!("kind" in parsed));
    assertEquals(parsed.fields.map(({ rules }) => rules.get("max") ?? ""), max);
  });
}

const singulars: readonly (readonly [plural: string, one: string])[] = [
  ["events", "event"],
  ["book-loans", "book_loan"],
  ["categories", "category"],
  ["boxes", "box"],
  ["dishes", "dish"],
  ["movies", "movie"],
  ["people", "person"],
  ["keys", "key"],
];
for (const [plural, one] of singulars) {
  Deno.test(`nameResource: one of ${plural} is ${one}`, () => {
    const names = nameResource(plural);
    assertEquals(typeof names === "string" ? names : names.file, one);
  });
}

for (const type of typeNames.filter((name) => !["enum", "image", "file"].includes(name))) {
  for (const rules of ["", ",required"]) {
    Deno.test(`sampleOf: a ${type}${rules} accepts its samples`, async () => {
      const parsed = parseFields([`a:${type}${rules}`]);
      assert(!("kind" in parsed));
      const { fields } = parsed;
      for (const isOther of [false, true]) {
        assert(await isAccepted(fields, sampleOf(fields, { isOther })));
      }
    });
  }
}
