/**
 * Our client against servers that break the rules, as child processes and over HTTP.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  dial,
  type DialOptions,
  http,
  McpClientError,
  McpError,
  type McpTransport,
  stdio,
} from "../../../ai/mcp/mod.ts";
import { program, until } from "./support.ts";

function hostile(mode: string, ...args: string[]): McpTransport {
  return stdio(Deno.execPath(), ["run", "-A", "--no-check", program("hostile.ts"), mode, ...args], {
    probeMs: 10_000,
    shutdownMs: 300,
    maxMessageBytes: 1_000_000,
  });
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(() => undefined, (error) => error);
  return error instanceof McpClientError ? error.code : String(error);
}

Deno.test("stdio: lines that are no messages are skipped", async () => {
  await using client = await dial(hostile("garbage"));
  assertEquals(client.revision, "2026-07-28");
  assert(!(await client.callTool("any")).isError);
});

Deno.test("stdio: a child that only makes noise is given up", async () => {
  assertEquals(await codeOf(dial(hostile("noise"), { revisions: "stateless" })), "mcp_bad_message");
});

Deno.test("stdio: a line without an end is given up", async () => {
  assertEquals(await codeOf(dial(hostile("endless"), { revisions: "stateless" })), "mcp_too_large");
});

Deno.test("stdio: a child that floods standard error is heard all the same", async () => {
  await using client = await dial(hostile("flood"));
  assertEquals((await client.tools()).length, 1);
});

Deno.test("stdio: a child that ends at once is an error with its exit code", async () => {
  const error = await assertRejects(
    () => dial(hostile("exits"), { revisions: "stateless" }),
    McpClientError,
  );
  assertMatch(error.message, /ended with code 3/);
});

Deno.test("stdio: a command that does not exist", async () => {
  const error = await assertRejects(() => dial(stdio("fw-no-such-command")), McpClientError);
  assertEquals(error.code, "mcp_unreachable");
});

Deno.test("stdio: a child that says nothing is given up in time", async () => {
  const transport = stdio(Deno.execPath(), [
    "run",
    "-A",
    "--no-check",
    program("hostile.ts"),
    "silent",
  ], {
    probeMs: 300,
    shutdownMs: 300,
  });
  const error = await dial(transport, { timeoutMs: 300 }).catch((error) => error);
  assertEquals(error.name, "TimeoutError");
});

Deno.test("stdio: a child that crashes loses its calls, and the next call starts it again", async () => {
  await using client = await dial(hostile("crash"));
  for (let round = 0; round < 2; round++) {
    const error = await assertRejects(() => client.callTool("any"), McpClientError);
    assertEquals(error.code, "mcp_closed");
    assertMatch(error.message, /code 9: panic: out of milk/);
    assertEquals((await client.tools()).length, 1);
  }
});

Deno.test("stdio: a child that ignores every signal is ended with its client", async () => {
  const file = await Deno.makeTempFile();
  const client = await dial(hostile("deaf", file));
  const pid = Number(await Deno.readTextFile(file));
  assert(isAlive(pid));
  await client.close();
  assert(!isAlive(pid));
  await Deno.remove(file);
});

Deno.test("stdio: a child is ended when the process of its client ends without closing it", async () => {
  const file = await Deno.makeTempFile();
  const code = `
    import { dial, stdio } from ${JSON.stringify(import.meta.resolve("../../../ai/mcp/mod.ts"))};
    await dial(stdio(${JSON.stringify(Deno.execPath())}, ${
    JSON.stringify(["run", "-A", "--no-check", program("hostile.ts"), "deaf", file])
  }));
    Deno.exit(0);
  `;
  const script = await Deno.makeTempFile({
    dir: new URL(".", import.meta.url).pathname,
    suffix: ".ts",
  });
  await Deno.writeTextFile(script, code);
  const parent = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script],
  }).output();
  await Deno.remove(script);
  assertEquals(parent.code, 0, new TextDecoder().decode(parent.stderr));
  const pid = Number(await Deno.readTextFile(file));
  await until(() => !isAlive(pid), "the child to end");
  await Deno.remove(file);
});

/** Whether a process runs; one that has ended and was not waited for does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

Deno.test("stdio: the child sees no secrets of this process", async () => {
  Deno.env.set("FW_TEST_SECRET", "hidden");
  const lines: string[] = [];
  const transport = stdio(Deno.execPath(), [
    "eval",
    "console.error(JSON.stringify(Deno.env.toObject()))",
  ], {
    env: { GIVEN: "yes" },
    onStderr: (line) => lines.push(line),
  });
  await codeOf(dial(transport, { revisions: "stateless" }));
  Deno.env.delete("FW_TEST_SECRET");
  const seen = JSON.parse(lines[0] ?? "{}");
  assertEquals([seen.GIVEN, seen.FW_TEST_SECRET, typeof seen.PATH], ["yes", undefined, "string"]);
});

const lists: [mode: string, code: string][] = [["many", "mcp_too_large"], [
  "circle",
  "mcp_bad_message",
]];
for (const [mode, code] of lists) {
  Deno.test(`dial: a list that is ${mode} is refused`, async () => {
    await using client = await dial(hostile(mode));
    assertEquals(await codeOf(client.tools()), code);
  });
}

Deno.test("dial: a server that asks without end, or for what was not declared", async () => {
  await using patient = await dial(hostile("asks"), {
    onElicit: () => ({ action: "accept", content: {} }),
  });
  assertEquals(await codeOf(patient.callTool("any")), "mcp_bad_message");
  await using plain = await dial(hostile("asks"));
  const error = await assertRejects(() => plain.callTool("any"), McpError);
  assertEquals(error.code, -32602);
  await using surprised = await dial(hostile("type"));
  assertEquals(await codeOf(surprised.callTool("any")), "mcp_bad_message");
});

// --- Over HTTP

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

/** Dials a server that is only a function. */
async function dialHttp(
  answer: Answer,
  options: DialOptions & { maxMessageBytes?: number } = {},
): ReturnType<typeof dial> {
  const { maxMessageBytes = 1_000_000, ...more } = options;
  const fetch = async (request: Request): Promise<Response> => {
    const { method, id } = await request.json();
    return method === "server/discover" ? json(id, facts) : await answer(method, id, request);
  };
  return await dial(http("https://mcp.example/mcp", { fetch, maxMessageBytes }), more);
}

