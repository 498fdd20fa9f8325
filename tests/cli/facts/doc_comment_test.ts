import { assert, assertEquals } from "@std/assert";
import {
  type Directive,
  parseBodyDirective,
  parseComment,
  parseQueryDirectives,
} from "../../../cli/facts/doc_comment.ts";
import { cpuMs } from "../../cpu_time.ts";

const directivesOf = (comment: string): readonly Directive[] => parseComment(comment, 1).directives;
const typeNamed = (name: string) => name === "Order" ? "typeof Order" : undefined;

const bodies: readonly [comment: string, want: string | undefined][] = [
  ["/** openapi:body string */", "string"],
  ["/**\n * openapi:body string\n */", "string"],
  ["/**\n *openapi:body Order[]\n */", undefined],
  ["/**\r\n\t*\topenapi:body  int | null \r\n */", "number | null"],
  ["/**\nopenapi:body Order */", "typeof Order"],
  ["/**\n * openapi:body Order*/", "typeof Order"],
  ["/**\n * openapi:body */", undefined],
  ["/**\n * openapi:body\n * string\n */", undefined],
  ["/**\n * See openapi:body string\n */", undefined],
];
for (const [comment, want] of bodies) {
  Deno.test(`parseBodyDirective: ${JSON.stringify(comment)}`, () => {
    assertEquals(parseBodyDirective(directivesOf(comment), typeNamed), want);
  });
}

Deno.test("parseQueryDirectives: a line each, with what follows left out", () => {
  const comment = `/**
   * Lists orders.
   * openapi:query page! integer  The page
  openapi:query q string
   * openapi:query
   * openapi:query lonely
   * openapi:query ! string
   */`;
  assertEquals(parseQueryDirectives(directivesOf(comment), typeNamed), [
    { name: "page", type: "number | string", isRequired: true },
    { name: "q", type: "string | string", isRequired: false },
  ]);
});

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
  Deno.test(`parseQueryDirectives: ${name} take no time`, () => {
    const startMs = cpuMs();
    parseQueryDirectives(directivesOf(comment), typeNamed);
    parseBodyDirective(directivesOf(comment), typeNamed);
    const tookMs = cpuMs() - startMs;
    assert(tookMs < 500, `${Math.round(tookMs)} ms`);
  });
}
