import { HttpError } from "../../base/errors.ts";
import type { HasBody, RequestBody } from "../body.ts";
import { formTypes, refuseCodings, unsupportedType } from "../type.ts";
import { emptyForm, FormBody } from "./fields.ts";
import { decodeText } from "./text.ts";
import { parseUrlencoded } from "./urlencoded.ts";
import { readMultipart } from "./multipart.ts";

/**
 * Reads the form of a request: its body, or the query of a `GET` or `HEAD`, as HTML's own forms send
 * them. There is one parse: every later call gives the same promise.
 *
 * @param c The context.
 * @returns The form; an empty one for a request without a body.
 * @throws {HttpError} 400 for a malformed form, 408, 413 or 415.
 * @throws {TypeError} when something else has read the body.
 */
export function readForm(c: HasBody): Promise<FormBody> {
  return c.body.form ??= readOnce(c.body);
}

async function readOnce(body: RequestBody): Promise<FormBody> {
  const { request } = body;
  if (request.method === "GET" || request.method === "HEAD") return queryForm(body);
  const { type } = body;
  if (type === undefined) return await refuseUntyped(body);
  if (type.kind !== "urlencoded" && type.kind !== "multipart") {
    throw unsupportedType(type.essence, formTypes);
  }
  refuseCodings(request.headers, type);
  if (type.kind === "multipart") return await readMultipart(body, type);
  return new FormBody(
    parseUrlencoded(decodeText(await body.bytes("c.form")), body.settings.limits),
  );
}

/** Whether the body says that it is a form, so that a token may be among its fields. */
export function isForm(c: HasBody): boolean {
  const kind = c.body.type?.kind;
  return kind === "urlencoded" || kind === "multipart";
}

/** A body without a type is nothing that can be read, but no body at all is an empty form. */
async function refuseUntyped(body: RequestBody): Promise<FormBody> {
  if (body.request.body === null || body.declaredBytes === 0) return emptyForm;
  const chunks = body.chunks("c.form");
  for (let chunk = await chunks.read(); chunk !== undefined; chunk = await chunks.read()) {
    if (chunk.length === 0) continue;
    await chunks.cancel();
    throw unsupportedType("", formTypes);
  }
  return emptyForm;
}

function queryForm(body: RequestBody): FormBody {
  const { url } = body.request;
  const start = url.indexOf("?");
  if (start < 0) return emptyForm;
  const end = url.indexOf("#", start);
  const query = url.slice(start + 1, end < 0 ? undefined : end);
  return new FormBody(parseUrlencoded(query, body.settings.limits));
}

/** Tells what is wrong with the form, for `c.formErr`: every fault of the client is an `HttpError`. */
export async function formError(c: HasBody): Promise<HttpError | undefined> {
  try {
    await readForm(c);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}
