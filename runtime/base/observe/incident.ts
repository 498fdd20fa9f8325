import { nodeCrypto } from "../node.ts";
import { isJsonObject } from "../values.ts";

/** A field of a form; without `value` when it was left out because its name looks secret. */
export interface IncidentField {
  /** The name. */
  readonly name: string;
  /** The value. */
  readonly value?: string;
}

/** The body of a request that failed. */
export type IncidentBody =
  /** The fields of a form, URL-encoded or multipart; its files are left out. */
  | { readonly kind: "form"; readonly fields: readonly IncidentField[] }
  /** JSON or another text, with its `Content-Type`. */
  | { readonly kind: "text"; readonly type: string; readonly text: string };

/** A recorded request that ended in a 5xx, to run it again. */
export interface Incident {
  /** When it was answered, in UTC (RFC 3339). */
  readonly time: string;
  /** Its id, as the log and the error page show it. A client may have chosen it. */
  readonly requestId: string;
  /** The status of the response. */
  readonly status: number;
  /** The method. */
  readonly method: string;
  /** The path as it was sent, with its query. */
  readonly path: string;
  /** The base path that the path begins with. @default none */
  readonly basePath?: string;
  /** The template of the route, or `""`. */
  readonly route: string;
  /** The file that declares the route, or `""`. */
  readonly source: string;
  /** The headers on the list of safe ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, if it was read and may be kept. */
  readonly body?: IncidentBody;
  /** Omitted parts, a few words each. */
  readonly leftOut: readonly string[];
  /** The error with its causes; `""` if the application returned the status itself. */
  readonly error: string;
}

/** The maximum size of an incident file, in bytes. */
export const maxIncidentBytes = 1_048_576;

const fileName = /^fw-incident-(\d{13})-[0-9a-f]{8}-([0-9a-f]{32})\.json$/;

/** The parsed name of an incident's file. */
export interface IncidentName {
  /** When it was written, in milliseconds since 1970. */
  readonly timeMs: number;
  /** The digest of the request id. */
  readonly digest: string;
}

/** Returns the name of an incident's file. A client may choose the request id, so its digest is used. */
export function incidentFileName(name: IncidentName, random: string): string {
  const time = String(name.timeMs).padStart(13, "0");
  return `fw-incident-${time}-${random}-${name.digest}.json`;
}

/** Parses the name of a file; returns `undefined` for a file that is not an incident. */
export function parseIncidentName(name: string): IncidentName | undefined {
  const [, time, digest] = fileName.exec(name) ?? [];
  return time === undefined || digest === undefined ? undefined : { timeMs: Number(time), digest };
}

/** Returns the digest of a string for the name of a file: 32 hexadecimal digits of SHA-256. */
export function incidentDigest(text: string): string {
  // Loaded on first use: importing it adds 40 ms to a start (`bench/start`).
  return nodeCrypto().createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/**
 * Parses the file of an incident; `undefined` for anything else, such as an edited or truncated file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "@fw/fw/addon";
 *
 * assertEquals(parseIncident("{}"), undefined);
 * ```
 */
export function parseIncident(text: string): Incident | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isIncident(value) ? value : undefined;
}

function isIncident(value: unknown): value is Incident {
  if (!isJsonObject(value)) return false;
  const { time, requestId, method, path, basePath = "", route, source, error } = value;
  const { status, leftOut, headers, body } = value;
  return isTexts([time, requestId, method, path, basePath, route, source, error]) &&
    Number.isInteger(status) && isTexts(leftOut) &&
    isJsonObject(headers) && isTexts(Object.values(headers)) &&
    (body === undefined || isBody(body));
}

function isBody(value: unknown): value is IncidentBody {
  if (!isJsonObject(value)) return false;
  const { kind, type, text, fields } = value;
  if (kind === "text") return isTexts([type, text]);
  return kind === "form" && Array.isArray(fields) && fields.every(isField);
}

function isField(field: unknown): field is IncidentField {
  if (!isJsonObject(field)) return false;
  const { name, value = "" } = field;
  return isTexts([name, value]);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
