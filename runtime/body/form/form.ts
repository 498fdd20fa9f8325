import { HttpError } from "../../base/errors/errors.ts";
import { pathEnd, sliceQuery } from "../../base/url/path.ts";
import type { RequestBody } from "../body.ts";
import { formTypes, latin1Names, refuseCodings, unsupportedType } from "../type.ts";
import type { BodyLimits } from "../../base/ctx/input.ts";
import { findSpoolDir, UploadSpool } from "../upload/spool.ts";
import {
  addField,
  decodeText,
  emptyForm,
  findNameFault,
  FormBody,
  invalidForm,
  overLimit,
} from "./fields.ts";

/** Reads the form from the body, or the query of a `GET` or `HEAD`; all calls return one promise. */
export function readForm(body: RequestBody, accept: string = formTypes): Promise<FormBody> {
  return body.form ??= readOnce(body, accept);
}

async function readOnce(body: RequestBody, accept: string): Promise<FormBody> {
  const { request } = body;
  const { url, method } = request;
  if (method === "GET" || method === "HEAD") {
    const query = sliceQuery(url, pathEnd(url, 0));
    return new FormBody(parseQuery(query.slice(1), body.settings.limits));
  }
  const { type } = body;
  if (type === undefined) return await refuseUntyped(body, accept);
  if (type.kind !== "urlencoded" && type.kind !== "multipart") {
    throw unsupportedType(type.essence, accept);
  }
  refuseCodings(request.headers, type);
  if (type.kind === "multipart") {
    const { limits, spoolDir: dir = findSpoolDir() } = body.settings;
    // Set before the first await, because the end of the request releases it.
    body.spool ??= new UploadSpool({ maxMemoryBytes: limits.maxMemoryBytes, dir });
    const { readMultipart } = await import("./multipart.ts");
    return await readMultipart(body, type, body.spool);
  }
  const text = decodeText(await body.bytes("c.form"));
  return new FormBody(
    parseUrlencoded(
      latin1Names.test(type.parameters.get("charset") ?? "") ? escapeLatin1(text) : text,
      body.settings.limits,
    ),
  );
}

/** The UTF-8 escapes of the bytes from 128: decoding each escape of 1 MiB separately would take a second. */
let utf8Escapes: readonly string[] | undefined;

/** Converts escapes of ISO-8859-1 to UTF-8. Unescaped text must be ASCII, because it would be ambiguous. */
function escapeLatin1(text: string): string {
  if (/[\x80-\uffff]/.test(text)) throw invalidForm("it is not ISO-8859-1");
  const escapes = utf8Escapes ??= [
    ...decodeText(Uint8Array.from({ length: 128 }, (_, at) => 128 + at), "windows-1252"),
  ].map(encodeURIComponent);
  return text.replace(/%([89a-f][\da-f])/gi, (_, hex) => escapes[parseInt(hex, 16) - 128] ?? "");
}

/** Refuses a body without a type; no body at all is an empty form. */
async function refuseUntyped(body: RequestBody, accept: string): Promise<FormBody> {
  if (body.stream === null || body.declaredBytes === 0) return emptyForm;
  const chunks = body.chunks("c.form");
  for (let chunk = await chunks.read(); chunk !== undefined; chunk = await chunks.read()) {
    if (chunk.length === 0) continue;
    await chunks.cancel();
    throw unsupportedType("", accept);
  }
  return emptyForm;
}

export async function formError(body: RequestBody): Promise<HttpError | undefined> {
  try {
    await readForm(body);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}

/** Parses a form, but refuses what the URL Standard repairs: malformed escapes and invalid UTF-8. */
export function parseUrlencoded(
  text: string,
  limits: BodyLimits,
  isStrict = true,
): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  // `String` changes nothing. Tested once, not for every piece: most small forms have neither (`bench/http`).
  const decode = text.includes("%")
    ? isStrict ? decodePiece : repairPiece
    : text.includes("+")
    ? spacePiece
    : String;
  let count = 0;
  for (let start = 0; start < text.length;) {
    let end = text.indexOf("&", start);
    if (end < 0) end = text.length;
    if (end > start) {
      if (++count > limits.maxFields) throw overLimit(`${limits.maxFields} fields`);
      const piece = text.slice(start, end);
      const equals = piece.indexOf("=");
      const name = decode(equals < 0 ? piece : piece.slice(0, equals));
      const fault = findNameFault(name);
      if (fault === undefined) {
        addField(fields, name, equals < 0 ? "" : decode(piece.slice(equals + 1)));
      } else if (isStrict) throw overLimit(fault);
    }
    start = end + 1;
  }
  return fields;
}

/** Parses a query as leniently as the URL Standard: links from elsewhere contain stray percent signs. */
export function parseQuery(query: string, limits: BodyLimits): Map<string, string[]> {
  const isStrict = false;
  return parseUrlencoded(query, limits, isStrict);
}

/** The length from which plus signs are replaced in bytes: `replaceAll` costs 90 ns for each of them. */
const minByteChars = 1_024;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function spacePiece(piece: string): string {
  if (!piece.includes("+")) return piece;
  if (piece.length < minByteChars) return piece.replaceAll("+", " ");
  const bytes = encoder.encode(piece);
  const plus = 43;
  for (let at = bytes.indexOf(plus); at >= 0 && at < bytes.length; at++) {
    if (bytes[at] === plus) bytes[at] = 32;
  }
  return decoder.decode(bytes);
}

function decodePiece(piece: string): string {
  const spaced = spacePiece(piece);
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw invalidForm("it has a malformed escape");
  }
}

function repairPiece(piece: string): string {
  try {
    return decodePiece(piece);
  } catch {
    return new URLSearchParams(`=${piece}`).get("") ?? "";
  }
}
