/**
 * MCP bench: processor time of a `tools/call` over HTTP, compared with a POST of the same JSON to a
 * route and with the official servers.
 *
 * `deno run -A bench/mcp/main.ts`
 *
 * @module
 */
import { fromFileUrl } from "@std/path";
import { cpuTime, type ServerProcess, startServer } from "../http/server_process.ts";
import { post, type Posts } from "./post.ts";
import { median } from "../median.ts";

const ROUNDS = 7;
const REQUESTS = 2_000;
const CONNECTIONS = 16;

const argumentsOfCall = {
  name: "echo",
  arguments: { text: "An evening of short talks in Lisboa" },
};
const expected = '"text":"An evening of short talks in Lisboa"';

const modernBody = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    ...argumentsOfCall,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});
const sessionBody = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: argumentsOfCall,
});

const common = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const modernHeaders = {
  ...common,
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "echo",
};

interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  readonly posts: Posts;
}

function start(file: string, args: readonly string[]): Promise<ServerProcess> {
  return startServer({
    name: file,
    command: Deno.execPath(),
    args: [
      "run",
      "-A",
      "--no-lock",
      fromFileUrl(new URL(`servers/${file}`, import.meta.url)),
      ...args,
    ],
  }, { path: "/" });
}

/** Opens a session and returns the headers of its requests. */
async function openSession(port: number): Promise<Record<string, string>> {
  const url = `http://127.0.0.1:${port}/mcp`;
  const send = (body: unknown, headers: HeadersInit): Promise<Response> =>
    fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const response = await send({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1.0.0" },
    },
  }, common);
  await response.text();
  const headers = {
    ...common,
    "mcp-protocol-version": "2025-11-25",
    "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
  };
  const ready = await send({ jsonrpc: "2.0", method: "notifications/initialized" }, headers);
  await ready.body?.cancel();
  return headers;
}

/**
 * Runs the bench.
 *
 * @returns A Markdown section with the ratios.
 */
export async function run(): Promise<string> {
  const servers: ServerProcess[] = [];
  const open = async (file: string, ...args: string[]): Promise<ServerProcess> => {
    const server = await start(file, args);
    servers.push(server);
    return server;
  };
  try {
    const fw = await open("fw.ts");
    const official = await open("official.ts");
    const sessions = await open("official_sessions.ts");
    const inJson = await open("official_sessions.ts", "json");
    const load = { requests: REQUESTS, connections: CONNECTIONS, expected };
    const modern = { ...load, body: modernBody, headers: modernHeaders };
    const old = { ...load, body: sessionBody };
    return report(
      await measure([
        { name: "POST to a route", server: fw, posts: { ...modern, path: "/route" } },
        { name: "tools/call, 2026-07-28", server: fw, posts: { ...modern, path: "/mcp" } },
        {
          name: "official server, 2026-07-28",
          server: official,
          posts: { ...modern, path: "/mcp" },
        },
        {
          name: "tools/call, 2025-11-25",
          server: fw,
          posts: { ...old, path: "/mcp", headers: await openSession(fw.port) },
        },
        {
          name: "official server, 2025-11-25",
          server: sessions,
          posts: { ...old, path: "/mcp", headers: await openSession(sessions.port) },
        },
        {
          name: "official server, 2025-11-25, JSON alone",
          server: inJson,
          posts: { ...old, path: "/mcp", headers: await openSession(inJson.port) },
        },
      ]),
    );
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** Measures the nanoseconds of processor time per request, by round. */
async function measure(contenders: readonly Contender[]): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  // The first round is for warm-up.
  for (let round = -1; round < ROUNDS; round++) {
    for (const { name, server, posts } of contenders) {
      const before = cpuTime(server.pid);
      await post(server.port, posts);
      if (round >= 0) times.get(name)?.push((cpuTime(server.pid) - before) / REQUESTS);
    }
  }
  return times;
}

function report(times: ReadonlyMap<string, number[]>): string {
  const [base = []] = times.values();
  const rows = [...times].map(([name, own]) => {
    const ratio = median(own.map((value, round) => value / (base[round] ?? NaN)));
    return `| ${name} | ${ratio.toFixed(2)} | ${(median(own) / 1_000).toFixed(0)} |`;
  });
  return `## MCP

Processor time of one call of a tool over HTTP on loopback, a POST of the same JSON to a route of the
application = 1.00; lower is faster. Servers in processes of their own, ${CONNECTIONS} connections, medians
of ${ROUNDS} interleaved rounds of ${
    REQUESTS.toLocaleString("en")
  } requests, compared round by round. The
official servers, as their documentation wires them, are \`@modelcontextprotocol/server\` 2.4.0 and \`@modelcontextprotocol/sdk\` 1.32.2 under
\`Deno.serve\`. Deno ${Deno.version.deno}. Command: \`deno run -A bench/mcp/main.ts\`.

| | ratio | µs |
|---|---|---|
${rows.join("\n")}
`;
}

if (import.meta.main) console.log(await run());