/** A body that never ends, and counts what was read of it. */
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
    cancel: () => {
      isCancelled = true;
    },
  });
  return { body, read: () => bytes, cancelled: () => isCancelled };
}

for (const type of ["text/event-stream", "application/json"]) {
  Deno.test(`http: ${type} of 100 MB in one message is cut off early`, async () => {
    const stream = endless(type === "application/json" ? '"' : 'data: "');
    await using client = await dialHttp(() =>
      new Response(stream.body, { headers: { "content-type": type } })
    );
    assertEquals(await codeOf(client.callTool("any")), "mcp_too_large");
    assert(stream.read() < 3_000_000, `${stream.read()} bytes were read`);
    assert(stream.cancelled());
  });
}

const answers: [name: string, answer: Answer, code: string][] = [
  [
    "no JSON",
    () => new Response("{", { headers: { "content-type": "application/json" } }),
    "mcp_bad_message",
  ],
  [
    "another type",
    () => new Response("hi", { headers: { "content-type": "text/html" } }),
    "mcp_bad_message",
  ],
  ["no message", (_, id) => Response.json({ id }), "mcp_bad_message"],
  ["the response to another request", (_) => json(4711, {}), "mcp_bad_message"],
  ["an event that is no JSON", () => events("data: hello\n\n"), "mcp_bad_message"],
  ["an event that is no message", () => events("data: 1\n\n"), "mcp_bad_message"],
  ["a stream that ends early", () => events(": hi\n\n"), "mcp_broken_stream"],
  [
    "a redirect to another host",
    () => new Response(null, { status: 307, headers: { location: "https://evil.example" } }),
    "mcp_http",
  ],
  ["500", () => new Response("no", { status: 500 }), "mcp_http"],
  ["a result of unknown type", (_, id) => json(id, { resultType: "surprise" }), "mcp_bad_message"],
  ["no list", (_, id) => json(id, { resultType: "complete" }), "mcp_bad_message"],
];

