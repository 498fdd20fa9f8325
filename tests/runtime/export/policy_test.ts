import { nonceAttr, Off } from "../../../mod.ts";
import type { Ctx, Node, Route, SecuritySettings } from "../../../mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import * as h from "../../../html/mod.ts";
import { exportOnce, type Outcome } from "./support.ts";

/** The source that allows a code. */
function hashOf(code: string): string {
  return `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
}

/** The policies that a page has of its own, and where they stand. */
function metasOf(html: string): { readonly policies: string[]; readonly rest: string } {
  const pattern = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g;
  return {
    policies: [...html.matchAll(pattern)].map(([, text = ""]) => text),
    rest: html.replaceAll(pattern, "{policy}"),
  };
}

/** A directive of a page's own policy. */
function directiveOf(html: string, name: string): string[] {
  const [policy = ""] = metasOf(html).policies;
  const found = policy.split("; ").find((text) => text.startsWith(`${name} `));
  return found?.split(" ").slice(1) ?? [];
}

interface Policed {
  readonly security?: SecuritySettings;
  readonly header?: string;
  readonly baseUrl?: string;
}

/** Exports one page whose markup may hold `NONCE`. */
function exportMarkup(
  markup: string,
  look: (outcome: Outcome & { readonly html: string }) => void,
  { security = {}, header, baseUrl }: Policed = {},
): Promise<void> {
  const route: Route = {
    pattern: "/",
    page: (c: Ctx) => {
      if (header !== undefined) {
        c.header("content-security-policy", header.replaceAll("NONCE", c.nonce));
      }
      return c.html(200, h.raw(markup.replaceAll("NONCE", c.nonce)));
    },
  };
  return exportOnce({
    routes: [route],
    config: { security },
    files: { "a.js": "a", "a.css": "a" },
    options: baseUrl === undefined ? {} : { baseUrl },
  }, (outcome) => look({ ...outcome, html: outcome.read("index.html") }));
}

Deno.test("policy: the default policy without a nonce and directives a page cannot carry", () =>
  exportMarkup(
    "<!doctype html><html><head></head></html>",
    ({ html }) =>
      assertEquals(metasOf(html).policies, [
        "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
        "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'",
      ]),
  ));

const inline: readonly [name: string, markup: string, directive: string, sources: string[]][] = [
  ["a script", `<script nonce="NONCE">let a = "<é>";</script>`, "script-src", [
    hashOf('let a = "<é>";'),
  ]],
  ["a module", `<script type="module" nonce="NONCE">a</script>`, "script-src", [hashOf("a")]],
  ["an import map", `<script type=importmap nonce="NONCE">{}</script>`, "script-src", [
    hashOf("{}"),
  ]],
  ["speculation rules", `<script type="speculationrules" nonce="NONCE">{}</script>`, "script-src", [
    hashOf("{}"),
  ]],
  ["an older type", `<script type="Text/JavaScript" nonce="NONCE">a</script>`, "script-src", [
    hashOf("a"),
  ]],
  ["line breaks of another system", `<script nonce="NONCE">a\r\nb\rc</script>`, "script-src", [
    hashOf("a\nb\nc"),
  ]],
  [
    "the same twice",
    `<script nonce="NONCE">a</script><script nonce="NONCE">a</script>`,
    "script-src",
    [hashOf("a")],
  ],
  ["two", `<script nonce="NONCE">a</script><script nonce="NONCE">b</script>`, "script-src", [
    hashOf("a"),
    hashOf("b"),
  ]],
  ["an empty one", `<script nonce="NONCE"></script>`, "script-src", [hashOf("")]],
  ["a style", `<style nonce="NONCE">a {}</style>`, "style-src", [hashOf("a {}")]],
  ["a style is no script", `<style nonce="NONCE">a {}</style>`, "script-src", []],
  ["data", `<script type="application/ld+json" nonce="NONCE">{}</script>`, "script-src", []],
  ["a script without nonce", `<script>alert(1)</script>`, "script-src", []],
  ["a script with another nonce", `<script nonce="abc">alert(1)</script>`, "script-src", []],
  ["a script in a comment", `<!-- <script nonce="NONCE">a</script> -->`, "script-src", []],
  ["a script in text", `<textarea><script nonce="NONCE">a</script></textarea>`, "script-src", []],
  ["a file of the site", `<script src="/a.js" nonce="NONCE"></script>`, "script-src", []],
  [
    "a file of another site",
    `<script src="https://cdn.example/a;b.js?c" nonce="NONCE"></script>`,
    "script-src",
    ["https://cdn.example/a%3Bb.js"],
  ],
  [
    "a file with its hash",
    `<script src="https://cdn.example/a.js" integrity="sha384-abc sha512-d+/=" nonce="NONCE"></script>`,
    "script-src",
    ["'sha384-abc'", "'sha512-d+/='", "https://cdn.example/a.js"],
  ],
  [
    "a file of another site without nonce",
    `<script src="https://cdn.example/a.js"></script>`,
    "script-src",
    [],
  ],
  [
    "a style sheet of another site",
    `<link rel="stylesheet" href="https://cdn.example/a.css" nonce="NONCE">`,
    "style-src",
    ["https://cdn.example/a.css"],
  ],
  [
    "a module that is fetched early",
    `<link rel="modulepreload" href="https://cdn.example/a.js" nonce="NONCE">`,
    "script-src",
    ["https://cdn.example/a.js"],
  ],
];

for (const [name, markup, directive, sources] of inline) {
  Deno.test(`policy: allows by hash or address: ${name}`, () =>
    exportMarkup(`<head>${markup}</head>`, ({ html }) => {
      assertEquals(directiveOf(html, directive), ["'self'", ...sources]);
    }));
}

Deno.test("policy: nonces are gone from every element, and nothing else is", () =>
  exportMarkup(
    `<head><script nonce="NONCE" defer src="/a.js"></script><style\n nonce='NONCE' >a</style>` +
      `<link rel=stylesheet href=/a.css nonce=NONCE></head><p nonce="other" class="x">`,
    ({ html, report }) => {
      assertStringIncludes(
        html,
        `<script defer src="/a.js"></script><style >a</style>` +
          `<link rel=stylesheet href=/a.css></head><p class="x">`,
      );
      assertEquals(report.warnings, []);
    },
  ));

Deno.test("policy: reports a nonce in the page's text", () =>
  exportMarkup(
    `<head><script nonce="NONCE">f("NONCE")</script>`,
    ({ report }) => assertEquals(report.warnings.map(({ code }) => code), ["nonce"]),
  ));

const policies: readonly [name: string, policy: string, markup: string, expected: string][] = [
  ["a nonce alone", "script-src 'nonce-NONCE'", "", "script-src 'none'"],
  [
    "a nonce that a script has",
    "script-src 'nonce-NONCE'",
    `<script nonce="NONCE">a</script>`,
    `script-src ${hashOf("a")}`,
  ],
  [
    "default-src",
    "default-src 'nonce-NONCE'",
    `<script nonce="NONCE">a</script><style nonce="NONCE">b</style>`,
    `default-src ${hashOf("a")} ${hashOf("b")}`,
  ],
  [
    "a file that only the nonce allowed",
    "script-src 'nonce-NONCE'",
    `<script src="/a.js" nonce="NONCE"></script>`,
    "script-src 'self'",
  ],
  [
    "script-src-elem",
    "script-src 'self'; script-src-elem 'nonce-NONCE'",
    `<script nonce="NONCE">a</script>`,
    `script-src 'self'; script-src-elem ${hashOf("a")}`,
  ],
  [
    "other directives with it",
    "img-src 'nonce-NONCE' data:",
    `<script nonce="NONCE">a</script>`,
    "img-src data:",
  ],
  [
    "what only a header can say",
    "img-src *; frame-ancestors 'none'; report-uri /r; report-to r; sandbox",
    "",
    "img-src *",
  ],
  [
    "names in capitals",
    "Script-Src 'nonce-NONCE'",
    `<script nonce="NONCE">a</script>`,
    `script-src ${hashOf("a")}`,
  ],
  [
    "a directive without sources",
    "upgrade-insecure-requests; img-src *",
    "",
    "upgrade-insecure-requests; img-src *",
  ],
  ["nothing but what a header can say", "frame-ancestors 'none'", "", ""],
];

for (const [name, header, markup, expected] of policies) {
  Deno.test(`policy: of an answer's own policy: ${name}`, () =>
    exportMarkup(`<head>${markup}</head>`, ({ html }) => {
      assertEquals(metasOf(html).policies.join("|"), expected);
    }, { header }));
}

