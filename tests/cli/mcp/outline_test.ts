import { assertEquals } from "@std/assert";
import { outlineOf } from "../../../cli/mcp/outline.ts";

const rows: [name: string, html: string, lines: string[]][] = [
  [
    "a dialog is named by the element in aria-labelledby",
    '<h2 id="t">Delete event</h2><dialog open aria-labelledby="t"></dialog>',
    ['heading 2 "Delete event"', 'dialog "Delete event" open'],
  ],
  ["parts of a link", '<a href="/"><img alt="Logo"></a>', ['link "Logo" → /']],
  ["one id twice", '<b id="a">x</b><i id="a"></i><h2 aria-labelledby="a"></h2>', ['heading 2 "x"']],
  ["an id that is missing", '<dialog aria-labelledby="nowhere"></dialog>', ["dialog (no name)"]],
  [
    "a region is named",
    '<h2 id="t">Seats</h2><section aria-labelledby="t"></section><nav aria-label="Main"></nav>',
    ['heading 2 "Seats"', 'region "Seats"', 'navigation "Main"'],
  ],
  [
    "the controls of a paragraph are shown",
    '<p>Read <a href="/x">the rules</a> <input name="q"></p>',
    ['paragraph "Read the rules"', '  link "the rules" → /x', "  textbox (no name)"],
  ],
  [
    "a label around a select excludes its options",
    "<label>Colour <select><option>red</option></select></label>",
    ['combobox "Colour"', '  option "red"'],
  ],
];
for (const [name, html, lines] of rows) {
  Deno.test(`outlineOf: ${name}`, async () => {
    const outline = await outlineOf(`<!doctype html><title>T</title><body>${html}</body>`);
    assertEquals(outline.split("\n"), ['document "T"', ...lines.map((line) => `  ${line}`)]);
  });
}
