import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { inspect } from "node:util";
import { App, configFromEnv, createLogger, httpError, Off } from "../../mod.ts";
import type { Ctx, Handler, LogFields, Logger } from "../../mod.ts";
import { AiClient } from "../../ai/mod.ts";
import { http } from "../../ai/mcp/mod.ts";
import { oidc } from "../../auth/mod.ts";
import * as h from "../../html/mod.ts";
import { httpMail } from "../../mail/mod.ts";
import {
  converse,
  handshakeHeaders,
  listen,
  type Listening,
  listenSettings,
  requestText,
  sendRaw,
} from "./raw_client.ts";

/** Serves one handler as a page and as an API, then checks that the server still responds. */
async function withHandler(
  handler: Handler,
  test: (server: Listening) => Promise<void>,
): Promise<void> {
  const lines: string[] = [];
  const app = new App(listenSettings(lines));
  app.route({ pattern: "/page", page: handler, source: "app/page.ts" });
  app.route({ pattern: "/api", methods: { GET: handler, POST: handler }, source: "app/route.ts" });
  app.route({ pattern: "/ok", methods: { GET: (c) => c.text(200, "ok") } });
  await using server = await listen(app, lines);
  await test(server);
  const next = await sendRaw(server, requestText("GET /ok"));
  assertEquals([next.status, next.body], [200, "ok"]);
}

const fail = (): never => {
  throw new Error("trap");
};

const values: Readonly<Record<string, () => unknown>> = {
  "null": () => null,
  "undefined": () => undefined,
  "a string": () => "boom",
  "an enormous string": () => "x".repeat(1_000_000),
  "a number": () => 404,
  "a symbol": () => Symbol("boom"),
  "a bigint": () => 1n,
  "a function": () => fail,
  "an empty object": () => ({}),
  "an object without a prototype": () => Object.create(null),
  "a frozen object": () => Object.freeze({ status: 200 }),
  "a frozen error": () => Object.freeze(new Error("boom")),
  "an object with getters that throw": () => ({
    get status(): never {
      return fail();
    },
    get message(): never {
      return fail();
    },
    get cause(): never {
      return fail();
    },
    get then(): never {
      return fail();
    },
  }),
  "an object whose toString throws": () => ({ toString: fail, [Symbol.toPrimitive]: fail }),
  "an error whose message is an object": () => Object.assign(new Error("boom"), { message: {} }),
  "an error that is its own cause": () => {
    const error = new Error("boom");
    error.cause = error;
    return error;
  },
  "an Error with the status of an HttpError": () =>
    Object.assign(new Error("boom"), { status: 200 }),
  "a DOMException": () => new DOMException("boom", "AbortError"),
  "an AggregateError": () => new AggregateError([new Error("a"), null], "boom"),
};

const ways: Readonly<Record<string, (value: () => unknown) => Handler>> = {
  throws: (value) => () => {
    throw value();
  },
  "rejects with": (value) => () => Promise.reject(value()),
};

for (const [title, value] of Object.entries(values)) {
  for (const [way, handlerOf] of Object.entries(ways)) {
    Deno.test(`a handler that ${way} ${title} is a 500 with a log line that names its route`, async () => {
      await withHandler(handlerOf(value), async (server) => {
        for (const path of ["/page", "/api"]) {
          const answer = await sendRaw(
            server,
            requestText(`GET ${path}`, { "X-Request-ID": "r1" }),
          );
          assertEquals(answer.status, 500, answer.text);
          assert(!/boom|trap/.test(answer.body), answer.body);
          assert(answer.body.includes("r1"), answer.body);
          const line = server.log().split("\n").find((text) =>
            text.includes("handler failed") && text.includes(`"route":"${path}"`)
          );
          assert(line !== undefined, server.log());
          assertEquals(JSON.parse(line)["request_id"], "r1");
        }
      });
    });
  }
}

