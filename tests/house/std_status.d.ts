export * from "@std/http/status";
