import type { BodyChunks, RequestBody } from "./body.ts";
import { readForm } from "./form/form.ts";
import { parseJsonBody } from "./json.ts";
import { UploadSpool } from "./upload/spool.ts";

/**
 * Creates the request that handlers see, so that `c.request.json()` respects the limit and the deadline like
 * every other read. A chunked body is wrapped. The `Content-Length` of any other body was already checked, so
 * only the request's reading members are overridden: a new request costs eight times as much (`bench/http`),
 * and most code reads only the headers. The same applies to requests whose method cannot be copied.
 */
export function guardRequest(body: RequestBody, signal: () => AbortSignal): Request {
  const { request } = body;
  const { method } = request;
  if (method === "GET" || method === "HEAD") return request;
  const declared = body.declaredBytes;
  if (declared === 0 || request.body === null) return guardParsing(body, request);
  if (declared !== undefined && declared <= body.maxBytes) return guardMethods(body);
  const guarded = copyRequest(body);
  return guarded === undefined
    ? guardMethods(body)
    : Object.defineProperty(guardParsing(body, guarded), "signal", { get: signal });
}

/** Makes a malformed body a 400: it is the client's fault, but the platform's error would be a 500. */
function guardParsing(body: RequestBody, request: Request): Request {
  return Object.defineProperties(request, {
    json: method(async () => parseJsonBody(await request.text())),
    formData: method(async () =>
      await (await (body.form ??= readForm(heldBody(body, request)))).toFormData()
    ),
    clone: method(() => guardParsing(body, Request.prototype.clone.call(request))),
  });
}

/** Creates the body of a copy of the request; its files stay in memory, where a `FormData` holds them. */
function heldBody(body: RequestBody, request: Request): RequestBody {
  const copy = body.replace(request);
  copy.spool = new UploadSpool({ maxMemoryBytes: Infinity, dir: undefined });
  return copy;
}

/** Copies the request with a guarded body; `undefined` for a method that `Request` refuses. */
function copyRequest(body: RequestBody): Request | undefined {
  const { method, url, headers } = body.request;
  try {
    return new Request(url, {
      method,
      headers,
      body: guardedStream(body),
      redirect: "manual",
      // Following the server's signal would cost more than the rest.
      signal: null,
    });
  } catch {
    // `TRACE`, `CONNECT` and `TRACK` in any spelling, and a body under `get` or `head`: no route has
    // these, but a logger or the 405 page may read the headers.
    return undefined;
  }
}

/** Overrides the reading members of a request, also of one that a middleware assigns and that stays itself. */
export function guardMethods(body: RequestBody): Request {
  const { request } = body;
  const read = (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    body.bytes(`c.request.${name}()`);
  const type = (): string => request.headers.get("content-type") ?? "";
  let stream: ReadableStream<Uint8Array> | undefined;
  const text = async (name: string): Promise<string> => decoder.decode(await read(name));
  return Object.defineProperties(request, {
    body: { get: () => stream ??= guardedStream(body), configurable: true },
    bytes: method(() => read("bytes")),
    text: method(() => text("text")),
    json: method(async () => parseJsonBody(await text("json"))),
    arrayBuffer: method(async () => (await read("arrayBuffer")).buffer),
    blob: method(async () => new Blob([await read("blob")], { type: type() })),
    formData: method(async () => await (await readForm(body)).toFormData()),
    clone: method(() => guardMethods(heldBody(body, Request.prototype.clone.call(request)))),
  });
}

const decoder = new TextDecoder();

function method(value: () => unknown): PropertyDescriptor {
  return { value, writable: true, configurable: true };
}

function guardedStream(body: RequestBody): ReadableStream<Uint8Array> {
  let chunks: BodyChunks | undefined;
  return new ReadableStream({
    type: "bytes",
    async pull(controller): Promise<void> {
      chunks ??= body.chunks("c.request");
      let chunk = await chunks.read();
      while (chunk?.length === 0) chunk = await chunks.read();
      if (chunk !== undefined) return controller.enqueue(chunk.slice());
      controller.close();
      // A BYOB read waits for this, even at the end.
      controller.byobRequest?.respond(0);
    },
    async cancel(): Promise<void> {
      if (chunks === undefined) await body.stream?.cancel().catch(() => {});
      else await chunks.cancel();
    },
  }, { highWaterMark: 0 });
}
