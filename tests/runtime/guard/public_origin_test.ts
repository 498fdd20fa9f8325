/** `config.publicOrigin`: the origin that browsers see, whatever `Host` a proxy sends. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createSessions } from "../../../auth/mod.ts";
import { handshakeHeaders } from "../../security/raw_client.ts";
import { App, type Config, createLogger, Off, type SecurityEvent } from "../../../mod.ts";

const token = "A".repeat(43);

/** Sends a form or a handshake; `reason` is that of the security event. */
async function send(
  { config = {}, url = "http://site.example/", headers = {}, method = "POST" }: {
    readonly config?: Partial<Config>;
    readonly url?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly method?: string;
  },
): Promise<{ status: number; body: string; reason: string | undefined }> {
  const events: SecurityEvent[] = [];
  const logger = createLogger({ write: () => {} });
  const take = (event: SecurityEvent) => void events.push(event);
  const app = new App({ logger, logRequest: Off, onSecurityEvent: take, ...config });
  app.route({
    pattern: "/",
    page: (c) => {
      c.csrfToken();
      return null;
    },
    methods: { POST: (c) => c.text(200, c.url.href) },
  });
  app.route({ pattern: "/socket", methods: { GET: (c) => c.upgrade().response } });
  const body = method === "POST" ? new URLSearchParams({ _csrf: token }) : null;
  const cookie = `fw_csrf=${token}; __Host-fw_csrf=${token}`;
  const all = { cookie, accept: "application/json", ...headers };
  const request = new Request(url, { method, body, headers: all });
  // A server passes on the port as it was written.
  Object.defineProperty(request, "url", { value: url });
  const response = await app.fetch(request);
  return { status: response.status, body: await response.text(), reason: events[0]?.reason };
}

const https = "https://a.example";
const http = "http://a.example";

const forms: [string, publicOrigin: string | undefined, string, string, string | number][] = [
  ["the host of the request", undefined, `${http}/?q=1`, http, `${http}/?q=1`],
  ["a proxy that hides the host", https, "http://app:3000/?q=1", https, `${https}/?q=1`],
  ["a proxy that drops the port", `${http}:8080`, `${http}/`, `${http}:8080`, `${http}:8080/`],
  ["a proxy that adds a port", https, `${http}:3000/`, https, `${https}/`],
  [
    "the host of the request is still accepted",
    `${http}:8080`,
    "http://app/",
    "http://app",
    `${http}:8080/`,
  ],
  ["an insecure page of the public host", https, `${http}/`, http, 403],
  ["another scheme of the public host", https, "http://app/", http, 403],
  ["another port of the public host", https, "http://app/", `${https}:8443`, 403],
  ["a subdomain of the public host", https, "http://app/", "https://b.a.example", 403],
  ["another site", https, "http://app/", "https://evil.example", 403],
];

const schemes: readonly [
  env: Config["env"],
  publicOrigin: string | undefined,
  isSecure: boolean,
][] = [
  ["prod", undefined, false],
  ["prod", http, false],
  ["prod", https, true],
  // Not every browser accepts a secure cookie at http://localhost.
  ["dev", https, false],
];

for (const [env, publicOrigin, isSecure] of schemes) {
  Deno.test(`every cookie is secure behind ${publicOrigin} without trusted proxies: ${env}, ${isSecure}`, async () => {
    const app = new App({
      ...{ env, publicOrigin, secret: "s".repeat(32), logRequest: Off },
      logger: createLogger({ write: () => {} }),
      languages: ["en", "pt"],
    });
    const sessions = createSessions();
    app.route({
      pattern: "/",
      page: async (c) => {
        await sessions.start(c, { subject: "1" });
        c.flash("success", "done");
        c.setLanguage("pt");
        c.setCookie({ name: "own", value: "1" });
        c.setSigned("signed", "1", 60_000);
        c.csrfToken();
        return c.redirect("/");
      },
    });
    const { headers, status } = await app.fetch(new Request("http://localhost:3000/"));
    assertEquals(status, 303);
    const cookies = headers.getSetCookie();
    const names = cookies.map((cookie) => cookie.split("=")[0]).sort();
    const prefix = isSecure ? "__Host-" : "";
    const own = ["fw_csrf", "fw_flash", "fw_session"].map((name) => prefix + name);
    assertEquals(names, [...own, "fw_lang", "own", "signed"].sort());
    assertEquals(cookies.filter((cookie) => /; Secure/.test(cookie)).length, isSecure ? 6 : 0);
    assertEquals(headers.has("strict-transport-security"), isSecure);
  });
}

for (const [name, publicOrigin, url, origin, want] of forms) {
  Deno.test(`config.publicOrigin, a form: ${name}`, async () => {
    const { status, body } = await send({ config: { publicOrigin }, url, headers: { origin } });
    assertEquals(status === 200 ? body : status, want);
  });
}

const ports: readonly [url: string, origin: string, status: number][] = [
  ["http://a.example:80/", "https://a.example", 200],
  ["http://a.example:443/", "https://a.example", 200],
  ["https://a.example:80/", "https://a.example", 200],
  ["http://a.example:80/", "http://a.example", 200],
  ["http://a.example:80/", "https://a.example:8443", 403],
  ["http://a.example:443/", "http://a.example", 403],
  ["http://a.example:8080/", "https://a.example", 403],
];

for (const [url, origin, want] of ports) {
  Deno.test(`a port added to Host by a proxy: ${origin} to ${url} gets ${want}`, async () => {
    const cookie = `${url.startsWith("https") ? "__Host-" : ""}fw_csrf=${token}`;
    const { status } = await send({ url, headers: { origin, cookie } });
    assertEquals(status, want);
  });
}

Deno.test("a port dropped by a proxy is named in the log and the page, and its settings in development", async () => {
  const lost = { url: "http://a.example/", headers: { origin: "http://a.example:8080" } };
  const { status, body, reason } = await send(lost);
  assertEquals([status, reason], [403, "lost-port"]);
  assertStringIncludes(body, "The proxy in front of this site drops the port");
  const dev = await send({ ...lost, config: { env: "dev", allowedHosts: ["a.example"] } });
  const part = "lost the port 8080: let it pass the whole Host on (nginx: $http_host";
  assertStringIncludes(dev.body, part);
  assertStringIncludes(dev.body, "or set config.publicOrigin (FW_ORIGIN)");
});

const cases = [
  ["https://a.example", 101],
  ["http://a.example", 403],
  ["https://evil.example", 403],
  ["https://a.example.evil.example", 403],
  ["null", 403],
] as const;
for (const [origin, status] of cases) {
  Deno.test(`config.publicOrigin, a WebSocket from ${origin}: ${status}`, async () => {
    const config = { publicOrigin: "https://a.example" };
    const headers = { ...handshakeHeaders, origin };
    const sent = await send({ config, url: "http://app/socket", method: "GET", headers });
    assertEquals(sent.status, status);
  });
}
