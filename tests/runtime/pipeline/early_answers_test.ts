import { assert, assertEquals } from "@std/assert";
import { App, Off, type Settings } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";

function newApp(settings: Settings = {}): App {
  const app = new App({ logRequest: Off, ...settings });
  const cors = { origins: ["https://app.example"] };
  app.route({ pattern: "/open", cors, methods: { GET: (c) => c.text(200, "open") } });
  return app;
}

for (const method of ["GET", "POST"]) {
  Deno.test(`the slash redirect of ${method} has the route's CORS policy`, async () => {
    const origin = withHeader("origin", "https://app.example");
    await testRequest(newApp(), method, "/open/", origin).wantStatus(method === "GET" ? 301 : 308)
      .wantHeader("access-control-allow-origin", "https://app.example");
  });
}

Deno.test("a preflight with a trailing slash gets the route's policy, not a redirect", async () => {
  const origin = withHeader("origin", "https://app.example");
  const asked = withHeader("access-control-request-method", "GET");
  await testRequest(newApp(), "OPTIONS", "/open/", origin, asked).wantStatus(204)
    .wantHeader("access-control-allow-origin", "https://app.example");
});

const malformed: readonly [path: string, accept: string, type: string][] = [
  ["/api/%zz", "*/*", "application/problem+json"],
  ["/api/%zz", "text/html", "text/html; charset=utf-8"],
  ["/%zz", "*/*", "text/html; charset=utf-8"],
  ["/%zz", "application/json", "application/problem+json"],
];

for (const [path, accept, type] of malformed) {
  Deno.test(`the malformed path ${path} with Accept: ${accept} gets ${type} and varies`, async () => {
    for (const basePath of ["", "/shop"]) {
      const request = new Request(`http://localhost${basePath}${path}`, { headers: { accept } });
      const { status, headers } = await newApp({ basePath }).fetch(request);
      assertEquals([status, headers.get("content-type")], [400, type]);
      assert(headers.get("vary")?.split(", ").includes("Accept"));
    }
  });
}

const token = "0123456789abcdef".repeat(2);
const hosts: readonly [host: string, allowedHosts: string[], status: number][] = [
  ["app.example", ["app.example"], 200],
  ["app.example:3000", ["app.example"], 200],
  ["10.0.0.7:3000", ["app.example"], 200],
  ["localhost", ["app.example"], 200],
  ["evil.example", ["app.example"], 400],
  ["evil.example", [], 200],
];

for (const [host, allowedHosts, status] of hosts) {
  Deno.test(`metrics at ${host}, allowed ${allowedHosts.join() || "any"}: ${status}`, async () => {
    const app = newApp({ allowedHosts, observability: { metrics: "/metrics", token } });
    const headers = { authorization: `Bearer ${token}` };
    const response = await app.fetch(new Request(`http://${host}/metrics`, { headers }));
    assertEquals(response.status, status, await response.text());
  });
}
