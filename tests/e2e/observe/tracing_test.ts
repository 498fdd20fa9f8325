import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { type Span, startCollector } from "../collector.ts";
import { type RunningApp, startApp } from "../running_app.ts";

const folder = fromFileUrl(new URL(".", import.meta.url));

/** The permissions of a `start` task: none for the variables of OpenTelemetry. */
const permissions = "--allow-net=127.0.0.1 --allow-env=FW_*,PORT,ADDR --allow-read=.";

function start(env: Record<string, string>): RunningApp {
  return startApp(`deno run --no-check --no-prompt ${permissions} observed_server.ts`, {
    cwd: folder,
    env: { FW_METRICS: "", FW_OBS_TOKEN: "", FW_OBS_TRUSTED: "", FW_SECRET: "", ...env },
  });
}

type Sent = readonly [path: string, init?: RequestInit];

/** Sends requests to a traced application; returns the server's spans by path, and the log. */
async function trace(requests: readonly Sent[]): Promise<{
  readonly spans: ReadonlyMap<string, Span>;
  readonly lines: readonly Record<string, unknown>[];
}> {
  await using collector = startCollector();
  await using app = start({
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  for (const [path, init] of requests) await (await app.get(path, init)).body?.cancel();
  app.kill("SIGTERM");
  assertEquals((await app.ended()).code, 0);
  const served = collector.spans.filter(({ kind }) => kind === 2);
  return {
    spans: new Map(served.map((span) => [span.attributes["url.path"] ?? "", span])),
    lines: app.output().split("\n").filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line)),
  };
}

const traceId = "0af7651916cd43dd8448eb211c80319c";

Deno.test("OTEL_DENO: the span of a request has its route and the error that failed it", async () => {
  const { spans, lines } = await trace([
    ["events/1", { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } }],
    ["events/2", { method: "PUT" }],
    ["broken"],
    ["meant"],
    ["nothing"],
  ]);
  const told = [...spans].map(([path, { name, attributes, status, exceptions }]) => [
    path,
    name,
    attributes["http.route"],
    attributes["http.response.status_code"],
    status === 2 ? "failed" : "fine",
    ...exceptions,
  ]);
  const broken = "TypeError: a broken invariant";
  // OpenTelemetry prefers the code of an error to its name.
  const meant = "service_unavailable: the store is away";
  assertEquals(told.sort(), [
    ["/broken", "GET /broken", "/broken", "500", "failed", broken],
    ["/events/1", "GET /events/{id}", "/events/{id}", "200", "fine"],
    ["/events/2", "PUT /events/{id}", "/events/{id}", "405", "fine"],
    ["/meant", "GET /meant", "/meant", "503", "failed", meant],
    ["/nothing", "GET", undefined, "404", "fine"],
  ]);
  // The id of a line identifies its trace, whether the client sent one or not.
  assertEquals(spans.get("/events/1")?.traceId, traceId);
  for (const path of ["/events/1", "/events/2", "/broken", "/meant"]) {
    const own = lines.filter((line) => line["msg"] === "request" && line["path"] === path);
    assertEquals(own.map((line) => line["trace_id"]), [spans.get(path)?.traceId], path);
  }
  assertEquals(new Set([...spans.values()].map((span) => span.traceId)).size, 5);
});

Deno.test("without OTEL_DENO nothing is traced and lines have no trace id", async () => {
  await using app = start({});
  await (await app.get("events/1")).body?.cancel();
  await app.saw('"msg":"request"');
  assertEquals(app.output().includes("trace_id") ? app.output() : "", "");
});
