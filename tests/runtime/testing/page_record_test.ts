import { assertEquals } from "@std/assert";
import { parseHtml } from "../../../runtime/testing/html_tree.ts";
import { targetsOf } from "../../../runtime/testing/page_record.ts";

const pageUrl = "http://localhost/events?page=2";

/** A piece of HTML, and its targets without a script: `kind method path`. */
const rows: readonly (readonly [html: string, targets: readonly string[]])[] = [
  ['<a href="/x?a=1">x</a>', ["link GET /x?a=1"]],
  ['<a href="y">x</a>', ["link GET /y"]],
  ['<a href="#top">x</a><a href="?page=2#top">x</a>', []],
  ['<a href="?page=3">x</a>', ["link GET /events?page=3"]],
  ['<base href="/sub/"><a href="y">x</a>', ["link GET /sub/y"]],
  ["<a>x</a><a href>x</a>", []],
  ['<a data-ui-swap="list">x</a>', ["script GET"]],
  ['<a href="javascript:go()">x</a>', ["script GET"]],
  ['<a href="#" onclick="go()">x</a>', ["script GET"]],
  ['<a href="http://[">x</a>', []],
  ["<form></form>", ["form GET /events?page=2"]],
  ['<form method="POST" action="/x"><button>x</button></form>', ["form POST /x"]],
  ['<form method="dialog"><button>x</button></form>', []],
  [
    '<form method="post"><button formaction="?/join">x</button></form>',
    ["form POST /events?page=2", "form POST /events?/join"],
  ],
  ['<form action="/a"><button formmethod="post" formaction="/b">x</button></form>', [
    "form GET /a",
    "form POST /b",
  ]],
  ['<button type="button" hx-get="/x">x</button>', ["script GET"]],
  ['<form action="/a"><button hx-get="/x">x</button></form>', ["form GET /a"]],
  ['<div data-ui-swap="list"><a href="/x">x</a></div>', ["link GET /x"]],
  ['<div role="button" onclick="go()">x</div>', ["script GET"]],
  ['<p hidden><a data-ui-swap="x">x</a></p><template><a href="/x">x</a></template>', []],
];

for (const [html, targets] of rows) {
  Deno.test(`targetsOf: ${html}`, () => {
    const found = targetsOf(parseHtml(html), pageUrl).map(({ kind, method, url }) =>
      `${kind} ${method}${url === undefined ? "" : ` ${url.slice("http://localhost".length)}`}`
    );
    assertEquals(found, targets);
  });
}
