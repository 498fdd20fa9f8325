import { assert, assertEquals, assertFalse } from "@std/assert";
import { HtmlValidate } from "npm:html-validate@11.18.0";
import * as h from "../../html/mod.ts";
import * as ui from "../../ui/mod.ts";
import { type Sample, samples } from "./samples.ts";

Deno.test("samples: cover every member of the kit", () => {
  const shown = new Set(samples.flatMap(({ shows }) => shows.split(/\s+/)));
  const members = Object.entries(ui).filter(([, value]) =>
    (typeof value === "function" || h.isNode(value)) &&
    // Placeholders can be in a form too: `list_test.ts`.
    value.constructor.name !== "AsyncFunction"
  )
    .map(([name]) => name);
  const missing = members.filter((name) => !shown.has(name));
  assertEquals(missing, [], "Add a sample of each of these members of ui/ to tests/ui/samples.ts");
});

function pageOf({ make, place = "body" }: Sample, text: string): string {
  const node = make(text);
  return h.render(h.html(
    h.lang("en"),
    h.head(h.meta(h.charset("utf-8")), h.title("Sample"), place === "head" && node),
    place === "html" ? node : h.body(place === "body" && node),
  ));
}

const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:a11y"],
  rules: {
    // The framework writes it in lowercase.
    "doctype-style": ["error", { style: "lowercase" }],
    // The samples are parts of pages.
    "heading-level": "off",
    // ui.depth passes this style to the stylesheet, which the default policy allows.
    "no-inline-style": "off",
    "prefer-native-element": ["error", { exclude: ["region", "radiogroup", "img", "group"] }],
  },
});

for (const sample of samples) {
  Deno.test(`valid HTML: ${sample.shows}`, async () => {
    const report = await validator.validateString(pageOf(sample, "Text"));
    const messages = report.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`)
    );
    assertEquals(messages, []);
  });
}

const hostile = [
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  "</script><script>alert(1)</script>",
  "<!--",
  "--><b>",
  "javascript:alert(1)",
  " JaVa\tscript:alert(1)",
  "data:text/html,<b>x",
  "&quot;&lt;b&gt;",
  "a\u0000b`c=d\n\r",
  "\ud800 \u202e 👩‍👩‍👧",
  "$& $1 $`",
  "__proto__",
];

for (const sample of samples) {
  Deno.test(`hostile text: ${sample.shows}`, () => {
    const want = structure(pageOf(sample, "x"));
    for (const text of hostile) {
      const page = pageOf(sample, text);
      assertEquals(structure(page), want, text);
      assertFalse(
        / (?:href|src|action)="\s*javascript:/i.test(page.replaceAll(/[\t\n\r]/g, "")),
        page,
      );
    }
  });
}

for (const sample of samples) {
  Deno.test(`an empty text is harmless: ${sample.shows}`, () => {
    assert(pageOf(sample, "").startsWith("<!doctype html>"));
  });
}

/** Returns the tags of a page with the names of their attributes, which no text may change. */
function structure(page: string): string[] {
  const tags = page.matchAll(/<(\/?[a-z][^\s/>]*)((?:\s+[^\s=>"']+(?:="[^"]*")?)*)\s*>/gi);
  return [...tags].map(([, name, attributes = ""]) => {
    const names = [...attributes.matchAll(/\s([^\s=>"']+)(?:="[^"]*")?/g)].map(([, found]) =>
      found
    );
    return `${name} ${names.join(" ")}`;
  });
}
