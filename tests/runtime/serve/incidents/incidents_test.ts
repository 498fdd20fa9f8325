import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { App, type Ctx, httpError, int, type Settings, struct, text } from "../../../../mod.ts";
import { createLogger } from "../../../../mod.ts";
import { testRequest } from "../../../../runtime/testing/mod.ts";
import { incidentDigest, parseIncident } from "../../../../runtime/base/observe/incident.ts";
import type { Incident } from "../../../../runtime/base/observe/incident.ts";
import { routeOf, throwing } from "../../app/support.ts";
import { newFolder } from "../../../new_folder.ts";

const Input = struct({ title: text("required"), seats: int(), password: text() });

function addRoutes(app: App): void {
  app.route({
    pattern: "/fail/{name}",
    methods: {
      GET: () => {
        throw new Error("no such table", { cause: new Error("at postgres://a:b@db") });
      },
      POST: async (c) => {
        await c.bind(Input);
        throw new Error("after the body");
      },
      PUT: throwing(new Error("before the body")),
      PATCH: async (c) => {
        const bytes = await c.request.bytes();
        bytes.fill(0);
        return c.text(503, "later");
      },
      DELETE: () => httpError(502, "upstream"),
    },
  });
  app.route({ pattern: "/reset/{token}", methods: { GET: fail } });
  app.route({ pattern: "/fine", methods: { GET: (c) => c.text(200, "fine"), POST: readAll } });
}

function fail(): never {
  throw new Error("reset failed");
}

async function readAll(c: Ctx): Promise<Response> {
  return c.text(200, await c.request.text());
}

interface Site extends AsyncDisposable {
  readonly app: App;
  readonly dir: string;
  readonly lines: string[];
  send(method: string, path: string, init?: RequestInit): Promise<Response>;
  kept(): Promise<Incident[]>;
}

async function openSite(settings: Settings = {}): Promise<Site> {
  const root = await Deno.makeTempDir();
  const dir = join(root, "incidents");
  const lines: string[] = [];
  const logger = createLogger({ level: "warn", write: (text) => void lines.push(text) });
  const observability = { incidents: dir };
  const app = new App({ logger, observability, csrfForApi: false, ...settings });
  addRoutes(app);
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await app.fetch(new Request(`http://localhost${path}`, { method, ...init }));
    await response.body?.cancel();
    return response;
  };
  const kept = async () => {
    await app.shutdown();
    return await readAllIn(dir);
  };
  const dispose = async (): Promise<void> => {
    await app.shutdown();
    await Deno.remove(root, { recursive: true });
  };
  return { app, dir, lines, send, kept, [Symbol.asyncDispose]: dispose };
}

async function readAllIn(dir: string): Promise<Incident[]> {
  const found: Incident[] = [];
  const entries = (await Array.fromAsync(Deno.readDir(dir))).sort((a, b) =>
    a.name < b.name ? -1 : 1
  );
  for (const { name } of entries) {
    if (!name.startsWith("fw-incident-")) continue;
    const incident = parseIncident(await Deno.readTextFile(join(dir, name)));
    assert(incident !== undefined, name);
    found.push(incident);
  }
  return found;
}

const leaks: readonly (readonly [name: string, type: string, body: string, path?: string])[] = [
  ["JSON without a content type", "text/plain;charset=UTF-8", '{"password":"hunter2pw"}'],
  ["JSON as text/json", "text/json", '{"password":"hunter2pw"}'],
  ["JSON typed as a form", "application/x-www-form-urlencoded", '{"password":"hunter2pw"}'],
  ["a form as text", "text/plain", "title=x\r\npassword=hunter2pw\r\n"],
  ["a field", "application/x-www-form-urlencoded", "data=%7B%22password%22:%22hunter2pw%22%7D"],
  ["XML", "text/xml", "<a><password>hunter2pw</password></a>"],
  ["a name and its value", "application/json", '[{"name":"password","value":"hunter2pw"}]'],
  [
    "a name after a text with a space",
    "application/json",
    '[{"label":"a b","name":"password","value":"hunter2pw"}]',
  ],
  ["a name that ends in a space", "application/json", '{"password ":"hunter2pw"}'],
  ["an escaped name", "application/json", '{"p\\u0061ssword":"hunter2pw"}'],
  ["JSON in JSON", "application/json", '{"data":"{\\"password\\":\\"hunter2pw\\"}"}'],
  ["a parameter of the content type", "text/plain; token=hunter2pw", "x"],
  ["a URL in the query", "text/plain", "x", "/quote?next=%2Freset%3Ftoken%3Dhunter2pw"],
  ["a query that is a token", "text/plain", "x", "/quote?token-hunter2pw"],
  ["a path parameter in the error", "text/plain", "x", "/quote/hunter2pw"],
  ["an escaped path parameter in the error", "text/plain", "x", "/quote/hunter%32pw"],
  ["a field in the error", "application/x-www-form-urlencoded", "password=hunter2pw&say=1"],
  ["a member of the error", "application/json", '{"password":"hunter2pw","say":1}'],
];

