import { assertEquals, assertThrows } from "@std/assert";
import { App, type CorsPolicy, Off, type Route, type SecurityEvent } from "../../../mod.ts";

const own = "https://app.example";

interface Site {
  readonly app: App;
  readonly ran: string[];
  readonly events: SecurityEvent[];
}

function newSite(cors: CorsPolicy, routes: readonly Partial<Route>[] = []): Site {
  const ran: string[] = [];
  const events: SecurityEvent[] = [];
  const app = new App({ cors, logRequest: Off, onSecurityEvent: (e) => void events.push(e) });
  const methods = {
    GET: () => (ran.push("GET"), new Response("x", { headers: { vary: "Accept" } })),
    DELETE: () => (ran.push("DELETE"), new Response(null, { status: 204 })),
  };
  const middleware = [{
    Middleware: (_: unknown, next: () => Promise<Response>) => {
      ran.push("middleware");
      return next();
    },
  }];
  app.route({ pattern: "/x", methods, middleware });
  for (const route of routes) app.route({ pattern: "/y", methods, ...route });
  return { app, ran, events };
}

async function ask(
  { app }: Site,
  method: string,
  options: { readonly path?: string; readonly headers?: Record<string, string> } = {},
): Promise<Record<string, string> & { status: string }> {
  const { path = "/x", headers = {} } = options;
  const response = await app.fetch(new Request(`http://localhost${path}`, { method, headers }));
  const shown = [...response.headers].filter(([name]) =>
    name === "vary" || name.startsWith("access-control-")
  );
  return { status: String(response.status), ...Object.fromEntries(shown) };
}

function preflight(origin: string, method = "DELETE"): Record<string, string> {
  return { origin, "access-control-request-method": method };
}

const allowed = { "access-control-allow-origin": own, vary: "Origin" };
const permitted = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": "Content-Type, Authorization, X-CSRF-Token, FW-Fragment",
};

const partner = "https://partner.example";
const varied = { vary: "FW-Fragment, Accept, Origin" };
const toPartner = {
  ...varied,
  "access-control-allow-origin": partner,
  "access-control-expose-headers": "Retry-After",
};
const toOwn = { ...varied, "access-control-allow-origin": own };

/** Sends one request more than `config.rateLimit` allows to a route with its own policy. */
const refusals: readonly [path: string, origin: string, isAsync: boolean, want: object][] = [
  ["/y", partner, false, toPartner],
  ["/y", partner, true, toPartner],
  ["/y", own, false, varied],
  ["/closed", own, false, { vary: "FW-Fragment, Accept" }],
  ["/x", own, false, toOwn],
  ["/nothing", own, false, toOwn],
];

for (const [path, origin, isAsync, want] of refusals) {
  const store = isAsync ? "a store that waits" : "memory";
  Deno.test(`the global 429 of ${path} for ${origin}, from ${store}, has the route's policy`, async () => {
    const take = () => Promise.resolve(1_000);
    const rateLimit = { rate: 0.001, burst: 1, ...(isAsync ? { store: { take } } : {}) };
    const app = new App({ cors: { origins: [own] }, rateLimit, logRequest: Off });
    const methods = { GET: () => new Response() };
    app.route({ pattern: "/x", methods });
    app.route({ pattern: "/y", methods, cors: { origins: [partner], expose: ["Retry-After"] } });
    app.route({ pattern: "/closed", methods, cors: {} });
    const site: Site = { app, ran: [], events: [] };
    await ask(site, "GET", { path });
    assertEquals(await ask(site, "GET", { path, headers: { origin } }), { status: "429", ...want });
  });
}

Deno.test("the default allowed headers include the configured CSRF header, also for a route", async () => {
  const app = new App({ cors: { origins: [own] }, csrf: { header: "X-Token" }, logRequest: Off });
  const methods = { DELETE: () => new Response() };
  app.route({ pattern: "/x", methods });
  app.route({ pattern: "/y", methods, cors: { origins: [own] } });
  const site: Site = { app, ran: [], events: [] };
  for (const path of ["/x", "/y"]) {
    const answer = await ask(site, "OPTIONS", { path, headers: preflight(own) });
    const found = answer["access-control-allow-headers"];
    assertEquals(found, "Content-Type, Authorization, X-Token, FW-Fragment");
  }
});

