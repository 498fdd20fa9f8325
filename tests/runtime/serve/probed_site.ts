import { assert } from "@std/assert";
import type { HealthCheck, Settings } from "../../../mod.ts";
import { newSite, type Site, textRoute, throwing } from "../app/support.ts";

export type Observability = NonNullable<Settings["observability"]>;

export const token = "0123456789abcdef".repeat(2);

/** Creates an application with checks; results are not cached unless a test says so. */
export function siteOf(
  checks: Readonly<Record<string, HealthCheck>> = {},
  options: { readonly config?: Settings; readonly observability?: Observability } = {},
): Site {
  const observability = { token, cacheForMs: 0, ...options.observability };
  const site = newSite([textRoute("/a")], { config: { ...options.config, observability } });
  for (const [name, fn] of Object.entries(checks)) site.app.check(name, fn);
  return site;
}

export interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export async function ask(site: Site, asked: Asked = {}): Promise<Answer> {
  const { path = "/_fw/health/ready", method = "GET", headers = {} } = asked;
  const shown = "token" in asked ? asked.token : token;
  const authorization = shown === undefined ? {} : { authorization: `Bearer ${shown}` };
  const response = await site.app.fetch(
    new Request(`http://localhost${path}`, { method, headers: { ...authorization, ...headers } }),
  );
  const all = Object.fromEntries(response.headers);
  return { status: response.status, headers: all, text: await response.text() };
}

/**
 * Returns the body with every duration and the uptime as -1, after checking that they are numbers.
 */
export function readReport({ text }: Answer): unknown {
  return JSON.parse(text, (key, value) => {
    if (key !== "duration_ms" && key !== "uptime_seconds") return value;
    assert(typeof value === "number" && value >= 0 && value < 10_000, `${key} ${value}`);
    return -1;
  });
}

/** The headers of every probe and of the metrics. */
export const common = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

export const failing: HealthCheck = throwing(new Error("no connection"));
