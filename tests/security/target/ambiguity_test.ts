/** Why the target check reads `Host`: nothing else that the server hands over tells where a path starts. */
import { assertEquals } from "@std/assert";

/** Everything about a request but its headers and its body. */
interface Handed {
  readonly url: string;
  readonly method: string;
  readonly keys: readonly string[];
  readonly hostname: string;
}

async function send(port: number, host: string, target: string): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const text = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(text));
  const buffer = new Uint8Array(1_024);
  while (await connection.read(buffer) !== null);
}

Deno.test("target: without Host, a shifted path and an honest one of two segments are one request", async () => {
  const handed: Handed[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ url, method }, info) => {
      const { hostname } = info.remoteAddr;
      handed.push({ url, method, keys: Object.keys(info), hostname });
      return new Response(null, { headers: { connection: "close" } });
    },
  );
  const { port } = server.addr;
  const honest = `127.0.0.1:${port}`;
  const rows: readonly (readonly [host: string, target: string])[] = [
    [`${honest}/admin`, "/users"],
    [`${honest}/admin/users`, "/"],
  ];
  try {
    await send(port, honest, "/admin/users");
    await send(port, honest, "/admin/users/");
    for (const [host, target] of rows) await send(port, host, target);
  } finally {
    await server.shutdown();
  }
  const [first, second, shifted, shiftedWhole] = handed;
  assertEquals(shifted, first);
  assertEquals(shiftedWhole, second);
});
