import {
  type Incident,
  type IncidentBody,
  type IncidentField,
  maxKeptBodyBytes,
} from "../../base/observe/incident.ts";
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
const safeHeaders = (
  "accept accept-language content-language content-type fw-fragment if-match " +
  "if-modified-since if-none-match if-unmodified-since range sec-fetch-dest " +
  "sec-fetch-mode sec-fetch-site x-requested-with"
).split(" ");

/** The headers that are named when they are left out: a test without them may not fail as the request did. */
const namedHeaders = ["authorization", "cookie", "origin", "x-api-key"];

/** The longest header, path, field name and error that are kept, in characters. */
const maxHeaderChars = 1_024;
const maxPathChars = 4_096;
const maxErrorChars = 16_384;
const maxLeftOut = 50;

/** The parts that end with the request, read before its response is sent, and those that stay with its context. */
export interface FailedRequest extends Pick<Incident, "time" | "requestId" | "status" | "method"> {
  readonly c: RequestCtx;
  readonly headers: Headers;
  readonly body: RequestBody | undefined;
  readonly error: unknown;
}

interface Taken {
  readonly csrf: string;
  readonly leftOut: Set<string>;
  readonly values: Set<string>;
}

/** Builds the incident after the response is sent. */
export async function describeIncident(failed: FailedRequest): Promise<Incident> {
  const { c, time, requestId, status, method, error } = failed;
  const { field: csrf } = csrfNames(c.app.config);
  const taken: Taken = { csrf, leftOut: new Set(), values: new Set() };
  const headers = takeHeaders(failed.headers, taken);
  const path = takePath(c, taken);
  const body = await takeBody(failed, taken);
  const { leftOut, values } = taken;
  return {
    time,
    requestId,
    status,
    method,
    path,
    route: c.pattern,
    source: c.route?.source ?? "",
    headers,
    ...(body === undefined ? {} : { body }),
    leftOut: [...leftOut].slice(0, maxLeftOut),
    // Hidden before it is cut: half of a secret is not recognized.
    error: hideValues(hideSecrets(textOf(error).slice(0, maxErrorChars + 4_096)), values)
      .slice(0, maxErrorChars),
  };
}

function textOf(error: unknown): string {
  if (error === undefined) return "";
  if (error instanceof Error) return errorText(error);
  const shown = typeof error === "object" ? redactJson(showThrown(error))?.value : undefined;
  return `a handler threw ${shown ?? typeof error}`;
}

function takeHeaders(from: Headers, { leftOut, values }: Taken): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of namedHeaders) if (from.has(name)) leftOut.add(`header ${name}`);
  for (const name of safeHeaders) {
    const value = from.get(name);
    if (value === null || value.length > maxHeaderChars) continue;
    if (namesSecret(value)) leftOut.add(`header ${name}`);
    else headers[name] = hideSecrets(value);
  }
  // An error may quote a cookie, a token, or the name and the password of `Basic`.
  for (const name of ["authorization", "cookie", "x-api-key"]) {
    for (const part of (from.get(name) ?? "").split(/[;,]? +/)) {
      const value = name === "cookie" ? part.slice(part.indexOf("=") + 1) : part;
      if (value.length >= minCredentialChars) values.add(value);
    }
  }
  return headers;
}

/** The fewest characters of what a header of credentials holds: `Basic` and a cookie `dark` are none. */
const minCredentialChars = 8;

function takePath(c: RequestCtx, { leftOut, values }: Taken): string {
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
  return hideSecrets(path).slice(0, maxPathChars);
}

async function takeBody(
  { method, body }: FailedRequest,
  taken: Taken,
): Promise<IncidentBody | undefined> {
  if (body === undefined || method === "GET" || method === "HEAD") return undefined;
  const { type, declaredBytes } = body;
  if (type === undefined || declaredBytes === 0) return undefined;
  const leave = (reason: string): undefined => void taken.leftOut.add(`body: ${reason}`);
  if (type.kind === "multipart") {
    const form = await settled(body.form);
    return form === undefined ? leave("the form was not read to its end") : takeForm(form, taken);
  }
  if (type.kind === "other" && !type.essence.startsWith("text/")) {
    return leave("its type is neither text nor a form");
  }
  const { kept } = body;
  if (kept === undefined || kept === "unread") return leave("nothing had read it to its end");
  if (kept === "large") return leave(`over the limit of ${maxKeptBodyBytes} bytes`);
  const text = new TextDecoder().decode(kept);
  if (type.kind === "urlencoded") {
    return { kind: "form", fields: takeFields([...new URLSearchParams(text)], taken) };
  }
  const isJson = type.kind === "json";
  const typeHeader = body.request.headers.get("content-type");
  const shown = typeHeader === null || namesSecret(typeHeader) ? type.essence : typeHeader;
  // Scripts send JSON as plain text: without a type of its own `fetch` says so.
  const redacted = isJson || /^\s*[{[]/.test(text) ? redactJson(text) : undefined;
  if (redacted === undefined) {
    if (isJson) return leave("it is not JSON that can be searched for secrets");
    if (namesSecret(text)) return leave("a name in its text looks secret");
    return { kind: "text", type: shown, text: hideSecrets(text) };
  }
  for (const value of redacted.values) taken.values.add(value);
  for (const name of redacted.names) taken.leftOut.add(`member ${shortName(name)}`);
  return { kind: "text", type: shown, text: redacted.value };
}

async function settled<T>(promise: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await Promise.race([promise, Promise.resolve(undefined)]);
  } catch {
    return undefined;
  }
}

function takeForm(form: FormBody, taken: Taken): IncidentBody {
  for (const [name, files] of form.files) {
    for (const { size } of files) taken.leftOut.add(`file ${shortName(name)} (${size} bytes)`);
  }
  const fields = [...form.fields].flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value])
  );
  return { kind: "form", fields: takeFields(fields, taken) };
}

/** The most that the fields of a form hold together, in characters. */
const maxFieldChars = 65_536;

function takeFields(
  fields: readonly (readonly [string, string])[],
  { csrf, leftOut, values }: Taken,
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
