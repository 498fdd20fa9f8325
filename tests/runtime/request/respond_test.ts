import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { Ctx, Handler } from "../../../mod.ts";
import { testRequest, type TestResponse } from "../../../runtime/testing/mod.ts";
import { newSite, type Site } from "../app/support.ts";

function siteOf(handler: Handler): Site {
  return newSite([{ pattern: "/", methods: { GET: handler }, source: "app/route.ts" }]);
}

async function ask(handler: Handler): Promise<TestResponse> {
  return await testRequest(siteOf(handler).app, "GET", "/");
}

const answers: Readonly<Record<string, (c: Ctx) => Response | ReturnType<Handler>>> = {
  "c.json": (c) => c.json(200, 1),
  "c.text": (c) => c.text(200, "x"),
  "c.html": (c) => c.html(200, h.p()),
  "c.noContent": (c) => c.noContent(),
  "c.redirect": (c) => c.redirect("/x"),
  "c.respond": (c) => c.respond(c.text(200, "x")),
  "a node": () => h.p(),
  "nothing": () => {},
  "a foreign Response": () => new Response("x"),
  "a foreign Response with headers": () => new Response("x", { headers: { "x-a": "theirs" } }),
  "a foreign redirect, whose headers are immutable": () => Response.redirect("http://x.example/"),
  "a staged foreign Response": (c) =>
    c.respond(new Response("x", { headers: { "x-a": "theirs" } })),
  "a promise of a foreign Response": () => Promise.resolve(new Response("x")),
};

for (const [title, answer] of Object.entries(answers)) {
  Deno.test(`staged headers and cookies reach ${title}`, async () => {
    const response = await ask((c) => {
      c.header("X-A", "first");
      c.header("x-a", "1");
      c.header("Vary", "Accept");
      c.header("vary", "Cookie");
      c.setCookie({ name: "a", value: "1" });
      c.header("set-cookie", "b=2");
      return answer(c);
    });
    // The framework's own HTML also varies by FW-Fragment.
    assertEquals(response.header("vary")?.replace("FW-Fragment, ", ""), "Accept, Cookie");
    response.wantHeader("x-a", "1");
    assertEquals(response.headers.getSetCookie(), ["a=1; Path=/; HttpOnly; SameSite=Lax", "b=2"]);
  });
}

const cookies: readonly [staged: readonly string[], sent: readonly string[]][] = [
  [["a=1; path=/x", "a=2; path=/y"], ["a=1; path=/x", "a=2; path=/y"]],
  [["a=1;Path=/x", "a=2; path=/x"], ["a=2; path=/x"]],
  [["a=1; domain=a.example", "a=2; Domain=b.example"], [
    "a=1; domain=a.example",
    "a=2; Domain=b.example",
  ]],
];

for (const [staged, sent] of cookies) {
  Deno.test(`a staged cookie replaces one with its name, domain and path: ${staged.join(", ")}`, async () => {
    const response = await ask((c) => staged.forEach((text) => c.header("set-cookie", text)));
    assertEquals(response.headers.getSetCookie(), sent);
  });
}

Deno.test("staged headers replace the response's, and Vary and Set-Cookie append", async () => {
  const response = await ask((c) => {
    c.header("content-type", "text/csv");
    c.header("x-a", "staged");
    c.header("vary", "Cookie");
    c.header("set-cookie", "b=2");
    const response = new Response("x", { status: 203 });
    const { headers } = response;
    for (const name of ["x-a", "x-b"]) headers.set(name, "own");
    headers.set("vary", "Accept");
    headers.set("set-cookie", "a=1");
    return response;
  });
  response.wantStatus(203).wantHeader("content-type", "text/csv").wantHeader("x-a", "staged")
    .wantHeader("x-b", "own").wantHeader("vary", "Accept, Cookie");
  assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
});

Deno.test("a foreign Response is rebuilt but never changed: status, text, headers and body are kept", async () => {
  const headers = { "x-a": "own" };
  const foreign = new Response("body", { status: 418, statusText: "Teapot", headers });
  const site = siteOf((c) => {
    c.header("x-a", "staged");
    c.header("x-b", "staged");
    return foreign;
  });
  const response = await site.app.fetch(new Request("http://localhost/"));
  assertEquals(
    [response.status, response.statusText, response.headers.get("x-b"), await response.text()],
    [418, "Teapot", "staged", "body"],
  );
  const found = [...foreign.headers];
  assertEquals(found, [["content-type", "text/plain;charset=UTF-8"], ["x-a", "own"]]);
});

const complete = { "content-type": "text/plain", "x-content-type-options": "nosniff" };

Deno.test("a complete foreign Response is sent unchanged", async () => {
  const foreign = new Response("x", { headers: complete });
  const response = await siteOf(() => foreign).app.fetch(new Request("http://localhost/"));
  assert(response === foreign);
});

const kept: typeof answers = {
  ...answers,
  "a complete Response": () => new Response("x", { headers: complete }),
};

for (const [title, answer] of Object.entries(kept)) {
  Deno.test(`a control character that is set after the return does not reach ${title}`, async () => {
    const late = Promise.withResolvers<Response | undefined>();
    const { app } = siteOf(async (c) => {
      const result = await answer(c);
      late.resolve(result instanceof Response ? result : undefined);
      return result;
    });
    const sent = await app.fetch(new Request("http://localhost/"));
    const response = await late.promise;
    for (const method of ["set", "append"] as const) {
      try {
        response?.headers[method]("x-late", "a\x01b");
      } catch (error) {
        assert(error instanceof TypeError);
      }
    }
    assertEquals(sent.headers.get("x-late"), null);
  });
}

