/** The event stream and the WebSocket of a user who is signed out end. */
import { assertEquals } from "@std/assert";
import { createTokens, memorySessionStore, type SessionStore } from "../../auth/mod.ts";
import type { App, Ctx, Handler, Next } from "../../mod.ts";
import { repeatCheck } from "../../runtime/addon.ts";
import { appWith, kinds } from "./session_kinds.ts";
import { quietApp, signedIn, signInApp, storeWith } from "./support.ts";
import { serveLocal } from "../serve_local.ts";

/** Replaces intervals by `pass`, which runs all of them thirty times. */
function replaceIntervals(): Disposable & { pass(): Promise<void> } {
  const { setInterval, clearInterval } = globalThis;
  const runs = new Map<number, () => unknown>();
  let ids = 1_000_000;
  const replacements = {
    setInterval: (run: () => unknown): number => {
      runs.set(++ids, run);
      return ids;
    },
    clearInterval: (id: number): void => void runs.delete(id),
  };
  Object.assign(globalThis, replacements);
  return {
    pass: async () => {
      for (let second = 0; second < 30; second++) {
        for (const run of runs.values()) await run();
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, { setInterval, clearInterval }),
  };
}

function addOpen(app: App, guard: (c: Ctx, next: Next) => Promise<Response>): void {
  const middleware = [{ Middleware: guard }];
  const stream: Handler = (c) =>
    c.stream(async (s) =>
      await new Promise((resolve) => s.signal.addEventListener("abort", () => resolve(undefined)))
    );
  const socket: Handler = (c) => c.upgrade().response;
  app.route({ pattern: "/stream", kind: "api", middleware, methods: { GET: stream } });
  app.route({ pattern: "/socket", kind: "api", middleware, methods: { GET: socket } });
}

type Headers = Readonly<Record<string, string>>;

/** Opens a stream; the function reports whether it is still open. */
async function openStream(app: App, headers: Headers): Promise<() => boolean> {
  const response = await app.fetch(new Request("http://localhost/stream", { headers }));
  assertEquals(response.status, 200);
  let isOpen = true;
  const read = async (): Promise<void> => {
    for await (const _ of response.body ?? []);
    isOpen = false;
  };
  read();
  return () => isOpen;
}

async function check(
  app: App,
  headers: Headers,
  { sessionEnds, code }: { readonly sessionEnds: () => unknown; readonly code: string },
): Promise<void> {
  await using server = serveLocal((request, info) => app.fetch(request, info));
  using intervals = replaceIntervals();
  const isOpen = await openStream(app, headers);
  const url = `ws://127.0.0.1:${server.addr.port}/socket`;
  // The types of the DOM lack Deno's options.
  const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers }]);
  const closed = Promise.withResolvers<number>();
  socket.onclose = (event) => closed.resolve(event.code);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  await intervals.pass();
  assertEquals([isOpen(), socket.readyState], [true, WebSocket.OPEN]);
  await sessionEnds();
  await intervals.pass();
  assertEquals([isOpen()], [false]);
  assertEquals(await closed.promise, 1008);
  const again = await app.fetch(new Request("http://localhost/stream", { headers }));
  assertEquals([again.status, (await again.json()).code], [401, code]);
}

for (const [kind, open] of kinds) {
  for (const name of ["that ends", "at its absolute end"]) {
    Deno.test(`a session ${name} closes its stream and its socket (${kind})`, async () => {
      const made = appWith(open, { absoluteMs: 3_600_000 });
      addOpen(made.app, made.sessions.require);
      const client = await signedIn(made);
      const headers = { cookie: `fw_session=${client.cookie("fw_session")}` };
      const sessionEnds = () =>
        name === "that ends" ? client.postForm("/logout", {}) : made.clock.now += 3_600_000;
      await check(made.app, headers, { sessionEnds, code: "sign_in_required" });
    });
  }

  Deno.test(`a token that expires closes its stream and its socket (${kind})`, async () => {
    const clock = { now: Date.now() };
    const store = open(() => clock.now);
    const tokens = createTokens({
      lifetimeMs: 3_600_000,
      now: () => clock.now,
      ...store && { store },
    });
    const app = quietApp({ secret: "s".repeat(32) });
    addOpen(app, tokens.require);
    app.handler();
    const { value } = await tokens.issue(app, { subject: "42" }, { scopes: [] });
    const sessionEnds = () => clock.now += 3_600_000;
    await check(app, { authorization: `Bearer ${value}` }, { sessionEnds, code: "invalid_token" });
  });
}

Deno.test("a token that is revoked closes its stream and its socket", async () => {
  const tokens = createTokens({ store: memorySessionStore() });
  const app = quietApp();
  addOpen(app, tokens.require);
  const user = { subject: "42" };
  const { value } = await tokens.issue(app, user, { scopes: [] });
  const headers = { authorization: `Bearer ${value}` };
  const sessionEnds = () => tokens.revokeAll(app, user);
  await check(app, headers, { sessionEnds, code: "invalid_token" });
});

Deno.test("the handler of a closed stream sees c.signal abort, also if another check fails", async () => {
  const made = signInApp({ store: memorySessionStore() });
  const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stream: Handler = (c) =>
    c.stream(async () => {
      c.signal.addEventListener("abort", () => ended.resolve());
      started.resolve();
      await ended.promise;
    });
  const middleware = [{
    Middleware: (c: Ctx, next: Next) => {
      repeatCheck(c, () => Promise.reject(new Error("down")));
      repeatCheck(c, () => {
        throw new Error("down");
      });
      return next();
    },
  }, { Middleware: made.sessions.require }];
  made.app.route({ pattern: "/stream", kind: "api", middleware, methods: { GET: stream } });
  const client = await signedIn(made);
  using intervals = replaceIntervals();
  const isOpen = await openStream(made.app, {
    cookie: `fw_session=${client.cookie("fw_session")}`,
  });
  await started.promise;
  await client.postForm("/logout", {}).wantStatus(303);
  await intervals.pass();
  assertEquals([isOpen()], [false]);
  await ended.promise;
});

Deno.test("a stream outlasts a failure of the session store", async () => {
  const inner = memorySessionStore();
  let isDown = false;
  const read: SessionStore["read"] = (id) => {
    if (isDown) throw new Error("down");
    return inner.read(id);
  };
  const made = signInApp({ store: storeWith(inner, { read }) });
  addOpen(made.app, made.sessions.require);
  const client = await signedIn(made);
  using intervals = replaceIntervals();
  const isOpen = await openStream(made.app, {
    cookie: `fw_session=${client.cookie("fw_session")}`,
  });
  isDown = true;
  await intervals.pass();
  assertEquals([isOpen()], [true]);
  isDown = false;
  await client.postForm("/logout", {}).wantStatus(303);
  await intervals.pass();
  assertEquals([isOpen()], [false]);
});
