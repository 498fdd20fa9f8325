import { FieldErrors, httpError, Problem } from "../../../mod.ts";
import type { Env, Handler, Settings } from "../../../mod.ts";
import { assert, assertEquals } from "@std/assert";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { newSite, routeOf, throwing } from "../app/support.ts";

async function problemOf(handler: Handler, config: Settings = {}): Promise<{
  readonly status: number;
  readonly text: string;
  readonly members: Record<string, unknown>;
}> {
  const { app } = newSite([{ pattern: "/a/{id}", methods: { GET: handler } }], { config });
  const option = withHeader("x-request-id", "r1");
  const response = await testRequest(app, "GET", "/a/caf%C3%A9?q=1", option)
    .wantHeader("content-type", "application/problem+json");
  const { status, body } = response;
  return { status, text: body, members: JSON.parse(body) };
}

Deno.test("a problem has exactly the standard members, in order", async () => {
  const { text } = await problemOf(() => httpError(409, "sold out"));
  assertEquals(
    text,
    '{"type":"about:blank","title":"Conflict","status":409,"detail":"sold out",' +
      '"instance":"/a/caf%C3%A9","code":"conflict","request_id":"r1"}',
  );
});

Deno.test("a Problem is written as the application created it", async () => {
  const { status, members } = await problemOf(() =>
    new Problem({
      type: "https://errors.example/sold-out",
      title: "Sold out",
      status: 409,
      detail: "no seats",
      instance: "/events/7",
      fields: new FieldErrors().add("seats", "too many"),
      extra: { seats: 0, next: ["a", { b: null }], big: 12345678901234567890n },
    })
  );
  assertEquals([status, members], [409, {
    type: "https://errors.example/sold-out",
    title: "Sold out",
    status: 409,
    detail: "no seats",
    instance: "/events/7",
    code: "conflict",
    fields: { seats: "too many" },
    request_id: "r1",
    seats: 0,
    next: ["a", { b: null }],
    big: 12345678901234567000,
  }]);
});

Deno.test("an extension member cannot replace a standard one", async () => {
  const standard = ["type", "title", "status", "detail", "instance", "code", "fields"].concat([
    "request_id",
  ]);
  const extra = Object.fromEntries(standard.map((name) => [name, "replaced"]));
  const { status, members } = await problemOf(() => new Problem({ status: 409, extra }));
  assertEquals(status, 409);
  assertEquals(members, {
    type: "about:blank",
    title: "Conflict",
    status: 409,
    instance: "/a/caf%C3%A9",
    code: "conflict",
    request_id: "r1",
  });
});

const coded: readonly [name: string, handler: Handler, code: string][] = [
  ["an error with a custom code", () => httpError(409, "x", { code: "sold_out" }), "sold_out"],
  ["a Problem with an unregistered status", () => new Problem({ status: 499 }), "status_499"],
  ["a value that is not an error", () => Promise.reject("boom"), "internal_server_error"],
];

for (const [name, handler, code] of coded) {
  Deno.test(`every problem document has a code: ${name}`, async () => {
    assertEquals((await problemOf(handler)).members["code"], code);
  });
}

for (const env of ["dev", "prod"] as Env[]) {
  Deno.test(`an error with a non-string message is a problem and a page, ${env}`, async () => {
    const error = Object.defineProperty(new Error("x"), "message", { value: 1n });
    const { status, members } = await problemOf(() => Promise.reject(error), { env });
    assertEquals([status, members["status"]], [500, 500]);
    const page: Handler = () => Promise.reject(error);
    const { app, logged } = newSite([{ pattern: "/", page }], { config: { env } });
    await testRequest(app, "GET", "/").wantStatus(500);
    assertEquals(logged("the error page failed"), []);
  });
}

