import type { Io } from "../io.ts";

export interface DevAddress {
  /** The host name or address; `undefined` means every interface. */
  readonly hostname: string | undefined;
  /** The port; 0 chooses a free one. */
  readonly port: number;
}

/**
 * Parses a listen address: `:3000`, `3000`, `127.0.0.1:3000`, `[::1]:3000`, `localhost:3000`. A
 * port alone is local: error pages show source code, so the network needs an explicit colon.
 *
 * @returns The address, or `undefined` for any other text.
 */
export function parseDevAddress(text: string): DevAddress | undefined {
  const match = /^(?:(\[[0-9a-fA-F:.]+(?:%[\w.-]+)?\]|[^:[\]\s/]*)(:))?(\d{1,5})$/.exec(
    text.trim(),
  );
  if (match === null) return undefined;
  const port = Number(match[3]);
  if (port > 65_535) return undefined;
  if (match[2] === undefined) return { hostname: "localhost", port };
  const host = (match[1] ?? "").replace(/^\[|\]$/g, "");
  return { hostname: host === "" ? undefined : host, port };
}

/** Reports whether a string would be an address with a lower port. */
export function isPortTooHigh(text: string): boolean {
  const lower = text.trim().replace(/\d+$/, "0");
  return parseDevAddress(text) === undefined && parseDevAddress(lower) !== undefined;
}

/** A host without a port. Other names are likelier to be a mistake than a host of this machine. */
const hostAlone = /^(?:\[[0-9a-f:.]+(?:%[\w.-]+)?\]|\d+(?:\.\d+){3}|localhost)$/i;

/**
 * Chooses the address: the flag, then the variable `ADDR`, then `localhost`. A host alone leaves the
 * port to `PORT`, or to 3000, as it does for an application.
 */
export function chooseAddress(flag: string | undefined, env: Io["env"]): string {
  const text = (flag ?? env["ADDR"])?.trim() || "localhost";
  return hostAlone.test(text) ? `${text}:${env["PORT"] || "3000"}` : text;
}

export function urlOf(address: DevAddress): string {
  const { hostname, port } = address;
  const isEvery = hostname === undefined || hostname === "0.0.0.0" || hostname === "::";
  const host = isEvery ? "localhost" : hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}`;
}
