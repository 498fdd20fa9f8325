import type { Incident, IncidentBody, IncidentField } from "../../base/observe/incident.ts";
import { csrfNames } from "../../base/config/config.ts";
import { errorText, showThrown } from "../../base/diagnose/error_text.ts";
import { decodeParam, sliceQuery } from "../../base/url/path.ts";
import type { RequestBody } from "../../body/body.ts";
import type { RequestCtx } from "../../request/request_ctx.ts";
import {
  hideSecrets,
  isSecretName,
  leftOutText,
  maxKeptBodyBytes,
  namesSecret,
} from "./secrets.ts";

/** The request headers that are kept: handlers decide by them, and they contain no secret. */
const safeHeaders = (
  "accept accept-language content-language content-type fw-fragment if-match " +
  "if-modified-since if-none-match if-unmodified-since range sec-fetch-dest " +
  "sec-fetch-mode sec-fetch-site x-requested-with"
).split(" ");

/** The headers reported as omitted: without them, a test may not fail as the request did. */
const namedHeaders = ["authorization", "cookie", "origin", "x-api-key"];

/** The maximum length of a kept header, path and error, in characters. */
const maxHeaderChars = 1_024;
const maxPathChars = 4_096;
const maxErrorChars = 16_384;
const maxLeftOut = 50;

/** The minimum length of a credential in a header: `Basic` and a cookie `dark` are not credentials. */
const minCredentialChars = 8;

/** The parts of a request that must be read before its response is sent, and its context. */
export interface FailedRequest extends Pick<Incident, "time" | "requestId" | "status" | "method"> {
  readonly c: RequestCtx;
  readonly headers: Headers;
  readonly body: RequestBody | undefined;
  readonly error: unknown;
}

/** Builds the incident after the response is sent. */
export async function describeIncident(failed: FailedRequest): Promise<Incident> {
  const { c, time, requestId, status, method } = failed;
  const redaction = new Redaction();
  const headers = takeHeaders(failed.headers, redaction);
  const path = takePath(c, redaction);
  const body = await takeBody(failed, redaction);
  // Redacted before truncation, because half of a secret is not recognised.
  const error = redaction.error(textOf(failed.error).slice(0, maxErrorChars + 4_096));
  return {
    time,
    requestId,
    status,
    method,
    path,
    ...(c.base === "" ? {} : { basePath: c.base }),
    route: c.pattern,
    source: c.route?.source ?? "",
    headers,
    ...(body === undefined ? {} : { body }),
    leftOut: [...redaction.leftOut].slice(0, maxLeftOut),
    error: error.slice(0, maxErrorChars),
  };
}

function textOf(error: unknown): string {
  if (error === undefined) return "";
  if (error instanceof Error) return errorText(error);
  const shown = typeof error === "object" ? new Redaction().json(showThrown(error)) : undefined;
  return `a handler threw ${shown ?? typeof error}`;
}

function takeHeaders(from: Headers, redaction: Redaction): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of namedHeaders) if (from.has(name)) redaction.leave(`header ${name}`);
  for (const name of safeHeaders) {
    const value = from.get(name);
    if (value === null || value.length > maxHeaderChars) continue;
    if (namesSecret(value)) redaction.leave(`header ${name}`);
    else headers[name] = hideSecrets(value);
  }
  // An error may quote a cookie, a token, or the name and the password of `Basic`.
  for (const name of ["authorization", "cookie", "x-api-key"]) {
    for (const part of (from.get(name) ?? "").split(/[;,]? +/)) {
      const value = name === "cookie" ? part.slice(part.indexOf("=") + 1) : part;
      if (value.length >= minCredentialChars) redaction.hide(value);
    }
  }
  return headers;
}

function takePath({ target, route, location, pattern }: RequestCtx, redaction: Redaction): string {
  let { path } = target;
  route?.names.forEach((name, index) => {
    const capture = location?.captures?.[index];
    if (capture === undefined || capture === "" || !isSecretName(name)) return;
    redaction.leave(`parameter ${name}`, capture, decodeParam(capture));
    // Fails closed: if the capture has another spelling in the path, the whole path is replaced.
    path = path.includes(capture) ? path.replaceAll(capture, "left-out") : pattern;
  });
  const whole = hideSecrets(path + redaction.query(sliceQuery(target.url, target.pathEnd)));
  if (whole.length <= maxPathChars) return whole;
  redaction.leave(`query: ${whole.length} characters are over the limit of ${maxPathChars}`);
  return hideSecrets(path).slice(0, maxPathChars);
}

