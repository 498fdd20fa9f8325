import { assertEquals, assertMatch } from "@std/assert";
import { App, createLogger, nonceFrom, Off, type SecuritySettings } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { compileCsp } from "../../../runtime/guard/secure_headers.ts";

function policyOf(security: SecuritySettings): Record<string, string> {
  const text = compileCsp(security)?.page("N") ?? "";
  return Object.fromEntries(
    text.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );
}

const cdn = "https://cdn.example";

const extras: readonly [directive: string, source: string, want: string][] = [
  ["img-src", cdn, `'self' data: ${cdn}`],
  ["script-src", cdn, `'self' 'nonce-N' ${cdn}`],
  ["connect-src", cdn, `'self' ${cdn}`],
  ["font-src", "data:", "'self' data:"],
  ["frame-src", cdn, `'self' ${cdn}`],
  ["worker-src", "blob:", "'self' 'nonce-N' blob:"],
  ["script-src-elem", cdn, `'self' 'nonce-N' ${cdn}`],
  ["style-src-elem", cdn, `'self' 'nonce-N' ${cdn}`],
  ["object-src", cdn, cdn],
  ["base-uri", "'self'", "'self'"],
  ["frame-ancestors", cdn, cdn],
  ["form-action", cdn, `'self' ${cdn}`],
  ["report-uri", "/csp", "/csp"],
  ["img-src", "data:", "'self' data:"],
];

for (const [directive, source, want] of extras) {
  Deno.test(`cspExtra ${directive} ${source} results in ${want}`, () => {
    const policy = policyOf({ cspExtra: { [directive]: [source] } });
    assertEquals(policy[directive], want);
    const { [directive]: _, ...rest } = policy;
    const { [directive]: __, ...before } = policyOf({});
    assertEquals(rest, before);
  });
}

Deno.test("cspExtra with an empty list enables a directive, for example upgrade-insecure-requests", () => {
  const cspExtra = { "upgrade-insecure-requests": [] };
  assertEquals(policyOf({ cspExtra })["upgrade-insecure-requests"], "");
});

Deno.test("frame-ancestors follows frameOptions", () => {
  assertEquals(policyOf({ frameOptions: "SAMEORIGIN" })["frame-ancestors"], "'self'");
  assertMatch(compileCsp({ frameOptions: "SAMEORIGIN" })?.document ?? "", /ancestors 'self'$/);
});

Deno.test("documents have the same frame policy as pages", () => {
  const rows: readonly [security: SecuritySettings, want: RegExp][] = [
    [{ cspExtra: { "frame-ancestors": [cdn] } }, /frame-ancestors https:\/\/cdn\.example$/],
    [{ csp: "default-src 'self'; frame-ancestors 'self' https://a" }, / 'self' https:\/\/a$/],
    [{ csp: "default-src 'self'" }, /frame-ancestors 'none'$/],
  ];
  for (const [security, want] of rows) assertMatch(compileCsp(security)?.document ?? "", want);
});

Deno.test("a custom policy gets the nonce for each {nonce}, and the sources of cspExtra", () => {
  const csp = compileCsp({
    csp: "script-src 'nonce-{nonce}' 'strict-dynamic'; style-src 'nonce-{nonce}'; img-src 'none'",
    cspExtra: { "img-src": [cdn] },
  });
  const found = csp?.page("N");
  assertEquals(found, `script-src 'nonce-N' 'strict-dynamic'; style-src 'nonce-N'; img-src ${cdn}`);
  assertEquals(csp?.file, `script-src 'strict-dynamic'; style-src 'none'; img-src ${cdn}`);
});

async function nonceOf(nonce: SecuritySettings["nonce"]): Promise<string[]> {
  const security = nonce === undefined ? {} : { nonce };
  const app = new App({ logRequest: Off, logger: undefined, security });
  app.route({
    pattern: "/",
    page: (c) =>
      h.p(
        c.nonce,
        " ",
        nonceFrom(c.request) ?? "",
        " ",
        nonceFrom(new Request(c.request)) ?? "none",
      ),
  });
  const response = await app.fetch(new Request("http://localhost/"));
  const [, ...told] = /<p>(\S+) (\S+) (\S+)<\/p>/.exec(await response.text()) ?? [];
  const [, sent = ""] =
    /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
  return [sent, ...told];
}

Deno.test("security.nonce passes the host's nonce to the policy and the context", async () => {
  assertEquals(await nonceOf(() => "aG9zdA=="), ["aG9zdA==", "aG9zdA==", "aG9zdA==", "none"]);
});

Deno.test("nonceFrom returns the nonce of a framework request, and undefined for others", async () => {
  const [sent, told, from, other] = await nonceOf(undefined);
  assertEquals([told, from, other], [sent, sent, "none"]);
});

const cases = [undefined, "", "x'; script-src *", "a b", "a\r\nb", "<", "é", "x".repeat(300)];
for (const given of cases) {
  Deno.test(`security.nonce that returns ${JSON.stringify(given?.slice(0, 20))} is replaced by a fresh nonce`, async () => {
    const [sent, told] = await nonceOf(() => given);
    assertMatch(sent ?? "", /^[A-Za-z0-9+/]{24}$/);
    assertEquals(told, sent);
  });
}

Deno.test("a security.nonce that throws is replaced by a fresh nonce, even for a malformed request", async () => {
  const app = new App({
    logRequest: Off,
    logger: createLogger({ write: () => {} }),
    security: {
      nonce: () => {
        throw new Error("x");
      },
    },
  });
  app.route({ pattern: "/", page: () => h.p("page") });
  for (const [path, status] of [["/", 200], ["/%zz", 400]] as const) {
    const response = await app.fetch(new Request(`http://localhost${path}`, { method: "GET" }));
    assertEquals(response.status, status);
    assertMatch(response.headers.get("content-security-policy") ?? "", /'nonce-[A-Za-z0-9+/]{24}'/);
  }
});