for (const [name, type, body, path = "/quote"] of leaks) {
  Deno.test(`incidents: no secret is kept: ${name}`, async () => {
    await using site = await openSite();
    const { app, send, kept } = site;
    app.route({ pattern: "/quote", methods: { POST: (c) => quote(c, "") } });
    app.route(routeOf("POST", "/quote/{token}", (c) => quote(c, c.param("token"))));
    await send("POST", path, { headers: { "content-type": type }, body });
    const [incident] = await kept();
    assert(incident !== undefined);
    assert(!JSON.stringify(incident).includes("hunter2pw"), JSON.stringify(incident));
  });
}

Deno.test("incidents: an error contains no credentials", async () => {
  await using site = await openSite();
  const { app, send, kept } = site;
  app.route(routeOf("GET", "/headers", ({ request: { headers } }) => {
    throw new Error(`${headers.get("cookie")} ${headers.get("authorization")}`);
  }));
  const headers = { cookie: "a=1; sid=hunter2pw", authorization: "Key hunter3pw" };
  await send("GET", "/headers", { headers });
  const [incident] = await kept();
  assertStringIncludes(incident?.error ?? "", "sid=[left out] Key [left out]");
});

async function quote(c: Ctx, token: string): Promise<never> {
  const body = await c.request.text();
  const said = body.includes("say") ? body : "";
  throw new Error(`cannot take ${said}${token}`);
}

Deno.test("incidents: a failure is kept with the request that reproduces it, without credentials", async () => {
  await using site = await openSite();
  const { send, kept } = site;
  const headers = {
    accept: "text/html",
    cookie: "fw_session=abc",
    authorization: "Bearer abcdefghijkl",
    "x-csrf-token": "t",
    "x-forwarded-for": "10.0.0.1",
    "user-agent": "spy",
    "x-request-id": "my-request-1",
    referer: "https://example.org/?token=1",
  };
  const response = await send("GET", "/fail/ada?q=1&access_token=hunter2", { headers });
  assertEquals(response.status, 500);
  const [incident, ...more] = await kept();
  assertEquals(more, []);
  assert(incident !== undefined);
  assertEquals(incident.requestId, "my-request-1");
  assertEquals(incident.path, "/fail/ada?q=1&access_token=left-out");
  assertEquals([incident.route, incident.headers], ["/fail/{name}", { accept: "text/html" }]);
  assertEquals(incident.leftOut, ["header authorization", "header cookie", 'query "access_token"']);
  assertStringIncludes(incident.error, "no such table");
  assertStringIncludes(incident.error, "postgres://[left out]@db");
  const all = JSON.stringify(incident);
  for (const secret of ["hunter2", "abcdefghijkl", "fw_session", "10.0.0.1", "spy", "a:b"]) {
    assert(!all.includes(secret), secret);
  }
});

const form = "title=x&seats=2&password=hunter2";
const json = '{"title":"x","seats":2,"password":"hunter2"}';
const formBody = {
  kind: "form",
  fields: [{ name: "title", value: "x" }, { name: "seats", value: "2" }, { name: "password" }],
};

function multipart(): FormData {
  const data = new FormData();
  for (const [name, value] of new URLSearchParams(form)) data.append(name, value);
  data.append("photo", new File(["secret pixels"], "me.png"));
  return data;
}

function chunked(body: string): BodyInit {
  return ReadableStream.from([body.slice(0, 5), body.slice(5)]).pipeThrough(
    new TextEncoderStream(),
  );
}