async function takeBody(
  { c, method, body }: FailedRequest,
  redaction: Redaction,
): Promise<IncidentBody | undefined> {
  if (body === undefined || method === "GET" || method === "HEAD") return undefined;
  const { type, declaredBytes, kept } = body;
  if (type === undefined || declaredBytes === 0) return undefined;
  const { kind, essence } = type;
  const { field: csrf } = csrfNames(c.app.config);
  const leave = (reason: string): undefined => void redaction.leave(`body: ${reason}`);
  if (kind === "multipart") {
    const form = await Promise.race([body.form, undefined]).catch(() => undefined);
    if (form === undefined) return leave("the form was not read to its end");
    for (const [name, files] of form.files) {
      for (const { size } of files) redaction.leave(`file ${shortName(name)} (${size} bytes)`);
    }
    const fields = [...form.fields].flatMap(([name, values]) =>
      values.map((value) => [name, value] as const)
    );
    return { kind: "form", fields: redaction.fields(fields, csrf) };
  }
  if (kind === "other" && !essence.startsWith("text/")) {
    return leave("its type is neither text nor a form");
  }
  if (kept === undefined || kept === "unread") return leave("it was not read to its end");
  if (kept === "large") return leave(`over the limit of ${maxKeptBodyBytes} bytes`);
  const text = new TextDecoder().decode(kept);
  if (kind === "urlencoded") {
    return { kind: "form", fields: redaction.fields(new URLSearchParams(text), csrf) };
  }
  const typeHeader = body.request.headers.get("content-type");
  const shown = typeHeader === null || namesSecret(typeHeader) ? essence : typeHeader;
  // `fetch` sends JSON strings as plain text unless a type is set.
  const json = kind === "json" || /^\s*[{[]/.test(text) ? redaction.json(text) : undefined;
  if (json !== undefined) return { kind: "text", type: shown, text: json };
  if (kind === "json") return leave("it is not JSON that can be searched for secrets");
  if (namesSecret(text)) return leave("a name in its text looks secret");
  return { kind: "text", type: shown, text: hideSecrets(text) };
}

const minValueChars = 4;
const namelessParameter = "a parameter without a value";

/** The maximum total length of the fields of a form, in characters. */
const maxFieldChars = 65_536;

/** Removes secrets from the parts of a request and records what it omitted. */
export class Redaction {
  /** The omitted parts, a few words each. */
  readonly leftOut = new Set<string>();
  readonly #values = new Set<string>();

  leave(part: string, ...values: readonly string[]): void {
    this.leftOut.add(part);
    this.hide(...values);
  }

  /** Records values that an error must not repeat. */
  hide(...values: readonly string[]): void {
    for (const value of values) this.#values.add(value);
  }

  /** Removes omitted values from an error, which often quotes the value that it refuses. */
  error(text: string): string {
    let hidden = hideSecrets(text);
    // The longest first, so that a value inside another one does not split it.
    for (const value of [...this.#values].sort((a, b) => b.length - a.length)) {
      if (value.length >= minValueChars) hidden = hidden.replaceAll(value, leftOutText);
    }
    return hidden;
  }

  /** Removes parameters whose names or values look secret; the others stay unchanged. */
  query(query: string): string {
    const pieces = query.slice(1).split("&").map((piece) => {
      const equals = piece.indexOf("=");
      const name = decode(equals < 0 ? "" : piece.slice(0, equals));
      const value = decode(piece.slice(equals + 1));
      // A name that contains a secret is treated as a value.
      const isNameless = clean(name) !== name || (equals < 0 && isSecretName(value));
      if (!isNameless && !isSecretName(name) && clean(value) === value) return piece;
      const isNamed = equals >= 0 && !isNameless;
      this.leave(`query ${shortName(isNamed ? name : namelessParameter)}`, value);
      return isNamed ? `${piece.slice(0, equals)}=left-out` : "left-out";
    });
    return query === "" ? "" : `?${pieces.join("&")}`;
  }

  fields(fields: Iterable<readonly [name: string, value: string]>, csrf: string): IncidentField[] {
    const kept: IncidentField[] = [];
    let chars = 0;
    for (const [name, value] of fields) {
      // The token belongs to one browser; a test sends its own.
      if (name === csrf) {
        this.hide(value);
        continue;
      }
      chars += name.length + value.length;
      if (chars > maxFieldChars) {
        this.leave(`fields beyond ${maxFieldChars} characters`);
        break;
      }
      // JSON with the type of a form: the parser reads all of it as a field name.
      if (namesSecret(name)) this.leave("a field whose name holds a value", value);
      else if (isSecretName(name) || namesSecret(value)) {
        this.leave(`field ${shortName(name)}`, value);
        kept.push({ name });
      } else kept.push({ name, value: hideSecrets(value) });
    }
    return kept;
  }

  /** Removes members whose names look secret; `undefined` if the value cannot be searched for them. */
  json(text: string): string | undefined {
    const left: (readonly [part: string, ...values: string[]])[] = [];
    const leave = (name: string, member: unknown): unknown => {
      left.push([`member ${shortName(name)}`, ...scalarsIn(member)]);
      return placeholderOf(member);
    };
    let kept: string;
    // Each of the three steps throws for JSON that is nested too deep.
    try {
      const value: unknown = JSON.parse(text, (name, member: unknown) => {
        if (name !== "" && isSecretName(name)) return leave(name, member);
        if (typeof member === "string") return clean(member);
        return isPair(member) ? { ...member, value: leave("value", member.value) } : member;
      });
      kept = JSON.stringify(value);
    } catch {
      return undefined;
    }
    for (const [part, ...values] of left) this.leave(part, ...values);
    return kept;
  }
}

function shortName(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

/** Returns a string without its secrets; the whole string is replaced if it names one. */
function clean(text: string): string {
  return namesSecret(text) ? leftOutText : hideSecrets(text);
}

/** Reports whether an object holds a secret's name in one member and its value in another. */
function isPair(member: unknown): member is { readonly value: unknown } {
  if (typeof member !== "object" || member === null || !Object.hasOwn(member, "value")) {
    return false;
  }
  return Object.entries(member).some(([key, name]) =>
    /^(?:name|key|field|id)$/.test(key) && typeof name === "string" &&
    // `key` is itself a secret name, so its value has already been omitted.
    (name === leftOutText || isSecretName(name))
  );
}

function scalarsIn(member: unknown): string[] {
  if (typeof member === "string" || typeof member === "number") return [String(member)];
  return typeof member === "object" && member !== null
    ? Object.values(member).flatMap(scalarsIn)
    : [];
}

/** Returns a value of the same type, so that a schema still accepts the body. */
function placeholderOf(member: unknown): unknown {
  if (typeof member === "string") return leftOutText;
  if (typeof member === "number") return 0;
  return Array.isArray(member) ? [] : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
