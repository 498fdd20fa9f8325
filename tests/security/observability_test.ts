import { assertEquals } from "@std/assert";
import { Off, type SecurityEvent, type Settings } from "../../mod.ts";
import { ask, type Sent } from "./guard_app.ts";

const token = "0123456789abcdefghijklmnopqrstuvwxyzABCD==";
const outside = "203.0.113.9";
const inside = "10.0.0.1";
const bearer = { authorization: `Bearer ${token}` };
const probe = "http://localhost/_fw/health";

/** A request that must see neither metrics nor details of the checks, and its status. */
type Row = readonly [name: string, sent: Sent, status?: number, settings?: Settings];

const refused: readonly Row[] = [
  ...[
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token}=`,
    `Bearer ${token.slice(0, 8)}`,
    `Bearer ${token.replaceAll("=", "")}`,
    `Bearer ${token.replace("z", "Z")}`,
    `Bearer ${token.replace("D", "E")}`,
    token,
    `Basic ${token}`,
    `Token ${token}`,
    `Bearer:${token}`,
    `Bearer token:${token}`,
    `Bearer${token}`,
    `Bearer "${token}"`,
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Bearer ${token}x`,
    `Bearer ${token},`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer wrong, Bearer ${token}`,
    `Basic eDp4, Bearer ${token}`,
    `Bearer${" ".repeat(5_000)}${token}`,
  ].map((authorization): Row => [
    `the credentials ${authorization.slice(0, 60)}`,
    { headers: { authorization } },
  ]),
  ...[outside, "11.0.0.1", "9.255.255.255", "::1", "2001:db8::1", "::ffff:203.0.113.9"]
    .map((peer): Row => [`from ${peer}`, { peer }]),
  ...[
    ["x-forwarded-for", outside],
    ["x-forwarded-for", inside],
    ["x-forwarded-for", "garbage"],
    ["x-forwarded-for", ""],
    ["forwarded", `for=${outside}`],
    ["via", "1.1 proxy"],
    ["x-real-ip", outside],
    ["x-forwarded-host", "example.com"],
    ["x-forwarded-proto", "https"],
  ].map(([name = "", value = ""]): Row => [
    `${name}: ${value} from an undeclared proxy`,
    { peer: inside, headers: { [name]: value } },
  ]),
  ["a declared proxy without an address", { peer: inside, headers: { via: "1.1 proxy" } }, 401, {
    trustedProxies: [inside],
  }],
  ...[inside, `${inside}, ${inside}`, `${outside}, ${inside}`].map((list): Row => [
    `X-Forwarded-For: ${list} from outside`,
    { headers: { "x-forwarded-for": list } },
  ]),
  ...["GET", "HEAD"].map((method): Row => [`${method} without anything`, { method }]),
  ["in development", {}, 401, { env: "dev" }],
  [
    "no token and no network",
    { peer: inside, headers: { authorization: "Bearer undefined" } },
    401,
    { observability: { token: undefined, trusted: [] } },
  ],
  ...["token", "access_token"].map((name): Row => [
    `the token in the query as ${name}`,
    { url: `http://localhost/metrics?${name}=${token}` },
  ]),
  ["the token in a cookie", { headers: { cookie: `token=${token}` } }],
  ["the token as X-API-Key", { headers: { "x-api-key": token } }],
  ["the token for a proxy", { headers: { "proxy-authorization": `Bearer ${token}` } }],
  ["another host", { url: "http://evil.example/metrics", headers: bearer }, 400, {
    allowedHosts: ["example.com"],
  }],
  ["the live probe", { url: `${probe}/live` }, 200],
  ["a foreign host in development", { url: "http://evil.example/_fw/health" }, 200, {
    env: "dev",
    allowedHosts: ["example.com"],
  }],
  ["details that are off", { url: probe, peer: inside }, 200, { observability: { details: Off } }],
  ...`
    /%6detrics /METRICS /Metrics /metrics/ //metrics /metrics;v=1 /metrics%20 /x/metrics
    /metrics.txt /metrics%3Fx
  `.trim().split(/\s+/).map((path): Row => [
    `${path} with the token`,
    { url: `http://localhost${path}`, headers: bearer },
    404,
  ]),
];

for (const [name, sent, status = 401, settings = {}] of refused) {
  Deno.test(`an observer sees nothing: ${name}`, async () => {
    const trusted = ["10.0.0.0/8"];
    const observability = { metrics: "/metrics", token, trusted, ...settings.observability };
    const to = { url: "http://localhost/metrics", peer: outside, ...sent };
    const answer = await ask({ ...settings, observability }, to);
    const isOpen = /fw_build_info|"uptime_seconds"/.test(answer.text);
    assertEquals([answer.status, isOpen], [status, false]);
  });
}

const guess = "Bearer guess";
const guessed = ["auth", "observability-token", "192.0.2.5"];
const events: readonly [url: string, authorization: string, event: unknown[]][] = [
  [probe, guess, guessed],
  [`${probe}/live`, guess, guessed],
  ["http://localhost/metrics", guess, guessed],
  ["http://evil.example/metrics", bearer.authorization, ["host", undefined, "192.0.2.5"]],
];

for (const [url, authorization, wanted] of events) {
  Deno.test(`an observer's refusal at ${url} is a security event`, async () => {
    const seen: SecurityEvent[] = [];
    await ask({
      allowedHosts: ["example.com", "localhost"],
      onSecurityEvent: (event) => void seen.push(event),
      observability: { metrics: "/metrics", token },
    }, { url, headers: { authorization } });
    assertEquals(seen.map(({ kind, reason, ip }) => [kind, reason, ip]), [wanted]);
  });
}
