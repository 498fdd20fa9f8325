import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { FieldErrors } from "../../mod.ts";
import * as h from "../../html/mod.ts";
import type { Child } from "../../html/mod.ts";
import * as ui from "../../ui/mod.ts";

/** Returns the HTML between the label and the end of a field. */
function joined(control: Child, ...children: Child[]): string {
  const html = h.render(ui.field("a", "A", control, ...children));
  return html.slice(html.indexOf("</label>") + "</label>".length, -"</div>".length);
}

const help = '<p class="ui-help" id="a-help">Why</p>';
const error = '<p class="ui-error" id="a-error">is wrong</p>';

const rows: [name: string, html: string, want: string][] = [
  ["a sole control gets the id", joined(h.input()), '<input id="a">'],
  ["an id that fits is kept", joined(h.input(h.id("a"))), '<input id="a">'],
  ["help", joined(h.input(), ui.help("Why")), `<input id="a" aria-describedby="a-help">${help}`],
  ["text as help", joined(h.input(), "W", "hy"), `<input id="a" aria-describedby="a-help">${help}`],
  [
    "an error marks the control",
    joined(h.input(), ui.error("is wrong")),
    `<input id="a" aria-describedby="a-error" aria-invalid="true">${error}`,
  ],
  [
    "help comes before errors, in any order",
    joined(h.input(), ui.error("is wrong"), ui.help("Why")),
    `<input id="a" aria-describedby="a-help a-error" aria-invalid="true">${help}${error}`,
  ],
  [
    "several of a kind",
    joined(h.input(), ui.help("Why"), ui.help("And")),
    `<input id="a" aria-describedby="a-help a-help-2">${help}<p class="ui-help" id="a-help-2">And</p>`,
  ],
  ["nothing wrong", joined(h.input(), ui.error(undefined), undefined), '<input id="a">'],
  [
    "attributes set by the control are kept",
    joined(h.input(h.aria("describedby", "x"), h.aria("invalid", "true")), ui.help("Why")),
    `<input id="a" aria-describedby="x a-help" aria-invalid="true">${help}`,
  ],
  [
    "aria-invalid=false on the control is kept",
    joined(h.input(h.aria("invalid", "false")), ui.error("is wrong")),
    `<input id="a" aria-invalid="false" aria-describedby="a-error">${error}`,
  ],
  [
    "a select",
    joined(ui.select(h.option("x"))),
    '<select id="a" class="ui-input ui-select"><option>x</option></select>',
  ],
  [
    "a textarea whose text resembles a control",
    joined(ui.textarea("<input>")),
    '<textarea id="a" class="ui-input ui-textarea">&lt;input&gt;</textarea>',
  ],
  [
    "a control inside other elements, after a comment that contains one",
    joined(h.raw('<!-- <input> --><span title="<input>"><INPUT name=x></span>')),
    '<!-- <input> --><span title="<input>"><INPUT id="a" name=x></span>',
  ],
  [
    "values in other quotes, or without quotes",
    joined(h.raw("<input id='a' aria-describedby=x>"), ui.help("Why")),
    `<input id='a' aria-describedby="x a-help">${help}`,
  ],
  [
    "only the first control gets the attributes",
    joined([ui.input(), h.button("x")]),
    '<input id="a" class="ui-input" type="text"><button>x</button>',
  ],
];
for (const [name, html, want] of rows) Deno.test(`field: ${name}`, () => assertEquals(html, want));

Deno.test("field: the label names the control, and attributes apply to the wrapper", () => {
  const html = h.render(
    ui.field("e-mail", h.b("E"), ui.input(), h.class("x"), ui.with(ui.showWhen("a", "b"))),
  );
  assertStringIncludes(
    html,
    '<div class="ui-field x" data-ui-show-when="a=b"><label class="ui-label" for="e-mail"><b>E</b></label>',
  );
});

Deno.test("field: escapes an id from data everywhere", () => {
  const html = h.render(ui.field('a"><b>', "A", ui.input(), ui.help("x")));
  assertFalse(html.includes("<b>"));
  assertStringIncludes(html, 'for="a&quot;&gt;&lt;b&gt;"');
  assertStringIncludes(html, '<input id="a&quot;&gt;&lt;b&gt;"');
});

Deno.test("field: $ in ids is not a replacement pattern", () => {
  const html = joined(h.input(h.aria("describedby", "$&")), ui.help("Why"));
  assertStringIncludes(html, 'aria-describedby="$&amp; a-help"');
});

Deno.test("checkbox: attributes apply to the box, with() to the wrapper, and the rest is help", () => {
  const errors = new FieldErrors().add("a", "must be accepted");
  assertEquals(
    h.render(
      ui.checkbox("a", "A", h.name("a"), "Why", ui.errors(errors, "a"), ui.with(h.class("x"))),
    ),
    '<div class="ui-check x"><input class="ui-checkbox" name="a" type="checkbox" id="a"' +
      ' aria-describedby="a-help a-error" aria-invalid="true"><label class="ui-label" for="a">A</label>' +
      '<p class="ui-help" id="a-help">Why</p><p class="ui-error" id="a-error">must be accepted</p></div>',
  );
});

Deno.test("switch: renders a checkbox with the role switch", () => {
  const want = '<input class="ui-switch" role="switch" checked type="checkbox" id="a">';
  assertStringIncludes(h.render(ui.switch("a", "A", h.checked())), want);
});

Deno.test("radioGroup: has a legend, ids, a choice and messages", () => {
  const html = h.render(
    ui.radioGroup("p", { legend: "P", options: ["a", "b"], selected: "b" }, ui.error("x")),
  );
  const want = 'role="radiogroup" aria-describedby="p-group-error" aria-invalid="true">';
  assertStringIncludes(html, want);
  assertStringIncludes(html, '<legend class="ui-label">P</legend>');
  assertStringIncludes(html, '<input class="ui-radio" type="radio" id="p" name="p" value="a">');
  assertStringIncludes(html, 'id="p-2" name="p" value="b" checked>');
  assertStringIncludes(html, '<p class="ui-error" id="p-group-error">x</p></fieldset>');
});
