import { use } from "@fw/fw";
import { testRequest } from "@fw/fw/testing";
import { assertEquals, assertMatch } from "@std/assert";
import { Store } from "@/lib/events/store.ts";
import { withApp } from "./app.ts";

Deno.test("the site is ready while its database works", async () => {
  await withApp(async (app) => {
    await testRequest(app, "GET", "/_fw/health/ready").wantStatus(200);
    const { status, checks } = await app.healthReport();
    assertEquals([status, checks.map(({ name }) => name)], ["pass", ["database"]]);
  });
});

Deno.test("the site is not ready when its database is gone, but lives", async () => {
  await withApp(async (app) => {
    use(app, Store).close();
    await testRequest(app, "GET", "/_fw/health/ready").wantStatus(503).wantHeader(
      "retry-after",
      "5",
    );
    await testRequest(app, "GET", "/_fw/health/live").wantStatus(200);
  });
});

/** Asks for the metrics from an address. */
async function readMetrics(
  app: { readonly fetch: (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> },
  hostname: string,
): Promise<{ status: number; text: string }> {
  const response = await app.fetch(new Request("http://localhost/metrics"), {
    remoteAddr: { transport: "tcp", hostname, port: 1 },
    completed: Promise.resolve(),
  });
  return { status: response.status, text: await response.text() };
}

Deno.test("this machine reads the metrics of the site and of its lists, others do not", async () => {
  await withApp(async (app) => {
    for (let visit = 0; visit < 2; visit++) await testRequest(app, "GET", "/events");
    const { status, text } = await readMetrics(app, "127.0.0.1");
    assertEquals(status, 200);
    assertMatch(text, /^fw_requests_total\{method="GET",route="\/events",status="200"\} 2$/m);
    assertMatch(text, /^fw_cache_hits_total\{cache="lists"\} [1-9]/m);
    assertEquals((await readMetrics(app, "192.0.2.1")).status, 401);
  });
});
