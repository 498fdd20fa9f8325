import { App, type Ctx, date, int, type Node, Off, struct, text } from "@fw/fw";
import * as h from "@fw/fw/h";
import { pages, payload, port } from "./data.mjs";

type Event = (typeof pages.small)[number];

function layout(_c: Ctx, children: Node): Node {
  return h.html(
    h.lang("en"),
    h.head(
      h.meta(h.charset("utf-8")),
      h.title("Events"),
      h.link(h.rel("stylesheet"), h.href("/style.css")),
    ),
    h.body(h.header(h.a(h.href("/"), "Events")), h.main(children)),
  );
}

function page(events: readonly Event[]): Node {
  return h.fragment(
    h.h1("Events"),
    h.table(
      h.thead(h.tr(h.th("Title"), h.th("City"), h.th("Seats"))),
      h.tbody(h.map(events, (event) =>
        h.tr(
          h.class("row", event.isFull && "full"),
          h.td(h.a(h.href(`/events/${event.id}`), event.title)),
          h.td(event.city),
          h.td(event.seats),
        ))),
    ),
  );
}

const app = new App({
  listener: Deno.env.get("BENCH_LISTENER") === "node" ? "node" : "deno",
  addr: `127.0.0.1:${port}`,
  ...(Deno.env.get("BENCH_LOG") === "off" ? { logRequest: Off } : {}),
  ...(Deno.env.get("BENCH_METRICS") === "on" ? { observability: { metrics: "/metrics" } } : {}),
  // Without security headers if the peers send none.
  ...(Deno.env.get("BENCH_HEADERS") === "on" ? {} : { security: { delegated: true } }),
});
app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "home") } });
app.route({ pattern: "/events", methods: { GET: (c) => c.json(200, payload) } });
app.route({
  pattern: "/awaited",
  methods: { GET: async (c) => c.json(200, await Promise.resolve(payload)) },
});
app.route({
  pattern: "/api/events/{id}",
  methods: { GET: (c) => c.json(200, { ...payload, id: c.param("id") }) },
});
app.route({ pattern: "/small", page: () => page(pages.small), layouts: [layout] });
app.route({ pattern: "/large", page: () => page(pages.large), layouts: [layout] });

const NewEvent = struct({
  title: text("required,max=80"),
  city: text("required"),
  seats: int("min=1,max=500"),
  starts: date("required"),
});
app.route({
  pattern: "/contact",
  page: () => h.p("The form stands here."),
  methods: { POST: async (c) => c.text(200, `read ${(await c.bind(NewEvent)).title.length}`) },
});
await app.listenAndServe();
