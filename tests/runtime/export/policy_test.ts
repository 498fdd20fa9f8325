import { nonceAttr, Off } from "../../../mod.ts";
import type { Ctx, Node, Route, SecuritySettings } from "../../../mod.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import * as h from "../../../html/mod.ts";
import { exportOnce, type Outcome } from "./support.ts";

function hashOf(code: string): string {
  return `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
}

function metasOf(html: string): { readonly policies: string[]; readonly rest: string } {
  const pattern = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g;
  return {
    policies: [...html.matchAll(pattern)].map(([, text = ""]) => text),
    rest: html.replaceAll(pattern, "{policy}"),
  };
}

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

Deno.test("policy: is the default policy without a nonce and without unsupported directives", () =>
  exportMarkup(
    "<!doctype html><html><head></head></html>",
    ({ html }) =>
      assertEquals(metasOf(html).policies, [
        "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
        "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'",
      ]),
  ));

const script = (code: string): string => `<script nonce="NONCE">${code}</script>`;
const typed = (type: string): string => `<script type=${type} nonce="NONCE">{}</script>`;
const style = `<style nonce="NONCE">a {}</style>`;
const cdn = "https://cdn.example/a.js";
const hashes = `<script src="${cdn}" integrity="sha384-abc sha512-d+/=" nonce="NONCE"></script>`;
const json = [hashOf("{}")];

/** The markup of a head, and the script sources of its policy besides 'self'. */
const scripts: readonly [name: string, markup: string, sources: string[]][] = [
  ["a script", script(`let a = "<é>";`), [hashOf('let a = "<é>";')]],
  ["a module", typed("module"), json],
  ["an import map", typed("importmap"), json],
  ["speculation rules", typed('"speculationrules"'), json],
  ["an older type", typed('"Text/JavaScript"'), json],
  ["line endings of another system", script("a\r\nb\rc"), [hashOf("a\nb\nc")]],
  ["the same twice", script("a") + script("a"), [hashOf("a")]],
  ["two", script("a") + script("b"), [hashOf("a"), hashOf("b")]],
  ["an empty one", script(""), [hashOf("")]],
  ["a style is not a script", style, []],
  ["data", typed("application/ld+json"), []],
  ["a script without a nonce", `<script>alert(1)</script>`, []],
  ["a script with another nonce", `<script nonce="abc">alert(1)</script>`, []],
  ["a script in a comment", `<!-- ${script("a")} -->`, []],
  ["a script in text", `<textarea>${script("a")}</textarea>`, []],
  ["a file of the site", `<script src="/a.js" nonce="NONCE"></script>`, []],
  ["a file of another site", `<script src="https://cdn.example/a;b.js?c" nonce="NONCE"></script>`, [
    "https://cdn.example/a%3Bb.js",
  ]],
  ["a file with its integrity hash", hashes, ["'sha384-abc'", "'sha512-d+/='", cdn]],
  ["a file of another site without a nonce", `<script src="${cdn}"></script>`, []],
  ["a preloaded module", `<link rel="modulepreload" href="${cdn}" nonce="NONCE">`, [cdn]],
];

const sheet = "https://cdn.example/a.css";
const inline: readonly (readonly [string, markup: string, directive: string, string[]])[] = [
  ...scripts.map(([name, markup, sources]) => [name, markup, "script-src", sources] as const),
  ["a style", style, "style-src", [hashOf("a {}")]],
  ["a style sheet", `<link rel="stylesheet" href="${sheet}" nonce="NONCE">`, "style-src", [sheet]],
];

for (const [name, markup, directive, sources] of inline) {
  Deno.test(`policy: allows by hash or URL: ${name}`, () =>
    exportMarkup(`<head>${markup}</head>`, ({ html }) => {
      assertEquals(directiveOf(html, directive), ["'self'", ...sources]);
    }));
}

Deno.test("policy: removes nonces from every element and changes nothing else", () =>
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

const self = "script-src 'self'; script-src-elem";
const both = `default-src ${hashOf("a")} ${hashOf("a {}")}`;
const headerOnly = "img-src *; frame-ancestors 'none'; report-uri /r; report-to r; sandbox";
const upgrade = "upgrade-insecure-requests; img-src *";

const policies: readonly [name: string, policy: string, markup: string, expected: string][] = [
  ["a nonce alone", "script-src 'nonce-NONCE'", "", "script-src 'none'"],
  ["a script's nonce", "script-src 'nonce-NONCE'", script("a"), `script-src ${hashOf("a")}`],
  ["default-src", "default-src 'nonce-NONCE'", script("a") + style, both],
  [
    "a file allowed only by the nonce",
    "script-src 'nonce-NONCE'",
    `<script src="/a.js" nonce="NONCE"></script>`,
    "script-src 'self'",
  ],
  ["script-src-elem", `${self} 'nonce-NONCE'`, script("a"), `${self} ${hashOf("a")}`],
  ["other directives with it", "img-src 'nonce-NONCE' data:", script("a"), "img-src data:"],
  ["directives that only work in a header", headerOnly, "", "img-src *"],
  ["names in capitals", "Script-Src 'nonce-NONCE'", script("a"), `script-src ${hashOf("a")}`],
  ["a directive without sources", upgrade, "", upgrade],
  ["only directives for headers", "frame-ancestors 'none'", "", ""],
];

for (const [name, header, markup, expected] of policies) {
  Deno.test(`policy: copies a response's own policy: ${name}`, () =>
    exportMarkup(`<head>${markup}</head>`, ({ html }) => {
      assertEquals(metasOf(html).policies.join("|"), expected);
    }, { header }));
}