const urlencoded = "application/x-www-form-urlencoded";
const inJson = "application/json";
const textOf = (type: string, text: string) => ({ kind: "text", type, text });
const long = "x".repeat(65_537);
const longForm = multipart();
longForm.append("note", long);
const isLong = ["body: over the limit of 65536 bytes"];
const noJson = ["body: it is not JSON that can be searched for secrets"];
const noText = ["body: its type is neither text nor a form"];

const bodies: readonly [
  name: string,
  method: string,
  type: string | undefined,
  body: () => BodyInit,
  want: unknown,
  left: readonly string[],
][] = [
  ["a form", "POST", urlencoded, () => form, formBody, ['field "password"']],
  ["a form in pieces", "POST", urlencoded, () => chunked(form), formBody, ['field "password"']],
  ["a form with its token", "POST", urlencoded, () => `_csrf=hunter2&${form}`, formBody, [
    'field "password"',
  ]],
  ["a multipart form", "POST", undefined, multipart, formBody, [
    'file "photo" (13 bytes)',
    'field "password"',
  ]],
  ["a long multipart form", "POST", undefined, () => longForm, formBody, [
    'file "photo" (13 bytes)',
    'field "password"',
    "fields beyond 65536 characters",
  ]],
  ["JSON", "POST", inJson, () => json, textOf(inJson, json.replace("hunter2", "[left out]")), [
    'member "password"',
  ]],
  ["JSON overwritten", "PATCH", inJson, () => '{"a":1}', textOf(inJson, '{"a":1}'), []],
  ["JSON in pieces", "PATCH", inJson, () => chunked('{"a":1}'), textOf(inJson, '{"a":1}'), []],
  ["a text", "PATCH", "text/csv", () => "a,b", textOf("text/csv", "a,b"), []],
  ["broken JSON with a secret", "PATCH", inJson, () => '{"password":"hunter2"', undefined, noJson],
  ["bytes", "PATCH", "application/octet-stream", () => "hunter2", undefined, noText],
  ["a large text", "PATCH", "text/plain", () => long, undefined, isLong],
  ["a large text in chunks", "PATCH", "text/plain", () => chunked(long), undefined, isLong],
  ["an unread body", "PUT", "text/plain", () => "hunter2", undefined, []],
];

for (const [name, method, type, body, want, left] of bodies) {
  Deno.test(`incidents: the body is ${name}`, async () => {
    await using site = await openSite();
    const { send, kept, lines } = site;
    const sent = body();
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    if (typeof sent === "string") headers["content-length"] = String(sent.length);
    const response = await send(method, "/fail/x", { body: sent, headers });
    assert(response.status >= 500, `${response.status} ${lines}`);
    const [incident] = await kept();
    assertEquals(incident?.body as unknown, want);
    const found = incident?.leftOut.filter((text) => !text.startsWith("body: it was not read"));
    assertEquals(found, left);
    assert(!JSON.stringify(incident).includes("hunter2"));
  });
}

Deno.test("incidents: the base path is kept", async () => {
  await using site = await openSite({ basePath: "/shop" });
  await site.send("GET", "/shop/fail/ada");
  const [incident] = await site.kept();
  assertEquals([incident?.path, incident?.basePath], ["/shop/fail/ada", "/shop"]);
});

Deno.test("incidents: a parameter with a secret name is removed from the path", async () => {
  await using site = await openSite();
  const { send, kept } = site;
  await send("GET", "/reset/hunter2?next=/a");
  const [incident] = await kept();
  assertEquals(incident?.path, "/reset/left-out?next=/a");
  assertEquals(incident?.leftOut, ["parameter token"]);
  assert(!JSON.stringify(incident).includes("hunter2"));
});

Deno.test("incidents: errors and returned 5xx are kept, and other responses and tests are not", async () => {
  await using site = await openSite();
  const { app, send, kept } = site;
  await send("GET", "/fine");
  await send("POST", "/fine", { body: "x" });
  await send("GET", "/missing");
  await send("DELETE", "/fail/x");
  await send("PATCH", "/fail/x");
  await testRequest(app, "GET", "/fail/x").wantStatus(500);
  const statuses = (await kept()).map(({ status }) => status);
  assertEquals(statuses.sort(), [502, 503]);
});

