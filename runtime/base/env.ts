import { parseIp } from "./ip.ts";

/** The environment that the application runs in; `prod` by default. */
export type Env = "dev" | "prod";

/** Variables by name, such as `{ EVENTS_DB: ":memory:" }`. */
export type Variables = Readonly<Record<string, string>>;

/**
 * Reads a variable; `undefined` where it is absent or empty. `variables` win over the environment: an empty
 * one hides the environment's.
 *
 * @throws {Deno.errors.NotCapable} when the process may not read the variable.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readVariable } from "@fw/fw/addon";
 *
 * assertEquals(readVariable("SHOP", { SHOP: "one" }), "one");
 * ```
 */
export function readVariable(name: string, variables: Variables = {}): string | undefined {
  const value = Object.hasOwn(variables, name) ? variables[name] : Deno.env.get(name);
  return value === "" ? undefined : value;
}

/** Reads a variable; `undefined` also where the process may not read it, which may be what stops a boot. */
export function findVariable(name: string, variables?: Variables): string | undefined {
  try {
    return readVariable(name, variables);
  } catch {
    return undefined;
  }
}

/** Reads `FW_ENV`, in any case; throws for a typo, so that it cannot put production into development mode. */
export function parseEnv(text: string): Env {
  const env = text.trim().toLowerCase();
  if (env === "dev" || env === "prod") return env;
  throw new TypeError(`Cannot read FW_ENV "${text}": write "dev" or "prod".`);
}

function isIpv6(text: string): boolean {
  return text.includes(":") && /^[0-9a-f:.]+(?:%[\w.-]+)?$/i.test(text) &&
    parseIp(text) !== undefined;
}

function adviceOn(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\]:?$/.exec(text) ?? [];
  if (isIpv6(bracketed ?? "")) return `add the port, such as "[${bracketed}]:3000"`;
  return /:.*:/.test(text) && (isIpv6(text) || isIpv6(text.replace(/:\d*$/, "")))
    ? `put brackets around an IPv6 address, such as "[::]:3000"`
    : `write an address such as ":3000" or "127.0.0.1:3000"`;
}

export interface ListenAddress {
  readonly hostname: string;
  /** The port; 0 selects a free one. */
  readonly port: number;
}

/** Reads a listen address: `:3000`, `3000`, `127.0.0.1:3000`, `[::1]:3000`; throws for anything else. */
export function parseAddress(text: string): ListenAddress {
  const match = /^(?:(\[[^\]]+\]|[^:[\]\s/]*):)?(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[2] ?? NaN);
  const host = match?.[1] ?? "";
  const hostname = host === "" ? "0.0.0.0" : host.replace(/^\[|\]$/g, "");
  const isBracketed = host !== hostname && host !== "";
  if (match === null || port > 65_535 || (isBracketed && !isIpv6(hostname))) {
    throw new TypeError(
      `Cannot listen on "${text}": ${adviceOn(text.trim())} (config.addr; ADDR or PORT).`,
    );
  }
  return { hostname, port };
}
