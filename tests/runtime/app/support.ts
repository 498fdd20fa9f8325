import { App, createLogger } from "../../../mod.ts";
import type { AppParts, Ctx, Route, Settings } from "../../../mod.ts";

export { routeOf } from "../../routes.ts";

export type LogLine = Readonly<Record<string, unknown>>;

export interface Site {
  readonly app: App;
  readonly lines: readonly LogLine[];
  logged(message: string): LogLine[];
}

export function newSite(
  routes: readonly Route[],
  options: { readonly config?: Settings; readonly parts?: AppParts } = {},
): Site {
  const lines: LogLine[] = [];
  const logger = createLogger({
    level: "debug",
    write: (text) => {
      for (const line of text.trimEnd().split("\n")) lines.push(JSON.parse(line));
    },
  });
  const app = new App({ logger, ...options.config }, options.parts);
  for (const route of routes) app.route(route);
  return { app, lines, logged: (message) => lines.filter((line) => line["msg"] === message) };
}

export function textRoute(pattern: string, text = pattern): Route {
  return { pattern, methods: { GET: (c) => c.text(200, text) } };
}

export function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

/**
 * `c.action` of a page outside any application: the compiler checks those of the examples, which
 * are in the same program.
 */
export function anyAction(c: Ctx, name: string): string {
  const action: (name: string) => string = c.action.bind(c) as never;
  return action(name);
}

/** `c.href` for a pattern that is not a route of any application. */
export function anyHref(
  c: Ctx,
  pattern: string,
  params?: Readonly<Record<string, string | number>>,
): string {
  const href: (pattern: string, params?: Readonly<Record<string, string | number>>) => string = c
    .href.bind(c) as never;
  return params === undefined ? href(pattern) : href(pattern, params);
}
