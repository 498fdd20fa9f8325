import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { scaffoldProject } from "../../../../cli/scaffold/project.ts";
import { shareFolder } from "../../shared_folder.ts";
import { type Files, runCli, writeFiles } from "../../support.ts";
import { checkTypes } from "../../type_check.ts";

const config = scaffoldProject("app").find(({ file }) => file === "deno.json")?.text ?? "";

const head = 'import { type Ctx, href, int, type Node, struct, text } from "@fw/fw";\n' +
  'import * as h from "@fw/fw/h";\n';

/** Names, fields, queries and links; lines that must not compile are marked. */
const context: Files = {
  "app/page.ts": `${head}
export function Page(c: Ctx<"/">): Node {
  // @ts-expect-error -- no parameters
  c.param("slug");
  return h.p("home");
}
`,
  "app/events/slug_/page.ts": `${head}
const Search = struct({ q: text(), page: int() });

/** A function for any route takes the context of one. */
function heading(c: Ctx): Node {
  return h.h1(c.param("anything"));
}

export async function Page(c: Ctx<"/events/{slug}">): Promise<Node> {
  const slug: string = c.param("slug");
  const seats: number = c.param("slug", int("min=1"));
  // @ts-expect-error -- no parameter of this name
  c.param("slgu");
  // @ts-expect-error -- nor with a field
  c.param("slgu", int());
  // @ts-expect-error -- an int gives a number
  const wrong: string = c.param("slug", int());
  const { page, q } = await c.bindQuery(Search);
  const found: { page: number; q: string } = { page, q };
  return h.p(heading(c), slug, seats, wrong, found.q);
}

/** A context without a route stays as it is. */
export function POST(c: Ctx): Response {
  return c.text(200, c.param("any") + c.param("any", int("min=1")).toFixed());
}
`,
  "app/files/path__/route.ts": `${head}
export function GET(c: Ctx<"/files/{path...}">): Response {
  c.href("/", {}, { query: { q: "a", page: 2, tags: ["a"], none: undefined } });
  c.href("/events/{slug}", { slug: "a" }, { query: new URLSearchParams() });
  href("/");
  href(
    // @ts-expect-error -- an unknown pattern is blamed, whatever else is passed
    "/event/{slug}",
    { slug: "a" },
  );
  c.href(
    // @ts-expect-error -- the same with a query
    "/event/{slug}",
    { slug: "a" },
    { query: { q: "a" } },
  );
  c.href(
    // @ts-expect-error -- and without parameters
    "/event",
  );
  href("/events/{slug}", {
    // @ts-expect-error -- a wrong name of a parameter
    slgu: "a",
  });
  href("/", {
    // @ts-expect-error -- a literal path has no parameters
    slug: "a",
  });
  // @ts-expect-error -- a missing parameter
  href("/events/{slug}");
  return c.text(200, c.param("path"));
}
`,
};

/** Names of Actions; lines that must not compile are marked. */
const actions: Files = {
  "app/quiet/page.ts": `${head}
export function Page(c: Ctx<"/quiet">): Node {
  // @ts-expect-error -- this page has no Actions
  return h.form(h.action(c.action("borrow")));
}
`,
  "app/books/id_/page.ts": `${head}
import type { Actions as PageActions } from "@fw/fw";

export function Page(c: Ctx<"/books/{id}">): Node {
  // @ts-expect-error -- a name that the Actions do not have
  c.action("giveback");
  return h.form(h.action(c.action("giveBack")), h.button(h.formaction(c.action("borrow"))));
}

export const Actions = {
  borrow: (c) => c.text(200, c.param("id")),
  giveBack,
} satisfies PageActions<"/books/{id}">;

function giveBack(c: Ctx<"/books/{id}">): Node {
  return h.a(h.href(c.action("borrow")), "again");
}

/** A function for any page takes any name. */
export function anywhere(c: Ctx): string {
  // @ts-expect-error -- but one that is there
  c.action("lose");
  return c.action("borrow");
}
`,
};

