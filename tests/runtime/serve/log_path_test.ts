import { assert, assertEquals } from "@std/assert";
import { httpError, type Route, type SecurityEvent, type Settings } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { newSite, textRoute } from "../app/support.ts";
import { byteLog } from "./byte_log.ts";

const secret = "QkIz-_ceaPut8";

const routes: readonly Route[] = [
  textRoute("/p/{id}"),
  textRoute("/password/{token}"),
  textRoute("/password/{token}/of/{name}"),
  textRoute("/reset/{resetToken}/{id}"),
  textRoute("/open/{key...}"),
  textRoute("/open/{code}/files/{path...}"),
  textRoute("/café/{token}"),
  {
    pattern: "/fails/{token}",
    methods: {
      GET: () => Promise.reject(new TypeError("broken")),
      POST: (c) => c.text(200, "x"),
      PUT: () => httpError(503, "away"),
    },
  },
  {
    pattern: "/streams/{token}",
    methods: { GET: (c) => c.stream(() => Promise.reject(new TypeError("broken"))) },
  },
];

const paths: readonly [path: string, logged: string][] = [
  ["/p/QkIz-_ceaPut8", "/p/QkIz-_ceaPut8"],
  [`/password/${secret}`, "/password/{token}"],
  [`/password/${secret}?next=/x`, "/password/{token}"],
  [`/password/%51kIz-_ceaPut8`, "/password/{token}"],
  [`/password/a%2Fb`, "/password/{token}"],
  [`/password/password`, "/password/{token}"],
  [`/%70assword/${secret}`, "/%70assword/{token}"],
  [`/password/${secret}/`, "/password/{token}/"],
  [`/password/${secret}/of/ada`, "/password/{token}/of/ada"],
  [`/password/a/of/a`, "/password/{token}/of/a"],
  [`/reset/${secret}/7`, "/reset/{resetToken}/7"],
  [`/open/${secret}/and/more`, "/open/{key...}"],
  [`/open/${secret}/files/a/b`, "/open/{code}/files/a/b"],
  [`/caf%C3%A9/${secret}`, "/caf%C3%A9/{token}"],
];

const settings: readonly [name: string, config: Settings, prefix: string][] = [
  ["", {}, ""],
  [" under a base path", { basePath: "/shop" }, "/shop"],
  [" behind a language", { languages: ["en", "pt"], languagePrefix: true }, "/pt"],
];

for (const [name, config, prefix] of settings) {
  for (const [path, logged] of paths) {
    Deno.test(`the access line of ${path}${name} has the path ${logged}`, async () => {
      const site = newSite(routes, { config: { ...config, logRequest: "all" } });
      await testRequest(site.app, "GET", prefix + path);
      const lines = site.logged("request").map(({ path }) => path);
      assertEquals(lines, [prefix + logged]);
    });
  }
}

const rows: [name: string, method: string, path: string, headers: Record<string, string>][] = [
  ["a handler that fails", "GET", `/fails/${secret}`, {}],
  ["a 503", "PUT", `/fails/${secret}`, {}],
  ["an unknown method", "DELETE", `/fails/${secret}`, {}],
  ["a stream that fails", "GET", `/streams/${secret}`, {}],
  ["a request from another site", "POST", `/fails/${secret}`, {
    "sec-fetch-site": "cross-site",
    origin: "https://evil.example",
    cookie: "a=b",
  }],
  ["an unknown host", "GET", `/password/${secret}`, { host: "evil.example" }],
  ["a slash at the end", "GET", `/password/${secret}/`, {}],
];

for (const [name, method, path, headers] of rows) {
  Deno.test(`log lines and events of ${name} contain no secret parameter`, async () => {
    const events: SecurityEvent[] = [];
    const site = newSite(routes, {
      config: {
        logRequest: "all",
        allowedHosts: ["localhost"],
        onSecurityEvent: (event) => void events.push(event),
      },
    });
    const init = Object.entries(headers).map(([header, value]) => withHeader(header, value));
    await testRequest(site.app, method, path, ...init);
    // A stream fails in a separate task.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const texts = [...site.lines, ...events].map((line) => JSON.stringify(line));
    assertEquals(texts.filter((text) => text.includes(secret)), []);
    assert(texts.some((text) => text.includes("{token}")), texts.join("\n"));
  });
}

Deno.test("responses of bytes hide secret parameters too, and other routes keep theirs", async () => {
  const { logger, read } = byteLog();
  const { app } = newSite(routes, { config: { logger } });
  for (const path of [`/password/${secret}`, "/p/7", `/password/${secret}`]) {
    await testRequest(app, "GET", path).wantStatus(200);
  }
  const logged = read().trimEnd().split("\n").map((line) => JSON.parse(line)["path"]);
  assertEquals(logged, ["/password/{token}", "/p/7", "/password/{token}"]);
});
