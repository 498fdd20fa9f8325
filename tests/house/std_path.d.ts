export * from "@std/path";
export * from "@std/path/posix/glob-to-regexp";