const bodies: Readonly<Record<string, () => Response | Promise<Response>>> = {
  "whose body was read": async () => {
    const response = new Response("x");
    await response.text();
    return response;
  },
  "whose body was cancelled": async () => {
    const response = new Response("x");
    await response.body?.cancel();
    return response;
  },
  "whose body is locked": () => {
    const response = new Response(new ReadableStream());
    response.body?.getReader();
    return response;
  },
  "that is Response.error()": () => Response.error(),
};

for (const [title, make] of Object.entries(bodies)) {
  for (const isStaged of [false, true]) {
    Deno.test(`a Response ${title} is a 500 with a log line${isStaged ? ", with headers staged" : ""}`, async () => {
      await withHandler((c) => {
        if (isStaged) c.header("x-a", "1");
        return make();
      }, async (server) => {
        const answer = await sendRaw(server, requestText("GET /api"));
        assertEquals(answer.status, 500, answer.text);
        assertStringIncludes(server.log(), '"level":"error"');
        // Only the platform notices a lock.
        if (title.endsWith("locked")) return;
        assertMatch(server.log(), /the route \\"\/api\\" \(app\/route\.ts\)/);
        assertMatch(server.log(), /its body has been read already|stands for a failed fetch/);
      });
    });
  }
}

/** Places that write a text into a header; Deno's listener ends the process at a control character. */
const headerPlaces: Readonly<Record<string, (c: Ctx, text: string) => ReturnType<Handler>>> = {
  "c.header": (c, text) => c.header("x-a", text),
  "a header of an error": (_, text) => httpError(401, "no", { headers: { "x-a": text } }),
  "a foreign Response": (_, text) => new Response("x", { headers: { "x-a": text } }),
  "a staged foreign Response": (c, text) =>
    c.respond(new Response("x", { headers: { "x-a": text } })),
  "a foreign Response beside staged headers": (c, text) => {
    c.header("x-b", "1");
    return new Response("x", { headers: { "x-a": text } });
  },
  "the type of a download": (c, text) => c.download(new Uint8Array(1), { type: text }),
  "the type of a downloaded stream": (c, text) =>
    c.download(ReadableStream.from([]), { type: text }),
  "the name of a download": (c, text) => c.download(new Uint8Array(1), { name: text }),
  "the type of a Blob": (c, text) => c.download(new Blob(["x"], { type: text })),
  "the title of a page": (c, text) => void (c.title = text),
  "a redirect": (c, text) => c.redirect(text),
  "a tag": (c, text) => void c.etag(text),
  "a cookie": (c, text) => c.setCookie({ name: "a", value: text }),
  "a Set-Cookie": (c, text) => c.header("set-cookie", `a=${text}`),
  "a Cache-Control": (c, text) => c.cacheControl(`max-age=1, ${text}`),
  "the headers of c.json": (c, text) => withText(c.json(200, {}), text),
  "the headers of c.text, beside staged ones": (c, text) => {
    c.header("x-b", "1");
    return withText(c.text(201, ""), text);
  },
  "the headers of a page": async (c, text) => withText(await c.render(200, h.p("x")), text),
  "the headers of a redirect": (c, text) => withText(c.redirect("/"), text),
  "the headers of a copy": (c, text) => withText(c.noContent().clone(), text),
};

function withText(response: Response, text: string): Response {
  response.headers.append("x-a", text);
  return response;
}

for (const [place, write] of Object.entries(headerPlaces)) {
  Deno.test(`no header holds a control character: ${place}`, async () => {
    for (const code of [1, 8, 11, 12, 27, 31, 127]) {
      const app = new App({ logger: createLogger({ write: () => {} }) });
      const text = `a${String.fromCharCode(code)}b`;
      app.route({ pattern: "/", methods: { GET: (c) => write(c, text) } });
      const { headers } = await app.fetch(new Request("http://localhost/"));
      assertEquals([...headers].filter(([, value]) => /[^\t -~\x80-\xff]/.test(value)), []);
    }
  });
}

