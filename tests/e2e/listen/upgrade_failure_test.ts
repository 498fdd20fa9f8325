/** Errors of a handler after a connection was upgraded: none stops the server. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { App, type Ctx, type Result } from "../../../mod.ts";
import { listen, listenSettings } from "../../security/raw_client.ts";
import { routeOf } from "../../routes.ts";

const dropped = "the response of an upgraded connection was dropped";

const rows: readonly (readonly [
  name: string,
  after: (c: Ctx) => Result | Promise<Result>,
  log: string,
  panics: number,
])[] = [
  ["throws", () => decode("%"), "URI malformed", 1],
  ["throws asynchronously", () => later().then(() => decode("%")), "URI malformed", 1],
  ["upgrades again", (c) => c.upgrade().response, "it was upgraded already", 1],
  ["throws an error meant for clients", (c) => c.redirect("/"), dropped, 0],
  ["gives another answer", (c) => c.text(200, "no socket"), dropped, 0],
  ["gives nothing", () => undefined, dropped, 0],
  ["responds too late", sayLate, "config.timeouts.writeMs", 0],
  ["stages an invalid header", (c) => void c.header("x-bad", "a\r\nb"), "upgraded connection", 1],
];

async function sayLate(c: Ctx): Promise<Result> {
  await told.promise;
  return c.text(200, "late");
}

/** Resolves after the test has read the log. */
let told = Promise.withResolvers<void>();

for (const [name, after, log, panics] of rows) {
  for (const hasErrorPage of [false, true]) {
    const page = hasErrorPage ? "with an error page" : "without";
    Deno.test(`c.upgrade in production, ${page}: a handler that ${name}`, async () => {
      const lines: string[] = [];
      const app = new App(
        { ...listenSettings(lines), timeouts: { writeMs: 150 } },
        hasErrorPage ? { error: (c) => c.text(500, c.request.headers.get("accept") ?? "") } : {},
      );
      app.route(routeOf("GET", "/socket", (c) => {
        c.upgrade();
        return after(c);
      }));
      app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "alive") } });
      await using server = await listen(app, lines);
      const base = `${server.hostname}:${server.port}`;
      assertEquals(await closeCode(`ws://${base}/socket`), 1011);
      assertEquals(await (await fetch(`http://${base}/`)).text(), "alive");
      assertStringIncludes(server.log(), log);
      assertEquals(server.log().match(/"kind":"panic"/g)?.length ?? 0, panics);
      // The late handler finishes inside this test.
      told.resolve();
      told = Promise.withResolvers();
      await later();
    });
  }
}

function decode(text: string): never {
  decodeURIComponent(text);
  throw new Error("unreachable");
}

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

function closeCode(url: string): Promise<number> {
  const closed = Promise.withResolvers<number>();
  const socket = new WebSocket(url);
  socket.addEventListener("close", (event) => closed.resolve(event.code));
  return closed.promise;
}
