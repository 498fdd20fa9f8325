/** The application that `fragmented_test.ts` floods, in a separate process; it prints its log. */
import { App, createLogger, type Ctx, Off, struct, text } from "../../../mod.ts";
import { routeOf } from "../../routes.ts";

const app = new App({
  addr: "127.0.0.1:0",
  listener: Deno.args[0] === "node" ? "node" : "deno",
  logRequest: Off,
  logger: createLogger({ level: "info" }),
});
app.route({ pattern: "/ok", methods: { GET: (c) => c.text(200, "ok") } });
const readers = {
  json: async (c) => void await c.bindJson(struct({ a: text("") })),
  form: async (c) => void await c.form("a"),
  upload: async (c) => void await c.file("f", { optional: true }),
  raw: async (c) => void await c.request.text(),
  stream: async (c) => {
    for await (const piece of c.request.body ?? []) void piece;
  },
  nobody: () => {},
} satisfies Record<string, (c: Ctx) => void | Promise<void>>;
for (const [name, read] of Object.entries(readers)) {
  app.route(routeOf("POST", `/${name}`, async (c) => {
    await read(c);
    return c.text(200, "read");
  }));
}
await app.listenAndServe();
