import { type HostileRequest, testHostileRequests } from "../hostile.ts";
import { ask, askAll, refusal, type Sent } from "../guard_app.ts";

const trustedProxies = ["10.0.0.0/8", "fd00::/8"];

function row(
  guard: string,
  name: string,
  options: {
    readonly forwarded?: string;
    readonly proto?: string;
    readonly peer?: string;
    readonly want: string;
  },
): HostileRequest {
  const { forwarded, proto, peer = "10.0.0.1", want } = options;
  const headers = {
    ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
    ...(proto === undefined ? {} : { "x-forwarded-proto": proto }),
  };
  return {
    guard,
    name,
    run: async (fw) => {
      const { status, text, headers: given } = await ask(fw, { trustedProxies }, { peer, headers });
      return `${status} ${text}${given.has("strict-transport-security") ? " secure" : ""}`;
    },
    want: `200 ${want}`,
  };
}

const stranger = "only a trusted peer is believed";
const first = "the walk ends at the first stranger";
const garbage = "the walk ends at garbage";
const spelling = "one spelling an address";

const rows: HostileRequest[] = [
  row(stranger, "an address", { peer: "192.0.2.5", forwarded: "127.0.0.1", want: "192.0.2.5" }),
  row(stranger, "a trusted address", {
    peer: "192.0.2.5",
    forwarded: "10.0.0.1",
    want: "192.0.2.5",
  }),
  row(stranger, "a chain", {
    peer: "192.0.2.5",
    forwarded: "203.0.113.9, 10.0.0.2",
    want: "192.0.2.5",
  }),
  row(stranger, "HTTPS", { peer: "192.0.2.5", proto: "https", want: "192.0.2.5" }),
  row(stranger, "IPv6", { peer: "2001:db8::5", forwarded: "::1", want: "2001:db8::5" }),
  row(stranger, "an address just outside the network", {
    peer: "11.0.0.0",
    forwarded: "::1",
    want: "11.0.0.0",
  }),
  row(stranger, "IPv4 inside of IPv6", {
    peer: "::ffff:192.0.2.5",
    forwarded: "::1",
    want: "192.0.2.5",
  }),
  ...["127.0.0.1", "10.0.0.7", "::1", "198.51.100.1", "fd00::1", "198.51.100.1, 10.0.0.9"].map((
    forged,
  ) =>
    row(first, `${forged} to the left of the client`, {
      forwarded: `${forged}, 203.0.113.9`,
      want: "203.0.113.9",
    })
  ),
  row(first, "two proxies", { forwarded: "127.0.0.1, 203.0.113.9, 10.0.0.2", want: "203.0.113.9" }),
  row(first, "a thousand addresses to the left", {
    forwarded: `${"10.0.0.9, ".repeat(20)}203.0.113.9`,
    want: "203.0.113.9",
  }),
  ...[
    "unknown",
    "_hidden",
    "<script>",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "2130706433",
    "1.2.3.4:port",
    "[1.2.3.4]",
    "[::1",
    "::1]",
    "::g",
    "1::2::3",
    "for=1.2.3.4",
    "localhost",
    "'; drop table clients",
  ].map((entry) => row(garbage, entry, { forwarded: entry, want: "10.0.0.1" })),
  row(garbage, "behind a second proxy", { forwarded: "127.0.0.1, x, 10.0.0.2", want: "10.0.0.2" }),
  ...([
    ["2001:db8::1%a", "2001:db8::1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:0db8::0001", "2001:db8::1"],
    ["[2001:db8::1]:1", "2001:db8::1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::ffff:cb00:7109", "203.0.113.9"],
    ["203.0.113.9:1", "203.0.113.9"],
    ["203.0.113.9:65535", "203.0.113.9"],
  ] as const).map(([entry, want]) => row(spelling, entry, { forwarded: entry, want })),
  row("a bounded number of hops", "40 trusted addresses before the forged one", {
    forwarded: `127.0.0.1${", 10.9.9.9".repeat(40)}`,
    want: "10.9.9.9",
  }),
  row("the scheme of the client's own hop", "what the client wrote itself", {
    forwarded: "203.0.113.9",
    proto: "https, http",
    want: "203.0.113.9",
  }),
  row("the scheme of the client's own hop", "a list of a thousand", {
    forwarded: "203.0.113.9",
    proto: `${"https, ".repeat(1_000)}http`,
    want: "203.0.113.9",
  }),
  ...["10.0.0.0/33", "10.0.0.0/x", "localhost", "*", "10.0.0.0-10.0.0.9", "::/129"].map((
    network,
  ): HostileRequest => ({
    guard: "networks at boot",
    name: network,
    run: (fw) => Promise.resolve(refusal(fw, { trustedProxies: [network] })),
    want: "refused",
  })),
];

testHostileRequests("a forged chain", rows);

function flood(
  guard: string,
  name: string,
  options: {
    readonly requests: readonly Sent[];
    readonly maxClients?: number;
    readonly want: readonly number[];
  },
): HostileRequest {
  const { requests, maxClients, want } = options;
  return {
    guard,
    name,
    run: async (fw) => {
      const store = new fw.MemoryRateLimitStore(
        maxClients === undefined ? { now: () => 0 } : { now: () => 0, maxClients },
      );
      const settings = { trustedProxies, rateLimit: { rate: 1, burst: 1, store } };
      return (await askAll(fw, settings, requests)).map(({ status }) => status);
    },
    want,
  };
}

const peers = (...list: string[]): Sent[] => list.map((peer) => ({ peer }));

testHostileRequests("a flood", [
  flood("64 bits of IPv6", "addresses of one network", {
    requests: peers("2001:db8::1", "2001:db8::2", "2001:db8::ffff:1"),
    want: [200, 429, 429],
  }),
  flood("64 bits of IPv6", "the other end of the network", {
    requests: peers("2001:db8:0:1::", "2001:db8:0:1:ffff:ffff:ffff:ffff"),
    want: [200, 429],
  }),
  flood("only full buckets make room", "strangers that push the attacker's bucket out", {
    requests: peers("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.1"),
    maxClients: 1,
    want: [200, 200, 429, 429],
  }),
  flood("newcomers share a bucket", "newcomers without end", {
    requests: peers("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"),
    maxClients: 1,
    want: [200, 200, 429, 429],
  }),
  flood("the forged address does not count", "another X-Forwarded-For each time", {
    requests: [1, 2, 3].map((n) => ({ headers: { "x-forwarded-for": `198.51.100.${n}` } })),
    want: [200, 429, 429],
  }),
]);