Deno.test("policy: two policies are two elements", () =>
  exportMarkup(
    `<head><script nonce="NONCE">a</script></head>`,
    ({ html }) => assertEquals(metasOf(html).policies, [`script-src ${hashOf("a")}`, "img-src *"]),
    { header: "script-src 'nonce-NONCE', img-src *" },
  ));

Deno.test("policy: config.security.csp, cspExtra and Off", async () => {
  const markup = `<head><script nonce="NONCE">a</script></head>`;
  await exportMarkup(
    markup,
    ({ html }) =>
      assertEquals(metasOf(html).policies, [
        `script-src ${hashOf("a")}; img-src https://a.example`,
      ]),
    {
      security: {
        csp: "script-src 'nonce-{nonce}'",
        cspExtra: { "img-src": ["https://a.example"] },
      },
    },
  );
  await exportMarkup(markup, ({ html }) => assertEquals(metasOf(html).policies, []), {
    security: { csp: Off },
  });
});

Deno.test("policy: under strict-dynamic an address does not help, which is reported", () =>
  exportMarkup(
    `<head><script src="/a.js" nonce="NONCE"></script>` +
      `<script src="/a.js" integrity="sha256-abc" nonce="NONCE"></script></head>`,
    ({ report }) =>
      assertEquals(report.warnings.map(({ code, detail }) => [code, detail]), [
        ["policy_source", "/a.js"],
      ]),
    { header: "script-src 'nonce-NONCE' 'strict-dynamic'" },
  ));

