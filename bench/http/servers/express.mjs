// @ts-nocheck -- Node runs this, with packages that the bench installs beside it
import express from "express";
import { pages, pageText, payload, port } from "./data.mjs";

const app = express();
app.get("/events", (_request, response) => response.json(payload));
app.get(
  "/api/events/:id",
  (request, response) => response.json({ ...payload, id: request.params.id }),
);
for (const [name, events] of Object.entries(pages)) {
  app.get(`/${name}`, (_request, response) => response.type("html").send(pageText(events)));
}
app.listen(port, "127.0.0.1");