for (const [name, answer, code] of answers) {
  Deno.test(`http: ${name} is ${code}`, async () => {
    await using client = await dialHttp(answer);
    assertEquals(await codeOf(client.tools()), code);
  });
}

Deno.test("http: an error of the server keeps its code and data", async () => {
  const answer: Answer = (_, id) =>
    Response.json({ jsonrpc: "2.0", id, error: { code: -32602, message: "no", data: { a: 1 } } }, {
      status: 400,
    });
  await using client = await dialHttp(answer);
  const error = await assertRejects(() => client.callTool("any"), McpError);
  assertEquals([error.code, error.data], [-32602, { a: 1 }]);
});

Deno.test("http: a server that never answers is given up, and progress buys time", async () => {
  const silent: Answer = () => new Promise(() => {});
  await using client = await dialHttp(silent, { timeoutMs: 100 });
  assertEquals(await codeOf(client.callTool("any")), "mcp_timeout");
  let isOver = false;
  const busy: Answer = (_, id, request) => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller): Promise<void> {
        const encoder = new TextEncoder();
        for (let progress = 1; progress <= 6; progress++) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          const params = { progressToken: 1, progress };
          const message = { jsonrpc: "2.0", method: "notifications/progress", params };
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(message)}\n\n`));
        }
        const done = { jsonrpc: "2.0", id, result: { content: [] } };
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(done)}\n\n`));
        controller.close();
        isOver = true;
      },
    });
    void request;
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  await using slow = await dialHttp(busy, { timeoutMs: 100 });
  await slow.callTool("any", {}, { onProgress: () => {} });
  assert(isOver);
});

Deno.test("http: tools that cannot be called are left out, and names are made fit for models", async () => {
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
    tool(
      "hidden_header",
      header({ a: { type: "array", items: { type: "string", "x-mcp-header": "A" } } }),
    ),
    tool(
      "twice",
      header({
        a: { type: "string", "x-mcp-header": "A" },
        b: { type: "string", "x-mcp-header": "a" },
      }),
    ),
    tool("number", header({ a: { type: "number", "x-mcp-header": "A" } })),
    tool("good_header", header({ a: { type: "string", "x-mcp-header": "A" } })),
    tool("deep", recursive),
    null,
  ];
  const answer: Answer = (_, id) => json(id, { resultType: "complete", tools });
  await using client = await dialHttp(answer, {
    onWarning: (text) => warnings.push(text),
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
  assertEquals(found[1]?.remoteName, "admin/users/list");
  assertEquals(warnings.length, 9);
  assert(warnings.every((warning) => warning.length < 300));
});

Deno.test("http: arguments are repeated in headers, also when the schema was not known yet", async () => {
  const sent: (string | null)[] = [];
  const schema = {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" } },
  };
  const answer: Answer = (method, id, request) => {
    if (method === "tools/list") {
      return json(id, { resultType: "complete", tools: [{ name: "t", inputSchema: schema }] });
    }
    const region = request.headers.get("mcp-param-region");
    sent.push(region);
    if (region !== null) return json(id, { resultType: "complete", content: [] });
    return Response.json({
      jsonrpc: "2.0",
      id,
      error: { code: -32020, message: "Header mismatch" },
    }, { status: 400 });
  };
  await using client = await dialHttp(answer);
  await client.callTool("t", { region: "Évora" });
  await client.callTool("t", { region: "us-west1" });
  assertEquals(sent, [null, "=?base64?w4l2b3Jh?=", "us-west1"]);
});

Deno.test("http: a page that a server wants visited must be one", async () => {
  const visited: string[] = [];
  const ask = (url: string): Answer => (_, id) => {
    const params = { mode: "url", message: "Go", url };
    return json(id, {
      resultType: "input_required",
      inputRequests: { q: { method: "elicitation/create", params } },
    });
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

// --- Sessions that get lost

Deno.test("http: a lost session is begun again, and the call is sent again", async () => {
  const opened: string[] = [];
  let calls = 0;
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method === "GET") return new Response(null, { status: 405 });
    if (request.method === "DELETE") return new Response(null, { status: 204 });
    const { method, id } = await request.json();
    if (method === "server/discover") return new Response("no", { status: 400 });
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === "initialize") {
      opened.push(`s${opened.length + 1}`);
      const result = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        serverInfo: { name: "s", version: "1" },
      };
      return Response.json({ jsonrpc: "2.0", id, result }, {
        headers: { "mcp-session-id": opened.at(-1) ?? "" },
      });
    }
    calls++;
    if (request.headers.get("mcp-session-id") === "s1") {
      return new Response("gone", { status: 404 });
    }
    return json(id, { content: [{ type: "text", text: "here" }] });
  };
  await using client = await dial(http("https://mcp.example/mcp", { fetch }));
  assertEquals(client.revision, "2025-11-25");
  assertEquals((await client.callTool("any")).content, [{ type: "text", text: "here" }]);
  assertEquals([opened, calls], [["s1", "s2"], 2]);
});