/** Handlers with a wrong type. */
const handlers: Files = {
  "app/home/page.ts": `${head}export function Page(c: Ctx) {\n  return "home " + c.title;\n}\n`,
  "app/loans/id_/page.ts": `${head}
export function Page(c: Ctx<"/loans/{slug}">) {
  return h.p(c.param("slug"));
}
export const POST = async (c: Ctx) => [await c.form("a")];
`,
  "app/books/page.ts": `${head}
export const Page = () => h.p("books");
export const Actions = { lend: (c: Ctx) => 7, bringBack: (c: Ctx<"/book">) => null };
`,
  "app/api/route.ts":
    `${head}export const GET = (c: Ctx, id: number) => c.text(200, String(id));\n`,
  "lib/schema.ts": `import { type Infer, int, struct, text } from "@fw/fw";
const Event = struct({ seats: int("required"), at: struct({ city: text() }) });
const Change = Event.partial();
export const seats: number = JSON.parse("") as Infer<typeof Event>;
export const change: number = JSON.parse("") as Infer<typeof Change>;
export const sent: number = JSON.parse("") as NonNullable<typeof Event["~input"]>;
`,
};

// One project for all three, so the compiler reads the framework once.
const output = shareOutput("typed_requests", { ...context, ...actions, ...handlers });
const literalOutput = shareOutput("typed_pattern", {
  "app/events/page.ts": `${head}
export function Page(c: Ctx): Node {
  return h.p(c.href("/event/{slug}", { slug: "a" }));
}
`,
});

/** Runs `gen` and `deno check` in an app, and returns the compiler's errors. */
function shareOutput(name: string, files: Files): () => string {
  let found = "";
  shareFolder(name, async (root) => {
    await writeFiles(root, { ...files, "deno.json": config });
    assertEquals((await runCli(["gen"], { cwd: root })).code, 0);
    const { code, output } = await checkTypes([
      "fw_gen.ts",
      ...Object.keys(files).filter((path) => path.startsWith("lib/")),
    ], root);
    assertEquals(code, 1, output);
    found = output;
  });
  return () => found;
}

/**
 * Asserts that the compiler reports no error for files. Each error names its file or its handler's.
 */
function assertPasses(files: Files): void {
  assertEquals(Object.keys(files).filter((path) => output().includes(path)), [], output());
}

Deno.test("Ctx of a route: the compiler accepts only valid names, fields, queries and links", () => {
  assertPasses(context);
});

Deno.test("Ctx checks the names of Actions: those of the page, or of any page in a plain context", () => {
  assertPasses(actions);
});

Deno.test("the compiler names an unknown pattern with parameters, even if every route is literal", () => {
  assertStringIncludes(literalOutput(), `Argument of type '"/event/{slug}"' is not assignable`);
});

Deno.test('an application without the route "/" has no errors in the framework that it links', () => {
  assertEquals(literalOutput().match(/\[ERROR\]/g)?.length, 1, literalOutput());
});

Deno.test("the compiler's message on a mismatched handler names its file and the fix", () => {
  const rows = [
    "app/home/page.ts: Page returns a string: return a node such as h.p(…), or a response such as c.json(200, …)",
    'app/loans/id_/page.ts: Page takes Ctx<\\"/loans/{slug}\\">, but its route is \\"/loans/{id}\\": write Ctx<\\"/loans/{id}\\">',
    "app/loans/id_/page.ts: POST returns an array: return a node",
    'app/api/route.ts: GET takes other arguments than a handler gets: take c: Ctx<\\"/api\\"> alone',
  ];
  rows.push(
    "app/books/page.ts: Actions.lend returns a number: return a node",
    'app/books/page.ts: Actions.bringBack takes Ctx<\\"/book\\">, but its route is \\"/books\\"',
  );
  for (const row of rows) assertStringIncludes(output(), row);
  // Errors of the other files would count too.
  assert(output().includes("Found 9 errors"), "each is reported once");
});

Deno.test("the compiler's message on the value of a struct shows its members", () => {
  const rows = [
    "{ seats: number; at: { city: string; }; }",
    "{ seats?: number; at?: { city: string; } | null; }",
    "{ readonly seats: number; readonly at?: { readonly city?: string | undefined; } | undefined; }",
  ];
  for (const row of rows) assertStringIncludes(output(), `Type '${row}' is not assignable`);
});
