import type { Incident, IncidentBody, IncidentField } from "../../base/incident.ts";
import { csrfNames } from "../../base/config/config.ts";
import { errorText } from "../../base/diagnose/error_text.ts";
import { sliceQuery } from "../../base/url/path.ts";
import type { RequestBody } from "../../body/body.ts";
import type { FormBody } from "../../body/form/fields.ts";
import type { Exchange } from "../../request/exchange.ts";
import { hideSecrets, isSecretName, redactJson, redactQuery } from "./secrets.ts";

/** The request headers that are kept: what handlers decide by, and what can hold no secret. */
const safeHeaders = [
  "accept",
  "accept-language",
  "content-language",
  "content-type",
  "fw-fragment",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-unmodified-since",
  "range",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
  "x-requested-with",
];

/** The headers that are named when they are left out: a test without them may not fail as the request did. */
const namedHeaders = ["authorization", "cookie", "origin", "x-api-key"];

/** The longest header, path, field name and error that are kept, in characters. */
const maxHeaderChars = 1_024;
const maxPathChars = 4_096;
const maxErrorChars = 16_384;

/** The most entries of what was left out. */
const maxLeftOut = 50;

/** What is left to be done once the response is on its way. */
export type Description = () => Promise<Incident>;

/**
 * Takes from a request what is kept of it. Only what is gone with the request is read at once.
 *
 * @param c The request, answered.
 * @param failure The status, the error, and how many bytes of the body were kept at most.
 * @returns A function that does the rest.
 */
export function describeIncident(
  c: Exchange,
  failure: { readonly status: number; readonly error: unknown; readonly maxBodyBytes: number },
): Description {
  const { status, error, maxBodyBytes } = failure;
  const { headers, left } = takeHeaders(c.headers);
  const body = c.touchedBody;
  const time = new Date().toISOString();
  const { requestId, method } = c;
  return async () => {
    const leftOut = new Set(left);
    const path = takePath(c, leftOut);
    const kept = await takeBody(c, { body, maxBodyBytes, leftOut });
    return {
      time,
      requestId,
      status,
      method,
      path,
      route: c.pattern,
      source: c.route?.source ?? "",
      headers,
      ...(kept === undefined ? {} : { body: kept }),
      leftOut: [...leftOut].slice(0, maxLeftOut),
      error: hideSecrets(textOf(error).slice(0, maxErrorChars)),
    };
  };
}

function textOf(error: unknown): string {
  if (error === undefined) return "";
  return error instanceof Error ? errorText(error) : `a handler threw ${typeof error}`;
}

function takeHeaders(
  from: Headers,
): { readonly headers: Record<string, string>; readonly left: readonly string[] } {
  const headers: Record<string, string> = {};
  for (const name of safeHeaders) {
    const value = from.get(name);
    if (value !== null && value.length <= maxHeaderChars) headers[name] = hideSecrets(value);
  }
  const left = namedHeaders.filter((name) => from.has(name)).map((name) => `header ${name}`);
  return { headers, left };
}

/** Returns the path with its query, without the parameters that look secret. */
function takePath(c: Exchange, leftOut: Set<string>): string {
  const { target, route, location, pattern } = c;
  let { path } = target;
  route?.names.forEach((name, index) => {
    const capture = location?.captures?.[index];
    if (capture === undefined || capture === "" || !isSecretName(name)) return;
    leftOut.add(`parameter ${name}`);
    // Fails closed: a capture that is written otherwise in the path takes the whole path away.
    path = path.includes(capture) ? path.replaceAll(capture, "left-out") : pattern;
  });
  const query = redactQuery(sliceQuery(target.url, target.pathEnd));
  for (const name of query.names) leftOut.add(`query ${shortName(name)}`);
  const whole = hideSecrets(path + query.value);
  if (whole.length <= maxPathChars) return whole;
  leftOut.add(`query: ${whole.length} characters are over the limit of ${maxPathChars}`);
  return path.slice(0, maxPathChars);
}

interface BodyParts {
  readonly body: RequestBody | undefined;
  readonly maxBodyBytes: number;
  readonly leftOut: Set<string>;
}

async function takeBody(c: Exchange, parts: BodyParts): Promise<IncidentBody | undefined> {
  const { body, leftOut } = parts;
  if (body === undefined || c.method === "GET" || c.method === "HEAD") return undefined;
  const { type, declaredBytes } = body;
  if (type === undefined || declaredBytes === 0) return undefined;
  const csrf = csrfNames(c.app.config).field;
  if (type.kind === "multipart") {
    const form = await settled(body.form);
    if (form !== undefined) return takeForm(form, { csrf, leftOut });
    leftOut.add("body: the form was not read to its end");
    return undefined;
  }
  if (type.kind === "other" && !type.essence.startsWith("text/")) {
    leftOut.add("body: its type is no text and no form");
    return undefined;
  }
  const { kept } = body;
  if (kept === undefined || kept === "unread") {
    leftOut.add("body: nothing had read it to its end");
    return undefined;
  }
  if (kept === "large") {
    leftOut.add(`body: over the limit of ${parts.maxBodyBytes} bytes`);
    return undefined;
  }
  return takeText(new TextDecoder().decode(kept), {
    kind: type.kind,
    type: body.request.headers.get("content-type") ?? type.essence,
    csrf,
    leftOut,
  });
}

/** Returns what a promise has given already. */
async function settled<T>(promise: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await Promise.race([promise, Promise.resolve(undefined)]);
  } catch {
    return undefined;
  }
}

function takeText(
  text: string,
  at: {
    readonly kind: string;
    readonly type: string;
    readonly csrf: string;
    readonly leftOut: Set<string>;
  },
): IncidentBody | undefined {
  const { kind, type, leftOut } = at;
  if (kind === "urlencoded") {
    const fields = [...new URLSearchParams(text)];
    return { kind: "form", fields: takeFields(fields, at) };
  }
  if (kind !== "json") return { kind: "text", type, text: hideSecrets(text) };
  const redacted = redactJson(text);
  if (redacted === undefined) {
    leftOut.add("body: it is no JSON that can be looked through for secrets");
    return undefined;
  }
  for (const name of redacted.names) leftOut.add(`member ${shortName(name)}`);
  return { kind: "text", type, text: redacted.value };
}

function takeForm(
  form: FormBody,
  at: { readonly csrf: string; readonly leftOut: Set<string> },
): IncidentBody {
  for (const [name, files] of form.files) {
    for (const { size } of files) at.leftOut.add(`file ${shortName(name)} (${size} bytes)`);
  }
  const fields = [...form.fields].flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value])
  );
  return { kind: "form", fields: takeFields(fields, at) };
}

/** The most that the fields of a form hold together, in characters. */
const maxFieldChars = 65_536;

function takeFields(
  fields: readonly (readonly [string, string])[],
  { csrf, leftOut }: { readonly csrf: string; readonly leftOut: Set<string> },
): IncidentField[] {
  const kept: IncidentField[] = [];
  let chars = 0;
  for (const [name, value] of fields) {
    // The token is of one browser; a test sends its own.
    if (name === csrf) continue;
    chars += name.length + value.length;
    if (chars > maxFieldChars) {
      leftOut.add(`fields beyond ${maxFieldChars} characters`);
      break;
    }
    if (isSecretName(name)) {
      leftOut.add(`field ${shortName(name)}`);
      kept.push({ name });
    } else kept.push({ name, value: hideSecrets(value) });
  }
  return kept;
}

function shortName(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
