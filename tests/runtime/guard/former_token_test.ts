import { assertEquals } from "@std/assert";
import { App, Off } from "../../../mod.ts";
import { renewCsrfToken } from "../../../runtime/addon.ts";
import { newTestClient, withHeader, withoutCsrf } from "../../../runtime/testing/mod.ts";

function newApp(): App {
  const app = new App({ env: "dev", logRequest: Off });
  app.route({
    pattern: "/",
    page: (c) => {
      c.csrfToken();
      return null;
    },
    methods: { POST: (c) => c.text(200, "taken") },
  });
  app.route({
    pattern: "/login",
    page: () => null,
    methods: {
      POST: (c) => {
        renewCsrfToken(c);
        return c.text(200, "signed in");
      },
    },
  });
  return app;
}

const rows: readonly [what: string, headers: Record<string, string>, status: number][] = [
  ["with the site's own Origin", { origin: "http://localhost" }, 200],
  ["without an Origin", {}, 403],
  ["with the Origin of another site", { origin: "http://evil.example" }, 403],
  ["with the Origin of a sibling host", { origin: "http://a.localhost" }, 403],
  ["of a sandboxed frame", { origin: "null" }, 403],
  ["under no-referrer", { origin: "null", "sec-fetch-site": "same-origin" }, 200],
  ["marked as cross-site", { origin: "http://localhost", "sec-fetch-site": "cross-site" }, 403],
];

for (const [what, headers, status] of rows) {
  Deno.test(`a form opened before a sign-in, ${what}, gets ${status}`, async () => {
    const client = newTestClient(newApp(), withoutCsrf());
    await client.get("/");
    const before = client.cookie("fw_csrf") ?? "";
    await client.postForm("/login", { _csrf: before }).wantStatus(200);
    const options = Object.entries(headers).map(([name, value]) => withHeader(name, value));
    await client.postForm("/", { _csrf: before }, ...options).wantStatus(status);
    // The token of the new session is accepted.
    await client.postForm("/", { _csrf: client.cookie("fw_csrf") ?? "" }).wantStatus(200);
  });
}

Deno.test("a token older than the last two sign-ins is refused", async () => {
  const client = newTestClient(newApp(), withoutCsrf());
  const origin = withHeader("origin", "http://localhost");
  await client.get("/");
  const first = client.cookie("fw_csrf") ?? "";
  await client.postForm("/login", { _csrf: first }, origin).wantStatus(200);
  const second = client.cookie("fw_csrf") ?? "";
  await client.postForm("/login", { _csrf: second }, origin).wantStatus(200);
  await client.postForm("/", { _csrf: second }, origin).wantStatus(200);
  const refused = await client.postForm("/", { _csrf: first }, origin);
  assertEquals(refused.status, 403);
});
