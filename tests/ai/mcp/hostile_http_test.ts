/** Our client against HTTP servers that break the rules. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { dial, type DialOptions, http, McpError } from "../../../ai/mcp/mod.ts";
import { readEvents } from "../../../ai/mcp/client/http_response.ts";
import { withRequestTime } from "../../../ai/mcp/client/link.ts";
import type { RpcMessage } from "../../../ai/mcp/protocol/messages.ts";
import { decodeHeader } from "../../../mod.ts";
import { cpuMs } from "../../cpu_time.ts";
import { patienceMs, withMoreTime } from "../../until.ts";
import { asFetch, codeOf, SessionServer } from "./support.ts";

type Answer = (method: string, id: unknown, request: Request) => Response | Promise<Response>;

const facts = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
};

function json(id: unknown, result: unknown, status = 200): Response {
  return Response.json({ jsonrpc: "2.0", id, result }, { status });
}

function events(...parts: string[]): Response {
  return new Response(parts.join(""), { headers: { "content-type": "text/event-stream" } });
}

async function dialHttp(
  answer: Answer,
  options: DialOptions & { maxMessageBytes?: number } = {},
): ReturnType<typeof dial> {
  const { maxMessageBytes = 1_000_000, ...more } = options;
  const fetch = async (request: Request): Promise<Response> => {
    const { method, id } = await request.json();
    return method === "server/discover" ? json(id, facts) : await answer(method, id, request);
  };
  return await dial(
    http("https://mcp.example/mcp", { fetch: asFetch(fetch), maxMessageBytes }),
    more,
  );
}

/** An endless body that counts the bytes read. */
function endless(
  head: string,
): { body: ReadableStream<Uint8Array>; read: () => number; cancelled: () => boolean } {
  let bytes = 0;
  let isCancelled = false;
  const chunk = new Uint8Array(65_536).fill(120);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    pull: (controller) => {
      bytes += chunk.length;
      controller.enqueue(chunk);
    },
    cancel: () => void (isCancelled = true),
  });
  return { body, read: () => bytes, cancelled: () => isCancelled };
}

for (const type of ["text/event-stream", "application/json"]) {
  Deno.test(`http: stops reading a ${type} message of 100 MB early`, async () => {
    const stream = endless(type === "application/json" ? '"' : 'data: "');
    await using client = await dialHttp(() =>
      new Response(stream.body, { headers: { "content-type": type } })
    );
    assertEquals(await codeOf(client.callTool("any")), "mcp_too_large");
    assert(stream.read() < 3_000_000, `${stream.read()} bytes were read`);
    assert(stream.cancelled());
  });
}

const bad = "mcp_bad_message";
const typed = (body: string, type: string): Response =>
  new Response(body, { headers: { "content-type": type } });
const redirect = new Response(null, { status: 307, headers: { location: "https://evil.example" } });

const answers: [name: string, answer: Answer, code: string][] = [
  ["no JSON", () => typed("{", "application/json"), bad],
  ["another type", () => typed("hi", "text/html"), bad],
  ["not a message", (_, id) => Response.json({ id }), bad],
  ["the response to another request", (_) => json(4711, {}), bad],
  ["an event that is not JSON", () => events("data: hello\n\n"), bad],
  ["an event that is not a message", () => events("data: 1\n\n"), bad],
  ["a stream that ends early", () => events(": hi\n\n"), "mcp_broken_stream"],
  ["a redirect to another host", () => redirect, "mcp_http"],
  ["500", () => new Response("no", { status: 500 }), "mcp_http"],
  ["a result of unknown type", (_, id) => json(id, { resultType: "surprise" }), bad],
  ["no list", (_, id) => json(id, { resultType: "complete" }), bad],
];

for (const [name, answer, code] of answers) {
  Deno.test(`http: fails with ${code} for ${name}`, async () => {
    await using client = await dialHttp(answer);
    assertEquals(await codeOf(client.tools()), code);
  });
}

