import { assertEquals, assertMatch } from "@std/assert";
import { channel, limit, MemoryRateLimitStore, noteMemoryState } from "../../../mod.ts";
import type { RateLimitStore, Settings } from "../../../mod.ts";
import { createAttempts, createSessions, createTokens, oidc, passkeys } from "../../../auth/mod.ts";
import { Cache } from "../../../cache/mod.ts";
import { mcpServer } from "../../../ai/mcp/mod.ts";
import { tool } from "../../../ai/mod.ts";
import { newSite, textRoute } from "../app/support.ts";

const message = "kept in memory: each thread and each process has its own";

async function kept(config: Settings = {}): Promise<readonly string[]> {
  const site = newSite([textRoute("/")], { config });
  await site.app.fetch(new Request("http://localhost/"));
  await site.app.fetch(new Request("http://localhost/"));
  return site.logged(message).flatMap(({ settings }) => Object.keys(settings as object));
}

Deno.test("boot names app as the fix of a cache without an application", async () => {
  new Cache({ name: "seats" });
  const site = newSite([textRoute("/")]);
  await site.app.fetch(new Request("http://localhost/"));
  assertMatch(JSON.stringify(site.logged(message)), /give it app/);
});

const client = { clientId: "c", clientSecret: "s", redirectUrl: "https://a.test/callback" };
const approved = { name: "cancel", description: "", needsApproval: true } as const;
const shared: RateLimitStore = { take: () => 0 };
const rows: readonly [title: string, note: () => Settings, want: readonly string[]][] = [
  ["nothing", () => ({}), []],
  ["a shared store", () => ({ rateLimit: { rate: 1, burst: 9, store: shared } }), []],
  ["the global limit", () => ({ rateLimit: { rate: 1, burst: 9 } }), ["config.rateLimit"]],
  ["a limit on some routes", () => (limit(5, 90), {}), ["limit(5, 90)"]],
  ["by name", () => (limit(6, 90, { store: new MemoryRateLimitStore() }), {}), ["limit(6, 90)"]],
  ["a cache", () => (new Cache({ name: "events" }), {}), ['cache "events"']],
  [
    "approvals and questions of an MCP server",
    () => (mcpServer({ name: "m", version: "1", tools: [tool(approved, () => "")] }), {}),
    ["used approvals of tools", "questions to MCP clients", "channels"],
  ],
  ["sessions in cookies", () => (createSessions(), {}), ["cookie sessions that have ended"]],
  ["sessions in a store", () => (createSessions({ stored: true }), {}), ["sign-in sessions"]],
  [
    "sign-in with a provider",
    () => (oidc({ ...client, issuer: "https://id.test" }, { stored: true }), {}),
    ["used states of sign-ins", "sign-in sessions"],
  ],
  [
    "passkeys",
    () => (passkeys({ rpId: "localhost" }), {}),
    ["passkeys", "used registrations of passkeys"],
  ],
  ["signed tokens", () => (createTokens(), {}), []],
  ["tokens in a store", () => (createTokens({ stored: true }), {}), ["API tokens"]],
  ["attempts", () => (createAttempts(), {}), ["sign-in attempts"]],
  [
    "attempts by name",
    () => (createAttempts({ store: new MemoryRateLimitStore() }), {}),
    ["sign-in attempts"],
  ],
  ["shared attempts", () => (createAttempts({ store: shared }), {}), []],
  ["channels", () => (channel("seats"), {}), ["channels"]],
  ["development", () => (noteMemoryState("seats", "a database"), { env: "dev" }), []],
  ["state recorded in development", () => ({}), ["seats"]],
];

for (const [title, note, want] of rows) {
  Deno.test(`boot logs once which state is in memory: ${title}`, async () => {
    assertEquals(await kept(note()), want);
  });
}
