import { App, type Ctx, Off, type Result } from "../../../mod.ts";
import { readBody } from "../../../runtime/testing/answer_body.ts";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  newTestClient,
  testRequest,
  testRoute,
  withHeader,
  withMaxEvents,
} from "../../../runtime/testing/mod.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { routeOf } from "../app/support.ts";
import { until } from "../../until.ts";

function ticking(c: Ctx, seen: { hasEnded: boolean }): Result {
  return c.stream(async (s) => {
    s.signal.addEventListener("abort", () => seen.hasEnded = true);
    for (let tick = Number(s.lastEventId ?? 0);; tick++) {
      await s.json("tick", { tick }, { id: String(tick) });
      await sleep(2, undefined, { signal: s.signal });
    }
  });
}

function newApp(): { app: App; seen: { hasEnded: boolean } } {
  const seen = { hasEnded: false };
  const app = new App({ env: "dev", devReload: Off, logRequest: Off });
  app.route({ pattern: "/clock", methods: { GET: (c) => ticking(c, seen) } });
  app.route(routeOf("GET", "/three", (c) =>
    c.stream(async (s) => {
      await s.comment("hello");
      await s.send("", "one\ntwo");
      await s.send("named", "é", { id: "7" });
      await s.done();
    })));
  return { app, seen };
}

/** An endless body that yields a byte immediately on each read. */
function flood(): Response {
  return new Response(
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1)) }),
    { headers: { "content-type": "application/octet-stream" } },
  );
}

const limits = { maxEvents: Infinity, maxMs: 40 };

Deno.test("readBody gives up on an endless body and names the fix", async () => {
  const { app, seen } = newApp();
  const response = await app.fetch(new Request("http://localhost/clock"));
  const error = await assertRejects(() => readBody(response, "GET /clock", limits), Error);
  const parts = ["Cannot read the answer to GET /clock", "text/event-stream", "withMaxEvents("];
  for (const part of parts) assertStringIncludes(error.message, part);
  await until(() => seen.hasEnded, "the end of a stream whose reader has gone");
});

Deno.test("readBody gives up on a body without a pause", async () => {
  const error = await assertRejects(() => readBody(flood(), "GET /flood", limits), Error);
  assertStringIncludes(error.message, "application/octet-stream");
  assert(!error.message.includes("withMaxEvents"), error.message);
});

Deno.test("testRequest passes on the error of a failing body", async () => {
  const route = routeOf("GET", "/broken", () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.error(new Error("cable cut")) }),
    ));
  await assertRejects(async () => await testRoute(route, "GET", "/broken"), Error, "cable cut");
});

Deno.test("withMaxEvents reads that many events and disconnects", async () => {
  const { app, seen } = newApp();
  const { events, body } = await testRequest(app, "GET", "/clock", withMaxEvents(2)).wantStatus(200)
    .wantHeader("content-type", "text/event-stream");
  assertEquals(events, [
    { event: "tick", data: '{"tick":0}', id: "0" },
    { event: "tick", data: '{"tick":1}', id: "1" },
  ]);
  assertStringIncludes(body, 'data: {"tick":1}');
  assert(seen.hasEnded);
});

Deno.test("withMaxEvents resumes for a client that reconnects", async () => {
  const client = newTestClient(newApp().app);
  const resumed = withHeader("last-event-id", "41");
  const { events } = await client.get("/clock", resumed, withMaxEvents(1));
  assertEquals(events.map(({ id }) => id), ["41"]);
});

Deno.test("TestResponse.events contain the whole stream, and are empty for another body", async () => {
  const { app } = newApp();
  const { events } = await testRequest(app, "GET", "/three");
  assertEquals(events.slice(0, 2), [
    { event: "message", data: "one\ntwo", id: undefined },
    { event: "named", data: "é", id: "7" },
  ]);
  assertEquals(events.at(-1)?.event, "done");
  assertEquals((await testRequest(app, "GET", "/none")).events, []);
});

Deno.test("withMaxEvents refuses invalid numbers", () => {
  for (const count of [0, 1.5, NaN]) {
    assertThrows(() => withMaxEvents(count), RangeError, "withMaxEvents");
  }
});
