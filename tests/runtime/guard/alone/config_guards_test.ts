import { assert, assertEquals, assertThrows } from "@std/assert";
import { App, configFromEnv, httpError, notFound, Off, redirect } from "../../../../mod.ts";
import type { Ctx, SecurityEvent, Settings } from "../../../../mod.ts";
import { runWithEnv } from "../../base/with_env.ts";
import { throwing } from "../../app/support.ts";

const refused: readonly [variables: Record<string, string>, message: string][] = [
  [{ PORT: "http" }, 'Cannot read PORT "http": write a number from 0 to 65535.'],
  [{ PORT: "65536" }, 'Cannot read PORT "65536": write a number from 0 to 65535.'],
  [{ FW_REUSE_PORT: "1" }, 'Cannot read FW_REUSE_PORT "1": write "on" or "off".'],
  [{ FW_DEV_RELOAD: "no" }, 'Cannot read FW_DEV_RELOAD "no": write "on" or "off".'],
  [
    { FW_ALLOWED_HOSTS: " , " },
    'Cannot read FW_ALLOWED_HOSTS " , ": write entries with commas between them, or unset it.',
  ],
  [
    { FW_TRUSTED_PROXIES: "," },
    'Cannot read FW_TRUSTED_PROXIES ",": write entries with commas between them, or unset it.',
  ],
];

for (const [variables, message] of refused) {
  Deno.test(`configFromEnv refuses ${JSON.stringify(variables)}`, async () => {
    await runWithEnv(variables, () => assertThrows(() => configFromEnv(), TypeError, message));
  });
}

/** Returns the whole message; those of the table lack the common start. */
function whole(message: string): string {
  return message.startsWith("Cannot ") ? message : `Cannot set config.${message}`;
}

/** Settings of the wrong kind or name, which JavaScript allows. */
const shapes: readonly [settings: Record<string, unknown>, message: string][] = [
  [
    { trustedProxys: [] },
    "trustedProxys: there is no such setting. Did you mean trustedProxies? There are addr,",
  ],
  [
    { trustedProxies: "10.0.0.0/8" },
    'trustedProxies to "10.0.0.0/8": use an array of strings, for example ["a", "b"].',
  ],
  [{ allowedHosts: [1] }, "allowedHosts to a list: use an array of strings"],
  [{ csrfForApi: "yes" }, 'csrfForApi to "yes": write true or false.'],
  [{ maxBodyBytes: "1024" }, 'maxBodyBytes to "1024": use a whole number of bytes from 0 up.'],
  [{ onSecurityEvent: {} }, "onSecurityEvent to an object: use a function."],
  [{ rateLimit: 10 }, 'rateLimit to "10": use an object with the settings'],
  [{ rateLimit: { rate: "1", burst: 1 } }, 'rateLimit.rate to "1": write a number.'],
  [{ rateLimit: { rate: 1, bursts: 1 } }, "rateLimit.bursts: there is no such"],
  [{ timeouts: { readSeconds: 1 } }, "timeouts.readSeconds: there is no such"],
  [
    { timeouts: { readMs: "1" } },
    'timeouts.readMs to "1": use 1 to 2147483647 milliseconds, or NoTimeout.',
  ],
  [{ timeouts: { readMs: NaN } }, 'timeouts.readMs to "NaN"'],
  [{ security: { xFrameOptions: "DENY" } }, "security.xFrameOptions: there is no"],
  [
    { security: { frameOptions: true } },
    'security.frameOptions to "true": write the header\'s value, or Off.',
  ],
  [{ security: { delegated: "no" } }, 'security.delegated to "no": write true or false.'],
  [{ security: { nonce: "x" } }, 'security.nonce to "x": use a function.'],
  [
    { security: { cspExtra: { "img-src": "https://a" } } },
    'security.cspExtra["img-src"] to "https://a": use an array of strings',
  ],
  [{ cors: { origins: "*" } }, 'cors.origins to "*": use an array of strings'],
  [
    { cors: { origin: ["*"] } },
    "cors.origin: there is no such setting. Did you mean origins? There are origins,",
  ],
  [{ cors: { credentials: 1 } }, 'cors.credentials to "1": write true or false.'],
  [
    { timeouts: { readMs: Off } },
    'timeouts.readMs to "Symbol(fw.Off)": use 1 to 2147483647 milliseconds, or NoTimeout.',
  ],
  [{ logger: "json" }, 'logger to "json": use a Logger, for example the result of '],
  [{ logger: { info: () => {} } }, "logger to an object: use a Logger, for example"],
  [{ listener: "bun" }, 'listener to "bun"'],
  [{ reusePort: true, listener: "node" }, "reusePort (FW_REUSE_PORT) with"],
  [{ logRequest: true }, 'logRequest to "true": use a function, "all", or Off.'],
  [{ devReload: false }, 'devReload to "false": write Off, or leave it out.'],
  [{ spoolDir: "" }, 'spoolDir to "": use a folder, or leave it out.'],
  [{ secret: 12_345 }, "secret (FW_SECRET): use a string or a Uint8Array."],
  [{ previousSecret: null }, "previousSecret (FW_SECRET_PREVIOUS): use a string or a Uint8Array."],
  [{ validationMessages: ["x"] }, "validationMessages to a list: use strings by key"],
  [{ labels: { nav: 1 } }, "labels to an object: use strings by key"],
  [{ labels: "Menu" }, 'labels to "Menu": use strings by key'],
  [{ csrf: { field: "a\nb" } }, 'csrf.field to "a\\nb": write printable ASCII without spaces.'],
  [
    { rateLimit: { rate: 1, burst: 1, store: {} } },
    "Cannot set the store of config.rateLimit: use an object with a function take, such as sqliteStores(db).limits.",
  ],
  [{ public: true }, 'Cannot serve config.public "true": use a folder, a file: URL'],
  [{ public: null }, 'Cannot serve config.public "null": use a folder, a file: URL'],
  [{ public: {} }, "Cannot serve config.public, an object without a function get: use a folder"],
  [{ public: "" }, 'Cannot serve config.public "": use a folder, a file: URL'],
  [{ public: "https://a.example" }, 'Cannot serve config.public "https://a.example": use a'],
  [{ mounts: { "/x": 5 } }, 'Cannot serve config.mounts["/x"] "5": use a folder, a file: URL'],
  [
    { cors: { origins: ["https://bücher.example/"] } },
    'cors.origins to "https://bücher.example/": write "https://xn--bcher-kva.example", as browsers do.',
  ],
  [
    { csrf: { cookies: "x" } },
    "csrf.cookies: there is no such setting. Did you mean cookie? There are cookie, field, header.",
  ],
];

