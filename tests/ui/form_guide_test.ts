import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { fromFileUrl } from "@std/path";
import type { Ctx, Node, Result } from "../../mod.ts";
import { testPage } from "../../runtime/testing/mod.ts";
import { newFolder } from "../new_folder.ts";

/** A beginner's handwritten version has 80 lines. */
const maxLines = 35;
const place = "// app/books/new/page.ts";

const guide = await Deno.readTextFile(fromFileUrl(new URL("../../docs/forms.md", import.meta.url)));
const start = guide.indexOf(place);
const code = guide.slice(start, guide.indexOf("\n```", start));

interface Example {
  readonly Page: (c: Ctx) => Node;
  readonly POST: (c: Ctx) => Promise<Result>;
}

/** Runs the example of the guide with an empty folder for its uploads. */
async function withExample(
  run: (at: { readonly dir: string; readonly example: Example }) => Promise<void>,
): Promise<void> {
  await using dir = await newFolder();
  await Deno.mkdir(`${dir.path}/uploads`);
  const file = `${dir.path}/page.ts`;
  await Deno.writeTextFile(file, code.replace('"uploads"', JSON.stringify(`${dir.path}/uploads`)));
  await run({ dir: dir.path, example: await import(`file://${file}`) as Example });
}

const png = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]);
const book = {
  title: "Mensagem",
  author: "Pessoa",
  year: "1934",
  genre: "poetry",
  summary: "Short.",
};

Deno.test(`docs/forms.md: the form with schema and upload has at most ${maxLines} lines of code`, () => {
  assert(start > 0, `the guide has no block "${place}"`);
  const lines = code.split("\n").map((line) => line.trim());
  assertLessOrEqual(lines.filter((line) => line !== "" && !line.startsWith("//")).length, maxLines);
});

Deno.test("docs/forms.md: the form accepts a book with its cover", async () => {
  await withExample(async ({ dir, example }) => {
    const route = { page: example.Page, methods: { POST: example.POST }, pattern: "/books/new" };
    const values = { ...book, cover: new File([png], "cover.png") };
    await testPage(route, "/books/new").submit("form", values).wantRedirect("/books");
    const saved = await Array.fromAsync(Deno.readDir(`${dir}/uploads`), ({ name }) => name);
    assertEquals(saved, ["cover.png"]);
    assertEquals(await Deno.readFile(`${dir}/uploads/cover.png`), png);
  });
});

Deno.test("docs/forms.md: a refused form is shown with the input and all messages", async () => {
  await withExample(async ({ dir, example }) => {
    const route = { page: example.Page, methods: { POST: example.POST }, pattern: "/books/new" };
    const values = { ...book, title: "", isbn: "123", cover: new File(["text"], "cover.png") };
    await testPage(route, "/books/new").submit("form", values).wantStatus(422)
      .wantContains('<a href="#title">Title is required</a>')
      .wantContains("ISBN must have exactly 13 characters")
      .wantContains('<a href="#cover">Cover must be')
      .wantContains('value="Pessoa"')
      .wantContains('<option value="poetry" selected>');
    assertEquals(await Array.fromAsync(Deno.readDir(`${dir}/uploads`)), []);
  });
});
