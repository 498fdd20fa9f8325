import { Off, type Settings } from "../../../mod.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { eventsPath, reloadScriptPath } from "../../../runtime/base/conventions.ts";
import { testRequest } from "../../../runtime/testing/mod.ts";
import { newSite } from "../app/support.ts";

async function firstEvent(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = await reader?.read() ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

const request = (method = "GET"): Request =>
  new Request(`http://localhost${eventsPath}`, { method });

Deno.test("in development the stream starts with the process id, the same for every page", async () => {
  const { app } = newSite([], { config: { env: "dev" } });
  const events: string[] = [];
  for (let i = 0; i < 2; i++) {
    const response = await app.fetch(request());
    const found = [response.headers.get("content-type"), response.headers.get("cache-control")];
    assertEquals(found, ["text/event-stream", "no-store"]);
    events.push(await firstEvent(response));
  }
  assertMatch(events[0] ?? "", /^retry: \d+\nevent: boot\ndata: \S+\n\n$/);
  assertEquals(events[0], events[1]);
  const other = newSite([], { config: { env: "dev" } });
  assert(await firstEvent(await other.app.fetch(request())) !== events[0]);
});

Deno.test("shutdown ends the open streams", async () => {
  const { app } = newSite([], { config: { env: "dev" } });
  const response = await app.fetch(request());
  const text = response.text();
  await app.shutdown();
  assertMatch(await text, /event: boot/);
});

Deno.test("the script is JavaScript that is not cached", async () => {
  const { app } = newSite([], { config: { env: "dev" } });
  await testRequest(app, "GET", reloadScriptPath).wantStatus(200)
    .wantHeader("content-type", "text/javascript; charset=utf-8")
    .wantHeader("cache-control", "no-store")
    .wantContains("EventSource");
});

Deno.test("HEAD opens no stream, and other methods get 404", async () => {
  const { app } = newSite([], { config: { env: "dev" } });
  const head = await app.fetch(request("HEAD"));
  assertEquals([head.status, head.body], [200, null]);
  for (const method of ["POST", "DELETE"]) {
    await testRequest(app, method, eventsPath).wantStatus(404);
  }
});

const off: readonly [title: string, config: Settings][] = [
  ["in production", { env: "prod" }],
  ["with devReload off", { env: "dev", devReload: Off }],
];

for (const [title, config] of off) {
  Deno.test(`there is no stream and no script ${title}`, async () => {
    const { app } = newSite([], { config });
    for (const path of [eventsPath, reloadScriptPath]) {
      await testRequest(app, "GET", path).wantStatus(404);
    }
  });
}
