// deno-lint-ignore-file no-import-prefix -- benches pin their peers
import { Hono } from "npm:hono@4.13.19";
import { jsx, type JSXNode } from "npm:hono@4.13.19/jsx";
import { logger } from "npm:hono@4.13.19/logger";
import { NONCE, secureHeaders } from "npm:hono@4.13.19/secure-headers";
import { pages, payload, port } from "./data.mjs";

type Event = (typeof pages.small)[number];

// Written like the compiled form of a Hono TSX file.
function page(events: readonly Event[]): JSXNode {
  return jsx(
    "html",
    { lang: "en" },
    jsx(
      "head",
      {},
      jsx("meta", { charset: "utf-8" }),
      jsx("title", {}, "Events"),
      jsx("link", { rel: "stylesheet", href: "/style.css" }),
    ),
    jsx(
      "body",
      {},
      jsx("header", {}, jsx("a", { href: "/" }, "Events")),
      jsx("main", {}, jsx("h1", {}, "Events"), table(events)),
    ),
  );
}

function table(events: readonly Event[]): JSXNode {
  const head = jsx("tr", {}, jsx("th", {}, "Title"), jsx("th", {}, "City"), jsx("th", {}, "Seats"));
  return jsx("table", {}, jsx("thead", {}, head), jsx("tbody", {}, ...events.map(row)));
}

function row(event: Event): JSXNode {
  return jsx(
    "tr",
    { class: event.isFull ? "row full" : "row" },
    jsx("td", {}, jsx("a", { href: `/events/${event.id}` }, event.title)),
    jsx("td", {}, event.city),
    jsx("td", {}, String(event.seats)),
  );
}

const app = new Hono();
if (Deno.env.get("BENCH_LOG") === "on") app.use(logger());
if (Deno.env.get("BENCH_HEADERS") === "on") {
  // Pages send fw's default policy, other responses Hono's default headers.
  const own = ["'self'", NONCE];
  const ofPages = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: own,
      styleSrc: own,
      styleSrcAttr: ["'unsafe-inline'"],
      imgSrc: ["'self'", "data:"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  });
  for (const path of ["/small", "/large"]) app.use(path, ofPages);
  for (const path of ["/events", "/api/*", "/contact"]) app.use(path, secureHeaders());
}
app.get("/", (c) => c.text("home"));
app.get("/events", (c) => c.json(payload));
app.get("/api/events/:id", (c) => c.json({ ...payload, id: c.req.param("id") }));
app.get("/small", (c) => c.html(page(pages.small).toString()));
app.get("/large", (c) => c.html(page(pages.large).toString()));
app.post("/contact", async (c) => {
  const form = await c.req.parseBody();
  return c.text(`read ${String(form["title"]).length}`);
});
/** The cost of a path check for Hono users: outside the application, where it is cheapest. */
const checked = (request: Request): Response | Promise<Response> =>
  request.headers.get("host") === null ? new Response(null, { status: 400 }) : app.fetch(request);
const isChecked = Deno.env.get("BENCH_READS") === "host";
Deno.serve(
  { port, hostname: "127.0.0.1", onListen: () => undefined },
  isChecked ? checked : app.fetch,
);
