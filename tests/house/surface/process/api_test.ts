import { assertEquals, assertStringIncludes, fail } from "@std/assert";
import { join } from "@std/path";
import {
  describeDifference,
  readApi,
  snapshotPath,
  symbolLines,
} from "../../../../tools/api_snapshot.ts";
import type { DocSymbol } from "../../../../tools/doc_json.ts";
import { root, runDeno } from "../../../../tools/workspace.ts";

Deno.test("api: the exported surface is the recorded one", async () => {
  const recorded = await Deno.readTextFile(join(root, snapshotPath));
  const difference = describeDifference(recorded, await readApi());
  if (difference !== undefined) {
    fail(`${snapshotPath} differs: run "deno task api" and read its diff.\n${difference}`);
  }
});

async function linesOf(source: string): Promise<string[]> {
  const path = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(path, source);
    const { stdout } = await runDeno(["doc", "--json", path]);
    const modules: { symbols: DocSymbol[] }[] = Object.values(JSON.parse(stdout).nodes);
    return modules.flatMap(({ symbols }) => symbolLines(symbols));
  } finally {
    await Deno.remove(path);
  }
}

const rows: [name: string, source: string, lines: string[]][] = [
  ["a function", `export function f(a: string, b = 1): void {}`, [
    "function f(a: string, b?: number): void",
  ]],
  [
    "overloads without their implementation",
    [
      "export function f(a: string): string;",
      "export function f(a: number): number;",
      "export function f(a: unknown): unknown { return a; }",
    ].join("\n"),
    ["function f(a: string): string", "function f(a: number): number"],
  ],
  ["an interface and its members", `export interface A<T> { readonly a: T; b?(c: T): void }`, [
    "interface A<T>",
    "readonly A.a: T",
    "A.b?(c: T): void",
  ]],
  [
    "a class without its private members",
    [
      "export class A extends Map<string, number> {",
      "  #a = 1; private b = 2; protected c: number = 3;",
      "  static get d(): string { return `${this.name}`; }",
      "  constructor(a: { x: 1 }, ...b: string[]) { super(); }",
      "}",
    ].join("\n"),
    [
      "class A extends Map<string, number>",
      "protected A.c: number",
      "static get A.d(): string",
      "new A(a: { x: 1; }, ...b: string[])",
    ],
  ],
  [
    "a mapped, conditional type",
    [
      "export type A<T> = T extends (infer U)[] ? U : { [K in keyof T as `x${string & K}`]?: T[K] };",
    ].join("\n"),
    ["type A<T> = T extends (infer U)[] ? U : { [K in keyof T as `x${string & K}`]?: T[K]; }"],
  ],
  [
    "@internal is left out",
    [
      "/** @internal */ export const a: number = 1;",
      "export interface B {\n/** @internal */\nc: string;\nd: bigint }",
    ].join("\n"),
    ["interface B", "B.d: bigint"],
  ],
  ["@deprecated", `/** @deprecated Use b. */ export const a: 1 = 1;`, ["const a: 1 @deprecated"]],
  ["exported as c", `class a { b(): void {} }\nexport { a as c };`, ["class c", "c.b(): void"]],
  ["sorted by name", `export const b: 1 = 1; export const a: 1 = 1;`, ["const a: 1", "const b: 1"]],
];

for (const [name, source, lines] of rows) {
  Deno.test(`symbolLines: ${name}`, async () => assertEquals(await linesOf(source), lines));
}

Deno.test("describeDifference: nothing to say about the same text", () => {
  assertEquals(describeDifference("a\n", "a\n"), undefined);
});

Deno.test("describeDifference: removals and additions, up to the limit", () => {
  assertEquals(
    describeDifference("a\nb\n", "a\nc\nd\n", { maxLines: 2 }),
    "- b\n+ c\n… and 1 more",
  );
});

Deno.test("describeDifference: the order counts", () => {
  assertStringIncludes(describeDifference("a\nb\n", "b\na\n") ?? "", "order");
});
