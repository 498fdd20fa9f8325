import type { Schema } from "../document.ts";

/** Every error of an API has this form; an application may add members. */
export const problemSchema: Schema = {
  type: "object",
  description: "A problem document (RFC 9457).",
  properties: {
    type: {
      type: "string",
      format: "uri-reference",
      description: "A URI that names the kind of problem.",
    },
    title: { type: "string", description: "A short summary of the kind." },
    status: { type: "integer", minimum: 400, maximum: 599 },
    detail: { type: "string", description: "What happened this time." },
    instance: {
      type: "string",
      format: "uri-reference",
      description: "The path of the request, or a URI of this occurrence.",
    },
    code: { type: "string", description: "A stable name for programs." },
    fields: {
      type: "object",
      description: "The messages of the fields that were not accepted.",
      additionalProperties: { type: "string" },
    },
    request_id: { type: "string", description: "Finds the request in the log." },
  },
  required: ["type", "title", "status", "instance", "code", "request_id"],
};
