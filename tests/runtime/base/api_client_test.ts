import { assert, assertEquals, assertRejects } from "@std/assert";
import { App, type Ctx, httpError, type JsonResponse, notFound, type NotFoundError } from "@fw/fw";
import { CallError, createCaller } from "@fw/fw/client";

const getEvent = (
  c: Ctx,
): JsonResponse<200, { title: string; at: Date; seats: bigint }> | NotFoundError =>
  c.param("slug") === "a b"
    ? c.json(200, { title: "Jazz", at: new Date(0), seats: 3n })
    : notFound();

const postEvent = async (
  c: Ctx,
): Promise<JsonResponse<201, { got: string }> | JsonResponse<202, { queued: true }>> => {
  if (c.query("later") !== undefined) return c.json(202, { queued: true as const });
  return c.json(201, { got: `${c.request.headers.get("content-type")} ${await c.request.text()}` });
};

const getFile = (c: Ctx): Response => c.text(200, c.param("path"));

const refuse = (): never => {
  throw httpError(409, "sold out");
};

type Api = {
  "/api/events": { POST: typeof postEvent };
  "/api/events/{slug}": { GET: typeof getEvent; DELETE: typeof refuse };
  "/api/files/{path...}": { GET: typeof getFile };
};

const app = new App({ logRequest: () => false });
app.route({ pattern: "/api/events", kind: "api", methods: { POST: postEvent } });
const methods = { GET: getEvent, DELETE: refuse };
app.route({ pattern: "/api/events/{slug}", kind: "api", methods });
app.route({ pattern: "/api/files/{path...}", kind: "api", methods: { GET: getFile } });
const call = createCaller<Api>({
  baseUrl: "http://localhost/",
  fetch: (request) => app.fetch(request),
});

Deno.test("a call has the types of its handler after a JSON round trip", async () => {
  const response = await call("/api/events/{slug}", { method: "GET", params: { slug: "a b" } });
  const status: 200 = response.status;
  const { title, at, seats }: { title: string; at: string; seats: number } = await response.json();
  assertEquals([status, title, at, seats], [200, "Jazz", "1970-01-01T00:00:00.000Z", 3]);
});

Deno.test("statuses distinguish response types, and bodies are sent by their type", async () => {
  const made = await call("/api/events", { method: "POST", body: { a: 1 } });
  if (made.status === 202) throw new TypeError(String((await made.json()).queued));
  assertEquals((await made.json()).got, 'application/json {"a":1}');
  const later = await call("/api/events", { method: "POST", query: { later: 1 } });
  assertEquals(later.status, 202);
  const form = await call("/api/events", { method: "POST", body: new URLSearchParams({ a: "1" }) });
  assert(form.status === 201);
  assertEquals((await form.json()).got, "application/x-www-form-urlencoded;charset=UTF-8 a=1");
  const file = await call("/api/files/{path...}", { method: "GET", params: { path: "a/b c" } });
  assertEquals(await file.text(), "a/b c");
});

Deno.test("a problem document is thrown as an error", async () => {
  const params = { slug: "none" };
  const run = () => call("/api/events/{slug}", { method: "GET", params });
  const error = await assertRejects(run, CallError);
  assertEquals([error.status, error.code], [404, "not_found"]);
  const remove = () => call("/api/events/{slug}", { method: "DELETE", params });
  const other = await assertRejects(remove, CallError, "409: sold out");
  assertEquals(other.problem["status"], 409);
  const broken = createCaller<Api>({
    baseUrl: "http://localhost",
    fetch: () =>
      new Response("{", { status: 502, headers: { "content-type": "application/problem+json" } }),
  });
  const third = await assertRejects(() => broken("/api/events", { method: "POST" }), CallError);
  assertEquals([third.status, third.code], [502, undefined]);
  const post = () => createCaller<Api>()("/api/events", { method: "POST" });
  await assertRejects(post, TypeError, "baseUrl");
});

// The compiler checks the lines below: each error must be one.
export async function typeErrors(): Promise<void> {
  // @ts-expect-error There is no such route.
  await call("/api/event", { method: "GET" });
  // @ts-expect-error The route has no such method.
  await call("/api/events", { method: "GET" });
  // @ts-expect-error The parameter is missing.
  await call("/api/events/{slug}", { method: "GET" });
  // @ts-expect-error The parameter has another name.
  await call("/api/events/{slug}", { method: "GET", params: { slgu: "x" } });
  const response = await call("/api/events/{slug}", { method: "GET", params: { slug: "x" } });
  // @ts-expect-error The body has no such member.
  (await response.json()).tilte;
  // @ts-expect-error A date is a text after JSON.
  (await response.json()).at.getTime();
  // @ts-expect-error The handler never sends this status.
  assert(response.status === 404);
}