Deno.test("http: follows no redirect, which could carry a token to another host", async () => {
  const modes = new Set<string>();
  const answer: Answer = (_, id, { redirect }) => {
    modes.add(redirect);
    return json(id, { resultType: "complete", content: [] });
  };
  await using client = await dialHttp(answer);
  await client.callTool("any");
  assertEquals([...modes], ["manual"]);
});

Deno.test("http: keeps the code and the data of a server's error", async () => {
  const answer: Answer = (_, id) =>
    Response.json({ jsonrpc: "2.0", id, error: { code: -32602, message: "no", data: { a: 1 } } }, {
      status: 400,
    });
  await using client = await dialHttp(answer);
  const error = await assertRejects(() => client.callTool("any"), McpError);
  assertEquals([error.code, error.data], [-32602, { a: 1 }]);
});

Deno.test("http: gives up on a silent server", async () => {
  const silent: Answer = () => new Promise(() => {});
  await using client = await dialHttp(silent, { timeoutMs: 100 });
  assertEquals(await codeOf(client.callTool("any")), "mcp_timeout");
});

Deno.test("http: progress extends the deadline", () =>
  withMoreTime(async (factor) => {
    const busy: Answer = (_, id) => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller): Promise<void> {
          const encoder = new TextEncoder();
          for (let progress = 1; progress <= 6; progress++) {
            await new Promise((resolve) => setTimeout(resolve, 50 * factor));
            const params = { progressToken: 1, progress };
            const message = { jsonrpc: "2.0", method: "notifications/progress", params };
            controller.enqueue(encoder.encode(`data: ${JSON.stringify(message)}\n\n`));
          }
          const done = { jsonrpc: "2.0", id, result: { content: [] } };
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(done)}\n\n`));
          controller.close();
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    await using slow = await dialHttp(busy, { timeoutMs: 200 * factor });
    await slow.callTool("any", {}, { onProgress: () => {} });
  }));

Deno.test("dial: progress extends a timeout ten times at most", async () => {
  const latestMs = performance.now() + patienceMs;
  const isOver = await withRequestTime(100, [], async ({ signal, extend }) => {
    while (!signal.aborted && performance.now() < latestMs) {
      extend();
      await new Promise((resolve) => setTimeout(resolve));
    }
    return signal.aborted;
  });
  assert(isOver);
});

Deno.test("http: omits tools that cannot be called and adapts names to models", async () => {
  const warnings: string[] = [];
  const tool = (name: unknown, schema: unknown = { type: "object" }): unknown => ({
    name,
    inputSchema: schema,
  });
  const header = (properties: unknown): unknown => ({ type: "object", properties });
  let recursive: Record<string, unknown> = { type: "string" };
  for (let depth = 0; depth < 1_000; depth++) {
    recursive = { type: "object", properties: { a: recursive } };
  }
  const tools = [
    tool("admin.users.list"),
    tool("admin/users/list"),
    tool("a".repeat(100)),
    tool("x".repeat(1_000_000)),
    tool(""),
    tool(7),
    tool("__proto__"),
    tool("no_schema", { type: "array" }),
    tool("bad_header", header({ a: { type: "string", "x-mcp-header": "a b" } })),
    tool("good_header", header({ a: { type: "string", "x-mcp-header": "A" } })),
    tool("deep", recursive),
    null,
  ];
  const answer: Answer = (_, id) => json(id, { resultType: "complete", tools });
  await using client = await dialHttp(answer, {
    onWarning: (text) => {
      warnings.push(text);
      throw new Error("A warning that fails stops nothing.");
    },
    maxMessageBytes: 10_000_000,
  });
  const found = await client.tools();
  assertEquals(found.map(({ name }) => name), [
    "admin_users_list",
    "admin_users_list_2",
    "a".repeat(64),
    "__proto__",
    "good_header",
    "deep",
  ]);
  assertEquals([found[1]?.remoteName, warnings.length], ["admin/users/list", 6]);
  assert(warnings.every((warning) => warning.length < 300));
});

Deno.test("http: a malformed x-mcp-header hides no tool in a session, which has no such headers", async () => {
  const properties = { a: { type: "string", "x-mcp-header": "a b" } };
  const tools = [{ name: "bad_header", inputSchema: { type: "object", properties } }];
  const server = new SessionServer((method) => method === "tools/list" ? { tools } : undefined);
  await using client = await server.dial();
  assertEquals((await client.tools()).map(({ name }) => name), ["bad_header"]);
  assertEquals((await client.callTool("bad_header", { a: "x" })).content, []);
});

Deno.test("http: repeats arguments in headers, even if the schema was unknown before", async () => {
  const sent: (string | null)[] = [];
  const properties = { region: { type: "string", "x-mcp-header": "Region" } };
  const schema = { type: "object", properties };
  const answer: Answer = (method, id, request) => {
    if (method === "tools/list") {
      return json(id, { resultType: "complete", tools: [{ name: "t", inputSchema: schema }] });
    }
    const region = request.headers.get("mcp-param-region");
    sent.push(region);
    if (region !== null) return json(id, { resultType: "complete", content: [] });
    const error = { code: -32020, message: "Header mismatch" };
    return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
  };
  await using client = await dialHttp(answer);
  await client.callTool("t", { region: "Évora" });
  await client.callTool("t", { region: "us-west1" });
  assertEquals(sent, [null, "=?base64?w4l2b3Jh?=", "us-west1"]);
});

Deno.test("http: refuses elicitations whose URL is not a web page", async () => {
  const visited: string[] = [];
  const ask = (url: string): Answer => (_, id) => {
    const params = { mode: "url", message: "Go", url };
    const inputRequests = { q: { method: "elicitation/create", params } };
    return json(id, { resultType: "input_required", inputRequests });
  };
  for (const url of ["javascript:alert(1)", "file:///etc/passwd", "not a url"]) {
    await using client = await dialHttp(ask(url), {
      onElicitUrl: (page) => {
        visited.push(page.url);
        return "accept";
      },
    });
    await assertRejects(() => client.callTool("any"), McpError);
  }
  assertEquals(visited, []);
});

Deno.test("http: resumes a broken stream of a session", async () => {
  const resumed: (string | null)[] = [];
  let call: unknown;
  const server = new SessionServer((method, id) => {
    call = id;
    if (method === "initialize") return undefined;
    return method === "tools/call"
      ? events("retry: 1\nid: r1_1\ndata: \n\n")
      : new Response("no", { status: 404 });
  });
  server.other = ({ method, headers }) => {
    const last = headers.get("last-event-id");
    if (method !== "GET" || last === null) return new Response(null, { status: 405 });
    resumed.push(last);
    if (resumed.length === 1) return events("retry: 1\nid: r1_2\ndata: \n\n");
    const message = { jsonrpc: "2.0", id: call, result: { content: [] } };
    return events(`id: r1_3\ndata: ${JSON.stringify(message)}\n\n`);
  };
  await using client = await server.dial({ revisions: "any" });
  assertEquals([(await client.callTool("any")).content, resumed], [[], ["r1_1", "r1_2"]]);
});

Deno.test("http: gives up on a stream that breaks off again after each resumption", async () => {
  let resumes = 0;
  const event = "retry: 1\nid: r1_1\ndata: \n\n";
  const server = new SessionServer((method) => method === "tools/call" ? events(event) : undefined);
  server.other = ({ headers }) => {
    if (!headers.has("last-event-id")) return new Response(null, { status: 405 });
    resumes++;
    return events(event);
  };
  await using client = await server.dial();
  assertEquals([await codeOf(client.callTool("any")), resumes], ["mcp_broken_stream", 5]);
});

function refuseRevision(id: unknown, supported: string): Response {
  const error = { code: -32022, message: "no", data: { supported: [supported] } };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
}

const unsupported: [name: string, answer: (id: unknown) => Response][] = [
  ["only a later revision", (id) => refuseRevision(id, "2030-01-01")],
  ["a second refusal of an offered revision", (id) => refuseRevision(id, "2026-07-28")],
  ["another revision", (id) => json(id, { protocolVersion: "2030-01-01", capabilities: {} })],
];

for (const [name, answer] of unsupported) {
  Deno.test(`dial: fails with mcp_unsupported for ${name}`, async () => {
    const fetch = async (request: Request): Promise<Response> => answer((await request.json()).id);
    const found = await codeOf(dial(http("https://mcp.example/mcp", { fetch: asFetch(fetch) })));
    assertEquals(found, "mcp_unsupported");
  });
}

Deno.test("dial retries with another revision if the server refuses the first", async () => {
  let asked = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const { id } = await request.json();
    return asked++ === 0 ? refuseRevision(id, "2026-07-28") : json(id, facts);
  };
  await using client = await dial(http("https://mcp.example/mcp", { fetch: asFetch(fetch) }));
  assertEquals([client.revision, asked], ["2026-07-28", 2]);
});

Deno.test("dial: fails for an unreachable server and for an invalid URL", async () => {
  assertEquals(await codeOf(dial(http("http://127.0.0.1:1/mcp"))), "mcp_unreachable");
  for (const url of ["mcp.example", "file:///mcp", "ws://mcp.example"]) {
    const failure = await Promise.resolve().then(() => http(url)).catch((error) => error);
    assert(failure instanceof TypeError);
  }
});

const toolNamed = (name: string): object => ({ name, inputSchema: { type: "object" } });

Deno.test("http: keeps tool names distinct if they share 64 characters, in linear time", async () => {
  const count = 10_000;
  const names = Array.from({ length: count }, (_, number) => `${"x".repeat(64)}${number}`);
  await using client = await dialHttp((_, id) => json(id, { tools: names.map(toolNamed) }), {
    maxMessageBytes: 10_000_000,
  });
  const startedMs = cpuMs();
  const tools = await client.tools();
  assertEquals(new Set(tools.map(({ name }) => name)).size, count);
  assert(tools.every(({ name }) => name.length <= 64));
  assert(cpuMs() - startedMs < 2_000);
});

Deno.test("http: reads schemas whose properties nest deeply in linear time", async () => {
  const deep = `${'{"properties":{"a":'.repeat(15_000)}1${"}}".repeat(15_000)}`;
  const inputSchema = { ...JSON.parse(deep), type: "object" };
  const tools = Array.from({ length: 8 }, (_, at) => ({ name: `t${at}`, inputSchema }));
  const startedMs = cpuMs();
  await using client = await dialHttp((_, id) => json(id, { tools }), {
    maxMessageBytes: 10_000_000,
  });
  assertEquals((await client.tools()).length, 8);
  assert(cpuMs() - startedMs < 1_500);
});

Deno.test("http: ends a list at an empty nextCursor", async () => {
  await using client = await dialHttp((_, id) =>
    json(id, { tools: [toolNamed("a")], nextCursor: "" })
  );
  assertEquals((await client.tools()).length, 1);
});

Deno.test("http: limits the number of pages and shares one deadline between them", async () => {
  let pages = 0;
  await using endlessList = await dialHttp((_, id) =>
    json(id, { tools: [], nextCursor: String(++pages) })
  );
  assertEquals([await codeOf(endlessList.tools()), pages], ["mcp_bad_message", 1_001]);
  let turns = 0;
  const circle: Answer = (_, id) => json(id, { tools: [], nextCursor: String(++turns % 2) });
  await using circular = await dialHttp(circle);
  assertEquals([await codeOf(circular.tools()), turns], ["mcp_bad_message", 3]);
  const tool = { name: "t", inputSchema: { type: "object", title: "x".repeat(6_000_000) } };
  const wide: Answer = (_, id) => json(id, { tools: [tool], nextCursor: crypto.randomUUID() });
  await using wideList = await dialHttp(wide, { maxMessageBytes: 10_000_000 });
  assertEquals(await codeOf(wideList.tools()), "mcp_too_large");
  const timeoutMs = 40;
  const waits: Promise<void>[] = [];
  const slow: Answer = async (_, id) => {
    const wait = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs / 2));
    waits.push(wait);
    await wait;
    return json(id, { tools: [], nextCursor: crypto.randomUUID() });
  };
  await using slowList = await dialHttp(slow);
  assertEquals(await codeOf(slowList.tools({ timeoutMs })), "mcp_timeout");
  await Promise.all(waits);
});

Deno.test("http: ignores events with other names", async () => {
  const result = (id: unknown): string =>
    JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } });
  await using client = await dialHttp((_, id) =>
    events("event: ping\ndata: now\n\n", `event: message\ndata: ${result(id)}\n\n`)
  );
  assertEquals((await client.callTool("any")).content, []);
});

const note = (method: string): string => `data: {"jsonrpc":"2.0","method":"${method}"}\n\n`;

/**
 * Streams by their chunks, and the event from which each resumes; the handler refuses "bad" and
 * stops at "end".
 */
const places: readonly [
  name: string,
  chunks: string[],
  before: string | undefined,
  after: string | undefined,
][] = [
  ["of handled events", [`id: 1\n${note("a")}`, `id: 2\n${note("b")}`], undefined, "2"],
  ["of a failed event", [`id: 1\n${note("a")}id: 2\n${note("bad")}id: 3\n${note("a")}`], "0", "1"],
  ["without a message", [`id: 1\ndata: {}\n\nid: 2\n${note("a")}`], "0", "1"],
  ["that ended early", [`id: 1\n${note("end")}id: 2\n${note("a")}`], undefined, "1"],
  ["without ids", [note("a")], "7", "7"],
  ["that resets the id in a chunk", [`id: 1\n${note("a")}`, `id\n${note("b")}`], "0", undefined],
  ["that resets the id without data", [`id: 1\n${note("a")}`, "id:\n\n"], "0", undefined],
  ["whose id has no data", [`id: 1\n${note("a")}`, "id: 2\n\n"], "0", "2"],
  ["that resumes and is truncated", ["id: 8\n", "data: {"], "7", "7"],
];

for (const [name, chunks, before, after] of places) {
  Deno.test(`http: resumes a stream: ${name}`, async () => {
    const place = { lastEventId: before, retryMs: undefined };
    const { signal } = new AbortController();
    const onMessage = (message: RpcMessage): true | undefined => {
      if (message.kind === "notification" && message.method === "bad") throw new Error("bad");
      return message.kind === "notification" && message.method === "end" ? true : undefined;
    };
    const body = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
    await readEvents(body, { place, maxBytes: 1_000, signal, onMessage }).catch(() => {});
    assertEquals(place.lastEventId, after);
  });
}

Deno.test("http: resumes a stream cut inside an event after the previous event", async () => {
  const resumed: (string | null)[] = [];
  const server = new SessionServer((method) =>
    method === "initialize"
      ? undefined
      : events("retry: 250\n", "id: 4日\ndata:\n\n", 'id: 5\ndata: {"jsonrpc"')
  );
  server.other = ({ method, headers }) => {
    const last = headers.get("last-event-id");
    if (method !== "GET" || last === null) return new Response(null, { status: 405 });
    resumed.push(decodeHeader(last));
    return events('id: 5\ndata: {"jsonrpc":"2.0","id":2,"result":{"content":[]}}\n\n');
  };
  await using client = await server.dial();
  assertEquals([(await client.callTool("any")).content, resumed], [[], ["4日"]]);
});
