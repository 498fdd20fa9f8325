import type { Ctx, Node } from "@fw/fw";
import { csrfInput } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./api.ts" with { type: "text" };

const problem = {
  description: "What went wrong",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

const document: unknown = {
  openapi: "3.1.0",
  info: { title: "Events", version: "1.0.0" },
  tags: [{ name: "Events", description: "What happens in the city." }],
  components: {
    securitySchemes: { session: { type: "apiKey", in: "cookie", name: "session" } },
    schemas: {
      Event: {
        type: "object",
        description: "Something that takes place.",
        required: ["title", "seats"],
        properties: {
          title: { type: "string", maxLength: 80, description: "What it is called." },
          seats: { type: "integer", minimum: 1, maximum: 5000 },
          on: { type: "string", format: "date" },
          kind: { enum: ["concert", "film", "walk"] },
          venue: {
            type: "object",
            properties: { name: { type: "string" }, city: { type: ["string", "null"] } },
          },
          parts: { type: "array", items: { $ref: "#/components/schemas/Event" } },
        },
      },
      Problem: {
        type: "object",
        required: ["status"],
        properties: { status: { type: "integer" }, detail: { type: "string" } },
      },
    },
  },
  paths: {
    "/screens/orders": {
      get: {
        tags: ["Events"],
        summary: "Lists events",
        parameters: [
          { name: "q", in: "query", description: "Words to look for.", schema: { type: "string" } },
          { name: "kind", in: "query", schema: { enum: ["concert", "film", "walk"] } },
          { name: "page", in: "query", schema: { type: "integer", minimum: 1, default: 1 } },
        ],
        responses: {
          200: {
            description: "The events",
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/Event" } },
                example: [{ title: "Fado at dusk", seats: 40 }],
              },
            },
          },
          400: problem,
        },
      },
      post: {
        tags: ["Events"],
        summary: "Creates an event",
        security: [{ session: [] }],
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                required: ["title"],
                properties: {
                  title: { type: "string", maxLength: 80 },
                  about: { type: "string", maxLength: 2000 },
                  isFree: { type: "boolean" },
                  photo: { type: "string", format: "binary" },
                },
              },
            },
          },
        },
        responses: { 201: { description: "The event was created" }, 422: problem },
      },
    },
    "/api/events/{slug}": {
      get: {
        tags: ["Events"],
        summary: "Shows an event",
        parameters: [{ name: "slug", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "The event" }, 404: problem },
      },
      delete: {
        tags: ["Events"],
        summary: "Deletes an event",
        deprecated: true,
        parameters: [{ name: "slug", in: "path", required: true, schema: { type: "string" } }],
        responses: { 204: { description: "It is gone" }, 404: problem },
      },
    },
  },
};

function reference(c: Ctx): Node {
  return ui.apiReference(document, { headingLevel: 3, csrf: csrfInput(c) });
}

export const api: Section = {
  name: "api",
  title: "API reference",
  lead: "The operations of an OpenAPI document, with a form for what a form can send.",
  source,
  examples: [
    {
      title: "Reference",
      text: "Made from a document, which `fw openapi` writes. It runs no script of anyone.",
      make: reference,
    },
  ],
};
