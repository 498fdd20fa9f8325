/** A document with every form of operation that a client calls, for the application beside it. */

const problem = { $ref: "#/components/schemas/Problem" };
const problems = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: problem } },
});
const json = (schema: unknown, description = "Done") => ({
  description,
  content: { "application/json": { schema } },
});
const event = { $ref: "#/components/schemas/Event" };
const slug = { name: "slug", in: "path", required: true, schema: { type: "string" } };

export const document: unknown = {
  openapi: "3.1.0",
  info: { title: "Library", version: "1.0.0" },
  paths: {
    "/api/events": {
      get: {
        operationId: "listEvents",
        summary: "Lists events.",
        parameters: [
          { name: "q", in: "query", schema: { type: "string" } },
          { name: "page", in: "query", schema: { type: "integer", minimum: 1 } },
          {
            name: "tag",
            in: "query",
            schema: { type: "array", items: { type: "string", enum: ["jazz", "blues"] } },
          },
          {
            name: "ids",
            in: "query",
            explode: false,
            schema: { type: "array", items: { type: "integer", format: "int64" } },
          },
          {
            name: "range",
            in: "query",
            style: "deepObject",
            schema: { type: "object", properties: { from: { type: "string" } } },
          },
          {
            name: "filter",
            in: "query",
            content: { "application/json": { schema: { type: "object" } } },
          },
          { name: "X-Trace", in: "header", schema: { type: "integer" } },
        ],
        responses: {
          200: json({ type: "array", items: event }),
          400: problems("Wrong query"),
          default: problems("Error"),
        },
      },
      post: {
        operationId: "createEvent",
        summary: "Creates an event.",
        requestBody: { required: true, content: { "application/json": { schema: event } } },
        responses: { 201: json(event), 422: problems("Wrong fields") },
      },
    },
    "/api/events/{slug}": {
      parameters: [slug],
      get: {
        operationId: "get-event",
        responses: { 200: json(event), 404: problems("No such event") },
      },
      delete: {
        operationId: "delete",
        deprecated: true,
        responses: { 204: { description: "Gone" }, 404: problems("No such event") },
      },
    },
    "/api/events/{slug}/photo": {
      parameters: [slug],
      put: {
        operationId: "putPhoto",
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                required: ["photo"],
                properties: {
                  photo: { type: "string", format: "binary" },
                  caption: { type: "string" },
                  tags: { type: "array", items: { type: "string" } },
                },
              },
            },
          },
        },
        responses: {
          200: json({
            type: "object",
            required: ["bytes", "name", "tags"],
            properties: {
              bytes: { type: "integer" },
              name: { type: "string" },
              caption: { type: "string" },
              tags: { type: "array", items: { type: "string" } },
            },
          }),
        },
      },
      get: {
        operationId: "getPhoto",
        responses: { 200: { description: "The file", content: { "image/png": {} } } },
      },
    },
    "/api/search": {
      post: {
        operationId: "search",
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                type: "object",
                properties: {
                  words: { type: "array", items: { type: "string" } },
                  place: { type: "object", properties: { city: { type: "string" } } },
                },
              },
            },
            "text/plain": { schema: { type: "string" } },
          },
        },
        responses: { 200: { description: "Text", content: { "text/plain": {} } } },
      },
    },
    "/api/stream": {
      get: {
        operationId: "follow",
        responses: {
          200: {
            description: "Events",
            content: {
              "text/event-stream": {
                schema: { type: "string" },
                "x-events": { seats: { type: "integer" }, note: { type: "string" } },
              },
            },
          },
          403: problems("Refused"),
        },
      },
    },
    "/api/files/{path}": {
      get: {
        parameters: [
          {
            name: "path",
            in: "path",
            required: true,
            "x-catch-all": true,
            schema: { type: "string" },
          },
        ],
        responses: { 200: json({ type: "string" }) },
      },
    },
    "/api/move": {
      post: { operationId: "then", responses: { 303: { description: "Elsewhere" } } },
    },
    "/api/broken": {
      get: { operationId: "broken", responses: { "2XX": json({ type: "object" }) } },
    },
  },
  components: {
    schemas: {
      Event: {
        type: "object",
        required: ["title"],
        properties: {
          title: { type: "string", description: "What it is called." },
          seats: { type: "integer", format: "int64" },
          at: { type: "string", format: "date-time" },
          place: { type: ["string", "null"] },
          parts: { type: "array", items: event },
          "__proto__x": { type: "string" },
          "opening hours": { type: "string" },
        },
      },
      Problem: {
        type: "object",
        required: ["title", "status"],
        properties: {
          title: { type: "string" },
          status: { type: "integer" },
          code: { type: "string" },
          detail: { type: "string" },
          fields: { type: "object", additionalProperties: { type: "string" } },
          request_id: { type: "string" },
        },
      },
    },
  },
};