const upgrades: Readonly<Record<string, (c: Ctx) => Response>> = {
  "c.upgrade": (c) => c.upgrade().response,
  "Deno.upgradeWebSocket": (c) => Deno.upgradeWebSocket(c.request).response,
};

for (const [name, upgrade] of Object.entries(upgrades)) {
  Deno.test(`a header with a control character is left out of an upgrade by ${name}`, () =>
    withHandler((c) => withText(upgrade(c), "a\x01b"), async (server) => {
      const text = await converse(server, [requestText("GET /api", handshakeHeaders)], "\r\n\r\n");
      assertEquals([text.slice(0, 12), /x-a/i.test(text)], ["HTTP/1.1 101", false]);
    }));
}

Deno.test("a static file whose headers hold a control character is a 500", async () => {
  const file = { size: 1, read: () => new Uint8Array(1) };
  const app = new App({
    logger: createLogger({ write: () => {} }),
    public: { get: () => file },
    staticHeaders: (_, headers) => headers.set("x-a", "a\x01b"),
  });
  assertEquals((await app.fetch(new Request("http://localhost/a.txt"))).status, 500);
});

Deno.test("the body of a Response with a refused header is cancelled", async () => {
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
  const app = new App({ logger: createLogger({ write: () => {} }) });
  const GET = () => new Response(body, { headers: { "x-a": "a\x01b" } });
  app.route({ pattern: "/", methods: { GET } });
  assertEquals((await app.fetch(new Request("http://localhost/"))).status, 500);
  assert(isCancelled);
});

Deno.test("c.signal aborts on a disconnect even if the handler never returns", async () => {
  const aborted = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  await withHandler((c: Ctx) => {
    begun.resolve();
    c.signal.addEventListener("abort", () => aborted.resolve(c.signal.reason), { once: true });
    // It ends with its signal, so the server can stop at the end of the test.
    return aborted.promise.then(() => c.noContent());
  }, async (server) => {
    const connection = await Deno.connect(server);
    await connection.write(new TextEncoder().encode(requestText("GET /api")));
    await begun.promise;
    connection.close();
    assert(await aborted.promise !== undefined);
  });
});

Deno.test("a logRequest that throws does not affect the response and is logged", async () => {
  const rows = [(c: Ctx) => c.text(200, "fine"), (c: Ctx) => Promise.resolve(c.text(200, "fine"))];
  for (const handler of rows) {
    const lines: string[] = [];
    const app = new App({ ...listenSettings(lines), logRequest: fail });
    app.route({ pattern: "/", methods: { GET: handler } });
    await using server = await listen(app, lines);
    const answer = await sendRaw(server, requestText("GET /"));
    assertEquals([answer.status, answer.body], [200, "fine"]);
    assertStringIncludes(server.log(), "config.logRequest failed");
    assertStringIncludes(server.log(), '"msg":"request"');
  }
});

type Loggers = (write: (text: string) => void) => Logger;

function otherLogger(write: (text: string) => unknown, withFields = (): void => {}): Logger {
  const log = (msg: string, fields?: LogFields): void =>
    write(JSON.stringify({ msg, ...fields })) as undefined;
  const logger = { debug: log, info: log, warn: log, error: log };
  return { ...logger, with: () => (withFields(), otherLogger(write, withFields)) };
}

const brokenLoggers: Readonly<Record<string, Loggers>> = {
  "a function of createLogger": (write) => createLogger({ write }),
  "a logger that throws": (write) => otherLogger(write),
  // deno-lint-ignore require-await -- a rejection is the case
  "a logger that rejects": (write) => otherLogger(async (text) => write(text)),
  "a logger whose with throws": (write) => otherLogger(write, () => write("")),
};

