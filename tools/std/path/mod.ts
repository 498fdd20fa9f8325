/** The published std package, from npm, with the declarations this project uses. */
// @ts-types="./types.d.ts"
export * from "deno-std/path/mod.js";
