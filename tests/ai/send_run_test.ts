import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { App, createLogger, type Handler } from "../../mod.ts";
import * as h from "../../html/mod.ts";
import {
  agent,
  type ChatModel,
  readChat,
  type RunEvent,
  runStream,
  sendRun,
  type SendRunOptions,
  tool,
} from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";
import {
  testRequest,
  testRoute,
  withForm,
  withHeader,
  withJson,
} from "../../runtime/testing/mod.ts";
import type { TestOption, TestResponse } from "../../runtime/testing/mod.ts";

const helper = agent({ name: "helper", instructions: "Help." });

function routeOf(
  model: ChatModel,
  options: SendRunOptions = {},
): { pattern: string; methods: { POST: Handler } } {
  const POST: Handler = async (c) => {
    const { input, history } = await readChat(c);
    return await sendRun(c, runStream(model, helper, input, { history }), options);
  };
  return { pattern: "/chat", methods: { POST } };
}

const page: SendRunOptions = { page: ({ output }) => h.p(output) };

const answers: [name: string, accept: string | undefined, options: SendRunOptions, type: string][] =
  [
    ["a script", "text/event-stream", page, "text/event-stream"],
    [
      "a browser",
      "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      page,
      "text/html; charset=utf-8",
    ],
    ["a client that says nothing", undefined, page, "text/event-stream"],
    ["a client that takes anything", "*/*", {}, "text/event-stream"],
    ["a client that wants JSON", "application/json", {}, "application/json"],
  ];

for (const [name, accept, options, type] of answers) {
  Deno.test(`sendRun answers ${name} with ${type}`, async () => {
    const extra: TestOption[] = accept === undefined ? [] : [withHeader("accept", accept)];
    const route = routeOf(scriptedModel(["Hello"]), options);
    const response = await testRoute(route, "POST", "/chat", withJson({ message: "Hi" }), ...extra);
    assertEquals([response.status, response.header("content-type")], [200, type]);
    assertStringIncludes(response.body, "Hello");
  });
}

const events = withHeader("accept", "text/event-stream");
const html = withHeader("accept", "text/html");

function send(model: ChatModel, ...options: TestOption[]): PromiseLike<TestResponse> {
  // Development shows errors to the developer.
  const app = new App({ env: "prod", logger: createLogger({ write: () => {} }) });
  app.route(routeOf(model, page));
  return testRequest(app, "POST", "/chat", withForm({ message: "Hi" }), ...options);
}

const failures: [status: number, code: string, pageStatus: number][] = [
  [401, "ai_auth", 502],
  [429, "ai_rate_limited", 503],
  [500, "ai_unavailable", 503],
  [400, "ai_bad_request", 502],
];

for (const [status, code, pageStatus] of failures) {
  Deno.test(`sendRun tells of ${code} by its code, and never what the model's server said`, async () => {
    const model = (): ChatModel =>
      scriptedModel([{ status, text: "account 4711 is over its limit" }]);
    const streamed = await send(model(), events);
    const [error] = streamed.events;
    assertEquals([error?.event, JSON.parse(error?.data ?? "null").code], ["error", code]);
    const rendered = await send(model(), html);
    assertEquals(rendered.status, pageStatus);
    assert(!(streamed.body + rendered.body).includes("4711"));
  });
}

Deno.test("sendRun aborts the model and the tools when the client leaves, in every form", async () => {
  for (const accept of ["text/event-stream", "text/html"]) {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const stuck = tool({ name: "wait", description: "" }, (_, { signal }) => {
      started.resolve();
      signal.addEventListener("abort", () => aborted.resolve());
      return new Promise(() => {});
    });
    const waiting = agent({ name: "waiting", instructions: "", tools: [stuck] });
    const app = new App({ logger: createLogger({ write: () => {} }) });
    app.route({
      pattern: "/chat",
      kind: "api",
      methods: {
        POST: (c) =>
          sendRun(
            c,
            runStream(scriptedModel([{ toolCalls: [{ name: "wait" }] }]), waiting, "Hi"),
            page,
          ),
      },
    });
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      app.handler(),
    );
    const controller = new AbortController();
    const response = fetch(`http://127.0.0.1:${server.addr.port}/chat`, {
      method: "POST",
      headers: { accept },
      signal: controller.signal,
    });
    const reading = response.then((answer) => answer.text()).catch(() => {});
    await started.promise;
    controller.abort();
    await aborted.promise;
    await reading;
    await server.shutdown();
  }
});

Deno.test("sendRun sends what it is given, such as a run of another kind", async () => {
  async function* own(): AsyncGenerator<RunEvent> {
    yield { kind: "text", agent: "a", text: "line\nbreak" };
    await Promise.resolve();
  }
  const route = { pattern: "/chat", methods: { POST: ((c) => sendRun(c, own())) as Handler } };
  const response = await testRoute(route, "POST", "/chat", events);
  assertEquals(response.events.map(({ event, data }) => [event, data]), [
    ["text", '{"agent":"a","text":"line\\nbreak"}'],
    ["done", ""],
  ]);
});
