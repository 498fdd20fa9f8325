import { assert, assertEquals, assertStrictEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { httpError, notFound, redirect } from "../../../mod.ts";
import type { Ctx, Handler, MiddlewareHandler, Next } from "../../../mod.ts";
import { testRequest, type TestResponse } from "../../../runtime/testing/mod.ts";
import { newSite, type Site, throwing } from "../app/support.ts";
import { thenable } from "../thenable.ts";

function around(handler: Handler, ...middleware: MiddlewareHandler[]): Site {
  const modules = middleware.map((Middleware) => ({ Middleware }));
  return newSite([{ pattern: "/", methods: { GET: handler }, middleware: modules }]);
}

async function ask(site: Site): Promise<TestResponse> {
  return await testRequest(site.app, "GET", "/");
}

/** Returns a middleware with this result after the rest has responded. */
const afterNext =
  (give: (c: Ctx) => Response | null | void): MiddlewareHandler => async (c, next) => {
    await next();
    return give(c);
  };

const hello: Handler = (c) => c.text(200, "hello");

const given: readonly [name: string, handler: MiddlewareHandler, status: number, body: string][] = [
  ["returns the result of next", (_c, next) => next(), 200, "hello"],
  ["awaits next and returns it", async (_c, next) => await next(), 200, "hello"],
  ["awaits next and returns undefined", async (_c, next) => void await next(), 200, "hello"],
  ["starts next and returns undefined", (_c, next) => void next(), 200, "hello"],
  ["returns null after next", afterNext(() => null), 200, "hello"],
  ["responds instead of next", (c) => c.text(202, "own"), 202, "own"],
  ["responds after next", afterNext((c) => c.text(202, "own")), 202, "own"],
  ["stages after next", afterNext((c) => void c.respond(c.text(202, "own"))), 202, "own"],
  [
    "stages before next: the later result of next is ignored",
    async (c, next) => {
      c.respond(new Response("staged", { status: 202 }));
      await next();
    },
    202,
    "staged",
  ],
  ["returns undefined without next", () => {}, 204, ""],
  ["returns a node", () => h.p("node"), 200, "<p>node</p>"],
  [
    "rebuilds the response",
    async (_c, next) => {
      const response = await next();
      return new Response(`[${await response.text()}]`, { status: 201 });
    },
    201,
    "[hello]",
  ],
];

for (const [title, middleware, status, body] of given) {
  Deno.test(`a middleware that ${title}`, async () => {
    const response = (await ask(around(hello, middleware))).wantStatus(status);
    if (status === 200 && body.startsWith("<")) response.wantContains(body);
    else assertEquals(response.body, body);
  });
}

Deno.test("next() returns the inner response itself", async () => {
  const inner = new Response("x");
  let seen: Response | undefined;
  const site = around(() => inner, async (_c, next) => seen = await next());
  await ask(site);
  assertStrictEquals(seen, inner);
});

Deno.test("a handler's or middleware's result is awaited even if it is not a Promise", async () => {
  const ask = async (site: Site): Promise<string> => (await testRequest(site.app, "GET", "/")).body;
  assertEquals(await ask(around((c) => thenable(c.text(200, "handler")))), "handler");
  assertEquals(await ask(around(hello, (c) => thenable(c.text(200, "middleware")))), "middleware");
});

Deno.test("next() twice rejects, whether the first was awaited or not", async () => {
  const cases = [
    async (_c: Ctx, next: Next) => {
      await next();
      return await next();
    },
    (_c: Ctx, next: Next) => {
      next();
      return next();
    },
  ];
  for (const twice of cases) {
    let runs = 0;
    const site = around((c) => {
      runs++;
      return c.text(200, "x");
    }, twice);
    (await ask(site)).wantStatus(500);
    assertEquals(runs, 1);
    const [line] = site.logged("handler failed");
    assertStringIncludes(JSON.stringify(line), "Cannot call next() twice");
  }
});

Deno.test("next() twice can be caught, and the first response stands", async () => {
  const site = around(hello, async (_c, next) => {
    const response = await next();
    await next().catch(() => {});
    return response;
  });
  assertEquals((await ask(site)).body, "hello");
});

const failures: Readonly<Record<string, (error: unknown) => Handler>> = {
  returned: (error) => () => error as Error & never,
  thrown: (error) => throwing(error),
  rejected: (error) => () => Promise.reject(error),
  resolved: (error) => () => Promise.resolve(error as Error & never),
};

for (const [way, fail] of Object.entries(failures)) {
  for (const error of [notFound(), httpError(409, "x"), redirect("/x"), new Error("plain")]) {
    Deno.test(`next() rejects with the inner error itself: ${error.name}, ${way}`, async () => {
      const caught: unknown[] = [];
      const site = around(
        fail(error),
        async (c, next) => {
          try {
            return await next();
          } catch (inner) {
            caught.push(inner);
            return c.text(299, "fixed");
          }
        },
        async (_c, next) => {
          try {
            return await next();
          } catch (inner) {
            caught.push(inner);
            throw inner;
          }
        },
      );
      assertEquals([(await ask(site)).wantStatus(299).body, caught.length], ["fixed", 2]);
      for (const inner of caught) assertStrictEquals(inner, error);
      assertEquals(site.logged("handler failed"), []);
    });
  }

  Deno.test(`an error that passes all middleware is rendered once, outside it: ${way}`, async () => {
    let seen = 0;
    const count: MiddlewareHandler = async (_c, next) => {
      try {
        return await next();
      } finally {
        seen++;
      }
    };
    const site = around(fail(new Error("boom")), count, count, count);
    (await ask(site)).wantStatus(500);
    assertEquals([seen, site.logged("handler failed").length], [3, 1]);
  });
}

Deno.test("a middleware that catches the error and returns undefined passes the error on", async () => {
  const site = around(() => httpError(409, "sold out"), async (_c, next) => {
    await next().catch(() => {});
  });
  (await ask(site)).wantStatus(409);
});

Deno.test("an error keeps staged headers and cookies but not status and body", async () => {
  const site = around((c) => {
    c.header("x-inner", "1");
    c.setCookie({ name: "inner", value: "1" });
    c.status(201);
    c.respond(c.text(200, "never"));
    throw httpError(409, "sold out");
  }, (c, next) => {
    c.header("x-outer", "1");
    return next();
  });
  const response = (await ask(site)).wantStatus(409).wantHeader("x-inner", "1")
    .wantHeader("x-outer", "1");
  assertEquals(response.headers.getSetCookie().length, 1);
  assert(!response.body.includes("never"));
});

Deno.test("a middleware that responds early ends the request, and a later failure is ignored", async () => {
  const inner = Promise.withResolvers<void>();
  const site = around(async () => {
    await inner.promise;
    throw new Error("late");
  }, (c, next) => {
    next();
    return c.text(202, "gone on");
  });
  assertEquals((await ask(site)).wantStatus(202).body, "gone on");
  inner.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  (await ask(site)).wantStatus(202);
});

Deno.test("an inner handler cannot stage after the response is sent", async () => {
  const gate = Promise.withResolvers<void>();
  const failures: string[] = [];
  const late = Promise.withResolvers<void>();
  const site = around(async (c) => {
    await gate.promise;
    const stages: (() => void)[] = [
      () => c.header("x-a", "1"),
      () => c.setCookie({ name: "a", value: "1" }),
      () => c.status(201),
      () => c.respond(new Response()),
      () => c.flash("info", "x"),
      () => c.setSigned("s", "x", 1_000),
    ];
    for (const stage of stages) {
      try {
        stage();
      } catch (error) {
        failures.push(String(error));
      }
    }
    late.resolve();
  }, (c, next) => {
    next();
    return c.text(202, "answered");
  });
  (await ask(site)).wantStatus(202);
  gate.resolve();
  await late.promise;
  assertEquals(failures, [
    'TypeError: Cannot set the header "x-a": the head has been sent.',
    'TypeError: Cannot set the cookie "a": the head has been sent.',
    "TypeError: Cannot set the status: the head has been sent.",
    "TypeError: Cannot set the answer: the head has been sent.",
    "TypeError: Cannot set a flash message: the head has been sent.",
    'TypeError: Cannot set the cookie "s": the head has been sent.',
  ]);
});

Deno.test("returning the inner response after reading it is a 500 that names the route", async () => {
  const read: readonly MiddlewareHandler[] = [
    async (_c, next) => {
      const response = await next();
      await response.text();
      return response;
    },
    async (_c, next) => {
      await (await next()).text();
    },
  ];
  for (const handler of [hello, (): Response => new Response("foreign")]) {
    for (const middleware of read) {
      const site = around(handler, middleware);
      (await ask(site)).wantStatus(500);
      const part = 'Cannot send the Response of the route \\"/\\"';
      assertStringIncludes(JSON.stringify(site.logged("handler failed")), part);
    }
  }
});

Deno.test("a middleware of a folder sees the route's pattern and parameters", async () => {
  const { app } = newSite([{
    pattern: "/blog/{slug}",
    methods: { GET: hello },
    middleware: [{ Middleware: (c) => c.json(200, [c.pattern, c.param("slug")]) }],
  }]);
  const { body } = await testRequest(app, "GET", "/blog/caf%C3%A9");
  assertEquals(body, '["/blog/{slug}","café"]');
});