for (const [title, create] of Object.entries(brokenLoggers)) {
  Deno.test(`${title} does not affect the response`, async () => {
    const lines: string[] = [];
    let isBroken = false;
    const logger = create((text) => {
      if (isBroken) throw new Error("disk full");
      lines.push(text);
    });
    const app = new App({ ...listenSettings(lines), logger });
    app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "fine") } });
    app.route({ pattern: "/fail", methods: { GET: fail } });
    await using server = await listen(app, lines);
    isBroken = true;
    const told: unknown[][] = [];
    const { error } = console;
    console.error = (...args: unknown[]): void => void told.push(args);
    try {
      const answer = await sendRaw(server, requestText("GET /"));
      assertEquals([answer.status, answer.body], [200, "fine"]);
      assertEquals((await sendRaw(server, requestText("GET /fail"))).status, 500);
    } finally {
      console.error = error;
      isBroken = false;
    }
    assertEquals(told.map(([message]) => message), ["Cannot write the log:"]);
  });
}

const printings: Readonly<Record<string, (c: Ctx) => string>> = {
  "console.log of a context": (c) => Deno.inspect(c, { depth: 20 }),
  "console.log of an application": (c) => Deno.inspect(c.app, { depth: 20 }),
  "a context as JSON": (c) => JSON.stringify(c),
  "console.log of a configuration": ({ app }) => Deno.inspect(app.config, { depth: 20 }),
  "console.log of an object with a configuration": ({ app: { config } }) =>
    Deno.inspect({ config }),
  "a configuration as JSON": ({ app }) => JSON.stringify(app.config),
  "node:util of a configuration": ({ app }) => inspect(app.config, { depth: 20 }),
  "console.log of the observability": ({ app }) => Deno.inspect(app.config.observability),
  "the observability as JSON": ({ app }) => JSON.stringify(app.config.observability),
  "console.log of a configuration that Setup changed": ({ app: { config } }) => {
    config.observability = { ...config.observability };
    return Deno.inspect(config, { depth: 20 });
  },
  "console.log of the environment's settings": ({ app }) =>
    Deno.inspect(configFromEnv(app.config.variables)),
  "a log line": ({ app }) => logLine({ config: app.config }),
  "a line of text": ({ app }) => logLine({ config: app.config }, "text"),
};

function logLine(fields: LogFields, format: "json" | "text" = "json"): string {
  let lines = "";
  createLogger({ format, write: (text) => lines += text }).info("started", fields);
  return lines;
}

for (const [name, print] of Object.entries(printings)) {
  Deno.test(`secrets: ${name} shows none`, async () => {
    const secret = "s3cret".repeat(6);
    const variables = {
      FW_SECRET: secret,
      FW_OBS_TOKEN: secret,
      DATABASE_URL: `postgres://${secret}@db`,
    };
    const observability = { token: secret };
    const keys = { secret, previousSecret: new TextEncoder().encode(secret) };
    const app = new App({ ...keys, variables, observability, logRequest: Off });
    app.route({ pattern: "/", methods: { GET: (c) => c.text(200, print(c)) } });
    const response = await app.fetch(new Request("http://localhost/"));
    const printed = await response.text();
    assert(printed !== "" && !/s3cret|115,\s*51/.test(printed));
    assertEquals(app.config.secret, secret);
  });
}

const longSecret = "s3cret".repeat(6);
const client = { clientId: "x", clientSecret: longSecret, redirectUrl: "https://b.example/cb" };
const holders: Readonly<Record<string, object>> = {
  "an AI client": new AiClient({ baseUrl: "https://a.example", apiKey: longSecret, model: "m" }),
  "a mail transport": httpMail({ url: "https://a.example", token: longSecret }),
  "a provider": oidc({ issuer: "https://a.example", ...client }, {
    stored: true,
    account: () => Promise.resolve({ id: "1" }),
  }),
  "a transport of MCP": http("https://a.example", { headers: { authorization: longSecret } }),
};
for (const [name, holder] of Object.entries(holders)) {
  Deno.test(`secrets: ${name} shows none`, () => {
    const shown = Deno.inspect(holder, { depth: 20, showHidden: true });
    assert(!(shown + JSON.stringify(holder)).includes("s3cret"));
  });
}
