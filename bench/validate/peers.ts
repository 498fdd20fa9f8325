/**
 * The same 12-field object in every library. All of them refuse unknown members, as fw does for a
 * JSON body.
 */
import { bool, float, int, struct, text, texts } from "../../runtime/schema/mod.ts";
import { type as arktype } from "npm:arktype@2.2.9";
import { Ajv } from "npm:ajv@8.20.0";
import Type from "npm:typebox@1.4.3";
import { Compile } from "npm:typebox@1.4.3/compile";
import * as v from "npm:valibot@1.5.0";
import * as z from "npm:zod@4.6.7";
import { validateJson } from "../../runtime/schema/result.ts";

/** A library with its function, which returns the number of messages: 0 for a valid object. */
export interface Peer {
  readonly name: string;
  readonly validate: (input: unknown) => number;
}

/** An input that every library accepts. */
export const validInput: Readonly<Record<string, unknown>> = {
  name: "Maria da Silva",
  email: "maria.silva@example.com",
  age: 34,
  website: "https://example.com/people/maria",
  role: "editor",
  street: "Rua das Flores 123",
  city: "Porto Alegre",
  zip: "90010280",
  newsletter: true,
  score: 87.5,
  tags: ["jazz", "theatre", "food"],
  bio: "Organises small concerts in old buildings, and writes about them.",
};

/** Four errors: too short, not an email address, too young, not one of the options. */
export const invalidInput: Readonly<Record<string, unknown>> = {
  ...validInput,
  name: "M",
  email: "maria.silva",
  age: 12,
  role: "owner",
};

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const urlPattern = /^https?:\/\/[^\s/]+/;

const ownSchema = struct({
  name: text("required,min=2,max=50"),
  email: text("required,email"),
  age: int("min=18,max=120"),
  website: text("url"),
  role: text("required,oneof=admin editor viewer"),
  street: text("required,max=100"),
  city: text("required,max=60"),
  zip: text("required,len=8"),
  newsletter: bool(),
  score: float("min=0,max=100"),
  tags: texts("max=5"),
  bio: text("max=500"),
});

/** fw as called by a request whose body contains no escapes. */
export const own: Peer = {
  name: "fw",
  validate: (input) => {
    const result = validateJson(ownSchema.compiled(), input, { isPlainText: true });
    // The other row, which reads the messages, counts them.
    return result.kind === "ok" ? 0 : 1;
  },
};

/** fw including the `FieldErrors`, an `Error` created only if a handler reads it. */
export const ownWithErrors: Peer = {
  name: "fw, `FieldErrors` made and read",
  validate: (input) => {
    const result = validateJson(ownSchema.compiled(), input, { isPlainText: true });
    if (result.kind === "ok") return 0;
    return result.kind === "invalid" ? [...result.errors].length : 1;
  },
};

/** Returns the compared libraries, compiled if they support it. */
export function peers(): readonly Peer[] {
  return [typeboxPeer(), arktypePeer(), ajvPeer(), valibotPeer(), zodPeer()];
}

const textOf = (min: number, max: number): Record<string, unknown> => ({
  type: "string",
  minLength: min,
  maxLength: max,
});

function jsonSchema(): Record<string, unknown> {
  const properties = {
    name: textOf(2, 50),
    email: { type: "string", pattern: emailPattern.source },
    age: { type: "integer", minimum: 18, maximum: 120 },
    website: { type: "string", pattern: urlPattern.source },
    role: { enum: ["admin", "editor", "viewer"] },
    street: textOf(1, 100),
    city: textOf(1, 60),
    zip: textOf(8, 8),
    newsletter: { type: "boolean" },
    score: { type: "number", minimum: 0, maximum: 100 },
    tags: { type: "array", maxItems: 5, items: { type: "string" } },
    bio: textOf(0, 500),
  };
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

function ajvPeer(): Peer {
  const validate = new Ajv({ allErrors: true }).compile(jsonSchema());
  return {
    name: "ajv 8.20, allErrors",
    validate: (input) => validate(input) ? 0 : validate.errors?.length ?? 0,
  };
}

function typeboxPeer(): Peer {
  const textType = (min: number, max: number) => Type.String({ minLength: min, maxLength: max });
  const compiled = Compile(Type.Object({
    name: textType(2, 50),
    email: Type.String({ pattern: emailPattern.source }),
    age: Type.Integer({ minimum: 18, maximum: 120 }),
    website: Type.String({ pattern: urlPattern.source }),
    role: Type.Union([Type.Literal("admin"), Type.Literal("editor"), Type.Literal("viewer")]),
    street: textType(1, 100),
    city: textType(1, 60),
    zip: textType(8, 8),
    newsletter: Type.Boolean(),
    score: Type.Number({ minimum: 0, maximum: 100 }),
    tags: Type.Array(Type.String(), { maxItems: 5 }),
    bio: textType(0, 500),
  }, { additionalProperties: false }));
  return {
    name: "typebox 1.4, compiled",
    validate: (input) => compiled.Check(input) ? 0 : compiled.Errors(input).length,
  };
}

function arktypePeer(): Peer {
  const schema = arktype({
    "+": "reject",
    name: "2 <= string <= 50",
    email: emailPattern,
    age: "18 <= number.integer <= 120",
    website: urlPattern,
    role: "'admin' | 'editor' | 'viewer'",
    street: "1 <= string <= 100",
    city: "1 <= string <= 60",
    zip: "string == 8",
    newsletter: "boolean",
    score: "0 <= number <= 100",
    tags: "string[] <= 5",
    bio: "string <= 500",
  });
  return {
    name: "arktype 2.2",
    validate: (input) => {
      const result = schema(input);
      return result instanceof arktype.errors ? result.length : 0;
    },
  };
}

function valibotPeer(): Peer {
  const textOf = (min: number, max: number) =>
    v.pipe(v.string(), v.minLength(min), v.maxLength(max));
  const schema = v.strictObject({
    name: textOf(2, 50),
    email: v.pipe(v.string(), v.regex(emailPattern)),
    age: v.pipe(v.number(), v.integer(), v.minValue(18), v.maxValue(120)),
    website: v.pipe(v.string(), v.regex(urlPattern)),
    role: v.picklist(["admin", "editor", "viewer"]),
    street: textOf(1, 100),
    city: textOf(1, 60),
    zip: v.pipe(v.string(), v.length(8)),
    newsletter: v.boolean(),
    score: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    tags: v.pipe(v.array(v.string()), v.maxLength(5)),
    bio: v.pipe(v.string(), v.maxLength(500)),
  });
  return {
    name: "valibot 1.5",
    validate: (input) => v.safeParse(schema, input).issues?.length ?? 0,
  };
}

function zodPeer(): Peer {
  const textOf = (min: number, max: number) => z.string().min(min).max(max);
  const schema = z.strictObject({
    name: textOf(2, 50),
    email: z.string().regex(emailPattern),
    age: z.int().min(18).max(120),
    website: z.string().regex(urlPattern),
    role: z.enum(["admin", "editor", "viewer"]),
    street: textOf(1, 100),
    city: textOf(1, 60),
    zip: z.string().length(8),
    newsletter: z.boolean(),
    score: z.number().min(0).max(100),
    tags: z.array(z.string()).max(5),
    bio: z.string().max(500),
  });
  return {
    name: "zod 4.6",
    validate: (input) => schema.safeParse(input).error?.issues.length ?? 0,
  };
}
