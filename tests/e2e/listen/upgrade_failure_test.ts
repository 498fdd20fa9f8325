/** Errors of a handler after a connection was upgraded: none stops the server. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { App, type Ctx, type Result } from "../../../mod.ts";
import { listen, listenSettings } from "../../security/raw_client.ts";
import { routeOf } from "../../routes.ts";

interface Row {
  readonly name: string;
  readonly after: (c: Ctx) => Result | Promise<Result>;
  readonly log: string;
  /** The number of reported panics. @default 1 */
  readonly panics?: number;
}

const dropped = "the response of an upgraded connection was dropped";

const rows: readonly Row[] = [
  { name: "throws", after: () => decode("%"), log: "URI malformed" },
  {
    name: "throws asynchronously",
    after: async () => {
      await later();
      return decode("%");
    },
    log: "URI malformed",
  },
  {
    name: "reads a header that the request no longer has",
    after: (c) => c.text(200, String(c.request.headers.get("accept"))),
    log: "Request closed",
  },
  {
    name: "upgrades again",
    after: (c) => c.upgrade().response,
    log: "it was upgraded already",
  },
  {
    name: "throws an error meant for clients",
    after: (c) => c.redirect("/"),
    log: dropped,
    panics: 0,
  },
  { name: "gives another answer", after: (c) => c.text(200, "no socket"), log: dropped, panics: 0 },
  { name: "gives nothing", after: () => undefined, log: dropped, panics: 0 },
  {
    name: "responds too late",
    after: async (c) => {
      await told.promise;
      return c.text(200, "late");
    },
    log: "config.timeouts.writeMs",
    panics: 0,
  },
  {
    name: "stages an invalid header",
    after: (c) => {
      c.header("x-bad", "a\r\nb");
    },
    log: "upgraded connection",
  },
];

/** Resolves after the test has read the log. */
let told = Promise.withResolvers<void>();

for (const row of rows) {
  for (const hasErrorPage of [false, true]) {
    const page = hasErrorPage ? "with an error page" : "without";
    Deno.test(`c.upgrade in production, ${page}: a handler that ${row.name}`, async () => {
      const lines: string[] = [];
      const app = new App(
        { ...listenSettings(lines), timeouts: { writeMs: 150 } },
        hasErrorPage ? { error: (c) => c.text(500, c.request.headers.get("accept") ?? "") } : {},
      );
      app.route(routeOf("GET", "/socket", (c) => {
        c.upgrade();
        return row.after(c);
      }));
      app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "alive") } });
      await using server = await listen(app, lines);
      const base = `${server.hostname}:${server.port}`;
      assertEquals(await closeCode(`ws://${base}/socket`), 1011);
      assertEquals(await (await fetch(`http://${base}/`)).text(), "alive");
      assertStringIncludes(server.log(), row.log);
      assertEquals(server.log().match(/"kind":"panic"/g)?.length ?? 0, row.panics ?? 1);
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