Deno.test("policy: writes two policies as two elements", () =>
  exportMarkup(
    `<head><script nonce="NONCE">a</script></head>`,
    ({ html }) => assertEquals(metasOf(html).policies, [`script-src ${hashOf("a")}`, "img-src *"]),
    { header: "script-src 'nonce-NONCE', img-src *" },
  ));

Deno.test("policy: supports config.security.csp, cspExtra and Off", async () => {
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

/** Documents; `{policy}` marks the place of the policy in the exported one. */
const places: readonly [name: string, document: string][] = [
  [
    "after the character set",
    `<!doctype html><html lang="en"><head><meta charset="utf-8">{policy}<title>T</title><script></script>`,
  ],
  [
    "after a late character set",
    `<!doctype html><html><head><title>T</title><meta name="a"><meta charset=utf-8>{policy}<link>`,
  ],
  ["before a script", `<!doctype html><html><head>{policy}<script></script><meta charset=utf-8>`],
  [
    "before a redirect of the page",
    `<!doctype html><html><head>{policy}<meta http-equiv="refresh" content="1"><meta charset=utf-8>`,
  ],
  ["in a head without a tag", `<!DOCTYPE html>{policy}\n<title>T</title><body>`],
  ["in a document without a head", `<!doctype html><html>{policy}<body><p>`],
  ["before text", `{policy}hello <b>you</b>`],
  ["with a comment first", `<!-- c --><!doctype html><html><head>{policy}`],
];

for (const [name, document] of places) {
  Deno.test(`policy: is placed ${name}`, () =>
    exportMarkup(document.replace("{policy}", ""), ({ html }) => {
      assertEquals(metasOf(html).rest, document);
    }));
}

Deno.test("policy: escapes quotes", () =>
  exportMarkup("<head></head>", ({ html }) => {
    const [policy] = metasOf(html).policies;
    assertEquals(policy, "img-src https://a.example/?a=&quot;&amp;b");
    assert(!html.includes('"&b'));
  }, { header: 'img-src https://a.example/?a="&b' }));

Deno.test("policy: is added to error pages", () =>
  exportOnce({ routes: [] }, ({ read }) => {
    const html = read("404.html");
    const style = /<style>([^]*?)<\/style>/.exec(html)?.[1];
    assert(style !== undefined);
    assert(directiveOf(html, "style-src").includes(hashOf(style)));
  }));

Deno.test("policy: is equal in two exports of a page with nonces", () => {
  const page = (c: Ctx): Node =>
    h.main(h.script(nonceAttr(c), h.raw("a")), h.style(nonceAttr(c), h.raw("b")));
  const app = { routes: [{ pattern: "/", page }] };
  return exportOnce(app, async ({ read }, scratch) => {
    const first = read("index.html");
    assertEquals((await scratch.export(app)).read("index.html"), first);
  });
});
