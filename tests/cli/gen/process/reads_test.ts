import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { scaffoldProject } from "../../../../cli/scaffold/project.ts";
import { inProject, runCli } from "../../support.ts";
import { checkTypes } from "../../type_check.ts";

const config = scaffoldProject("app").find(({ file }) => file === "deno.json")?.text ?? "";

const schemas = `import { bool, date, int, int64, list, struct, text, texts } from "@fw/fw";
export const Place = struct({ city: text("required"), street: text() });
export const NewBook = struct({
  title: text("required,max=80"),
  pages: int("min=1"),
  isbn: int64("", { json: "isbn13" }),
  released: date(),
  tags: texts(),
  place: Place,
  second: Place.optional(),
  chapters: list(struct({ name: text("required") })),
});
export const Search = struct({ q: text("required"), page: int(), free: bool("", { form: "is_free" }) });
export const Sign = struct({ name: text("required"), home: Place });
`;

const routes = {
  "lib/schemas.ts": schemas,
  "app/api/books/route.ts": `import { type Ctx, struct, text } from "@fw/fw";
import { NewBook } from "../../../lib/schemas.ts";
import * as all from "../../../lib/schemas.ts";

/** Finds books. */
export async function GET(c: Ctx) {
  const { q } = await c.bindQuery(all.Search);
  return c.json(200, { q });
}

/** Adds a book. */
export async function POST(c: Ctx) {
  const { title, released } = await c.bindJson(NewBook);
  return c.json(201, { title, released });
}

const Hidden = struct({ title: text() });

/** Its schema has no name for other files. */
export async function PUT(c: Ctx) {
  return c.json(200, await c.bindJson(Hidden));
}
`,
  "app/api/sign/route.ts": `import { type Ctx } from "@fw/fw";
import { Sign } from "../../../lib/schemas.ts";

export const POST = async (c: Ctx) => c.json(200, await readSign(c));

async function readSign(c: Ctx) {
  return await c.bind(Sign);
}
`,
  "app/api/photo/route.ts": `import { type Ctx } from "@fw/fw";

export async function POST(c: Ctx) {
  const photo = await c.file("photo");
  return c.json(200, { caption: await c.form("caption") ?? "", size: photo.size });
}
`,
  "app/api/boxes/route.ts": `import { type Ctx, struct, text } from "@fw/fw";
import { readMore } from "../../../lib/more.ts";

export const Shown = struct({ note: text() });

/** Another file reads more of the form. */
export async function POST(c: Ctx) {
  await c.bind(Shown);
  return c.json(200, { more: await readMore(c) });
}
`,
  "lib/more.ts": `import type { Ctx } from "@fw/fw";

export async function readMore(c: Ctx): Promise<string> {
  return await c.form("more") ?? "";
}
`,
  "app/api/files/route.ts": `import { type Ctx, struct, text } from "@fw/fw";

export const Kept = struct({ note: text() });

/** The rules of a file are no part of the schema. */
export async function POST(c: Ctx) {
  const { files } = await c.tryBind(Kept, { files: { photo: {} } });
  return c.json(200, { photo: files.photo?.size ?? 0 });
}

/** Its schema is the parameter and not that of the file. */
export async function PUT(c: Ctx) {
  return c.json(200, await read(c, struct({ other: text() })));
}

async function read(c: Ctx, Kept: typeof Other) {
  return await c.bindJson(Kept);
}

const Other = struct({ other: text() });
`,
};

const use = `import { createCaller } from "@fw/fw/client";
import { type Api, newApp } from "./fw_gen.ts";

const app = await newApp({ env: "prod", secret: "0".repeat(32), logRequest: () => false });
const call = createCaller<Api>({ baseUrl: "http://localhost", fetch: (r) => app.fetch(r) });

const book = { title: "A", place: { city: "Porto" } };
const found = await call("/api/books", {
  method: "GET",
  query: { q: "x", page: 2, is_free: true },
});
const made = await call("/api/books", {
  method: "POST",
  body: { ...book, isbn13: 9007199254740993n, released: new Date(0), chapters: [{ name: "1" }] },
});
const hidden = await call("/api/books", { method: "PUT", body: { title: "any" } });
const json = await call("/api/sign", { method: "POST", body: { name: "Ada", home: { city: "Porto" } } });
const form = await call("/api/sign", { method: "POST", form: { name: "Ada", "home.city": "Porto" } });
const file = new File(["ab"], "a.txt");
const photo = await call("/api/photo", { method: "POST", form: { photo: file, caption: "Sea" } });
const whole = new FormData();
whole.append("photo", file);
await call("/api/photo", { method: "POST", body: whole });
await call("/api/files", { method: "PUT", body: { other: "x" } });
await call("/api/files", { method: "POST", form: { note: "a", photo: file } });
await call("/api/boxes", { method: "POST", form: { note: "a", more: "b" } });
console.log(JSON.stringify([
  await found.json(),
  await made.json(),
  await hidden.json(),
  (await json.json()).home.city,
  (await form.json()).home.city,
  await photo.json(),
]));

// Each line below must be an error.
export async function typeErrors(): Promise<void> {
  // @ts-expect-error The title is missing.
  await call("/api/books", { method: "POST", body: { place: { city: "Porto" } } });
  // @ts-expect-error A struct with a required field is required.
  await call("/api/books", { method: "POST", body: { title: "A" } });
  // @ts-expect-error Pages are a number.
  await call("/api/books", { method: "POST", body: { ...book, pages: "1" } });
  // @ts-expect-error The member has another name in JSON.
  await call("/api/books", { method: "POST", body: { title: "A", place: book.place, isbn: 1 } });
  // @ts-expect-error A chapter has a name.
  await call("/api/books", { method: "POST", body: { ...book, chapters: [{}] } });
  // @ts-expect-error There is no body.
  await call("/api/books", { method: "POST" });
  // @ts-expect-error A form is not read.
  await call("/api/books", { method: "POST", form: { title: "A" } });
  // @ts-expect-error The query is missing.
  await call("/api/books", { method: "GET" });
  // @ts-expect-error There is no such value.
  await call("/api/books", { method: "GET", query: { q: "x", pgae: 2 } });
  // @ts-expect-error It is a number.
  await call("/api/books", { method: "GET", query: { q: "x", page: true } });
  // @ts-expect-error A GET has no body.
  await call("/api/books", { method: "GET", query: { q: "x" }, body: {} });
  // @ts-expect-error The name is missing.
  await call("/api/sign", { method: "POST", form: { "home.city": "Porto" } });
  // @ts-expect-error In a form the name is dotted.
  await call("/api/sign", { method: "POST", form: { name: "Ada", home: { city: "Porto" } } });
}
`;

