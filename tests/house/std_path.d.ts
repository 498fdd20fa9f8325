export * from "@std/path";
export * from "@std/path/glob-to-regexp";
