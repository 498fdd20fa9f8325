/** Our server over a pair of streams, message by message. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { dial, mcpTool, stdio } from "../../../../ai/mcp/mod.ts";
import type { ServeStdioOptions } from "../../../../ai/mcp/mod.ts";
import { createLogger } from "../../../../mod.ts";
import { handshake, type Json, modern, rpc } from "../endpoint.ts";
import { kitchen, stopped } from "../kitchen.ts";
import { program } from "../support.ts";
import { until } from "../../../until.ts";

class Pipe {
  readonly received: Json[] = [];
  readonly done: Promise<void>;
  readonly #input = new TransformStream<Uint8Array, Uint8Array>();
  readonly #writer = this.#input.writable.getWriter();
  readonly #encoder = new TextEncoder();

  constructor(server = kitchen(), options: Partial<ServeStdioOptions> = {}) {
    const decoder = new TextDecoder();
    let rest = "";
    const output = new WritableStream<Uint8Array>({
      write: (chunk) => {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        this.received.push(...lines.map((line) => JSON.parse(line)));
      },
    });
    this.done = server.serveStdio({ input: this.#input.readable, output, ...options });
  }

  async send(...messages: (Json | string)[]): Promise<void> {
    const text = messages.map((each) =>
      `${typeof each === "string" ? each : JSON.stringify(each)}\n`
    ).join("");
    await this.#writer.write(this.#encoder.encode(text));
  }

  async answer(id: unknown): Promise<Json> {
    await until(() => this.received.some((each) => each.id === id), `the answer to ${id}`);
    return this.received.find((each) => each.id === id) ?? {};
  }

  async end(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.done;
  }
}

const call = (id: unknown, name: string, params: Json = {}): Json =>
  modern("tools/call", { name, ...params }, id);

const cancel = (requestId?: unknown): Json => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

Deno.test("dial over stdio: a callback that throws does not end the server", async () => {
  const transport = stdio(Deno.execPath(), program("kitchen_stdio.ts"));
  const onProgress = (): never => {
    throw new Error("no disk");
  };
  await using client = await dial(transport);
  for (let count = 0; count < 2; count++) {
    assert(!(await client.callTool("progress", { steps: 1 }, { onProgress })).isError);
  }
});

Deno.test("serveStdio drops messages that a client does not read, but never the result", async () => {
  const reading = Promise.withResolvers<void>();
  let count = 0;
  let last = "";
  let hasRun = false;
  const output = new WritableStream<Uint8Array>({
    write: async (chunk) => {
      await reading.promise;
      count++;
      last = new TextDecoder().decode(chunk);
    },
  });
  const tools = [mcpTool({ name: "noisy", description: "" }, (_, call) => {
    for (let step = 1; step <= 12_000; step++) call.progress(step);
    hasRun = true;
    return "done";
  })];
  const pipe = new Pipe(kitchen({ tools }), { output });
  const params = { name: "noisy", _meta: { progressToken: 1 } };
  await pipe.send(handshake(), rpc("tools/call", params));
  await until(() => hasRun, "the call");
  reading.resolve();
  await until(() => last.includes("done"), "the result");
  await pipe.end();
  assertEquals(count, 10_001);
});

Deno.test("serveStdio drops a log message that is not JSON, and answers the call", async () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const tools = [mcpTool({ name: "loop", description: "" }, (_, call) => {
    call.log("error", circle);
    return "done";
  })];
  const pipe = new Pipe(kitchen({ tools }));
  await pipe.send(handshake(), rpc("tools/call", { name: "loop" }));
  assertEquals((await pipe.answer(1)).result, { content: [{ type: "text", text: "done" }] });
  await pipe.end();
});

Deno.test("serveStdio responds to malformed messages and continues", async () => {
  const pipe = new Pipe();
  await pipe.send("{", "[]", "", "   ", "7", '{"jsonrpc":"2.0","id":null,"method":"ping"}');
  await pipe.send('{"jsonrpc":"2.0","id":8,"method":"ping","params":[]}');
  await pipe.send('{"jsonrpc":"2.0","id":9,"result":"ours, not theirs"}');
  await pipe.send(call(1, "echo", { arguments: { text: "Olá" } }));
  const { result } = await pipe.answer(1);
  assertEquals((result as { content: Json[] }).content[0]?.text, "Olá");
  const codes = pipe.received.filter((each) => "error" in each).map((each) =>
    (each.error as Json).code
  );
  assertEquals(codes, [-32700, ...Array(5).fill(-32600)]);
  const ids = pipe.received.filter((each) => "error" in each).map((each) => each.id);
  assertEquals(ids.filter((id) => id !== undefined), [8]);
  await pipe.end();
});

Deno.test("serveStdio refuses a limit that is not a number, and ends after a line over it", async () => {
  await assertRejects(() => new Pipe(kitchen(), { maxMessageBytes: NaN }).done, RangeError);
  const pipe = new Pipe(kitchen(), { maxMessageBytes: 1_000 });
  pipe.send("x".repeat(2_000)).catch(() => {});
  await pipe.done;
  assertEquals((pipe.received[0]?.error as Json).code, -32700);
});

Deno.test("serveStdio serves both protocol eras on one connection", async () => {
  const pipe = new Pipe();
  await pipe.send(rpc("tools/list"));
  assertEquals(((await pipe.answer(1)).error as Json).code, -32600);
  await pipe.send(rpc("server/discover", {}, 2));
  assertEquals(((await pipe.answer(2)).error as Json).code, -32602);
  await pipe.send(handshake({ protocolVersion: "2025-06-18" }));
  assertEquals(((await pipe.answer(0)).result as Json).protocolVersion, "2025-06-18");
  await pipe.send(rpc("ping", {}, 4), call(5, "echo", { arguments: { text: "x" } }));
  assertEquals((await pipe.answer(4)).result, {});
  assertEquals(((await pipe.answer(5)).result as Json).resultType, "complete");
  await pipe.send(modern("ping", {}, 6));
  assertEquals(((await pipe.answer(6)).error as Json).code, -32601);
  await pipe.end();
});

Deno.test("serveStdio: does not respond to a cancelled call, and refuses an id in use", async () => {
  const pipe = new Pipe();
  const before = stopped.count;
  await pipe.send(call("w", "wait"), call("w", "echo"));
  assertEquals(((await pipe.answer("w")).error as Json).code, -32600);
  await pipe.send(cancel("w"), cancel("unknown"), cancel());
  await until(() => stopped.count === before + 1, "the tool to stop");
  await pipe.send(call("x", "echo", { arguments: { text: "x" } }));
  await pipe.answer("x");
  assertEquals(pipe.received.filter((each) => each.id === "w").length, 1);
  await pipe.end();
});

Deno.test("serveStdio: stops running calls at the end of the input", async () => {
  const pipe = new Pipe();
  const before = stopped.count;
  await pipe.send(call(1, "wait"), call(2, "echo", { arguments: { text: "x" } }));
  await pipe.answer(2);
  await pipe.end();
  await until(() => stopped.count === before + 1, "the tool to stop");
});

Deno.test("serveStdio: keeps change streams and the session separate, and ends them on request", async () => {
  const server = kitchen();
  const pipe = new Pipe(server);
  const listen = (id: unknown, uri: string): Json =>
    modern("subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }, id);
  await pipe.send(listen("a", "note://1"), listen(2, "note://2"), handshake());
  await until(() => pipe.received.length === 3, "the acknowledgements");
  await pipe.send(rpc("resources/subscribe", { uri: "note://1" }, 3));
  await pipe.answer(3);
  server.resourceUpdated("note://1");
  server.resourceUpdated("note://2");
  await until(() => pipe.received.length === 7, "the changes");
  const ids = pipe.received.slice(4).map(({ params }) =>
    Object(params)._meta?.["io.modelcontextprotocol/subscriptionId"]
  );
  assertEquals(new Set(ids), new Set(["a", 2, undefined]));
  await pipe.send(cancel("a"), rpc("resources/unsubscribe", { uri: "note://1" }, 4));
  await pipe.answer(4);
  server.resourceUpdated("note://1");
  server.resourceUpdated("note://2");
  await until(() => pipe.received.length === 9, "one more change");
  await pipe.end();
});

Deno.test("serveStdio: stops when its signal aborts", async () => {
  const controller = new AbortController();
  const other = new Pipe(kitchen(), { signal: controller.signal });
  controller.abort();
  await other.done;
});

Deno.test("serveStdio reserves standard output for the protocol if a tool writes to the console", async () => {
  const process = new Deno.Command(Deno.execPath(), {
    args: program("noisy_stdio.ts"),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`${JSON.stringify(call(1, "noisy"))}\n`));
  // The input stays open until the response arrives, because its end would stop the call.
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  await writer.close();
  assertEquals((await reader.read()).done, process.pid > 0);
  const [stderr] = await Promise.all([new Response(process.stderr).text(), process.status]);
  assertEquals(value.trim().split("\n").map((line) => JSON.parse(line).id), [1]);
  assertEquals(stderr, "one\ntwo\nthree\n");
});

Deno.test("serveStdio logs the failure of a tool with its stack, in both eras", async () => {
  const lines: string[] = [];
  const pipe = new Pipe(kitchen(), {
    logger: createLogger({ write: (text) => lines.push(text) }),
  });
  await pipe.send(call(1, "fail"));
  await pipe.answer(1);
  await pipe.send(handshake(), rpc("tools/call", { name: "fail" }, 3));
  await pipe.answer(3);
  assertEquals(lines.length, 2);
  for (const line of lines) {
    assert(line.includes("the database is down") && line.includes("kitchen.ts"));
  }
  await pipe.end();
});
