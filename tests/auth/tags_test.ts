/** Cached pages of one user when another uses the same browser: `c.etag` and the session. */
import { createSessions, memorySessionStore } from "../../auth/mod.ts";
import type { Ctx } from "../../mod.ts";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { newTestClient, type TestClient, withHeader } from "../../runtime/testing/mod.ts";
import { quietApp } from "./support.ts";
import { routeOf } from "../routes.ts";

const date = new Date("2026-03-04T05:06:07Z");

const rows = [["cookie", {}], ["store", { store: memorySessionStore() }]] as const;
for (const [kind, options] of rows) {
  const sessions = createSessions(options);
  const app = quietApp({ secret: "s".repeat(32) });
  app.route(routeOf("GET", "/in", async (c: Ctx) => {
    await sessions.start(c, { subject: c.query("u") ?? "" });
    return c.noContent();
  }));
  app.route({ pattern: "/out", methods: { GET: async (c: Ctx) => void await sessions.end(c) } });
  const whole = async (c: Ctx): Promise<Response> =>
    c.text(200, (await sessions.user(c))?.subject ?? "nobody");
  const methods = {
    before: async (c: Ctx) => {
      await sessions.user(c);
      return c.etag("v1") ? undefined : whole(c);
    },
    after: (c: Ctx) => c.etag("v1") ? undefined : whole(c),
    signed: (c: Ctx) => {
      const who = c.signed("who") ?? "nobody";
      return c.etag("v1") ? undefined : c.text(200, who);
    },
    plain: (c: Ctx) => {
      const who = c.cookie("plain") ?? "nobody";
      return c.etag("v1") ? undefined : c.text(200, who);
    },
    dated: async (c: Ctx) => {
      await sessions.user(c);
      return c.lastModified(date) ? undefined : whole(c);
    },
  };
  for (const [name, GET] of Object.entries(methods)) {
    app.route({ pattern: `/${name}`, methods: { GET } });
  }
  const guarded = [{ Middleware: sessions.require }];
  const page = (c: Ctx) => c.etag("v1") ? undefined : whole(c);
  app.route({ pattern: "/guarded", methods: { GET: page }, middleware: guarded });
  app.route(routeOf("GET", "/set", (c: Ctx) => {
    c.setSigned("who", c.query("u") ?? "", 60_000);
    c.setCookie({ name: "plain", value: c.query("u") ?? "" });
    return c.noContent();
  }));
  const tagOf = async (client: TestClient, path: string): Promise<string> =>
    (await client.get(path).wantStatus(200)).header("etag") ?? "";
  const as = async (client: TestClient, user: string): Promise<void> => {
    await client.get(`/in?u=${user}`).wantStatus(204);
    await client.get(`/set?u=${user}`).wantStatus(204);
  };

  for (const path of ["/before", "/after", "/signed", "/plain", "/guarded"]) {
    Deno.test(`c.etag (${kind} session): binds the tag of ${path} to a user`, async () => {
      const client = newTestClient(app);
      await as(client, "alice");
      const own = await tagOf(client, path);
      // A tag set before the session is read costs a full response.
      const held = await client.get(path, withHeader("if-none-match", own));
      assertEquals(held.status, path === "/after" ? 200 : 304);
      if (held.status === 304) assertEquals(held.header("etag"), own);
      await as(client, "bob");
      const asked = await client.get(path, withHeader("if-none-match", own)).wantStatus(200);
      assertEquals(asked.body, "bob");
      assertNotEquals(asked.header("etag"), own);
      if (path === "/after") return;
      await client.get(path, withHeader("if-none-match", '"v1"')).wantStatus(200);
    });
  }

  for (const path of ["/before", "/after"]) {
    Deno.test(`c.etag (${kind} session): invalidates the tag of ${path} at sign-out`, async () => {
      const client = newTestClient(app);
      const anonymous = await tagOf(client, path);
      await as(client, "alice");
      const own = await tagOf(client, path);
      assert(own !== anonymous && own !== '"v1"' && anonymous !== '"v1"');
      const since = withHeader("if-none-match", anonymous);
      assertEquals((await client.get(path, since).wantStatus(200)).body, "alice");
      await client.get("/out");
      const asked = await client.get(path, withHeader("if-none-match", own)).wantStatus(200);
      assertEquals(asked.body, "nobody");
    });
  }

  Deno.test(`c.lastModified (${kind} session): sends no date, which could not distinguish users`, async () => {
    const client = newTestClient(app);
    const since = withHeader("if-modified-since", date.toUTCString());
    const answer = await client.get("/dated", since).wantStatus(200);
    assertEquals(answer.header("last-modified") ?? "", "");
  });
}
