import { assert, assertEquals, assertInstanceOf, assertMatch, assertRejects } from "@std/assert";
import { writeClient } from "../../../../cli/describe/client/write_client.ts";
import { calls, makeApplication } from "./application.ts";
import { document } from "./document.ts";
import {
  ApiError,
  createClient,
  createStatusClient,
  type GetEventError,
  isApiError,
} from "./library_client.ts";

const app = makeApplication();
const options = {
  baseUrl: "http://localhost/",
  fetch: (request: Request) => app.fetch(request),
};
const api = createClient(options);
const byStatus = createStatusClient(options);

Deno.test("the committed client is the one that the document gives", async () => {
  const outcome = writeClient(document);
  assert(outcome.ok);
  const file = new URL("./library_client.ts", import.meta.url);
  assertEquals(outcome.text, await Deno.readTextFile(file));
});

Deno.test("a query is written by the styles of its parameters", async () => {
  const events = await api.listEvents({
    query: {
      q: "jazz & blues",
      page: 2,
      tag: ["jazz", "blues"],
      ids: [1, 9007199254740993n],
      range: { from: "a b" },
      filter: { a: 1 },
    },
    headers: { "X-Trace": 7 },
  });
  const call = calls.at(-1);
  assertEquals(
    decodeURIComponent(new URL(call?.url ?? "").search),
    '?q=jazz & blues&page=2&tag=jazz&tag=blues&ids=1,9007199254740993&range[from]=a b&filter={"a":1}',
  );
  assertEquals(call?.headers.get("x-trace"), "7");
  assertEquals(call?.headers.get("accept"), "application/json, application/problem+json");
  assertEquals(events.map(({ title }) => title), ["Jazz", "Blues"]);
  // Exactly: a number would have lost the last digit.
  assertEquals(events.map(({ seats }) => seats), [9007199254740993n, 2]);
  assertEquals((await api.listEvents()).length, 2);
});

Deno.test("a JSON body keeps every digit, and a wrong field is a typed error", async () => {
  const made = await api.createEvent({ body: { title: "Jazz", seats: 2n ** 63n } });
  assertEquals(calls.at(-1)?.url, '{"title":"Jazz","seats":9223372036854775808}');
  assertEquals(made, { title: "Jazz", seats: 2n ** 63n });
  const error = await assertRejects(() => api.createEvent({ body: { title: "x" } }), ApiError);
  assertEquals(error.status, 422);
  assertEquals([...error.fields], [["title", "is too short"]]);
  assert(error.requestId !== undefined);
  assertMatch(error.message, /^createEvent: 422 /);
});

Deno.test("a problem is thrown with its code, and narrows by its status", async () => {
  try {
    await api.getEvent({ path: { slug: "none" } });
    throw new TypeError("no error");
  } catch (error) {
    assert(isApiError<GetEventError>(error));
    const status: 404 = error.status;
    assertEquals([status, error.code, error.body.status], [404, "not_found", 404]);
  }
  const later = await assertRejects(() => api.listEvents({ query: { page: 500 } }), ApiError);
  assertEquals([later.status, later.operation], [409, "listEvents"]);
});

Deno.test("a client by status returns what the document lists", async () => {
  const result = await byStatus.getEvent({ path: { slug: "a b/c" } });
  if (result.kind === "404") throw new TypeError(result.body.title);
  const title: string = result.body.title;
  assertEquals([result.status, title], [200, "Jazz"]);
  const wrong = await byStatus.listEvents({ query: { page: 0 } });
  assertEquals([wrong.kind, wrong.status], ["400", 400]);
  const other = await byStatus.listEvents({ query: { page: 500 } });
  assertEquals([other.kind, other.status], ["default", 409]);
  assertEquals((await byStatus.delete({ path: { slug: "x" } })).body, undefined);
  assertEquals((await byStatus.thenOperation()).status, 303);
});