Deno.test("http: a broken stream of a session is resumed where it broke", async () => {
  const resumed: (string | null)[] = [];
  let call: unknown;
  const fetch = async (request: Request): Promise<Response> => {
    const last = request.headers.get("last-event-id");
    if (request.method === "GET" && last === null) return new Response(null, { status: 405 });
    if (request.method === "GET") {
      resumed.push(last);
      if (resumed.length === 1) return events("retry: 1\nid: r1_2\ndata: \n\n");
      return events(
        `id: r1_3\ndata: ${
          JSON.stringify({ jsonrpc: "2.0", id: call, result: { content: [] } })
        }\n\n`,
      );
    }
    if (request.method === "DELETE") return new Response(null, { status: 405 });
    const { method, id } = await request.json();
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === "initialize") {
      return json(id, { protocolVersion: "2025-11-25", capabilities: {} });
    }
    call = id;
    return method === "tools/call"
      ? events("retry: 1\nid: r1_1\ndata: \n\n")
      : new Response("no", { status: 404 });
  };
  await using client = await dial(http("https://mcp.example/mcp", { fetch }));
  assertEquals((await client.callTool("any")).content, []);
  assertEquals(resumed, ["r1_1", "r1_2"]);
});

const unsupported: [name: string, answer: (id: unknown) => Response][] = [
  [
    "a later revision alone",
    (id) =>
      Response.json({
        jsonrpc: "2.0",
        id,
        error: { code: -32022, message: "no", data: { supported: ["2030-01-01"] } },
      }, { status: 400 }),
  ],
  [
    "a handshake of another revision",
    (id) => json(id, { protocolVersion: "2030-01-01", capabilities: {} }),
  ],
];

for (const [name, answer] of unsupported) {
  Deno.test(`dial: ${name} is mcp_unsupported`, async () => {
    const fetch = async (request: Request): Promise<Response> => answer((await request.json()).id);
    assertEquals(await codeOf(dial(http("https://mcp.example/mcp", { fetch }))), "mcp_unsupported");
  });
}

Deno.test("dial: a server that cannot be reached, and a URL that is none", async () => {
  assertEquals(await codeOf(dial(http("http://127.0.0.1:1/mcp"))), "mcp_unreachable");
  for (const url of ["mcp.example", "file:///mcp", "ws://mcp.example"]) {
    const failure = await Promise.resolve().then(() => http(url)).catch((error) => error);
    assert(failure instanceof TypeError);
  }
});

Deno.test("dial: an abort ends the attempt and its child", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error("no time")), 100);
  await assertRejects(
    () => dial(hostile("silent"), { signal: controller.signal }),
    Error,
    "no time",
  );
});
