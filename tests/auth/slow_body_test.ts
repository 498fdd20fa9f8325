/** A user who is signed out while the body of a request arrives does not finish the write. */
import { assertEquals } from "@std/assert";
import { createTokens, memorySessionStore } from "../../auth/mod.ts";
import type { App, Ctx, Next } from "../../mod.ts";
import { struct, text } from "../../runtime/schema/mod.ts";
import { replaceClock } from "../clock.ts";
import { appWith, kinds } from "./session_kinds.ts";
import { quietApp, signedIn, storeWith } from "./support.ts";

const Note = struct({ a: text() });
const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=x";
const file = '--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\n1\r\n--x--\r\n';
const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';

type Read = (c: Ctx) => unknown;
const reads: readonly (readonly [name: string, type: string, body: string, read: Read])[] = [
  ["bindJson", "application/json", '{"a":"1"}', (c) => c.bindJson(Note)],
  ["tryBind of JSON", "application/json", '{"a":"1"}', (c) => c.tryBind(Note)],
  ["bind of a form", form, "a=1", (c) => c.bind(Note)],
  ["form", form, "a=1", (c) => c.form("a")],
  ["form of parts", multipart, part, (c) => c.form("a")],
  ["file", multipart, file, (c) => c.file("a")],
  ["c.request.text", "text/plain", "a=1", (c) => c.request.text()],
  ["c.request.json", "application/json", '{"a":"1"}', (c) => c.request.json()],
  ["c.request.body", "text/plain", "a=1", (c) => new Response(c.request.body).text()],
  ["c.request.clone", "text/plain", "a=1", (c) => c.request.clone().text()],
  ["an assigned request", "text/plain", "a=1", (c) => {
    c.request = new Request(c.request, { headers: { "x-a": "1" } });
    return c.request.text();
  }],
  ["an earlier clone", "text/plain", "a=1", (c) => clones.get(c)?.text()],
];

const clones = new WeakMap<Ctx, Request>();

/** Copies the request before the guard has looked at it. */
function keepClone(c: Ctx, next: Next): ReturnType<Next> {
  if (c.pattern === "/an-earlier-clone") clones.set(c, c.request.clone());
  return next();
}

interface Sent {
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Runs after the first byte of the body. */
  readonly meanwhile: () => unknown;
  readonly length?: boolean;
}

/** Sends a body whose end follows after something else has happened. */
async function send(app: App, path: string, sent: Sent): Promise<Response> {
  const bytes = new TextEncoder().encode(sent.body);
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      if (!isBegun) {
        isBegun = true;
        return controller.enqueue(bytes.slice(0, 1));
      }
      await sent.meanwhile();
      controller.enqueue(bytes.slice(1));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const length = sent.length ? { "content-length": String(bytes.length) } : undefined;
  const headers = { ...sent.headers, ...length, "content-type": sent.type };
  const method = "POST";
  return await app.fetch(new Request(`http://localhost${path}`, { method, headers, body }));
}

for (const [kind, open] of kinds) {
  Deno.test(`a session that ends during a slow body ends the write (${kind})`, async () => {
    using clock = replaceClock();
    const made = appWith(open);
    let writes = 0;
    const middleware = [{ Middleware: keepClone }, { Middleware: made.sessions.require }];
    for (const [name, , , read] of reads) {
      const POST = async (c: Ctx): Promise<Response> => {
        await read(c);
        writes++;
        return c.noContent();
      };
      const pattern = `/${name.replaceAll(" ", "-")}`;
      made.app.route({ pattern, kind: "api", methods: { POST }, middleware });
    }
    for (const [name, type, body] of reads) {
      for (const length of [true, false]) {
        const client = await signedIn(made);
        const cookie = `fw_session=${client.cookie("fw_session")}`;
        const sent = { type, body, length, headers: { cookie, "sec-fetch-site": "same-origin" } };
        const path = `/${name.replaceAll(" ", "-")}`;
        const meanwhile = (): void => clock.advance(1_001);
        const before = writes;
        const slow = await send(made.app, path, { ...sent, meanwhile });
        assertEquals([slow.status, writes - before], [204, 1], name);
        const late = await send(made.app, path, {
          ...sent,
          meanwhile: async () => {
            clock.advance(1_001);
            await client.postForm("/logout", {}).wantStatus(303);
          },
        });
        assertEquals([late.status, writes - before], [401, 1], name);
        assertEquals((await late.json()).code, "sign_in_required");
      }
    }
  });
}

Deno.test("a token that is revoked during a slow body ends the write", async () => {
  using clock = replaceClock();
  const tokens = createTokens({ store: memorySessionStore() });
  const app = quietApp();
  const POST = async (c: Ctx): Promise<Response> => c.json(200, await c.bindJson(Note));
  const middleware = [{ Middleware: tokens.requireScope("notes") }];
  app.route({ pattern: "/notes", kind: "api", methods: { POST }, middleware });
  const user = { subject: "42" };
  const { value } = await tokens.issue(app, user, { scopes: ["notes"] });
  const headers = { authorization: `Bearer ${value}` };
  const sent = { type: "application/json", body: '{"a":"1"}', headers };
  const slow = await send(app, "/notes", { ...sent, meanwhile: () => clock.advance(1_001) });
  assertEquals(slow.status, 200);
  const late = await send(app, "/notes", {
    ...sent,
    meanwhile: async () => {
      clock.advance(1_001);
      await tokens.revokeAll(app, user);
    },
  });
  assertEquals([late.status, (await late.json()).code], [401, "invalid_token"]);
});

Deno.test("the session is read once for a body that arrives at once", async () => {
  using clock = replaceClock({ isFrozen: true });
  let count = 0;
  const inner = memorySessionStore();
  const made = appWith(() => storeWith(inner, { read: (id) => (count++, inner.read(id)) }));
  const POST = async (c: Ctx): Promise<Response> => c.json(200, await c.bindJson(Note));
  const middleware = [{ Middleware: made.sessions.require }];
  made.app.route({ pattern: "/notes", kind: "api", methods: { POST }, middleware });
  const client = await signedIn(made);
  const headers = { cookie: `fw_session=${client.cookie("fw_session")}` };
  const sent = { type: "application/json", body: '{"a":"1"}', headers };
  for (const [ms, reads] of [[1_000, 1], [1_001, 2]] as const) {
    count = 0;
    const meanwhile = (): void => clock.advance(ms);
    assertEquals((await send(made.app, "/notes", { ...sent, meanwhile })).status, 200);
    assertEquals(count, reads);
  }
});
