import { assertEquals } from "@std/assert";
import ts from "npm:typescript@6.0.3";
import { privateImports } from "../../../../cli/project/sources/private_imports.ts";

/** A module that imports `a` from "./a.ts", and whether what it exports needs that. */
const rows: readonly [name: string, code: string, isNeeded: boolean][] = [
  ["nothing uses it", "export const b = 1;", false],
  ["the body of a function with a type", "export function f(): number { return a; }", false],
  ["the body of a function without a type", "export function f() { return a; }", true],
  ["the type of a function", "export function f(): a { return 1; }", true],
  ["the type of a parameter", "export function f(one: a): void {}", true],
  ["the default of a parameter", "export function f(one = a): void {}", true],
  ["an overload", "export function f(one: a): void; export function f(): void {}", true],
  ["the body of an arrow function with a type", "export const f = (): void => a();", false],
  ["the body of an arrow function without a type", "export const f = () => a();", true],
  [
    "an arrow function in a body without a type",
    "export const f = () => { const g = (): a => 1; return g; };",
    true,
  ],
  ["a constant", "export const b = a;", true],
  ["a constant that is taken apart", "export const { b } = a;", true],
  ["a class", "export class B extends a {}", true],
  ["a field", "export class B { b = a; }", true],
  ["the body of a constructor", "export class B { constructor() { a(); } }", false],
  [
    "a constructor that gives a field its type",
    "export class B { b; constructor() { this.b = a; } }",
    true,
  ],
  [
    "a constructor beside typed fields",
    "export class B { b: 1; constructor() { this.b = a; } }",
    false,
  ],
  [
    "a variable that a function gives its type",
    "export let b; export function f(): void { b = a; }",
    true,
  ],
  ["a variable with a type", "export let b: 1; export function f(): void { b = a; }", false],
  ["the body of a method with a type", "export class B { b(): void { a(); } }", false],
  ["the body of a method without a type", "export class B { b() { return a(); } }", true],
  ["the bodies of accessors", "export class B { get b(): 1 { a(); } set b(c: 1) { a(); } }", false],
  ["the body of a getter without a type", "export class B { get b() { return a; } }", true],
  ["an interface", "export interface B { readonly b: a }", true],
  ["the type of a value", "export type B = typeof a;", true],
  ["a namespace of names", "export type B = a.b.C;", true],
  ["an export", "export { a };", true],
  ["an export by another name", "export { a as b };", true],
  ["the default export", "export default a;", true],
  ["a statement", "a();", true],
  ["declarations for everything", "declare global { interface B { readonly b: a } }", true],
  ["a declaration that stays inside", "interface B { readonly b: a }", false],
  [
    "a function that only a body calls",
    "function g() { return a; } export const f = (): 1 => g();",
    false,
  ],
  ["a function that makes a constant", "function g() { return a; } export const f = g();", true],
  [
    "a type that leads to another",
    "interface B { readonly b: a } type C = B[]; export interface D { readonly c: C }",
    true,
  ],
  ["one of two constants", "const b = 1, c = a; export const d = b;", true],
  [
    "an interface in two parts",
    "interface B {} interface B { b: a } export const d = {} as B;",
    true,
  ],
];

for (const [name, code, isNeeded] of rows) {
  Deno.test(`the imports that no export needs: ${name}`, () => {
    assertEquals(read(`import { a } from "./a.ts";\n${code}\n`), isNeeded ? [] : ["./a.ts"]);
  });
}

const imports: readonly [name: string, code: string, found: readonly string[]][] = [
  ["one without names", 'import "./a.ts";', []],
  ["one with an empty list", 'import {} from "./a.ts";', []],
  ["the default", 'import a from "./a.ts";', ["./a.ts"]],
  ["all names", 'import * as a from "./a.ts";', ["./a.ts"]],
  ["types", 'import type { A } from "./a.ts";', ["./a.ts"]],
  ["another name", 'import { b as a } from "./a.ts"; export type A = a;', []],
  ["one of two names", 'import { a, b } from "./a.ts"; export type A = b;', []],
  ["all names again", 'import { a } from "./a.ts"; export * from "./a.ts";', []],
  ["twice", 'import { a } from "./a.ts"; import { b } from "./a.ts"; export type A = b;', []],
  [
    "what is named by a type as well",
    'import { a } from "./a.ts"; export type A = import("./a.ts").A;',
    [],
  ],
  [
    "what gets more declarations",
    'import { a } from "./a.ts"; declare module "./a.ts" { interface A {} }',
    [],
  ],
  ["by its type alone", 'export type A = import("./a.ts").A;', []],
];

for (const [name, code, found] of imports) {
  Deno.test(`the imports that no export needs: an import of ${name}`, () => {
    assertEquals(read(code), found);
  });
}

function read(code: string): readonly string[] {
  return [...privateImports(ts, ts.createSourceFile("m.ts", code, ts.ScriptTarget.ESNext))];
}
