/** The application that `parallel_test.ts` gives to `deno serve`; `SPLIT` says what it keeps in memory. */
import { Cache } from "../../cache/mod.ts";
import { App, createLogger, limit, MemoryRateLimitStore, type RateLimitStore } from "../../mod.ts";

const split = (Deno.env.get("SPLIT") ?? "").split(",");
const shared: RateLimitStore = { take: () => Promise.resolve(0) };

if (split.includes("cache")) new Cache({ name: "events" });
const app = new App({
  logger: createLogger({ level: "warn" }),
  ...(split.includes("global") ? { rateLimit: { rate: 500, burst: 90_000 } } : {}),
  ...(split.includes("shared") ? { rateLimit: { rate: 500, burst: 90_000, store: shared } } : {}),
});
const limits = [
  ...(split.includes("middleware") ? [limit(50, 90_000)] : []),
  ...(split.includes("named") ? [limit(5, 90_000, { store: new MemoryRateLimitStore() })] : []),
];
app.route({
  pattern: "/",
  middleware: limits.map((Middleware) => ({ Middleware })),
  // Each thread has an origin of its own.
  methods: { GET: (c) => c.text(200, String(performance.timeOrigin)) },
});

export default { fetch: app.fetch };
