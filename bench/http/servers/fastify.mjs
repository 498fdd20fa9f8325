// @ts-nocheck -- Node runs this, with packages that the bench installs beside it
import Fastify from "fastify";
import { pages, pageText, payload, port } from "./data.mjs";

const app = Fastify();
app.get("/events", () => payload);
app.get("/api/events/:id", (request) => ({ ...payload, id: request.params.id }));
for (const [name, events] of Object.entries(pages)) {
  app.get(
    `/${name}`,
    (_request, reply) => reply.type("text/html; charset=utf-8").send(pageText(events)),
  );
}
await app.listen({ port, host: "127.0.0.1" });