const places: readonly [name: string, before: string, after: string][] = [
  [
    "after the character set",
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>T</title><script></script>`,
    `<!doctype html><html lang="en"><head><meta charset="utf-8">{policy}<title>T</title><script></script>`,
  ],
  [
    "after a character set that comes late",
    `<!doctype html><html><head><title>T</title><meta name="a"><meta charset=utf-8><link>`,
    `<!doctype html><html><head><title>T</title><meta name="a"><meta charset=utf-8>{policy}<link>`,
  ],
  [
    "before a script that comes first",
    `<!doctype html><html><head><script></script><meta charset=utf-8>`,
    `<!doctype html><html><head>{policy}<script></script><meta charset=utf-8>`,
  ],
  [
    "before a redirect of the page",
    `<!doctype html><html><head><meta http-equiv="refresh" content="1"><meta charset=utf-8>`,
    `<!doctype html><html><head>{policy}<meta http-equiv="refresh" content="1"><meta charset=utf-8>`,
  ],
  [
    "in a head without tag",
    `<!DOCTYPE html>\n<title>T</title><body>`,
    `<!DOCTYPE html>{policy}\n<title>T</title><body>`,
  ],
  [
    "in a document without head",
    `<!doctype html><html><body><p>`,
    `<!doctype html><html>{policy}<body><p>`,
  ],
  ["before text", `hello <b>you</b>`, `{policy}hello <b>you</b>`],
  [
    "with a comment first",
    `<!-- c --><!doctype html><html><head>`,
    `<!-- c --><!doctype html><html><head>{policy}`,
  ],
];

for (const [name, before, after] of places) {
  Deno.test(`policy: stands ${name}`, () =>
    exportMarkup(before, ({ html }) => assertEquals(metasOf(html).rest, after)));
}

Deno.test("policy: quotes in it end nothing", () =>
  exportMarkup("<head></head>", ({ html }) => {
    const [policy] = metasOf(html).policies;
    assertEquals(policy, "img-src https://a.example/?a=&quot;&amp;b");
    assert(!html.includes('"&b'));
  }, { header: 'img-src https://a.example/?a="&b' }));

Deno.test("policy: error pages have one too", () =>
  exportOnce({ routes: [] }, ({ read }) => {
    const html = read("404.html");
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1];
    assert(style !== undefined);
    assert(directiveOf(html, "style-src").includes(hashOf(style)));
  }));

Deno.test("policy: two exports of a page with nonces are equal", () => {
  const page = (c: Ctx): Node =>
    h.main(h.script(nonceAttr(c), h.raw("a")), h.style(nonceAttr(c), h.raw("b")));
  const app = { routes: [{ pattern: "/", page }] };
  return exportOnce(app, async ({ read }, scratch) => {
    const first = read("index.html");
    assertEquals((await scratch.export(app)).read("index.html"), first);
  });
});