Deno.test("a preflight from a listed origin gets 204 with the allowed methods, and no handler runs", async () => {
  const site = newSite({ origins: [own] });
  const headers = preflight(own);
  assertEquals(await ask(site, "OPTIONS", { headers }), {
    status: "204",
    ...allowed,
    ...permitted,
    "access-control-allow-methods": "GET, HEAD, DELETE",
  });
  const found = await ask(site, "OPTIONS", { headers, path: "/nothing" });
  assertEquals([found, site.ran], [{ status: "204", ...allowed, ...permitted }, []]);
});

Deno.test("a preflight announces credentials, maxAgeSeconds and custom lists", async () => {
  const site = newSite({
    origins: [own],
    credentials: true,
    maxAgeSeconds: 600,
    methods: ["DELETE"],
    headers: ["X-A", "X-B"],
    expose: ["X-C"],
  });
  assertEquals(await ask(site, "OPTIONS", { headers: preflight(own) }), {
    status: "204",
    ...allowed,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "DELETE",
    "access-control-allow-headers": "X-A, X-B",
    "access-control-max-age": "600",
  });
  assertEquals(await ask(site, "GET", { headers: { origin: own } }), {
    status: "200",
    ...allowed,
    vary: "Accept, Origin",
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "X-C",
  });
});

const announced: [name: string, methods: string[] | undefined, asked: string, want: string][] = [
  ["those of the route", undefined, "GET", "GET, HEAD, DELETE"],
  ["those of the route that the policy lists", ["PUT", "DELETE"], "DELETE", "DELETE"],
  ["those of the route, with a star", ["*"], "GET", "GET, HEAD, DELETE"],
  ["another method, from the policy", undefined, "PUT", permitted["access-control-allow-methods"]],
];
for (const [name, methods, asked, want] of announced) {
  Deno.test(`a preflight announces methods: ${name}`, async () => {
    const site = newSite({ origins: [own], ...(methods === undefined ? {} : { methods }) });
    const answer = await ask(site, "OPTIONS", { headers: preflight(own, asked) });
    assertEquals([answer.status, answer["access-control-allow-methods"]], ["204", want]);
  });
}

const foreign: readonly string[] = [
  ..."null https://evil.example https://app.example.evil.example".split(" "),
  ..."https://evil-app.example https://xapp.example https://sub.app.example".split(" "),
  ..."http://app.example https://app.example:8443 https://app.example:443".split(" "),
  ..."https://app.example. https://app.example/ https://app.example/x".split(" "),
  ..."https://APP.example HTTPS://app.example https://app.example@evil.example".split(" "),
  "https://evil.example#https://app.example",
  "https://app.example, https://evil.example",
  "https://app.example https://evil.example",
  ..."https://app_example * file:// https://xn--app-.example".split(" "),
];

for (const origin of foreign) {
  Deno.test(`a response does not allow ${origin} to read it`, async () => {
    const site = newSite({ origins: [own], credentials: true });
    for (const path of ["/x", "/nothing"]) {
      const { status: _, vary, ...rest } = await ask(site, "GET", { path, headers: { origin } });
      assertEquals([rest, vary?.endsWith("Origin")], [{}, true]);
    }
  });
}

const refused: readonly [name: string, policy: CorsPolicy, origin: string, method: string][] = [
  ...foreign.map((origin): [string, CorsPolicy, string, string] => [
    origin,
    { origins: [own], credentials: true },
    origin,
    "GET",
  ]),
  ...["get", "GET, DELETE", "*", "CONNECT", "TRACE", "PUT"].map((
    method,
  ): [string, CorsPolicy, string, string] => [
    `the method ${method}`,
    { origins: [own], methods: ["GET"] },
    own,
    method,
  ]),
  ["an unlisted method", { origins: [own], methods: ["GET"] }, own, "DELETE"],
  ["a method of no standard", { origins: ["*"] }, own, "PURGE"],
];

