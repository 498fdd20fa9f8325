import { Off, type SecurityEvent, type Settings } from "../../mod.ts";
import { ask, type Sent } from "./guard_app.ts";
import { type HostileRow, testHostile } from "./hostile.ts";

const token = "0123456789abcdefghijklmnopqrstuvwxyzABCD==";
const outside = "203.0.113.9";
const inside = "10.0.0.1";

type Observability = NonNullable<Settings["observability"]>;

/** A request for the metrics or another resource that must be refused. */
function row(
  guard: string,
  name: string,
  options: {
    readonly sent: Sent;
    readonly settings?: Settings;
    readonly observability?: Observability;
    readonly want?: unknown;
  },
): HostileRow {
  const { sent, settings = {}, want = [401, "closed"] } = options;
  const trusted = ["10.0.0.0/8"];
  const observability = { metrics: "/metrics", token, trusted, ...options.observability };
  return [`${guard}: ${name}`, want, async () => {
    const to = { url: "http://localhost/metrics", peer: outside, ...sent };
    const answer = await ask({ ...settings, observability }, to);
    const isOpen = /fw_build_info|"uptime_seconds"/.test(answer.text) ||
      answer.headers.get("content-type")?.includes("0.0.4") === true;
    return [answer.status, isOpen ? "open" : "closed"];
  }];
}

function authorization(guard: string, value: string, name = value): HostileRow {
  return row(guard, name, { sent: { headers: { authorization: value } } });
}

const probe = "http://localhost/_fw/health";

const rows: HostileRow[] = [
  ...[token.slice(0, -1), `${token}=`, token.slice(0, 8)].map((guess) =>
    authorization("the whole token", `Bearer ${guess}`)
  ),
  authorization("the whole token", `Bearer ${token.slice(0, 40)}`, "the token without its padding"),
  authorization("the whole token", `Bearer ${token.replace("z", "Z")}`, "one letter in capitals"),
  authorization("the whole token", `Bearer ${token.replace("D", "E")}`, "one letter is another"),
  ...[
    token,
    `Basic ${token}`,
    `Token ${token}`,
    `Bearer:${token}`,
    `Bearer${token}`,
    `Bearer "${token}"`,
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Bearer ${token}x`,
    `Bearer ${token},`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer wrong, Bearer ${token}`,
    `Basic eDp4, Bearer ${token}`,
    `Bearer token=${token}`.replace("=", ":"),
  ].map((value) => authorization("one Bearer credential", value)),
  authorization("no endless header", `Bearer${" ".repeat(5_000)}${token}`, "5,000 spaces"),
  ...[outside, "11.0.0.1", "9.255.255.255", "::1", "2001:db8::1", "::ffff:203.0.113.9"].map((
    peer,
  ) => row("trusted networks", `from ${peer}`, { sent: { peer } })),
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
  ].map(([name = "", value = ""]) =>
    row("no unknown proxy", `${name}: ${value} from a proxy that nobody declared`, {
      sent: { peer: inside, headers: { [name]: value } },
    })
  ),
  row("no unknown proxy", "a declared proxy that does not tell whom it got the request from", {
    settings: { trustedProxies: [inside] },
    sent: { peer: inside, headers: { via: "1.1 proxy" } },
  }),
  ...[inside, `${inside}, ${inside}`, `${outside}, ${inside}`].map((list) =>
    row("X-Forwarded-For of nobody", `X-Forwarded-For: ${list} from outside`, {
      sent: { headers: { "x-forwarded-for": list } },
    })
  ),
  ...["GET", "HEAD"].map((method) =>
    row("metrics are for the authorised", `${method} without anything`, { sent: { method } })
  ),
  row("metrics are for the authorised", "in development", { settings: { env: "dev" }, sent: {} }),
  row("metrics are for the authorised", "without a token and a network", {
    observability: { token: undefined, trusted: [] },
    sent: { headers: { authorization: "Bearer undefined" }, peer: inside },
  }),
  row("metrics are for the authorised", "the token in the query", {
    sent: { url: `http://localhost/metrics?token=${token}&access_token=${token}` },
  }),
  row("metrics are for the authorised", "the token in a cookie and in other headers", {
    sent: {
      headers: {
        cookie: `token=${token}`,
        "x-api-key": token,
        "proxy-authorization": `Bearer ${token}`,
      },
    },
  }),
  row("metrics keep to the allowed hosts", "the token for another host", {
    settings: { allowedHosts: ["example.com"] },
    sent: {
      url: "http://evil.example/metrics",
      headers: { authorization: `Bearer ${token}` },
    },
    want: [400, "closed"],
  }),
  row("details need the token", "of the live probe", {
    sent: { url: `${probe}/live` },
    want: [200, "closed"],
  }),
  row("details need the token", "a foreign host in development", {
    settings: { env: "dev", allowedHosts: ["example.com"] },
    sent: { url: "http://evil.example/_fw/health" },
    want: [200, "closed"],
  }),
  row("details that are off", "from a trusted address", {
    observability: { details: Off },
    sent: { url: probe, peer: inside },
    want: [200, "closed"],
  }),
  ...`
    /%6detrics /METRICS /Metrics /metrics/ //metrics /metrics;v=1 /metrics%20 /x/metrics
    /metrics.txt /metrics%3Fx
  `.trim().split(/\s+/).map((path) =>
    row("one spelling", `${path} with the token`, {
      sent: { url: `http://localhost${path}`, headers: { authorization: `Bearer ${token}` } },
      want: [404, "closed"],
    })
  ),
  ...[probe, `${probe}/live`, "http://localhost/metrics"].map((
    url,
  ): HostileRow => [
    `a guess at ${url} is reported`,
    [["auth", "observability-token", "192.0.2.5"]],
    async () => {
      const events: SecurityEvent[] = [];
      await ask({
        onSecurityEvent: (event) => void events.push(event),
        observability: { metrics: "/metrics", token },
      }, { url, headers: { authorization: "Bearer guess" } });
      return events.map(({ kind, reason, ip }) => [kind, reason, ip]);
    },
  ]),
  ["a foreign host is reported", [["host", "192.0.2.5"]], async () => {
    const events: SecurityEvent[] = [];
    await ask({
      allowedHosts: ["example.com"],
      onSecurityEvent: (event) => void events.push(event),
      observability: { metrics: "/metrics", token },
    }, { url: "http://evil.example/metrics", headers: { authorization: `Bearer ${token}` } });
    return events.map(({ kind, ip }) => [kind, ip]);
  }],
];

testHostile("an observer", rows);