Deno.test("type Api: calls have the types that handlers read, and such calls succeed", () =>
  inProject({ ...routes, "use.ts": use, "deno.json": config }, async (root) => {
    const generated = await runCli(["gen"], { cwd: root });
    assertEquals(generated.code, 0, generated.stderr);
    const { code, output } = await checkTypes(["use.ts", "fw_gen.ts"], root);
    assertEquals(code, 0, output);
    const run = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "use.ts"],
      cwd: root,
    }).output();
    const [stdout, stderr] = [run.stdout, run.stderr].map((each) => new TextDecoder().decode(each));
    assert(run.success, stderr);
    assertEquals(JSON.parse(stdout ?? ""), [
      { q: "x" },
      { title: "A", released: "1970-01-01T00:00:00.000Z" },
      { title: "any" },
      "Porto",
      "Porto",
      { caption: "Sea", size: 2 },
    ]);
  }, { name: "reads" }));

Deno.test("type Api: leaves types open that the syntax does not show", async () => {
  const route = (body: string): string =>
    `import { type Ctx, int, key, struct, text, use } from "@fw/fw";
import { helper } from "../../lib/helper.ts";
export const Query = struct({ q: text("required"), page: int() });
export const Book = struct({ title: text() });
const Key = key<number>("n");
export async function POST(c: Ctx) {
  void helper, use, Key, Query, Book;
${body}
  return c.json(200, {});
}
`;
  const rows:
    readonly (readonly [code: string, wanted: readonly string[], not: readonly string[]])[] = [
      ["  await helper(c);", ["POST: typeof f0.POST;"], ["handler"]],
      ["  await c.bindQuery(Query); await helper(c);", ["POST: typeof f0.POST;"], ["query"]],
      ["  await c.bindJson(Book); await helper(c);", ["body: typeof f0.Book;"], ["form"]],
      ["  await c.bind(Book); await helper(c);", ["POST: typeof f0.POST;"], ["body"]],
      ["  await c.bind(Book); await c.formData();", ["POST: typeof f0.POST;"], ["body"]],
      ["  await c.bind(Book); await c.form('a');", ["POST: typeof f0.POST;"], ["body"]],
      ["  await c.bindJson(struct({}));", ["POST: typeof f0.POST;"], ["body"]],
      ["  await c.bindJson(Book); await c.bindJson(Query);", ["POST: typeof f0.POST;"], ["body"]],
      ["  void c.request.headers; await c.bindJson(Book);", ["body: typeof f0.Book;"], []],
      ["  void use(c, Key); await c.bind(Book);", ["form: typeof f0.Book;"], []],
      ["  await c.request.text();", ["POST: typeof f0.POST;"], []],
      ["  await c.bindQuery(Query); c.query('a');", ["POST: typeof f0.POST;"], ["query"]],
      ["  await c.bindQuery(Query); void c.url.search;", ["POST: typeof f0.POST;"], ["query"]],
      ["  await c.bindQuery(Query); void c.url.pathname;", ["query: typeof f0.Query;"], []],
    ];
  await inProject(
    { "deno.json": config, "lib/helper.ts": "export const helper = 1;\n" },
    async (root) => {
      await Deno.mkdir(join(root, "app/x"), { recursive: true });
      for (const [code, wanted, not] of rows) {
        await Deno.writeTextFile(join(root, "app/x/route.ts"), route(code));
        assertEquals((await runCli(["gen"], { cwd: root })).code, 0, code);
        const text = await Deno.readTextFile(join(root, "fw_gen.ts"));
        const api = text.slice(
          text.indexOf("export type Api"),
          text.indexOf("if (import.meta.main)"),
        );
        for (const part of wanted) assertStringIncludes(api, part, code);
        for (const part of not) assert(!api.includes(part), `${code}: ${part}\n${api}`);
      }
    },
  );
});