for (const [name, policy, origin, method] of refused) {
  Deno.test(`a preflight for ${name} gets 403 and is reported as an auth event`, async () => {
    const site = newSite(policy);
    const answer = await ask(site, "OPTIONS", { headers: preflight(origin, method) });
    assertEquals([answer.status, answer["access-control-allow-methods"]], ["403", undefined]);
    assertEquals(site.events.map(({ kind }) => kind), ["auth"]);
  });
}

const evil = "https://evil.example";
const readable: readonly [string, string, origin: string | undefined, string, vary: string][] = [
  ["GET", "/x", own, "200", "Accept, Origin"],
  ["GET", "/nothing", own, "404", "FW-Fragment, Accept, Origin"],
  ["GET", "/x/", own, "301", "FW-Fragment, Origin"],
  ["PUT", "/x", own, "405", "Accept, Origin"],
  ["GET", "/x", evil, "200", "Accept, Origin"],
  ["GET", "/x", undefined, "200", "Accept, Origin"],
];

Deno.test("only listed origins may read responses, including errors and redirects", async () => {
  const site = newSite({ origins: [own] });
  for (const [method, path, origin, status, vary] of readable) {
    const answer = await ask(site, method, { path, headers: origin ? { origin } : {} });
    assertEquals(answer, { ...(origin === own ? allowed : {}), status, vary });
  }
});

/** Requests to `/y` below two policies: the status, and the headers for the origin. */
const judged: readonly [string, of: CorsPolicy, CorsPolicy, answers: Record<string, string>][] = [
  ["a route's own policy replaces the application's", { origins: [own] }, { origins: [partner] }, {
    [`OPTIONS ${partner} DELETE`]: `204 ${partner} Origin`,
    [`OPTIONS ${own} DELETE`]: "403 - FW-Fragment, Accept, Origin",
    [`GET ${own}`]: "200 - Accept, Origin",
    // A method that the route does not serve uses the application's policy.
    [`OPTIONS ${own} PUT`]: `204 ${own} Origin`,
  }],
  ["a route's policy works without an application policy", {}, { origins: [own] }, {
    [`OPTIONS ${own} DELETE`]: `204 ${own} Origin`,
    [`GET ${own}`]: `200 ${own} Accept, Origin`,
    [`OPTIONS /x ${own} DELETE`]: "405 - Accept",
    [`GET /x ${own}`]: "200 - Accept",
  }],
  ["a route whose policy lists no origins is closed to other sites", { origins: [own] }, {}, {
    [`OPTIONS ${own} DELETE`]: "405 - Accept",
    [`GET ${own}`]: "200 - Accept",
  }],
  ["the origin * is announced unchanged", {}, { origins: ["*"] }, {
    [`GET ${own}`]: "200 * Accept, Origin",
  }],
];

for (const [name, policy, cors, answers] of judged) {
  Deno.test(name, async () => {
    const site = newSite(policy, [{ cors }]);
    const got: Record<string, string> = {};
    for (const text of Object.keys(answers)) {
      const [method = "", ...rest] = text.split(" ");
      const path = rest[0]?.startsWith("/") ? rest.shift() : "/y";
      const [origin = "", asked] = rest;
      const headers = asked === undefined ? { origin } : preflight(origin, asked);
      const { status, vary, ...told } = await ask(site, method, {
        ...(path === undefined ? {} : { path }),
        headers,
      });
      got[text] = `${status} ${told["access-control-allow-origin"] ?? "-"} ${vary}`;
    }
    assertEquals(got, answers);
  });
}

Deno.test("an OPTIONS handler replaces the preflight", async () => {
  const methods = { GET: () => new Response("x"), OPTIONS: () => new Response("own") };
  const site = newSite({ origins: [own] }, [{ cors: { origins: [own] }, methods }]);
  const answer = await ask(site, "OPTIONS", { path: "/y", headers: preflight(own, "GET") });
  assertEquals(answer, { status: "200", ...allowed });
});

Deno.test("an OPTIONS request that is not a preflight reaches the router", async () => {
  const site = newSite({ origins: [own] });
  assertEquals((await ask(site, "OPTIONS", { headers: { origin: own } })).status, "405");
  assertEquals((await ask(site, "OPTIONS")).status, "405");
});

