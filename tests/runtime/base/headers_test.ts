import { assert, assertEquals } from "@std/assert";
import { cpuMs } from "../../cpu_time.ts";
import {
  checkHeader,
  isRequestId,
  isToken,
  negotiate,
  parseTraceId,
  redirectLocation,
} from "../../../runtime/base/headers.ts";

const html = "text/html";
const json = "application/json";

const negotiated: readonly [
  header: string | null | undefined,
  offers: readonly string[],
  chosen: string | undefined,
][] = [
  [null, [html, json], html],
  [undefined, [json], json],
  ["", [html, json], html],
  ["  ", [html], html],
  ["*/*", [html, json], html],
  ["*/*;q=0.1", [html, json], html],
  [json, [html, json], json],
  ["text/*", [json, html], html],
  ["text/html;q=0.5, application/json", [html, json], json],
  ["text/html;q=0.5, application/json;q=0.5", [html, json], html],
  ["application/json, text/html", [html, json], html],
  ["application/*;q=0.9, text/html;q=0.1", [html, json], json],
  ["text/html;q=0, */*", [html, json], json],
  ["*/*, text/html;q=0", [html], undefined],
  ["text/plain", [html, json], undefined],
  ["application/json;q=0", [json], undefined],
  ["TEXT/HTML", [html], html],
  ["text/html ; q=0.3 , application/json ; Q=0.4", [html, json], json],
  ["text/html;level=1", [html], html],
  ["text/html;q=abc, application/json;q=0.1", [html, json], json],
  ["text/html;q=2, application/json;q=0.1", [html, json], json],
  ["text/html;q=-1, application/json;q=0.1", [html, json], json],
  ["text/html;q=, application/json;q=0.1", [html, json], json],
  ["text, /html, ,;;;, =", [html], undefined],
  ["application/json", ["application/json; charset=utf-8"], "application/json; charset=utf-8"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", [json, html], html],
  [null, [], undefined],
  // Quoted strings and parameters (RFC 9110, sections 5.6.4 and 12.5.1).
  ['text/html;x="a,b", application/json', [json], json],
  ['text/html;x="a;q=0", application/json;q=0.5', [json, html], html],
  ['text/html;x="\\"," , application/json', [json], json],
  ['text/html;x="unended, application/json', [json], undefined],
  [
    "text/html;level=1;q=0.9, text/html;level=2;q=0.4",
    ["text/html;level=2", "text/html;level=1"],
    "text/html;level=1",
  ],
  ["text/html;level=1;q=0, */*", [html], html],
  ["text/html;level=1", ["text/html;level=2"], undefined],
  ['text/html;charset="utf-8"', ["text/html;charset=UTF-8"], "text/html;charset=UTF-8"],
  ["text/html;LEVEL=1", ["text/html; level=1"], "text/html; level=1"],
  // The kinds of rows in the tests of the package `negotiator`.
  ["text/*, text/html;q=0", [html, "text/plain"], "text/plain"],
  ["text/*, text/plain;q=0.5", ["text/plain", html], html],
  ["*/*;q=0.1, text/html", ["image/png", html], html],
  ["text/plain, application/json;q=0.5, text/html, */*;q=0.1", ["image/gif"], "image/gif"],
  ["text/plain;q=1.000, text/html;q=0.999", [html, "text/plain"], "text/plain"],
  ...["text", "text/", "/html", "*", "*/html", "text/html/x"].map((
    malformed,
  ): [string, string[], undefined] => [malformed, [html], undefined]),
];

for (const [header, offers, chosen] of negotiated) {
  Deno.test(`negotiate ${JSON.stringify(header)} among ${offers.join(", ")}`, () => {
    assertEquals(negotiate(header, offers), chosen);
  });
}

Deno.test("negotiate ignores the part of a header beyond the length that browsers send", () => {
  const long = "x/y,".repeat(10_000);
  assertEquals(negotiate(long + json, [json]), undefined);
  assertEquals(negotiate(`${json},${long}`, [json]), json);
});

const trace = "0af7651916cd43dd8448eb211c80319c";
const span = "b7ad6b7169203331";

const traces: readonly [header: string | null, traceId: string | undefined][] = [
  [null, undefined],
  ["", undefined],
  [`00-${trace}-${span}-01`, trace],
  [`00-${trace}-${span}-00`, trace],
  [`cc-${trace}-${span}-01`, trace],
  [`cc-${trace}-${span}-01-more-to-come`, trace],
  [`00-${trace}-${span}-01-more`, undefined],
  [`ff-${trace}-${span}-01`, undefined],
  [`00-${trace.toUpperCase()}-${span}-01`, undefined],
  [`00-${"0".repeat(32)}-${span}-01`, undefined],
  [`00-${trace}-${"0".repeat(16)}-01`, undefined],
  [`00-${trace.slice(1)}-${span}-01`, undefined],
  [`00-${trace}0-${span}-01`, undefined],
  [`00-${trace}-${span}-1`, undefined],
  [`00-${trace}-${span}-0g`, undefined],
  [`00-${trace}-${span}`, undefined],
  [`0-${trace}-${span}-01`, undefined],
  [` 00-${trace}-${span}-01`, undefined],
  [`00-${trace}-${span}-01, 00-${trace}-${span}-01`, undefined],
  [`00-${trace}-${span}-01"`, undefined],
  [`cc-${trace}-${span}-01-"\n`, undefined],
  [`00_${trace}_${span}_01`, undefined],
];

for (const [header, traceId] of traces) {
  Deno.test(`parseTraceId ${JSON.stringify(header)}`, () => {
    assertEquals(parseTraceId(header), traceId);
  });
}

/** The argument, the `Location`, and its meaning in a browser at http://app.example/a/b. */
const locations: readonly [url: string, location: string, origin?: string][] = [
  ["/events", "/events"],
  ["/events?q=a b", "/events?q=a%20b"],
  ["/café", "/caf%C3%A9"],
  ["/caf%C3%A9", "/caf%C3%A9"],
  ["https://other.example/x", "https://other.example/x", "https://other.example"],
  ["relative", "relative"],
  [" /events ", "/events"],
  ["/events\n", "/events"],
  ["\u00a0/events\u00a0", "/events"],
  ["?q=1", "?q=1"],
  ["", ""],
  ["//evil.example", "/evil.example"],
  ["///evil.example", "/evil.example"],
  ["/\\evil.example", "/evil.example"],
  ["\\/evil.example", "/evil.example"],
  ["\\\\evil.example", "/evil.example"],
  ["/\t/evil.example", "/evil.example"],
  ["/\n/evil.example", "/evil.example"],
  ["/\r\n//evil.example", "/evil.example"],
  ["\t//evil.example", "/evil.example"],
  ["  //evil.example", "/evil.example"],
  ["\u00a0//evil.example", "/evil.example"],
  ["\ufeff//evil.example", "/evil.example"],
  ["\u0000//evil.example", "/evil.example"],
  ["/\u0000/evil.example", "/evil.example"],
  ["\u007f//evil.example", "/evil.example"],
  ["/\t\\\t/evil.example", "/evil.example"],
  ["/x\r\nSet-Cookie: a=1", "/xSet-Cookie:%20a=1"],
  ["/\ud800", "/%EF%BF%BD"],
  ["/%0d%0aSet-Cookie:a", "/%0d%0aSet-Cookie:a"],
  ["/%09/evil.example", "/%09/evil.example"],
  ["/.//evil.example", "/.//evil.example"],
  [".//evil.example", ".//evil.example"],
  ["\u200b//evil.example", "%E2%80%8B//evil.example"],
  ["\u3000//evil.example", "/evil.example"],
  ["./\\evil.example", "./\\evil.example"],
  ["/%2e//evil.example", "/%2e//evil.example"],
];

for (const [url, location, origin = "http://app.example"] of locations) {
  Deno.test(`redirectLocation ${JSON.stringify(url)} stays at ${origin}`, () => {
    assertEquals(redirectLocation(url, 303), location);
    assertEquals(new URL(location, "http://app.example/a/b").origin, origin);
    new Headers({ location });
  });
}

Deno.test("redirectLocation takes time linear in its input", () => {
  const startMs = cpuMs();
  for (const text of ["/", "\\", "\t", " ", "é"]) redirectLocation(text.repeat(200_000), 303);
  assert(cpuMs() - startMs < 2_000);
});

Deno.test("checkHeader takes time linear in its input", () => {
  const startMs = cpuMs();
  assertEquals(checkHeader("x-a", `\n a${"\t".repeat(200_000)}b \t`).length, 200_002);
  assert(cpuMs() - startMs < 2_000);
});

Deno.test("isToken and isRequestId accept what RFC 9110 and the log allow", () => {
  for (const text of ["a", "X-A_b.c", "!#$%&'*+-.^_`|~09"]) assert(isToken(text), text);
  for (const text of ["", "a b", "a:b", "a\n", "é", "a/b", '"']) assert(!isToken(text), text);
  for (const text of ["a", "a-b_c.d:e/f+g=h", "0".repeat(128)]) assert(isRequestId(text), text);
  const rows = ["", "a\n", "a\tb", "a b", '"', "a\\b", "{}", "<a>", "a,b", "0".repeat(129), "é"];
  for (const text of rows) assert(!isRequestId(text), text);
});