Deno.test("extension members may have any name", async () => {
  const extra = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3, "toJSON": 4, "": 5}');
  const { members } = await problemOf(() => new Problem({ status: 409, extra }));
  for (const [name, value] of Object.entries(extra)) {
    assertEquals(Object.getOwnPropertyDescriptor(members, name)?.value, value, name);
  }
});

Deno.test("a Problem without a detail has none, whatever its title and cause", async () => {
  const { members } = await problemOf(
    () => new Problem({ status: 500, title: "Broken", cause: new Error("secret") }),
    { env: "dev" },
  );
  assertEquals([members["title"], "detail" in members], ["Broken", false as boolean]);
});

Deno.test("problemType returns the type by status, and a Problem's own type overrides it", async () => {
  const config: Settings = {
    problemType: (status) => status === 409 ? `https://errors.example/${status}` : undefined,
  };
  const rows: readonly [Handler, string][] = [
    [() => httpError(409, "x"), "https://errors.example/409"],
    [() => httpError(410, "x"), "about:blank"],
    [() => new Problem({ status: 409 }), "https://errors.example/409"],
    [() => new Problem({ status: 409, type: "urn:own" }), "urn:own"],
  ];
  for (const [handler, type] of rows) {
    assertEquals((await problemOf(handler, config)).members["type"], type);
  }
});

Deno.test("FieldErrors become the member fields, including names of Object.prototype", async () => {
  const errors = new FieldErrors().add("b", "1").add("__proto__", "2").add("a", "3");
  const { status, text } = await problemOf(() => errors);
  assertEquals(status, 422);
  assert(text.includes('"fields":{"b":"1","__proto__":"2","a":"3"}'), text);
});

Deno.test("request_id equals the id in the log and c.requestId", async () => {
  let id = "";
  const site = newSite([routeOf("GET", "/", (c) => {
    id = c.requestId;
    return httpError(503, "x");
  })]);
  const { body } = await testRequest(site.app, "GET", "/").wantStatus(503);
  assertEquals(JSON.parse(body)["request_id"], id);
  assertEquals(site.lines.map((line) => line["request_id"]), site.lines.map(() => id));
});

const circle: Record<string, unknown> = {};
circle["self"] = circle;
const broken: readonly [name: string, handler: Handler, config?: Settings][] = [
  ["a circle", () => new Problem({ status: 409, extra: { circle } })],
  ["a circle beside a bigint", () => new Problem({ status: 409, extra: { big: 1n, circle } })],
  ["a getter that fails", () =>
    new Problem({
      status: 409,
      extra: {
        get seats(): number {
          throw new Error("secret");
        },
      },
    })],
  ["one failing", () => httpError(409, "sold out"), { problemType: throwing(new Error("secret")) }],
  ["a header that is invalid", (c) => {
    c.header("x-a", "b");
    throw httpError(409, "sold out", { headers: { "x-\u00e4": "secret" } });
  }],
];

for (const [name, handler, config = {}] of broken) {
  for (const env of ["dev", "prod"] as Env[]) {
    Deno.test(`a problem that cannot be serialized becomes one of status 500: ${name}, ${env}`, async () => {
      const { status, members, text } = await problemOf(handler, { ...config, env });
      const found = [status, members["status"], members["title"], members["request_id"]];
      assertEquals(found, [500, 500, "Internal Server Error", "r1"]);
      assertEquals(members["code"], "internal_server_error");
      assert(env === "dev" || !("detail" in members) && !text.includes("secret"), text);
    });

    Deno.test(`a page whose error cannot be serialized stays a page: ${name}, ${env}`, async () => {
      const { app, logged } = newSite([{ pattern: "/", page: handler }], {
        config: { ...config, env },
      });
      const isBroken = name.startsWith("a header");
      await testRequest(app, "GET", "/").wantStatus(isBroken ? 500 : 409)
        .wantHeader("content-type", "text/html; charset=utf-8");
      assertEquals(logged("the error page failed").length, isBroken ? 1 : 0);
    });
  }
}
