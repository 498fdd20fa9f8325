/** The published std module, from npm; nothing that serves a request imports it. */
// @ts-types="./glob_to_regexp.d.ts"
export * from "npm:/deno-std@1.4.0/path/glob_to_regexp.js";