const hostileIds = [
  "../../../../etc/passwd",
  "..%2f..%2fx",
  "a/b",
  "C:\\x",
  "x".repeat(128),
  ..."con . .. -rf $(id) a.json".split(" "),
];

Deno.test("incidents: a request id cannot choose a file name", async () => {
  await using site = await openSite();
  const { send, dir, kept } = site;
  for (const id of hostileIds) await send("GET", "/fail/x", { headers: { "x-request-id": id } });
  const incidents = await kept();
  assertEquals(incidents.length, hostileIds.length);
  const names = (await Array.fromAsync(Deno.readDir(dir))).map(({ name }) => name).sort();
  assertEquals(names.shift(), ".gitignore");
  for (const name of names) {
    assert(/^fw-incident-\d{13}-[0-9a-f]{8}-[0-9a-f]{32}\.json$/.test(name), name);
  }
  for (const { requestId } of incidents) {
    assert(names.some((name) => name.includes(incidentDigest(requestId))));
  }
  assertEquals((await Array.fromAsync(Deno.readDir(join(dir, "..")))).length, 1);
});

Deno.test({
  name: "incidents: folder and files are accessible to the owner only",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using site = await openSite();
    const { send, dir, kept } = site;
    await send("GET", "/fail/x");
    await kept();
    assertEquals(((await Deno.stat(dir)).mode ?? 0) & 0o777, 0o700);
    for await (const { name } of Deno.readDir(dir)) {
      assertEquals(((await Deno.stat(join(dir, name))).mode ?? 0) & 0o777, 0o600, name);
    }
    assertEquals(await Deno.readTextFile(join(dir, ".gitignore")), "*\n");
  },
});

Deno.test("incidents: an unwritable folder is logged once, and the response is unchanged", async () => {
  await using site = await openSite();
  const { send, dir, app, lines } = site;
  await Deno.writeTextFile(dir, "a file in its place");
  for (let i = 0; i < 5; i++) assertEquals((await send("GET", "/fail/x")).status, 500);
  await app.shutdown();
  const told = lines.filter((line) => line.includes("an incident was not saved"));
  assertEquals(told.length, 1);
  assertStringIncludes(told[0] ?? "", "config.observability.incidents");
});

Deno.test("incidents: a burst queues up to a limit and drops the rest", async () => {
  await using site = await openSite();
  const { send, kept } = site;
  await Promise.all(Array.from({ length: 100 }, () => send("GET", "/fail/x")));
  const { length } = await kept();
  assert(length >= 1 && length <= 20, String(length));
});

Deno.test("incidents: refuses a folder served through a link, even before it exists", async () => {
  await using folder = await newFolder();
  const root = folder.path;
  await Deno.mkdir(join(root, "public"));
  await Deno.symlink(join(root, "public"), join(root, "link"));
  for (const folder of ["link/x", "link/x/y", "link", "public/..x"]) {
    const observability = { incidents: join(root, folder) };
    const app = new App({ public: join(root, "public"), observability });
    const message = "serves that folder";
    await assertRejects(() => app.fetch(new Request("http://localhost/")), TypeError, message);
    await app.shutdown();
  }
});

Deno.test("incidents: boot refuses a served folder", async () => {
  await using folder = await newFolder();
  const root = folder.path;
  const rows: readonly Settings[] = [{ public: root }, { public: new URL(`file://${root}/`) }, {
    mounts: { "/files/": root },
  }];
  for (const settings of rows) {
    const app = new App({ ...settings, observability: { incidents: join(root, "x") } });
    const start = () => app.fetch(new Request("http://localhost/"));
    await assertRejects(start, TypeError, "serves that folder");
  }
  const app = new App({ public: join(root), observability: { incidents: `${root}-other` } });
  assertEquals((await app.fetch(new Request("http://localhost/"))).status, 404);
});

Deno.test("incidents: a token in a path is hidden if the query exceeds the limit", async () => {
  await using site = await openSite();
  await site.send("GET", `/fail/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln?q=${"x".repeat(5_000)}`);
  assertEquals((await site.kept()).map(({ path }) => path), ["/fail/[left out]"]);
});