Deno.test("a response that the context built for another request is treated as foreign", async () => {
  let kept: Response | undefined;
  const site = siteOf((c) => {
    c.header("x-count", kept === undefined ? "1" : "2");
    return kept ??= c.json(200, []);
  });
  const first = await site.app.fetch(new Request("http://localhost/"));
  assertEquals(await first.text(), "[]");
  const second = await testRequest(site.app, "GET", "/");
  second.wantStatus(500);
  assertStringIncludes(JSON.stringify(site.logged("handler failed")), "has been read already");
});

Deno.test("c.status applies only to responses that the framework builds", async () => {
  const rows: readonly [Handler, number][] = [
    [() => h.p(), 201],
    [() => {}, 201],
    [(c) => c.text(200, "x"), 200],
    [(c) => c.json(202, 1), 202],
    [(c) => c.html(200, h.p()), 200],
    [() => new Response("x"), 200],
    [(c) => c.respond(new Response("x")), 200],
  ];
  for (const [handler, want] of rows) {
    const response = await ask((c) => {
      c.status(201);
      return handler(c);
    });
    response.wantStatus(want);
  }
});

/** Statuses that no response may have, and a part of the log line. */
const refused: readonly [title: string, handler: Handler, part: string][] = [
  ...[0, 99, 101, 199, 600, 1_000, 200.5, NaN, Infinity].map((code): [string, Handler, string] => [
    `c.status(${code})`,
    (c) => c.status(code),
    `Cannot set the status \\"${code}\\": use an integer from 200 to 599`,
  ]),
  ...[99, 200.5, 600, NaN].flatMap((status) =>
    (["json", "text"] as const).map((method): [string, Handler, string] => [
      `c.${method}(${status})`,
      (c) => c[method](status, "x"),
      `Cannot answer with c.${method}(${status}, …): use an integer from 200 to 599.`,
    ])
  ),
  ["c.json(204)", (c) => c.json(204, {}), "use c.noContent()"],
  ["c.text(304)", (c) => c.text(304, "x"), "use c.noContent()"],
  ["c.html(205)", (c) => c.html(205, h.p()), "use c.noContent()"],
  ["a node with c.status(204)", (c) => (c.status(204), h.p()), "use c.noContent()"],
];

for (const [title, handler, part] of refused) {
  Deno.test(`a status is refused with the fix: ${title}`, async () => {
    const site = siteOf(handler);
    await testRequest(site.app, "GET", "/").wantStatus(500);
    assertStringIncludes(JSON.stringify(site.logged("handler failed")), part);
  });
}

Deno.test("c.written is true after a response is staged", async () => {
  const seen: boolean[] = [];
  const site = newSite([{
    pattern: "/",
    methods: {
      GET: (c) => {
        seen.push(c.written);
        c.respond(c.text(200, "first"));
        seen.push(c.written);
        c.respond(c.text(201, "second"));
      },
    },
    middleware: [{
      Middleware: async (c, next) => {
        const response = await next();
        seen.push(c.written);
        return response;
      },
    }],
  }]);
  const { body } = await testRequest(site.app, "GET", "/").wantStatus(201);
  assertEquals([body, ...seen], ["second", false, true, true]);
});

Deno.test("a returned result overrides a staged response", async () => {
  const { body } = await ask((c) => {
    c.respond(c.text(200, "staged"));
    return c.text(201, "returned");
  });
  assertEquals(body, "returned");
});

const json: readonly [value: unknown, text: string][] = [
  [{ a: 1, b: [true, null, "é"] }, '{"a":1,"b":[true,null,"é"]}'],
  [null, "null"],
  ["", '""'],
  [12345678901234567890n, "12345678901234567890"],
  [
    { id: -9007199254740993n, at: new Date(0) },
    '{"id":-9007199254740993,"at":"1970-01-01T00:00:00.000Z"}',
  ],
  [{ gone: undefined }, "{}"],
  ["</script>", '"</script>"'],
];

for (const [value, text] of json) {
  Deno.test(`c.json writes ${text}`, async () => {
    for (const status of [200, 201]) {
      const response = await ask((c) => c.json(status, value));
      response.wantStatus(status).wantHeader("content-type", "application/json");
      assertEquals(response.body, text);
    }
  });
}

Deno.test("c.json refuses values without a JSON form", async () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  for (const value of [undefined, () => {}, Symbol("x"), circle]) {
    for (const status of [200, 201]) {
      await testRequest(siteOf((c) => c.json(status, value)).app, "GET", "/").wantStatus(500);
    }
  }
});

Deno.test("c.html returns a complete document without layouts, and c.render adds them", async () => {
  const layouts = [(_c: Ctx, children: h.Node): h.Node => h.main(children)];
  const { app } = newSite([
    { pattern: "/html", methods: { GET: (c) => c.html(201, h.p("x")) }, layouts },
    { pattern: "/render", methods: { GET: (c) => c.render(422, h.p("x")) }, layouts },
  ]);
  assertEquals((await testRequest(app, "GET", "/html").wantStatus(201)).body, "<p>x</p>");
  const rendered = await testRequest(app, "GET", "/render").wantStatus(422);
  assertEquals(rendered.body, "<main><p>x</p></main>");
});

Deno.test("c.noContent is 204 without a body and a type", async () => {
  const response = await ask((c) => c.noContent());
  response.wantStatus(204);
  assertEquals([response.body, response.headers.get("content-type")], ["", null]);
});
