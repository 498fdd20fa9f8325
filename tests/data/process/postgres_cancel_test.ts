import { assertEquals } from "@std/assert";
import { Stoppable } from "../../../data/postgres/cancel.ts";
import { testUnless } from "../../../tools/skip.ts";
import { makeCertificate, reasonWithoutPrograms } from "../../programs.ts";

const hostname = "127.0.0.1";
const sslRequest = [8, 80_877_103];
const cancelRequest = [16, 80_877_102, 7, 8];

/** Reads what is sent until the connection ends or holds some bytes, as numbers of the protocol. */
async function readNumbers(connection: Deno.Conn, most = 64): Promise<number[]> {
  const numbers: number[] = [];
  const bytes = new Uint8Array(4);
  for (let length = 0; numbers.length * 4 < most;) {
    const read = await connection.read(bytes.subarray(length)).catch(() => null);
    if (read === null) break;
    length = (length + read) % 4;
    if (length === 0) numbers.push(new DataView(bytes.buffer).getInt32(0));
  }
  return numbers;
}

/** Sends what one connection reads to another one until one of them ends. */
async function forward(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const bytes = new Uint8Array(16_384);
  const next = (): Promise<number | null> => from.read(bytes).catch(() => null);
  for (let read = await next(); read !== null; read = await next()) {
    await to.write(bytes.subarray(0, read)).catch(() => {});
  }
  shut(to);
}

function shut(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // The other end was first.
  }
}

/** Stops a statement at a server, which accepts the connection of the request. */
async function stopAt(
  server: Deno.Listener,
  ssl: unknown,
  serve: (connection: Deno.Conn) => Promise<void>,
): Promise<void> {
  const statement = Promise.withResolvers<void>();
  const statements = new Stoppable();
  const run = statements.run(() => statement.promise);
  const { port } = server.addr as Deno.NetAddr;
  statements.stop([{ host: hostname, port, ssl, pid: 7, secret: 8 }]);
  const connection = await server.accept();
  await serve(connection).finally(() => shut(connection));
  statement.resolve();
  await run;
}

const plain: readonly (readonly [ssl: unknown, read: readonly number[]])[] = [
  ["prefer", cancelRequest],
  ["require", []],
  [{}, []],
  [true, []],
];
for (const [ssl, read] of plain) {
  Deno.test(`cancel: a server without TLS gets ${read.length === 0 ? "no" : "the"} request with ssl ${JSON.stringify(ssl)}`, async () => {
    using server = Deno.listen({ hostname, port: 0 });
    await stopAt(server, ssl, async (connection) => {
      assertEquals(await readNumbers(connection, 8), sslRequest);
      await connection.write(new TextEncoder().encode("N"));
      assertEquals(await readNumbers(connection), read);
    });
  });
}

testUnless(await reasonWithoutPrograms("openssl"), {
  name: "cancel: the certificate of an address is checked",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    for (const [host, read] of [[hostname, cancelRequest], ["127.0.0.2", []]] as const) {
      const files = await makeCertificate(folder, host);
      const cert = await Deno.readTextFile(files.certificate);
      const key = await Deno.readTextFile(files.key);
      using server = Deno.listen({ hostname, port: 0 });
      using secure = Deno.listenTls({ hostname, port: 0, cert, key });
      await stopAt(server, { ca: cert }, async (connection) => {
        assertEquals(await readNumbers(connection, 8), sslRequest);
        await connection.write(new TextEncoder().encode("S"));
        const [inner, outer] = await Promise.all([
          secure.accept(),
          Deno.connect({ hostname, port: secure.addr.port }),
        ]);
        const passed = [forward(connection, outer), forward(outer, connection)];
        assertEquals(await readNumbers(inner), read);
        [inner, outer, connection].forEach(shut);
        await Promise.all(passed);
      });
    }
    await Deno.remove(folder, { recursive: true });
  },
});
