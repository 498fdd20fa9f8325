/**
 * A sign-in that outlives the connections of its transport.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { dial, http, type OAuthStore } from "../../../ai/mcp/mod.ts";
import { callText, OAuthWorld, signIn } from "./oauth_server.ts";
import { codeOf } from "./support.ts";

Deno.test("oauth: the user signs in once, also for a server with sessions that it forgets", async () => {
  const world = new OAuthWorld({ hasSessions: true });
  await using client = await signIn(world);
  assertEquals(world.authorized.length, 1, "the two connections of a dial share the sign-in");
  for (let round = 0; round < 3; round++) {
    world.isSessionLost = true;
    assertMatch(await callText(client), /token-/);
  }
  assertEquals(world.sessions, 4);
  assertEquals([world.authorized.length, world.registrations.length], [1, 1]);
});

Deno.test("oauth: the time in which the user signs in is not that of the server", async () => {
  for (const kind of [{}, { hasSessions: true }] as const) {
    const world = new OAuthWorld({ ...kind, refresh: "refused" });
    const authorize = async (url: URL): Promise<URL> => {
      await delay(200);
      return world.authorize(url);
    };
    const transport = http("https://mcp.example/mcp", {
      fetch: world.fetch,
      probeMs: 100,
      auth: { clientName: "Test", redirectUri: "http://127.0.0.1:4711/callback", authorize },
    });
    await using client = await dial(transport, { timeoutMs: 100 });
    assertMatch(await callText(client), /token-/);
    assertEquals([world.authorized.length, world.registrations.length], [1, 1]);
    world.valid.clear();
    assertMatch(await callText(client), /token-/, "a call for which the user signs in again");
    assertEquals(world.authorized.length, 2);
  }
});

Deno.test("oauth: a server that loses its sessions does not ask for wider scopes again", async () => {
  const world = new OAuthWorld({ hasSessions: true, toolScopes: ["events:write"] });
  await using client = await signIn(world);
  const grant = world.valid.set.bind(world.valid);
  world.valid.set = (token) => grant(token, []);
  for (let round = 0; round < 3; round++) {
    world.isSessionLost = true;
    assertEquals(await codeOf(client.callTool("any")), "mcp_auth");
  }
  assertEquals(world.authorized.length, 2);
});

Deno.test("oauth: a sign-in after a refused refresh asks for all scopes that the user agreed to", async () => {
  const world = new OAuthWorld({ toolScopes: ["events:write"], refresh: "refused" });
  await using client = await signIn(world);
  assert(await callText(client));
  world.valid.clear();
  assert(await callText(client));
  assertEquals(world.authorized.map((params) => params.get("scope")), [
    "events:read",
    "events:read events:write",
    "events:read events:write",
  ]);
});

Deno.test("oauth: a scope that is no longer given fails one sign-in, not all of them", async () => {
  const world = new OAuthWorld({ toolScopes: ["events:write"], refresh: "refused" });
  let isWithdrawn = false;
  const authorize = (url: URL): URL => {
    const back = world.authorize(url);
    if (!isWithdrawn || !url.searchParams.get("scope")?.includes("write")) return back;
    back.searchParams.delete("code");
    back.searchParams.set("error", "invalid_scope");
    return back;
  };
  await using client = await signIn(world, { authorize });
  assert(await callText(client));
  isWithdrawn = true;
  world.valid.clear();
  assertEquals(await codeOf(client.callTool("any")), "mcp_auth");
  assertEquals(await codeOf(client.callTool("any")), "mcp_auth");
  assertEquals(world.authorized.at(-1)?.get("scope"), "events:read");
});

Deno.test("oauth: a store that fails once is read again", async () => {
  const world = new OAuthWorld();
  const kept = new Map<string, string>();
  let isLocked = false;
  const store: OAuthStore = {
    get: (key) => {
      if (isLocked) {
        isLocked = false;
        throw new Error("the database is locked");
      }
      return kept.get(key);
    },
    set: (key, value) => void kept.set(key, value),
    delete: (key) => void kept.delete(key),
  };
  await using first = await signIn(world, { store });
  assert(await callText(first));
  isLocked = true;
  const transport = http("https://mcp.example/mcp", {
    fetch: world.fetch,
    auth: {
      clientName: "Test",
      redirectUri: "http://127.0.0.1:4711/callback",
      authorize: world.authorize,
      store,
    },
  });
  await assertRejects(() => dial(transport), Error, "locked");
  await using second = await dial(transport);
  assert(await callText(second));
  assertEquals(world.authorized.length, 1);
});

Deno.test("http refuses a redirectUri that no authorization server accepts", () => {
  const auth = { clientName: "T", redirectUri: "http://app.example/cb", authorize: () => "" };
  assertThrows(
    () => http("https://mcp.example/mcp", { auth }),
    TypeError,
    "HTTPS or a loopback",
  );
});
