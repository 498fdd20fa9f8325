import { assert, assertEquals } from "@std/assert";
import { writeClient } from "../../../../cli/describe/client/write_client.ts";

const text = { type: "string" };
const secret = { ...text, writeOnly: true };
const id = { type: "integer", readOnly: true };

const schemas = {
  User: {
    type: "object",
    properties: { id, name: text, password: secret, home: { $ref: "#/components/schemas/Home" } },
    required: ["id", "name", "password"],
  },
  Home: { type: "object", properties: { city: text }, required: ["city"] },
  // Holds a marked schema only behind a reference, and refers to itself.
  Team: {
    type: "object",
    properties: {
      lead: { $ref: "#/components/schemas/User" },
      parts: { type: "array", items: { $ref: "#/components/schemas/Team" } },
    },
    required: ["lead"],
  },
  Stamp: { ...text, readOnly: true },
  Admin: {
    allOf: [
      { $ref: "#/components/schemas/User" },
      { type: "object", properties: { at: { $ref: "#/components/schemas/Stamp" } } },
    ],
    required: ["id", "at", "password"],
  },
};

/** Returns the client of a document whose operation takes and returns a schema. */
function clientOf(schema: unknown, type = "application/json"): string {
  const content = { [type]: { schema } };
  const outcome = writeClient({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: {
      "/x": {
        post: {
          operationId: "send",
          requestBody: { required: true, content },
          responses: {
            200: { description: "OK", content: { "application/json": { schema } } },
          },
        },
      },
    },
    components: { schemas },
  });
  assert(outcome.ok);
  return outcome.text;
}

/** Returns the names of the members of a declared type, or the type that it is. */
function membersOf(client: string, name: string): readonly string[] {
  const declared = new RegExp(`export type ${name} =((?:.|\\n)*?);\\n(?=\\n|$)`).exec(client)?.[1];
  assert(declared !== undefined, `no type ${name}`);
  return [...declared.matchAll(/^\s*(?:\| )?(\w+\??): *(.*?);?$/gm)].map(([, member = ""]) =>
    member
  );
}

Deno.test("client: a request leaves out readOnly, a response writeOnly", () => {
  const client = clientOf({ $ref: "#/components/schemas/User" });
  assertEquals(membersOf(client, "User"), ["id", "name", "home?"]);
  assertEquals(membersOf(client, "UserRequest"), ["name", "password", "home?"]);
  assert(client.includes("body: UserRequest;"));
  assert(client.includes("export type SendValue = User;"));
  // Requests and responses of a schema without marks have one type.
  assertEquals(client.match(/export type Home\w* =/g), ["export type Home ="]);
});

Deno.test("client: a schema that refers to a marked one has two types, and may refer to itself", () => {
  const client = clientOf({ $ref: "#/components/schemas/Team" });
  assert(
    /export type TeamRequest = \{\n {2}lead: UserRequest;\n {2}parts\?: TeamRequest\[\]/.test(
      client,
    ),
  );
  assert(/export type Team = \{\n {2}lead: User;\n {2}parts\?: Team\[\]/.test(client));
});

Deno.test("client: what is left out is not required by a part of allOf", () => {
  const client = clientOf({ $ref: "#/components/schemas/Admin" });
  const request = client.slice(client.indexOf("export type AdminRequest ="));
  assertEquals(/\b(id|at)\b/.exec(request.slice(0, request.indexOf(";\n\n"))), null);
  assert(/export type Admin =(?:.|\n)*?at: Stamp/.test(client) || client.includes("at?: Stamp"));
});

Deno.test("client: schemas in place and forms are kept apart too", () => {
  const client = clientOf(schemas.User, "multipart/form-data");
  const input = client.slice(client.indexOf("export type SendInput"));
  assertEquals(/\bid\b/.exec(input.slice(0, input.indexOf(";\n\n"))), null);
  assertEquals(membersOf(client, "SendValue"), ["id", "name", "home?"]);
});

Deno.test("client: marks deep in a chain of references are found in time", () => {
  const chain = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [`C${at}`, {
      type: "object",
      properties: at === 4_999 ? { id } : { next: { $ref: `#/components/schemas/C${at + 1}` } },
    }]),
  );
  const started = performance.now();
  const outcome = writeClient({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: {
      "/x": {
        put: {
          operationId: "send",
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/C0" } } },
          },
          responses: { 204: { description: "Done" } },
        },
      },
    },
    components: { schemas: chain },
  });
  assert(outcome.ok);
  assert(outcome.text.includes("export type C4999Request ="));
  assert(performance.now() - started < 20_000);
});
