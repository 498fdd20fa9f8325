import { assertEquals } from "@std/assert";
import { cpuMs } from "../../cpu_time.ts";
import { ask } from "../guard_app.ts";

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
