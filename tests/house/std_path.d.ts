export * from "@std/path";
