import { pages, pageText, payload, port } from "./data.mjs";

const json = (): Response =>
  new Response(JSON.stringify(payload), { headers: { "content-type": "application/json" } });
const html = (text: string): Response =>
  new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });

// The same response for every request, chosen at start: the minimum cost of any framework.
const answers: Record<string, () => Response> = {
  "/events": json,
  "/small": () => html(pageText(pages.small)),
  "/large": () => html(pageText(pages.large)),
};
const answer = answers[Deno.env.get("BENCH_PATH") ?? "/events"] ?? json;

const isForm = Deno.env.get("BENCH_PATH") === "/contact";
const read = async (request: Request): Promise<Response> =>
  new Response(`read ${(await request.text()).length}`);

/** Measures the cost of reading one header. */
const look = (request: Request): Response =>
  request.headers.get("host") === null ? new Response(null, { status: 400 }) : answer();

/** Measures the cost of a limit on header size: Deno provides the headers but not their size. */
const sum = (request: Request): Response => {
  let bytes = 0;
  for (const [name, value] of request.headers) bytes += name.length + value.length + 4;
  return bytes > 16_384 ? new Response(null, { status: 431 }) : answer();
};

/** Adds the header of every JSON response of the framework. */
const secured = (): Response => {
  const response = Response.json(payload);
  response.headers.append("x-content-type-options", "nosniff");
  return response;
};

/** Reads the URL and the method, as every framework does. */
const unchecked = ({ url, method }: Request): Response =>
  url === "" || method === "" ? new Response(null, { status: 400 }) : secured();

/** Does the same with the path check, which needs `Host`. */
const checked = (request: Request): Response =>
  request.headers.get("host") === null ? new Response(null, { status: 400 }) : unchecked(request);

let totalMs = 0;

/** Adds the data of a log line, two ids and the time, without writing the line. */
const told = (respond: (request: Request) => Response) => (request: Request): Response => {
  const startMs = performance.now();
  const response = respond(request);
  const { headers } = request;
  if (headers.get("x-request-id") !== null || headers.get("traceparent") !== null) return response;
  totalMs += performance.now() - startMs;
  return Number.isFinite(totalMs) ? response : answer();
};

const handlers: Record<string, (request: Request) => Response> = {
  host: look,
  sum,
  nosniff: unchecked,
  nosniffHost: checked,
  nosniffLog: told(unchecked),
  nosniffHostLog: told(checked),
};
const reads = Deno.env.get("BENCH_READS") ?? "";
const handler = handlers[reads] ?? (() => answer());

Deno.serve(
  {
    port,
    hostname: "127.0.0.1",
    onListen: () => undefined,
    // Compression support costs time even for requests without compression.
    automaticCompression: reads.startsWith("nosniff"),
  },
  isForm ? read : handler,
);
