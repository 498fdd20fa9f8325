/** A child process that misbehaves as its first argument says. */
const [mode = "", ...more] = Deno.args;
const encoder = new TextEncoder();
const write = (text: string): number => Deno.stdout.writeSync(encoder.encode(text));
const send = (message: Readonly<Record<string, unknown>>): number => {
  if (mode === "texts") return write(`${JSON.stringify({ ...message, id: String(message.id) })}\n`);
  if (mode === "nulls") {
    return write(`${JSON.stringify({ ...message, error: null, method: null })}\n`);
  }
  if (mode === "batch") return write(`${JSON.stringify([message])}\n`);
  if (mode === "bom") return write(`\ufeff${JSON.stringify(message)}\n`);
  if (mode === "prefix") return write(`INFO [srv] ready: ${JSON.stringify(message)}\n`);
  return write(`${JSON.stringify(message)}\n`);
};

const huge = "x".repeat(64 * 1_024);

let isCancelled = false;

function answer(id: unknown, method: string, token: unknown): void {
  if (method === "server/discover") {
    if (mode === "exits") Deno.exit(3);
    if (mode === "silent") return;
    if (mode === "broken") return void write('Traceback: {"jsonrpc": oops\n');
    if (mode === "garbage") write(`Debug: hello\n{"jsonrpc":\n\u0000\n[1,2,3]\n`);
    if (mode === "endless") { for (;;) write(huge); }
    if (mode === "noise") { for (;;) write("noise\n".repeat(1_000)); }
    if (mode === "flood") {
      for (let round = 0; round < 200; round++) Deno.stderr.writeSync(encoder.encode(huge));
    }
    send({
      jsonrpc: "2.0",
      id,
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
      },
    });
  } else if (method === "tools/list") {
    if (mode === "circle") {
      return void send({ jsonrpc: "2.0", id, result: { tools: [], nextCursor: "again" } });
    }
    const tools = Array.from({ length: mode === "many" ? 20_000 : 1 }, (_, number) => ({
      name: `tool ${number}`,
      inputSchema: { type: "object", properties: { a: { "x-mcp-header": "a b" } } },
    }));
    send({ jsonrpc: "2.0", id, result: { tools } });
  } else if (method === "tools/call") {
    if (mode === "crash") {
      console.error(huge);
      console.error("panic: out of milk");
      Deno.exit(9);
    }
    if (mode === "waits" && !isCancelled) {
      const params = { progressToken: token, progress: 1 };
      return void send({ jsonrpc: "2.0", method: "notifications/progress", params });
    }
    if (mode === "asks") {
      const inputRequests = {
        q: { method: "elicitation/create", params: { message: "?", requestedSchema: {} } },
      };
      const result = { resultType: "input_required", inputRequests, requestState: "s" };
      return void send({ jsonrpc: "2.0", id, result });
    }
    if (mode === "type") {
      return void send({ jsonrpc: "2.0", id, result: { resultType: "surprise" } });
    }
    send({ jsonrpc: "2.0", id: 4711, result: {} });
    send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: String(Deno.pid) }] } });
  }
}

if (mode === "deaf") {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    Deno.addSignalListener(signal, () => {});
  }
  // The end of the input does not stop it either.
  setInterval(() => {}, 1_000);
  if (more[0] !== undefined) Deno.writeTextFileSync(more[0], String(Deno.pid));
}

const decoder = new TextDecoderStream();
Deno.stdin.readable.pipeTo(decoder.writable as WritableStream<Uint8Array<ArrayBuffer>>).catch(
  () => {},
);
let rest = "";
for await (const text of decoder.readable) {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === "notifications/cancelled") isCancelled = true;
    if (id !== undefined) answer(id, method, params?._meta?.progressToken);
  }
}
