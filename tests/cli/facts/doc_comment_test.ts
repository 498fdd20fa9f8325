import { assert, assertEquals } from "@std/assert";
import { parseComment } from "../../../cli/facts/doc_comment.ts";
import { cpuMs } from "../../cpu_time.ts";

const directives: readonly [comment: string, want: readonly string[]][] = [
  ["/** openapi:body string */", ["body string"]],
  ["/**\n *openapi:body Order[]\n */", ["body Order[]"]],
  ["/**\r\n\t*\topenapi:body  int | null \r\n */", ["body int | null"]],
  ["/**\nopenapi:body Order*/", ["body Order"]],
  ["/**\n * openapi:body\n * string\n */", ["body "]],
  ["/**\n * See openapi:body string\n */", []],
  ["/**\n * openapi:query page! integer  The page\n * openapi:tag a\n */", [
    "query page! integer  The page",
    "tag a",
  ]],
];
for (const [comment, want] of directives) {
  Deno.test(`parseComment: reads the directives of ${JSON.stringify(comment)}`, () => {
    const found = parseComment(comment, 1).directives;
    assertEquals(found.map(({ name, text }) => `${name} ${text}`), want);
  });
}

const deprecations: readonly [comment: string, summary: string, isDeprecated: boolean][] = [
  ["/** Lists orders.\n * @deprecated Use v2.\n */", "Lists orders", true],
  ["/** Lists orders. @deprecated Use v2. */", "Lists orders", true],
  ["/** @deprecated Use v2. */", "", true],
  ["/** Lists orders, unlike `x @deprecated`. */", "Lists orders, unlike `x @deprecated`", false],
  ["/** Lists orders of @acme/shop. */", "Lists orders of @acme/shop", false],
  ['/**\n * Lists.\n * @example\n * { mail: "x @deprecated" }\n */', "Lists", false],
];
for (const [comment, summary, isDeprecated] of deprecations) {
  Deno.test(`parseComment: ${JSON.stringify(comment)}`, () => {
    const read = parseComment(comment, 1);
    assertEquals([read.summary, read.isDeprecated], [summary, isDeprecated]);
  });
}

const summaries: readonly [comment: string, want: string][] = [
  ["/** openapi:omit */", ""],
  ["/** openapi:omit It is a picture. */", ""],
  ["/**\n * POST /a\n *\n * openapi:omit\n */", ""],
  ["/**\n * Ends the session\n * openapi:omit\n */", "Ends the session"],
  ["/**\n * openapi:tag users\n * Ends the\n * session. At once.\n */", "Ends the session"],
  ["/** Reads lines that start with openapi:omit. */", "Reads lines that start with openapi:omit"],
];
for (const [comment, want] of summaries) {
  Deno.test(`parseComment: reads the summary of ${JSON.stringify(comment)}`, () =>
    assertEquals(parseComment(comment, 1).summary, want));
}

const hostile: Readonly<Record<string, string>> = {
  "blank lines": `/**${"\n".repeat(20_000)}*/`,
  "stars": `/**${"\n*".repeat(20_000)}*/`,
  "blank line separators": `/**${"\u2028".repeat(20_000)}*/`,
  "spaces behind a word": `/**\n * openapi:body a${" ".repeat(20_000)}b\u2028c\n */`,
  "spaces behind a name": `/**\n * openapi:query a${" ".repeat(20_000)}\n */`,
  "spaces before a word": `/**\n${" ".repeat(20_000)}x openapi:query a string\n */`,
  "blanks before tags": `/** a${" ".repeat(20_000)}@throws${" @throws".repeat(5_000)} */`,
  "lone marks of code": `/** ${"` @throws\n".repeat(5_000)} */`,
  "a name without an end": `/**\n * openapi:query ${"a".repeat(20_000)}\n */`,
};
for (const [name, comment] of Object.entries(hostile)) {
  Deno.test(`parseComment: reads ${name} in linear time`, () => {
    const startMs = cpuMs();
    parseComment(comment, 1);
    const tookMs = cpuMs() - startMs;
    assert(tookMs < 500, `${Math.round(tookMs)} ms`);
  });
}