Deno.test("path parameters are escaped, and none leaves its place", async () => {
  assertEquals((await api.getEvent({ path: { slug: "a b/c" } })).title, "Jazz");
  assertEquals(await api.getApiFilesByPath({ path: { path: "a/b c/d%2F" } }), "a/b c/d%2F");
  for (const slug of ["", ".", ".."]) {
    await assertRejects(() => api.delete({ path: { slug } }), TypeError, "dot segment");
  }
  for (const path of ["a/../b", "a//b", "/a"]) {
    await assertRejects(() => api.getApiFilesByPath({ path: { path } }), TypeError, "dot segment");
  }
});

Deno.test("forms travel as forms: files, lists and members of objects", async () => {
  const photo = new File(["12345"], "me.png", { type: "image/png" });
  const path = { slug: "x" };
  assertEquals(await api.putPhoto({ path, body: { photo, caption: "Me", tags: ["a", "b"] } }), {
    bytes: 5,
    name: "me.png",
    caption: "Me",
    tags: ["a", "b"],
  });
  const form = await api.search({ body: { words: ["a b", "c"], place: { city: "Porto" } } });
  assertEquals(
    form,
    "application/x-www-form-urlencoded;charset=UTF-8 words=a+b&words=c&place.city=Porto",
  );
  assertEquals(await api.search({ contentType: "text/plain", body: "hi" }), "text/plain hi");
  const image = await api.getPhoto({ path });
  assertEquals([image.size, image.type], [2, "image/png"]);
});

Deno.test("a stream is an iterable of typed events, which leaving ends", async () => {
  const events: (string | number)[] = [];
  for await (const event of await api.follow()) {
    if (event.event === "seats") events.push(event.data + 1);
    else events.push(event.data.toUpperCase());
  }
  assertEquals(events, [13, "ONE\nTWO"]);
});

Deno.test("a signal ends a call and the stream that it returned", async () => {
  const stop = new AbortController();
  const stream = await createClient({
    ...options,
    fetch: (request) => app.fetch(new Request(`${request.url}?wait`, request)),
  }).follow({}, { signal: stop.signal });
  const error = await assertRejects(async () => {
    for await (const { event } of stream) if (event === "note") stop.abort();
  }, DOMException);
  assertEquals(error.name, "AbortError");
  await assertRejects(() => api.listEvents({}, { signal: stop.signal }), DOMException);
});

Deno.test("headers and the CSRF token travel, and those of the call win", async () => {
  const client = createClient({
    ...options,
    headers: () => Promise.resolve({ authorization: "Bearer a", "x-one": "1" }),
    csrfToken: () => "token",
  });
  await client.createEvent({ body: { title: "Jazz" } }, { headers: { "x-one": "2" } });
  const headers = calls.at(-1)?.headers;
  assertEquals(headers?.get("authorization"), "Bearer a");
  assertEquals(headers?.get("x-one"), "2");
  assertEquals(headers?.get("x-csrf-token"), "token");
  await client.listEvents();
  assertEquals(calls.at(-1)?.headers.get("x-csrf-token"), null);
});

Deno.test("a response that is not as documented is an error that says so", async () => {
  await assertRejects(() => api.broken(), SyntaxError);
  const answer = (response: Response) => createClient({ ...options, fetch: () => response });
  const page = answer(new Response("<h1>Bad gateway</h1>", { status: 502 }));
  const error = await assertRejects(() => page.createEvent({ body: { title: "Jazz" } }), ApiError);
  assertEquals([error.status, error.code, error.detail], [502, undefined, undefined]);
  const broken = answer(
    new Response("{", { status: 422, headers: { "content-type": "application/problem+json" } }),
  );
  const other = await assertRejects(
    () => broken.createEvent({ body: { title: "Jazz" } }),
    ApiError,
  );
  assertEquals([other.body, other.fields.size], ["{", 0]);
  // A success that the document does not list is no value of its type.
  const odd = answer(Response.json({}, { status: 202 }));
  await assertRejects(() => odd.listEvents(), ApiError);
  assertInstanceOf(await answer(Response.json([])).listEvents(), Array);
});

