import { assertEquals } from "@std/assert";
import { negotiate } from "../../../runtime/base/headers.ts";

/** Lists with quoted strings and parameters (RFC 9110, sections 5.6.4 and 12.5.1). */
const rows: readonly [accept: string, offers: string[], want: string | undefined][] = [
  ['text/html;x="a,b", application/json', ["application/json"], "application/json"],
  [
    'text/html;x="a;q=0", application/json;q=0.5',
    ["application/json", "text/html"],
    "text/html",
  ],
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
];

for (const [accept, offers, want] of rows) {
  Deno.test(`negotiate ${accept}`, () => {
    assertEquals(negotiate(accept, offers), want);
  });
}