Deno.test("an application's own Access-Control-Allow-Origin is kept", async () => {
  const site = newSite({ origins: [own] }, [{
    methods: { GET: () => new Response("x", { headers: { "access-control-allow-origin": "*" } }) },
  }]);
  const answer = await ask(site, "GET", { path: "/y", headers: { origin: own } });
  assertEquals(answer, { status: "200", "access-control-allow-origin": "*", vary: "Origin" });
});

const bad: readonly [policy: CorsPolicy, message: string][] = [
  [{ origins: ["*"], credentials: true }, 'origins to "*": any site could act'],
  [{ origins: ["*", own] }, `origins to "*, ${own}": write "*" alone`],
  [
    { origins: ["https://a.example/"] },
    'origins to "https://a.example/": write "https://a.example"',
  ],
  [{ origins: ["https://a.example/x"] }, 'write "https://a.example", as browsers do'],
  [{ origins: ["//a.example"] }, "write scheme"],
  [{ origins: ["^.*$"] }, "list each origin"],
  [{ origins: ["a.example"] }, 'origins to "a.example": write scheme'],
  [{ origins: ["https://A.example"] }, 'write "https://a.example", as browsers do'],
  [{ origins: ["https://bücher.example/"] }, 'write "https://xn--bcher-kva.example", as'],
  [{ origins: ["https://*.example"] }, "list each origin"],
  [{ origins: ["https://a.example:443"] }, 'write "https://a.example", as browsers do'],
  [{ origins: ["https://a.example:99999"] }, "write scheme and host in lower case"],
  [{ origins: ["null"] }, 'origins to "null"'],
  [{ origins: [""] }, 'origins to ""'],
  [{ origins: [own], methods: ["get"] }, 'methods to "get": methods are in capitals; write "GET"'],
  [{ origins: [own], methods: ["A B"] }, 'methods to "A B": write one name per entry'],
  [{ origins: [own], headers: ["X-A, X-B"] }, 'headers to "X-A, X-B": write one name per entry'],
  [{ origins: [own], headers: ["*"], credentials: true }, "browsers take it literally"],
  [{ origins: [own], expose: ["a\nb"] }, "write one name per entry"],
];

/** Policies that JavaScript allows, for example exported without the type. */
const misspelt: readonly [policy: unknown, message: string][] = [
  [null, ' to "null": use an object with the settings of the group.'],
  [
    { origin: [own], credentials: true },
    ".origin: there is no such setting. Did you mean origins?",
  ],
  [{ origins: own }, `.origins to "${own}": use an array of strings`],
  [{ origins: [own], credentials: "yes" }, '.credentials to "yes": write true or false'],
];

for (const [policy, message] of misspelt) {
  Deno.test(`boot refuses a route's policy: ${message}`, () => {
    const run = () => newSite({}, [{ cors: policy as CorsPolicy }]).app.handler();
    assertThrows(run, TypeError, `Cannot set CORS of the route "/y"${message}`);
  });
}

for (const [policy, message] of bad) {
  Deno.test(`boot refuses a policy: ${message}`, () => {
    assertThrows(() => newSite(policy).app.handler(), TypeError, message);
    const text = 'Cannot set CORS of the route "/y".';
    assertThrows(() => newSite({}, [{ cors: policy }]).app.handler(), TypeError, text);
  });
}

Deno.test("boot refuses a negative maxAgeSeconds", () => {
  assertThrows(
    () => newSite({ origins: [own], maxAgeSeconds: -1 }).app.handler(),
    RangeError,
    'Cannot set config.cors.maxAgeSeconds to "-1": use an integer number of seconds from 0 up.',
  );
});

Deno.test("valid origins of every form are accepted", () => {
  newSite({
    origins: ["https://a.example", "http://localhost:3000", "http://127.0.0.1", "http://[::1]:8080"]
      .concat(["capacitor://localhost", "chrome-extension://abc", "https://xn--exmple-cua.com"]),
  }).app.handler();
});
