import type { Env } from "../../../mod.ts";
import { type HostileRequest, testHostileRequests } from "../hostile.ts";
import { askAll, refusal, type Sent } from "../guard_app.ts";

function row(
  guard: string,
  name: string,
  options: {
    readonly allowedHosts?: readonly string[];
    readonly env?: Env;
    readonly requests: readonly Sent[];
  },
): HostileRequest {
  const { allowedHosts = ["example.com", "*.example.com"], env = "prod", requests } = options;
  return {
    guard,
    name,
    run: async (fw) => {
      const answers = await askAll(fw, { allowedHosts, env }, requests);
      const last = answers.at(-1);
      return [last?.status, last?.text.includes("host_not_allowed")];
    },
    want: [400, true],
  };
}

const json = { accept: "application/json" };

function hosts(guard: string, names: readonly string[]): HostileRequest[] {
  return names.map((host) =>
    row(guard, host, { requests: [{ url: `http://${host}/x`, headers: json }] })
  );
}

const good: Sent = { url: "http://example.com/x" };

const rows: HostileRequest[] = [
  ...hosts("list", [
    "evil.example",
    "example.com.evil.example",
    "evil-example.com",
    "examplexcom",
    "example.co",
    "example.comm",
    "example.com.",
    "xn--exmple-cua.com",
    "192.0.2.1",
    "192.0.2.1:80",
    "[2001:db8::1]",
    "evil.example:443",
    "0.0.0.0",
    "localhost.evil.example",
  ]),
  row("list", "after an allowed one", {
    requests: [good, { url: "http://evil.example/x", headers: json }],
  }),
  row("list", "that begins like the last allowed one", {
    requests: [good, { url: "http://example.com.evil/x", headers: json }],
  }),
  row("list", "for every method", {
    requests: [{ url: "http://evil.example/x", method: "DELETE", headers: json }],
  }),
  row("list", "on a path that no route has", {
    requests: [{ url: "http://evil.example/nothing", headers: json }],
  }),
  row("list", "although X-Forwarded-Host names an allowed one", {
    requests: [{
      url: "http://evil.example/x",
      headers: { ...json, "x-forwarded-host": "example.com", forwarded: "host=example.com" },
    }],
  }),
  ...hosts("one label", ["a.b.example.com", "a.b.c.example.com", "www.a.example.com:8080"]),
  ...hosts("empty label", [".example.com", ".example.com:80"]),
  ...hosts("loopback in development", [
    "localhost",
    "LOCALHOST:3000",
    "127.0.0.1",
    "127.9.9.9:80",
    "[::1]",
  ]),
  ...[
    "evil.example",
    "evil.example:3000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "app",
  ]
    .map((host) =>
      row("no names in development without a list", host, {
        allowedHosts: [],
        env: "dev",
        requests: [{ url: `http://${host}/x`, headers: json }],
      })
    ),
  ...["evil.example", "evil.example:80", "example.com.evil.example", "a.b.example.com", "[::1]"]
    .map(
      (host) =>
        row("the header besides the target", `absolute form with Host: ${host}`, {
          requests: [good, { ...good, headers: { ...json, host } }],
        }),
    ),
  ...["exämple.com", "example.com/x", "*.*.example.com", "a..b", "exa mple.com", "*"].map((
    pattern,
  ): HostileRequest => ({
    guard: "patterns at boot",
    name: pattern,
    run: (fw) => Promise.resolve(refusal(fw, { allowedHosts: [pattern] })),
    want: "refused",
  })),
];

testHostileRequests("a foreign host", rows);
