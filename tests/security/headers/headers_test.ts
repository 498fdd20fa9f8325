import { assert, assertEquals } from "@std/assert";
import type { Ctx } from "../../../mod.ts";
import { type Listening, requestText, sendRaw, serve } from "../raw_client.ts";
import { cpuMs } from "../../cpu_time.ts";
import { ask } from "../guard_app.ts";

async function openServer(): Promise<Listening> {
  const fine = (c: Ctx): Response => c.text(200, c.query("token") ?? "");
  return await serve([
    { pattern: "/echo", methods: { GET: fine, POST: fine } },
    { pattern: "/any/{rest...}", methods: { GET: (c: Ctx) => c.text(200, "") } },
    { pattern: "/fail", methods: { GET: () => Promise.reject(new Error("x")) } },
  ], { logRequest: () => true });
}

Deno.test("a path of quotes and escapes is one log line with the original path", async () => {
  await using server = await openServer();
  const paths = [
    '/any/"x"%22',
    "/any/%E2%80%A8",
    "/any/'{}'",
    "/any/%F0%9F%98%80",
    "/any/a%2F%25",
  ];
  const refused = ["/any/'\\'", "/any/%0a", "/any/%C3%28"];
  for (const path of [...paths, ...refused]) {
    await sendRaw(server, requestText(`GET ${path}`, { Accept: "text/html" }));
  }
  const lines = server.log().trimEnd().split("\n").map((line) => JSON.parse(line));
  const linesOf = (msg: string): { path?: string }[] => lines.filter((line) => line.msg === msg);
  assertEquals(linesOf("request").map(({ path }) => path), paths);
  // A malformed path is not repeated.
  assertEquals(linesOf("request refused").map(({ path }) => path), refused.map(() => undefined));
});

Deno.test("the log contains no queries, cookies or bodies", async () => {
  await using server = await openServer();
  const sent = { Cookie: "a=hunter2", Authorization: "Bearer hunter2", "Content-Length": "7" };
  const rows = ["GET /echo?token=hunter2", "GET /fail?token=hunter2", "POST /echo?x=hunter2"];
  for (const start of rows) await sendRaw(server, requestText(start, sent, "hunter2"));
  assert(!server.log().includes("hunter2"), server.log());
  assert(server.log().includes('"path":"/fail"'));
});

/** Floods of headers: no failure, no hang, and the next request gets a response. */
const floods: readonly [name: string, headers: Record<string, string>][] = [
  ["Origin of 60,000 characters", { origin: "https://" + "a".repeat(60_000) }],
  ["Host of 60,000 characters", { host: "a".repeat(60_000) }],
  ["X-Forwarded-For of 60,000 characters", { "x-forwarded-for": "1,".repeat(30_000) }],
  ["X-Forwarded-For of commas", { "x-forwarded-for": ",".repeat(60_000) }],
  ["X-Forwarded-For of proxies", { "x-forwarded-for": "10.0.0.1,".repeat(6_000) + "10.0.0.1" }],
  ["X-Forwarded-For of colons", { "x-forwarded-for": ":".repeat(60_000) }],
  ["X-Forwarded-Proto of commas", { "x-forwarded-proto": ",".repeat(60_000) }],
  ["Access-Control-Request-Headers of 60,000 characters", {
    origin: "https://app.example",
    "access-control-request-method": "GET",
    "access-control-request-headers": "x,".repeat(30_000),
  }],
  ["Access-Control-Request-Method of 60,000 characters", {
    origin: "https://app.example",
    "access-control-request-method": "G".repeat(60_000),
  }],
  ["1,000 headers", Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x-${i}`, "y"]))],
];

for (const [name, headers] of floods) {
  for (const method of ["GET", "OPTIONS"]) {
    Deno.test(`a flood of headers gets a response below 500 within 100 ms of work: ${method}, ${name}`, async () => {
      const settings = {
        trustedProxies: ["10.0.0.0/8"],
        allowedHosts: ["localhost"],
        cors: { origins: ["https://app.example"] },
        rateLimit: { rate: 1, burst: 2 },
      };
      const started = cpuMs();
      const { status } = await ask(settings, { method, headers, peer: "10.0.0.1" });
      assertEquals([status < 500, cpuMs() - started < 100], [true, true]);
    });
  }
}
