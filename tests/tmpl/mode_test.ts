import { assertEquals, assertThrows } from "@std/assert";
import { must, node, parse, text } from "../../tmpl/mod.ts";

const views = must({
  "a.html": "<p>{{.}}",
  "b.gohtml": "{{.}}",
  "c.txt": "{{.}}",
  "d.txt.tmpl": "{{.}}",
});

for (const name of ["a.html", "b.gohtml"]) {
  Deno.test(`text refuses ${name}, which would be written unescaped`, () => {
    const message = `Cannot render "${name}" as plain text: its name says HTML; ` +
      "use node, whose render() returns the HTML of a mail.";
    assertThrows(() => text(views, name, "<"), TypeError, message);
    assertEquals(node(views, name, "<").render().slice(-4), "&lt;");
  });
}

for (const name of ["c.txt", "d.txt.tmpl"]) {
  Deno.test(`node refuses ${name}, which would be escaped as HTML`, () => {
    const message = `Cannot render "${name}" as HTML: its name says plain text; use text.`;
    assertThrows(() => node(views, name, "<"), TypeError, message);
    assertEquals(text(views, name, "<"), "<");
  });
}

Deno.test("a name without an extension is rendered in either mode", () => {
  const set = parse("{{.}}", { name: "main" });
  assertEquals([node(set, "main", "<").render(), text(set, "main", "<")], ["&lt;", "<"]);
});
