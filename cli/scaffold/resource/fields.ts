import { findNearest } from "@fw/fw/addon";
import type { Messages } from "../../messages/catalog.ts";
import { UsageError } from "../../stop.ts";
import { labelOf } from "../languages.ts";
import { isReservedFolder } from "./names.ts";
import {
  isUploadType,
  uploadColumns,
  type UploadField,
  uploadLimit,
  uploadOf,
  uploadRules,
  uploadTypes,
} from "./uploads.ts";

const types = {
  text: { builder: "text", control: "text" },
  long: { builder: "text", control: "textarea" },
  email: { builder: "text", control: "email", rule: "email" },
  url: { builder: "text", control: "url", rule: "url" },
  enum: { builder: "text", control: "select" },
  int: { builder: "int", control: "number" },
  int64: { builder: "int64", control: "number" },
  float: { builder: "float", control: "number" },
  number: { builder: "float", control: "number" },
  money: { builder: "money", control: "number" },
  bool: { builder: "bool", control: "checkbox" },
  date: { builder: "day", control: "date" },
  day: { builder: "day", control: "date" },
  datetime: { builder: "date", control: "datetime-local" },
  ref: { builder: "int", control: "select" },
} as const;

export type TypeName = keyof typeof types;

/** The function of `@fw/fw` that makes the field of the schema. */
export type Builder = typeof types[TypeName]["builder"];

export interface FieldType {
  readonly builder: Builder;
  readonly control: typeof types[TypeName]["control"];
  readonly rule?: "email" | "url";
}

export const typeNames: readonly string[] = [...Object.keys(types), ...uploadTypes];

const typeList = [...typeNames, "oneof=a/b/c"].join(", ");

const rulesOf: Readonly<Record<Builder | "upload", readonly string[]>> = {
  upload: uploadRules,
  text: ["required", "optional", "min", "max", "len", "email", "url", "oneof", "eqfield"],
  int: ["required", "optional", "min", "max", "oneof", "eqfield"],
  int64: ["required", "optional", "min", "max", "oneof", "eqfield"],
  float: ["required", "optional", "min", "max", "oneof", "eqfield"],
  money: ["required", "optional", "min", "max"],
  bool: ["required"],
  date: ["required", "optional", "min", "max", "eqfield"],
  day: ["required", "optional", "min", "max", "eqfield"],
};

export interface Field extends FieldType {
  readonly name: string;
  readonly type: TypeName;
  /** The rules by name, in their order, without `optional`; `""` for one without a parameter. */
  readonly rules: ReadonlyMap<string, string>;
  /** It is `null` when it is absent. */
  readonly isOptional: boolean;
  readonly choices: readonly string[];
  /** The name for people, in English. */
  readonly label: string;
  /** No two rows have the same value. */
  readonly isUnique: boolean;
  readonly currency?: string;
  readonly reference?: Reference;
}

export interface Reference {
  /** The name of the field without `Id`: `customer`. */
  readonly name: string;
  readonly table: string;
  readonly onDelete: "restrict" | "cascade" | "set null";
}

export interface ParsedFields {
  readonly fields: readonly Field[];
  readonly uploads: readonly UploadField[];
}

type Texts = Messages["resource"]["field"];

function refuse(explain: (texts: Texts) => string): never {
  throw new UsageError(({ resource }) => explain(resource.field));
}

const maxFields = 40;

export function parseFields(texts: readonly string[]): ParsedFields {
  if (texts.length > maxFields) refuse(({ many }) => many(String(maxFields)));
  const fields: Field[] = [];
  const uploads: UploadField[] = [];
  const taken = new Set<string>();
  for (const text of texts) {
    const field = parseField(text);
    const isUpload = "maxKiB" in field;
    // The names of columns differ in more than case.
    const names = isUpload ? [field.name, ...uploadColumns(field)] : [
      fieldColumn(field.name),
      ...field.reference === undefined ? [] : [
        fieldColumn(field.reference.name),
        `${fieldColumn(field.reference.name)}_name`,
      ],
    ];
    for (const name of names.map((each) => each.toLowerCase())) {
      if (taken.has(name)) refuse(({ twice }) => twice(name));
      taken.add(name);
    }
    if (isUpload) uploads.push(field);
    else fields.push(field);
  }
  if (fields.length === 0) {
    const names = uploads.map(({ name }) => JSON.stringify(name)).join(", ");
    refuse((texts) => texts.uploads(names));
  }
  for (const { name, rules, builder } of fields) {
    const other = rules.get("eqfield");
    if (other === undefined) continue;
    const isThere = fields.some((each) =>
      each.name === other && each.builder === builder && other !== name
    );
    if (!isThere) refuse(({ param }) => param(name, "eqfield", "eqfield=email"));
  }
  return { fields: fields.map((field) => withLimit(field, fields)), uploads };
}

