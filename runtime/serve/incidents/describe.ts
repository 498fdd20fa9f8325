import type { Incident, IncidentBody, IncidentField } from "../../base/observe/incident.ts";
import { csrfNames } from "../../base/config/config.ts";
import { errorText, showThrown } from "../../base/diagnose/error_text.ts";
import { decodeParam, sliceQuery } from "../../base/url/path.ts";
import type { RequestBody } from "../../body/body.ts";
import type { FormBody } from "../../body/form/fields.ts";
import type { RequestCtx } from "../../request/request_ctx.ts";
import {
  hideSecrets,
  hideValues,
  isSecretName,
  namesSecret,
  redactJson,
  redactQuery,
} from "./secrets.ts";

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

const maxLeftOut = 50;

/** Builds the incident after the response is sent. */
export type Description = () => Promise<Incident>;

/** Takes from a request what is kept of it. Only what is gone with the request is read at once. */
export function describeIncident(
  c: RequestCtx,
  failure: { readonly status: number; readonly error: unknown; readonly maxBodyBytes: number },
): Description {
  const { status, error, maxBodyBytes } = failure;
  const values = new Set<string>();
  const { headers, left } = takeHeaders(c.headers, values);
  const body = c.touchedBody;
  const time = new Date().toISOString();
  const { requestId, method } = c;
  return async () => {
    const leftOut = new Set(left);
    const path = takePath(c, { leftOut, values });
    const kept = await takeBody(c, { body, maxBodyBytes, leftOut, values });
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
      // Hidden before it is cut: half of a secret is not recognized.
      error: hideValues(hideSecrets(textOf(error).slice(0, maxErrorChars + 4_096)), values)
        .slice(0, maxErrorChars),
    };
  };
}

function textOf(error: unknown): string {
  if (error === undefined) return "";
  if (error instanceof Error) return errorText(error);
  const shown = typeof error === "object" ? redactJson(showThrown(error))?.value : undefined;
  return `a handler threw ${shown ?? typeof error}`;
}

function takeHeaders(
  from: Headers,
  values: Set<string>,
): { readonly headers: Record<string, string>; readonly left: readonly string[] } {
  const headers: Record<string, string> = {};
  const left = namedHeaders.filter((name) => from.has(name));
  for (const name of safeHeaders) {
    const value = from.get(name);
    if (value === null || value.length > maxHeaderChars) continue;
    if (namesSecret(value)) left.push(name);
    else headers[name] = hideSecrets(value);
  }
  // An error may quote a cookie, a token, or the name and the password of `Basic`.
  for (const name of ["authorization", "cookie", "x-api-key"]) {
    for (const part of (from.get(name) ?? "").split(/[;,]? +/)) {
      const value = name === "cookie" ? part.slice(part.indexOf("=") + 1) : part;
      if (value.length >= minCredentialChars) values.add(value);
    }
  }
  return { headers, left: left.map((name) => `header ${name}`) };
}

/** The fewest characters of what a header of credentials holds: `Basic` and a cookie `dark` are none. */
const minCredentialChars = 8;

/** Returns the path with its query, without the parameters that look secret. */
function takePath(
  c: RequestCtx,
  { leftOut, values }: Pick<BodyParts, "leftOut" | "values">,
): string {
  const { target, route, location, pattern } = c;
  let { path } = target;
  route?.names.forEach((name, index) => {
    const capture = location?.captures?.[index];
    if (capture === undefined || capture === "" || !isSecretName(name)) return;
    leftOut.add(`parameter ${name}`);
    values.add(capture).add(decodeParam(capture));
    // Fails closed: a capture that is written otherwise in the path takes the whole path away.
    path = path.includes(capture) ? path.replaceAll(capture, "left-out") : pattern;
  });
  const query = redactQuery(sliceQuery(target.url, target.pathEnd));
  for (const name of query.names) leftOut.add(`query ${shortName(name)}`);
  for (const value of query.values) values.add(value);
  const whole = hideSecrets(path + query.value);
  if (whole.length <= maxPathChars) return whole;
  leftOut.add(`query: ${whole.length} characters are over the limit of ${maxPathChars}`);
  return path.slice(0, maxPathChars);
}

interface BodyParts {
  readonly body: RequestBody | undefined;
  readonly maxBodyBytes: number;
  readonly leftOut: Set<string>;
  /** Receives the values that were left out. */
  readonly values: Set<string>;
}

async function takeBody(c: RequestCtx, parts: BodyParts): Promise<IncidentBody | undefined> {
  const { body, leftOut, values } = parts;
  if (body === undefined || c.method === "GET" || c.method === "HEAD") return undefined;
  const { type, declaredBytes } = body;
  if (type === undefined || declaredBytes === 0) return undefined;
  const csrf = csrfNames(c.app.config).field;
  if (type.kind === "multipart") {
    const form = await settled(body.form);
    if (form !== undefined) return takeForm(form, { csrf, leftOut, values });
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
  const typeHeader = body.request.headers.get("content-type");
  return takeText(new TextDecoder().decode(kept), {
    kind: type.kind,
    type: typeHeader === null || namesSecret(typeHeader) ? type.essence : typeHeader,
    csrf,
    leftOut,
    values,
  });
}

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
    readonly values: Set<string>;
  },
): IncidentBody | undefined {
  const { kind, type, leftOut, values } = at;
  if (kind === "urlencoded") {
    const fields = [...new URLSearchParams(text)];
    return { kind: "form", fields: takeFields(fields, at) };
  }
  // Scripts send JSON as plain text: without a type of its own `fetch` says so.
  const redacted = kind === "json" || /^\s*[{[]/.test(text) ? redactJson(text) : undefined;
  if (redacted === undefined) {
    if (kind !== "json" && !namesSecret(text)) {
      return { kind: "text", type, text: hideSecrets(text) };
    }
    leftOut.add(
      kind === "json"
        ? "body: it is no JSON that can be looked through for secrets"
        : "body: a name in its text looks secret",
    );
    return undefined;
  }
  for (const value of redacted.values) values.add(value);
  for (const name of redacted.names) leftOut.add(`member ${shortName(name)}`);
  return { kind: "text", type, text: redacted.value };
}

function takeForm(
  form: FormBody,
  at: FieldParts,
): IncidentBody {
  for (const [name, files] of form.files) {
    for (const { size } of files) at.leftOut.add(`file ${shortName(name)} (${size} bytes)`);
  }
  const fields = [...form.fields].flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value])
  );
  return { kind: "form", fields: takeFields(fields, at) };
}

interface FieldParts extends Pick<BodyParts, "leftOut" | "values"> {
  readonly csrf: string;
}

/** The most that the fields of a form hold together, in characters. */
const maxFieldChars = 65_536;

function takeFields(
  fields: readonly (readonly [string, string])[],
  { csrf, leftOut, values }: FieldParts,
): IncidentField[] {
  const kept: IncidentField[] = [];
  let chars = 0;
  for (const [name, value] of fields) {
    // The token is of one browser; a test sends its own.
    if (name === csrf) {
      values.add(value);
      continue;
    }
    chars += name.length + value.length;
    if (chars > maxFieldChars) {
      leftOut.add(`fields beyond ${maxFieldChars} characters`);
      break;
    }
    if (namesSecret(name)) {
      // JSON with the type of a form: all of it is the name of a field.
      leftOut.add("a field whose name holds a value");
      values.add(value);
    } else if (isSecretName(name) || namesSecret(value)) {
      leftOut.add(`field ${shortName(name)}`);
      values.add(value);
      kept.push({ name });
    } else kept.push({ name, value: hideSecrets(value) });
  }
  return kept;
}

function shortName(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
