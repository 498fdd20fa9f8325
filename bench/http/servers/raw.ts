import { pages, pageText, payload, port } from "./data.mjs";

const json = (): Response =>
  new Response(JSON.stringify(payload), { headers: { "content-type": "application/json" } });
const html = (text: string): Response =>
  new Response(text, { headers: { "content-type": "text/html; charset=utf-8" } });

// One answer for every request, chosen at start: the floor of what any framework can cost.
const answers: Record<string, () => Response> = {
  "/events": json,
  "/small": () => html(pageText(pages.small)),
  "/large": () => html(pageText(pages.large)),
};
const answer = answers[Deno.env.get("BENCH_PATH") ?? "/events"] ?? json;

const isForm = Deno.env.get("BENCH_PATH") === "/contact";
const read = async (request: Request): Promise<Response> =>
  new Response(`read ${(await request.text()).length}`);

/** What it costs to look at one header. */
const look = (request: Request): Response =>
  request.headers.get("host") === null ? new Response(null, { status: 400 }) : answer();

/** What a limit for the headers of a request would cost: Deno hands them over, not their size. */
const sum = (request: Request): Response => {
  let bytes = 0;
  for (const [name, value] of request.headers) bytes += name.length + value.length + 4;
  return bytes > 16_384 ? new Response(null, { status: 431 }) : answer();
};

const handlers: Record<string, (request: Request) => Response> = { host: look, sum };
const handler = handlers[Deno.env.get("BENCH_READS") ?? ""] ?? (() => answer());

Deno.serve(
  { port, hostname: "127.0.0.1", onListen: () => undefined },
  isForm ? read : handler,
);
