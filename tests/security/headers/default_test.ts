import { assertEquals } from "@std/assert";
import { cpuMs } from "../../cpu_time.ts";
import { type Framework, type HostileRequest, testHostileRequests } from "../hostile.ts";
import type { Handler, SecuritySettings } from "../../../mod.ts";
import { ask } from "../guard_app.ts";

async function answerOf(
  fw: Framework,
  handler: Handler,
  security: SecuritySettings = {},
): Promise<Response> {
  const app = new fw.App({
    logRequest: () => false,
    logger: fw.createLogger({ write: () => {} }),
    security,
  });
  app.route({ pattern: "/", methods: { GET: handler } });
  return await app.fetch(new Request("http://localhost/"));
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

function typed(
  guard: string,
  type: string | undefined,
  make: (type: string) => Handler = (given) => () =>
    new Response(new TextEncoder().encode(svg), {
      headers: given === "" ? {} : { "content-type": given },
    }),
): HostileRequest {
  return [type ?? "no type", guard, [true, true, "DENY", "nosniff"], async (fw) => {
    const { headers } = await answerOf(fw, make(type ?? ""));
    const policy = headers.get("content-security-policy") ?? "";
    return [
      /(?:default|script)-src '(?:none|self)'/.test(policy) &&
      !/script-src[^;]*unsafe/.test(policy),
      /frame-ancestors 'none'/.test(policy),
      headers.get("x-frame-options"),
      headers.get("x-content-type-options"),
    ];
  }];
}

function staged(type: string): HostileRequest {
  return typed("a type that was staged counts", type, (given) => (c) => {
    c.header("Content-Type", given);
    return c.text(200, svg);
  });
}

function sniffed(name: string, handler: Handler): HostileRequest {
  return [
    name,
    "nothing is sniffed",
    "nosniff",
    async (fw) => (await answerOf(fw, handler)).headers.get("x-content-type-options"),
  ];
}

function foreignNonce(nonce: string): HostileRequest {
  return [
    JSON.stringify(nonce.slice(0, 30)),
    "a nonce has its grammar",
    [200, true],
    async (fw) => {
      const response = await answerOf(fw, (c) => page(c), { nonce: () => nonce });
      const policy = response.headers.get("content-security-policy") ?? "";
      return [response.status, /'nonce-[A-Za-z0-9+/]{24}'; style-src/.test(policy)];
    },
  ];
}

function page(c: import("../../../mod.ts").Ctx): Response {
  return new Response(`<p>${c.nonce.length}`, { headers: { "content-type": "text/html" } });
}

const rows: HostileRequest[] = [
  ...[
    "image/svg+xml",
    "IMAGE/SVG+XML",
    "image/svg+xml; charset=utf-8",
    " image/svg+xml",
    ..."text/xml application/xml application/xhtml+xml application/rss+xml".split(" "),
    ..."application/mathml+xml;x=y application/pdf".split(" "),
    "multipart/x-mixed-replace; boundary=x",
    undefined,
  ].map((type) => typed("documents carry a policy", type)),
  ...["text/html", "TEXT/HTML", "text/html;charset=utf-7", "\ttext/html ; x"].map((type) =>
    typed("HTML carries a policy however it is made", type)
  ),
  ...["text/html", "Text/HTML; charset=utf-8", "image/svg+xml", "text/xml", "application/pdf"].map(
    staged,
  ),
  sniffed("text", (c) => c.text(200, "<script>alert(1)</script>")),
  sniffed("JSON", (c) => c.json(200, { html: "<script>alert(1)</script>" })),
  sniffed("a foreign JSON", () => Response.json("<script>alert(1)</script>")),
  sniffed("bytes", () => new Response("<script>", { headers: { "content-type": "image/png" } })),
  sniffed("a failure as JSON", () => {
    throw new Error("<script>");
  }),
  ...[
    "x'; script-src *; x '",
    "x' 'unsafe-inline",
    "x; default-src *",
    "x\r\nSet-Cookie: a=1",
    "x\ny",
    '"><script>',
    "a b",
    "====",
    "é",
    "x".repeat(10_000),
  ].map(foreignNonce),
  ["304", "a copy keeps its nonce", false, async (fw) => {
    const headers = { "content-type": "text/html" };
    const response = await answerOf(fw, () => new Response(null, { status: 304, headers }));
    return response.headers.has("content-security-policy") ||
      response.headers.has("referrer-policy");
  }],
];

testHostileRequests("a default header", rows);

/** Floods of headers: no failure, no hang, and the next request is answered. */
const floods: readonly [name: string, headers: Record<string, string>][] = [
  ["Origin of 60,000 characters", { origin: "https://" + "a".repeat(60_000) }],
  ["Host of 60,000 characters", { host: "a".repeat(60_000) }],
  ["X-Forwarded-For of 60,000 characters", { "x-forwarded-for": "1,".repeat(30_000) }],
  ["X-Forwarded-For of commas", { "x-forwarded-for": ",".repeat(60_000) }],
  ["X-Forwarded-For of trusted proxies", {
    "x-forwarded-for": "10.0.0.1,".repeat(6_000) + "10.0.0.1",
  }],
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
    Deno.test(`a flood of headers is answered below 500 within 100 ms of work: ${method}, ${name}`, async () => {
      const fw = await import("../../../mod.ts");
      const settings = {
        trustedProxies: ["10.0.0.0/8"],
        allowedHosts: ["localhost"],
        cors: { origins: ["https://app.example"] },
        rateLimit: { rate: 1, burst: 2 },
      };
      const started = cpuMs();
      const { status } = await ask(fw, settings, { method, headers, peer: "10.0.0.1" });
      assertEquals([status < 500, cpuMs() - started < 100], [true, true]);
    });
  }
}
