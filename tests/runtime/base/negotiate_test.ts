import { assertEquals } from "@std/assert";
import { negotiate } from "../../../runtime/base/headers.ts";

/** Lists with quoted strings and parameters (RFC 9110, sections 5.6.4 and 12.5.1). */
const rows: readonly [accept: string, offers: string[], want: string | undefined][] = [
  ['text/html;x="a,b", application/json', ["application/json"], "application/json"],
  ['text/html;x="a;q=0", application/json;q=0.5', ["application/json", "text/html"], "text/html"],
  ['text/html;x="\\"," , application/json', ["application/json"], "application/json"],
  ['text/html;x="unended, application/json', ["application/json"], undefined],
  ["TEXT/HTML, Application/JSON;Q=0.5", ["application/json", "text/html"], "text/html"],
  [
    "text/html;level=1;q=0.9, text/html;level=2;q=0.4",
    ["text/html;level=2", "text/html;level=1"],
    "text/html;level=1",
  ],
  ["text/html;level=1;q=0, */*", ["text/html"], "text/html"],
  ["text/html;level=1", ["text/html"], "text/html"],
  ["text/html;level=1", ["text/html;level=2"], undefined],
  ['text/html;charset="utf-8"', ["text/html;charset=UTF-8"], "text/html;charset=UTF-8"],
  // The kinds of rows that the package `negotiator` is tested with, of which one offer is chosen.
  ["", ["text/html"], "text/html"],
  ["*/*", ["application/json", "text/html"], "application/json"],
  ["text/*", ["application/json", "text/html"], "text/html"],
  ["application/json", ["text/html"], undefined],
  ["application/json;q=0", ["application/json"], undefined],
  ["application/json;q=0.2, text/html", ["application/json", "text/html"], "text/html"],
  [
    "application/json;q=0.2, text/html;q=0.1",
    ["text/html", "application/json"],
    "application/json",
  ],
  ["text/html;q=0, */*", ["text/html", "text/plain"], "text/plain"],
  ["text/*, text/html;q=0", ["text/html", "text/plain"], "text/plain"],
  ["text/*, text/plain;q=0.5", ["text/plain", "text/html"], "text/html"],
  ["*/*;q=0.1, text/html", ["image/png", "text/html"], "text/html"],
  ["text/html;LEVEL=1", ["text/html; level=1"], "text/html; level=1"],
  ["text/html, application/xhtml+xml, */*;q=0.01", ["application/xml"], "application/xml"],
  ["text/plain, application/json;q=0.5, text/html, */*;q=0.1", ["image/gif"], "image/gif"],
  ["text/plain;q=1.000, text/html;q=0.999", ["text/html", "text/plain"], "text/plain"],
  ["text/html ; q=0.5 , text/plain ; q=0.4", ["text/plain", "text/html"], "text/html"],
  [",text/html,,", ["text/html"], "text/html"],
  ["text", ["text/html"], undefined],
  ["text/", ["text/html"], undefined],
  ["/html", ["text/html"], undefined],
  ["*", ["text/html"], undefined],
  ["*/html", ["text/html"], undefined],
  ["text/html/x", ["text/html"], undefined],
];

for (const [accept, offers, want] of rows) {
  Deno.test(`negotiate ${accept}`, () => {
    assertEquals(negotiate(accept, offers), want);
  });
}
