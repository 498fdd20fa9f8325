import type { Handler, Method, Route } from "../mod.ts";

export function routeOf(method: Method, pattern: string, handler: Handler): Route {
  return { pattern, methods: { [method]: handler } };
}
