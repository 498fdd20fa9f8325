/** The published std module, from npm, with the declarations this project uses. */
// @ts-types="./status.d.ts"
export * from "deno-std/http/status.js";
