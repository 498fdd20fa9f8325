/**
 * A sign-in that outlives the connections of its transport.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { setTimeout as delay } from "node:timers/promises";
import { StepUps } from "../../../ai/mcp/client/oauth/step_ups.ts";
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

Deno.test("oauth: the time of calls stops while the user signs in for a new session", async () => {
  const world = new OAuthWorld({ hasSessions: true, refresh: "refused" });
  const authorize = async (url: URL): Promise<URL> => {
    await delay(200);
    return world.authorize(url);
  };
  let isOver = false;
  const fetch = async (request: Request): Promise<Response> => {
    // The session is lost first, and its successor needs a new token.
    const isLost = world.isSessionLost && request.headers.has("mcp-session-id");
    if (!isLost || isOver) return await world.fetch(request);
    world.valid.clear();
    return new Response(null, { status: 404 });
  };
  const auth = { clientName: "Test", redirectUri: "http://127.0.0.1:4711/callback", authorize };
  await using client = await dial(http("https://mcp.example/mcp", { fetch, auth }), {
    timeoutMs: 100,
  });
  world.isSessionLost = true;
  const early = callText(client);
  await delay(50);
  const late = callText(client);
  for (const text of await Promise.all([early, late])) assertMatch(text, /token-/);
  isOver = true;
  assertEquals(world.authorized.length, 2);
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
  isWithdrawn = false;
  assertMatch(await callText(client), /token-/, "the scope is given again");
  const [read, both] = ["events:read", "events:read events:write"];
  assertEquals(
    world.authorized.map((params) => params.get("scope")),
    [read, both, both, read, both, both],
  );
});

Deno.test("oauth: a sign-in page that the user closed is opened again by the next call", async () => {
  const world = new OAuthWorld({ toolScopes: ["events:write"], refresh: "refused" });
  let isClosed = false;
  const authorize = (url: URL): URL => {
    if (!isClosed) return world.authorize(url);
    isClosed = false;
    throw new Error("the user closed the page");
  };
  await using client = await signIn(world, { authorize });
  isClosed = true;
  await assertRejects(() => client.callTool("any"), Error, "closed the page");
  assertMatch(await callText(client), /token-/, "after a wider sign-in that failed");
  world.valid.clear();
  isClosed = true;
  await assertRejects(() => client.callTool("any"), Error, "closed the page");
  assertMatch(await callText(client), /token-/, "after the same for lost tokens");
  assertEquals(world.authorized.map((params) => params.get("scope")), [
    "events:read",
    "events:read events:write",
    "events:read events:write",
  ]);
});

Deno.test("oauth: a user who closes every page of a wider sign-in is asked a few times at most", async () => {
  const world = new OAuthWorld({ toolScopes: ["events:write"] });
  let asked = 0;
  const authorize = (url: URL): URL => {
    if (!url.searchParams.get("scope")?.includes("write")) return world.authorize(url);
    asked++;
    throw new Error("the user closed the page");
  };
  await using client = await signIn(world, { authorize });
  for (let call = 0; call < 10; call++) await client.callTool("any").catch(() => {});
  assertEquals(asked, 3);
});

Deno.test("StepUps allows three questions an hour, and none that the user agreed to", () => {
  let nowMs = 0;
  const stepUps = new StepUps({ now: () => nowMs });
  const begin = (...scopes: string[]): boolean => stepUps.begin(scopes) !== undefined;
  stepUps.begin(["b", "a"])?.agreed();
  assert(!begin("a", "b"), "the user agreed to this already");
  assertEquals([begin("c"), begin("c"), begin("c")], [true, true, false]);
  nowMs = 3_600_000;
  assertEquals([begin("a", "b"), begin("c"), begin("d"), begin("e")], [true, true, true, false]);
  nowMs *= 2;
  stepUps.begin(["a"])?.agreed();
  stepUps.forgetAgreed();
  assertEquals([begin("a"), begin("a"), begin("a")], [true, true, false], "it still counts");
});

Deno.test("oauth: an invalid_scope fails one sign-in, also of a server without refresh tokens", async () => {
  const world = new OAuthWorld({
    toolScopes: ["events:write"],
    token: { refresh_token: undefined },
  });
  let isWithdrawn = false;
  const fetch = async (request: Request): Promise<Response> => {
    const isToken = request.url.endsWith("/token");
    if (!isToken || !isWithdrawn) return await world.fetch(request);
    isWithdrawn = false;
    return Response.json({ error: "invalid_scope" }, { status: 400 });
  };
  const { authorize } = world;
  const auth = { clientName: "Test", redirectUri: "http://127.0.0.1:4711/callback", authorize };
  await using client = await dial(http("https://mcp.example/mcp", { fetch, auth }));
  assert(await callText(client));
  isWithdrawn = true;
  world.valid.clear();
  assertEquals(await codeOf(client.callTool("any")), "mcp_auth");
  assert(await callText(client));
  assertEquals(world.authorized.map((params) => params.get("scope")).slice(-2), [
    "events:read",
    "events:read events:write",
  ]);
});

Deno.test("oauth: closing a client never asks the user to sign in", async () => {
  const world = new OAuthWorld({ hasSessions: true, refresh: "refused" });
  const client = await signIn(world);
  assert(await callText(client));
  world.valid.clear();
  await client.close();
  assertEquals(world.authorized.length, 1);
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