const fieldName = /^[a-z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)*$/;

/** Returns the property of a name of the command line: `due_at` is `dueAt`. */
function propertyName(name: string): string {
  return name.replaceAll(/_([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the column of a property: `dueAt` is `due_at`. */
export function fieldColumn(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const referenceType = /^ref=([a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)(?:\/(restrict|cascade|null))?$/;
const currencyType = /^money=([A-Z]{3})$/;

function parseField(text: string): Field | UploadField {
  const colon = text.indexOf(":");
  if (colon === -1) refuse(({ syntax }) => syntax(text, typeList));
  const sent = text.slice(0, colon);
  // Columns have underscores in the place of capitals, and messages of constraints name the property.
  const name = fieldName.test(sent) ? propertyName(sent) : sent;
  const [written = "", ...ruleTexts] = text.slice(colon + 1).split(",");
  const [type = ""] = written.split("=");
  if (type === "oneof") {
    const rules = [written, ...ruleTexts].filter((rule) => rule !== "required");
    const required = ruleTexts.includes("optional") ? [] : ["required"];
    return parseTyped(name, { type: "enum", ruleTexts: [...required, ...rules] });
  }
  if (type === "ref" || type === "money") {
    const [, argument, action] = (type === "ref" ? referenceType : currencyType).exec(written) ??
      [];
    const example = type === "ref" ? "ref=customers" : "money=EUR";
    if (argument === undefined) return refuse(({ param }) => param(name, written, example));
    if (type === "money") return parseTyped(name, { type, ruleTexts, currency: argument });
    const onDelete = action === "null" ? "set null" : action === "cascade" ? action : "restrict";
    const reference: Reference = { name, table: argument.replaceAll("-", "_"), onDelete };
    const isNull = onDelete === "set null" && !ruleTexts.includes("optional");
    const rules = isNull ? [...ruleTexts, "optional"] : ruleTexts;
    return parseTyped(`${name}Id`, { type, ruleTexts: rules, reference });
  }
  return parseTyped(name, { type: written, ruleTexts });
}

function parseTyped(
  name: string,
  { type, ruleTexts, currency, reference }: {
    readonly type: string;
    readonly ruleTexts: readonly string[];
    readonly currency?: string;
    readonly reference?: Reference;
  },
): Field | UploadField {
  if (!fieldName.test(name) || name.length > 40) refuse((texts) => texts.name(name));
  // `id` is the key of a row, `added_at` and `deleted_at` its times, `texts` tells what was sent from a row, the others are in
  // every object.
  const isReserved = /^(?:id|texts|(?:added|deleted)_?at)$/i.test(name) || name in {};
  if (isReserved) refuse(({ reserved }) => reserved(name));
  if (isUploadType(type)) {
    // The URL of an upload stands beside these pages.
    if (name === "edit" || name === "delete" || isReservedFolder(name)) {
      refuse(({ reserved }) => reserved(name));
    }
    const { rules } = parseRules(ruleTexts, { field: name, builder: "upload", own: undefined });
    return uploadOf(name, { type, rules });
  }
  if (!isTypeName(type)) {
    return refuse((texts) =>
      texts.type(name, type, typeList) + nearestHint(texts, type, typeNames)
    );
  }
  const own: FieldType = types[type];
  const parsed = parseRules(ruleTexts, { field: name, builder: own.builder, own: own.rule });
  const isSkippable = type === "enum" || own.builder === "date" || own.builder === "day" ||
    (parsed.isUnique && own.builder === "text");
  const isOptional = parsed.isOptional ||
    (!parsed.rules.has("required") && (isSkippable || excludesZero(own, parsed.rules)));
  const rules = reference === undefined || isOptional || parsed.rules.has("required")
    ? parsed.rules
    : new Map([["required", ""], ...parsed.rules]);
  const choices = rules.get("oneof")?.split(" ") ?? [];
  if (type === "enum" && choices.length === 0) refuse((texts) => texts.choices(name));
  return {
    ...own,
    name,
    type,
    rules,
    isOptional,
    choices,
    label: labelOf(reference?.name ?? name),
    isUnique: parsed.isUnique,
    ...currency === undefined ? {} : { currency },
    ...reference === undefined ? {} : { reference },
  };
}

const maxLineChars = 255;
const maxLongChars = 10_000;

const limits = ["max", "len", "oneof", "email", "url"];

/**
 * Returns the field with a `max` where nothing limits its length: any client may send such a text, and each
 * search reads it.
 */
function withLimit(field: Field, fields: readonly Field[]): Field {
  const { builder, control, rules } = field;
  const equal = fields.find(({ name }) => name === rules.get("eqfield"));
  const isLimited = limits.some((rule) => rules.has(rule)) ||
    equal?.rules.has("eqfield") === false;
  if (builder !== "text" || isLimited) return field;
  const min = Number(rules.get("min") ?? 0);
  const max = Math.max(control === "textarea" ? maxLongChars : maxLineChars, 2 * min);
  return { ...field, rules: new Map([...rules, ["max", String(max)]]) };
}

/** Reports whether a number that is left out, and would be 0, breaks a rule when the row is edited. */
function excludesZero({ builder }: FieldType, rules: ReadonlyMap<string, string>): boolean {
  const isNumber = ["int", "int64", "float", "money"].includes(builder);
  if (!isNumber || rules.has("required")) return false;
  const values = rules.get("oneof")?.split(" ");
  return Number(rules.get("min") ?? 0) > 0 || Number(rules.get("max") ?? 0) < 0 ||
    values?.some((value) => Number(value) === 0) === false;
}

function isTypeName(name: string): name is TypeName {
  return Object.hasOwn(types, name);
}

interface Rules {
  readonly rules: ReadonlyMap<string, string>;
  readonly isOptional: boolean;
  readonly isUnique: boolean;
}

function parseRules(
  texts: readonly string[],
  { field, builder, own }: {
    readonly field: string;
    readonly builder: Builder | "upload";
    readonly own: FieldType["rule"];
  },
): Rules {
  const allowed = builder === "upload" || builder === "bool"
    ? rulesOf[builder]
    : [...rulesOf[builder], "unique"];
  const found = new Map<string, string>();
  for (const text of texts) {
    const [head = "", ...rest] = text.split("=");
    const rule = allowed.find((each) => each === head) ??
      allowed.find((each) => each === head.toLowerCase());
    if (rule === undefined || found.has(rule)) {
      return refuse((texts) =>
        texts.rule(field, text, allowed.join(", ")) + nearestHint(texts, head, allowed)
      );
    }
    const param = rest.join("=");
    const wanted = paramOf(rule, builder);
    if (!wanted.pattern.test(param)) {
      refuse((texts) => texts.param(field, text, wanted.example));
    }
    const choices = (): string => [...new Set(param.split(/[|/]/))].join(" ");
    const value = rule === "eqfield" ? propertyName(param) : param;
    found.set(rule, rule === "oneof" ? choices() : value);
  }
  const isOptional = found.delete("optional");
  const isUnique = found.delete("unique");
  // Rules are checked in their order, and the first that fails is the message.
  const first = [
    ...found.has("required") ? ["required"] : [],
    ...own === undefined ? [] : [own],
  ];
  const rules = new Map(first.map((rule) => [rule, ""]));
  for (const [rule, param] of found) rules.set(rule, param);
  return { rules, isOptional, isUnique };
}

function nearestHint(texts: Texts, written: string, known: readonly string[]): string {
  const nearest = findNearest(written, known);
  return nearest === undefined ? "" : ` ${texts.nearest(nearest)}`;
}

/** Returns what a rule takes after `=`, with an example. */
function paramOf(
  rule: string,
  builder: Builder | "upload",
): { readonly pattern: RegExp; readonly example: string } {
  const isWhole = builder === "int" || builder === "int64";
  const isDate = builder === "date" || builder === "day";
  const isFraction = builder === "float" || builder === "money";
  if (rule === "len") return { pattern: /^[1-9]\d{0,5}$/, example: "len=2" };
  if (rule === "eqfield") return { pattern: fieldName, example: "eqfield=email" };
  if (rule === "oneof") {
    return isWhole || isFraction
      ? { pattern: /^-?\d{1,15}(?:[|/]-?\d{1,15})*$/, example: "oneof=1/2/3" }
      : {
        pattern: /^[\p{L}\p{N}._-]+(?:[|/][\p{L}\p{N}._-]+)*$/u,
        example: "oneof=draft/public",
      };
  }
  if (rule !== "min" && rule !== "max") return { pattern: /^$/, example: rule };
  if (builder === "upload") return uploadLimit;
  if (isDate) {
    return { pattern: /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$/, example: `${rule}=2026-01-31` };
  }
  return isFraction
    ? { pattern: /^-?\d{1,15}(?:\.\d{1,15})?$/, example: `${rule}=1.5` }
    : { pattern: isWhole ? /^-?\d{1,15}$/ : /^\d{1,6}$/, example: `${rule}=1` };
}