Deno.test("a body above the limit is refused while it comes, and its rest is not read", async () => {
  for (const type of ["application/json", "application/problem+json", "text/plain", "image/png"]) {
    let isCancelled = false;
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        sent++;
        controller.enqueue(new Uint8Array(64).fill(0x20));
      },
      cancel: () => void (isCancelled = true),
    });
    const client = createClient({
      baseUrl: "http://localhost",
      maxBytes: 1_000,
      fetch: () => new Response(body, { headers: { "content-type": type } }),
    });
    const error = await assertRejects(() => client.listEvents(), RangeError);
    assertMatch(error.message, /listEvents: it is larger than 1000 bytes/);
    assert(isCancelled, type);
    assert(sent < 20, `${sent} pieces`);
  }
  const exact = createClient({
    baseUrl: "http://localhost",
    maxBytes: 2,
    fetch: () => Response.json([]),
  });
  assertEquals(await exact.listEvents(), []);
});

Deno.test("a stream that never ends its event is refused", async () => {
  const encoder = new TextEncoder();
  const line = encoder.encode(`data: ${"x".repeat(1024 * 1024)}\n`);
  let cancelled = false;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(line),
    cancel: () => void (cancelled = true),
  });
  const client = createClient({
    ...options,
    fetch: () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  });
  await assertRejects(
    async () => {
      for await (const _ of await client.follow());
    },
    RangeError,
    "longer than",
  );
  assert(cancelled);
});

Deno.test("events are parsed wherever their pieces are cut", async () => {
  const text =
    "\ufeff: hi\r\nevent: note\r\ndata: ü1\rdata:2\nid: 7\n\nretry: 1\ndata\n\r\nevent: none\n\n";
  for (const size of [1, 2, 3, 1000]) {
    const bytes = new TextEncoder().encode(text);
    const pieces = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, at) => bytes.slice(at * size, (at + 1) * size),
    );
    const client = createClient({
      ...options,
      fetch: () =>
        new Response(ReadableStream.from(pieces), {
          headers: { "content-type": "text/event-stream; charset=utf-8" },
        }),
    });
    const events: unknown[] = [];
    for await (const event of await client.follow()) events.push(event);
    assertEquals(events, [
      { event: "note", data: "ü1\n2", id: "7" },
      { event: "message", data: "", id: "7" },
    ], `pieces of ${size}`);
  }
});

Deno.test("without a place to call, the client says what is missing", async () => {
  await assertRejects(() => createClient().listEvents(), TypeError, "pass `baseUrl`");
});

// The lines below are for the compiler: each error must be one.
export async function typeErrors(): Promise<void> {
  // @ts-expect-error A required parameter is missing.
  await api.getEvent();
  // @ts-expect-error A parameter has another name.
  await api.getEvent({ path: { slgu: "x" } });
  // @ts-expect-error A query parameter has another type.
  await api.listEvents({ query: { page: "2" } });
  // @ts-expect-error A value is none of the enum.
  await api.listEvents({ query: { tag: ["rock"] } });
  // @ts-expect-error A required member of the body is missing.
  await api.createEvent({ body: { seats: 1 } });
  // @ts-expect-error A member of the body does not exist.
  await api.createEvent({ body: { title: "Jazz", seets: 1 } });
  // @ts-expect-error A file is a text.
  await api.putPhoto({ path: { slug: "x" }, body: { photo: "x" } });
  // @ts-expect-error Without its media type, a text is no form.
  await api.search({ body: "text" });
  // @ts-expect-error A response has no such member.
  (await api.getEvent({ path: { slug: "x" } })).tilte;
  // @ts-expect-error The body depends on the kind.
  (await byStatus.getEvent({ path: { slug: "x" } })).body.place;
  // @ts-expect-error There is no such operation.
  await api.getEvents();
  for await (const event of await api.follow()) {
    // @ts-expect-error Only one of the events has a number.
    event.data.toFixed();
  }
}