for (const [settings, text] of shapes) {
  const message = whole(text);
  Deno.test(`boot refuses a setting: ${message}`, () => {
    const error = assertThrows(() => new App(settings).handler(), Error, message);
    assert(error instanceof TypeError || error instanceof RangeError);
  });
}

Deno.test("changes by Setup apply before the first request, and later ones are refused", async () => {
  const app = new App({ logRequest: Off });
  app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "") } });
  app.config.security.contentTypeOptions = "nosniff";
  app.config.allowedHosts = ["example.com"];
  app.config.rateLimit = { rate: 1, burst: 1 };
  const statuses: number[] = [];
  for (const url of ["http://evil.example/", "http://example.com/", "http://example.com/"]) {
    const response = await app.fetch(new Request(url));
    await response.body?.cancel();
    statuses.push(response.status);
  }
  assertEquals(statuses, [400, 200, 429]);
  assertThrows(() => app.config.allowedHosts = [], TypeError);
  assertThrows(() => app.config.security.delegated = true, TypeError);
  assertThrows(() => app.config.cors.credentials = true, TypeError);
});

/** Results and their security events: the kind and the reason. */
const answers: readonly [name: string, handler: (c: Ctx) => unknown, events: string[]][] = [
  ["a returned 401", () => httpError(401, "x"), ["auth 401"]],
  ["a thrown 403", throwing(httpError(403, "x")), ["auth 403"]],
  ["a 401 that the context built", (c) => c.json(401, {}), ["auth 401"]],
  ["a foreign 403", () => new Response(null, { status: 403 }), ["auth 403"]],
  ["a 403 that was already reported", (c) => {
    c.app.security.report(c, "auth", { reason: "role" });
    return httpError(403, "x");
  }, ["auth role"]],
  ["a 404", () => httpError(404, "x"), []],
  ["a 413", () => httpError(413, "x"), ["body undefined"]],
  ["a failure", throwing(new Error("x")), ["panic uncaught-error"]],
  ["a rejected string", () => Promise.reject("x"), ["panic uncaught-error"]],
  ["a 403 caused by a missing row", throwing(new Error("x", { cause: notFound() })), []],
  ["a redirect", throwing(redirect("/x")), []],
  ["an intended 500", () => httpError(500, "x"), []],
  ["a success", (c) => c.text(200, ""), []],
];

for (const [name, handler, want] of answers) {
  Deno.test(`security events of ${name}: ${want.join() || "none"}`, async () => {
    const events: SecurityEvent[] = [];
    const lines: string[] = [];
    const logger: NonNullable<Settings["logger"]> = {
      debug: () => {},
      info: () => {},
      warn: (message, fields) => void lines.push(`${message} ${fields?.["kind"]}`),
      error: () => {},
      with: () => logger,
    };
    const app = new App({ logger, logRequest: Off, onSecurityEvent: (e) => void events.push(e) });
    app.route({ pattern: "/x", methods: { GET: handler as (c: Ctx) => Response } });
    const response = await app.fetch(
      new Request("http://localhost/x?secret", { headers: { "x-request-id": "id" } }),
    );
    await response.body?.cancel();
    assertEquals(events.map(({ kind, reason }) => `${kind} ${reason}`), want);
    assertEquals(lines, want.map((event) => `security ${event.split(" ")[0]}`));
    for (const { path, requestId } of events) assertEquals([path, requestId], ["/x", "id"]);
  });
}
