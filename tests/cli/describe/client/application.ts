/** The application that the document beside it describes. */
import { App, FieldErrors, httpError, notFound, struct, text } from "@fw/fw";

const Title = struct({ title: text("required,min=2") });

export const calls: { readonly url: string; readonly headers: Headers }[] = [];

/** Makes the application; its handler is the `fetch` of a client. */
export function makeApplication(): App {
  const app = new App({ logRequest: () => false, secret: "0".repeat(32) });
  const event = { title: "Jazz", seats: 9007199254740993n, place: null };
  app.route({
    pattern: "/api/events",
    kind: "api",
    methods: {
      GET: (c) => {
        calls.push({ url: c.url.href, headers: c.request.headers });
        if (c.query("page") === "0") throw httpError(400, "pages start at 1");
        if (c.query("page") === "500") throw httpError(409, "later");
        return c.json(200, [event, { title: "Blues", seats: 2 }]);
      },
      POST: async (c) => {
        const raw = await c.request.text();
        const given = JSON.parse(raw) as { readonly title: string };
        const outcome = await Title["~standard"].validate({ title: given.title });
        if (outcome.issues !== undefined) {
          throw new FieldErrors().add("title", "is too short");
        }
        calls.push({ url: raw, headers: c.request.headers });
        return new Response(raw, { status: 201, headers: { "content-type": "application/json" } });
      },
    },
  });
  app.route({
    pattern: "/api/events/{slug}",
    kind: "api",
    methods: {
      GET: (c) => c.param("slug") === "a b/c" ? c.json(200, event) : notFound(),
      DELETE: (c) => c.noContent(),
    },
  });
  app.route({
    pattern: "/api/events/{slug}/photo",
    kind: "api",
    methods: {
      PUT: async (c) => {
        const form = await c.formData();
        const photo = form.get("photo");
        if (!(photo instanceof File)) throw httpError(400, "no photo");
        const caption = form.get("caption") ?? undefined;
        return c.json(200, {
          bytes: photo.size,
          name: photo.name,
          tags: form.getAll("tags"),
          ...(caption === undefined ? {} : { caption }),
        });
      },
      GET: () => new Response(new Uint8Array([1, 2]), { headers: { "content-type": "image/png" } }),
    },
  });
  app.route({
    pattern: "/api/search",
    kind: "api",
    methods: {
      POST: async (c) =>
        c.text(200, `${c.request.headers.get("content-type")} ${await c.request.text()}`),
    },
  });
  app.route({
    pattern: "/api/stream",
    kind: "api",
    methods: {
      GET: (c) =>
        c.stream(async (s) => {
          await s.json("seats", 12);
          await s.send("note", "one\ntwo");
          if (c.query("wait") === undefined) return;
          await new Promise((resolve) => s.signal.addEventListener("abort", resolve));
        }),
    },
  });
  app.route({
    pattern: "/api/files/{path...}",
    kind: "api",
    methods: { GET: (c) => c.json(200, c.param("path")) },
  });
  app.route({ pattern: "/api/move", kind: "api", methods: { POST: (c) => c.redirect("/x") } });
  app.route({
    pattern: "/api/broken",
    kind: "api",
    methods: {
      GET: () => new Response("{", { headers: { "content-type": "application/json" } }),
    },
  });
  return app;
}
