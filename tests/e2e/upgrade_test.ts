import { assertEquals } from "@std/assert";
import { App, type Ctx, type Logger, type Result } from "../../mod.ts";

/** What a handler does after it took the connection over, instead of returning the answer. */
const rows: readonly [name: string, after: (c: Ctx) => Result][] = [
  ["throws", () => {
    throw new Error("after the upgrade");
  }],
  ["gives another answer", (c) => c.text(200, "no socket")],
  ["gives nothing", () => undefined],
];

for (const [name, after] of rows) {
  Deno.test(`c.upgrade: a handler that ${name} closes the socket, and the server goes on`, async () => {
    const app = new App({ addr: "127.0.0.1:0", logger: silent, env: "dev" });
    app.route({
      pattern: "/socket",
      methods: {
        GET: (c) => {
          c.upgrade();
          return after(c);
        },
      },
    });
    app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "alive") } });
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => undefined },
      app.fetch,
    );
    const { port } = server.addr;
    const closed = Promise.withResolvers<number>();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
    socket.addEventListener("close", (event) => closed.resolve(event.code));
    assertEquals(await closed.promise, 1011);
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    assertEquals(await answer.text(), "alive");
    await server.shutdown();
    await app.shutdown();
  });
}

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};
