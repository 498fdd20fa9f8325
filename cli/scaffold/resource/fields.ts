import { findNearest } from "@fw/fw/addon";
import type { Messages } from "../../messages/catalog.ts";
import { UsageError } from "../../stop.ts";
import { labelOf } from "../languages.ts";
import { isReservedFolder } from "./names.ts";

const types = {
  text: { builder: "text", control: "text" },
  long: { builder: "text", control: "textarea" },
  email: { builder: "text", control: "email", rule: "email" },
  url: { builder: "text", control: "url", rule: "url" },
  oneof: { builder: "text", control: "select" },
  int: { builder: "int", control: "number" },
  int64: { builder: "int64", control: "number" },
  float: { builder: "float", control: "number" },
  money: { builder: "money", control: "number" },
  bool: { builder: "bool", control: "checkbox" },
  date: { builder: "day", control: "date" },
  day: { builder: "day", control: "date" },
  datetime: { builder: "date", control: "datetime-local" },
  ref: { builder: "int", control: "select" },
} as const;

export type TypeName = keyof typeof types;

interface FieldType {
  /** The function of `@fw/fw` that creates the field of the schema. */
  readonly builder: typeof types[TypeName]["builder"];
  readonly control: typeof types[TypeName]["control"];
  readonly rule?: "email" | "url";
}

/** Types that take an argument, such as `ref=customers/cascade`. */
const typeArguments: Readonly<Record<string, Form>> = {
  oneof: {
    pattern: /^oneof=([\p{L}\p{N}._-]+(?:\/[\p{L}\p{N}._-]+)*)$/u,
    example: "oneof=draft/public",
  },
  ref: {
    pattern: /^ref=([a-z][a-z0-9]*(?:[-_][a-z0-9]+)*)(?:\/(restrict|cascade|null))?$/,
    example: "ref=customers",
  },
  money: { pattern: /^money=([A-Z]{3})$/, example: "money=EUR" },
};

interface Form {
  readonly pattern: RegExp;
  readonly example: string;
}

const uploadTypes = ["image", "file", "pdf"] as const;

const typeList = [...Object.keys(types), ...uploadTypes]
  .map((type) => typeArguments[type]?.example ?? type).join(", ");

export interface Field extends FieldType {
  readonly name: string;
  /** The parameter of each rule, in order, without `optional`; `""` if a rule has none. */
  readonly rules: ReadonlyMap<string, string>;
  readonly isOptional: boolean;
  readonly choices: readonly string[];
  readonly label: string;
  readonly isUnique: boolean;
  readonly currency?: string;
  readonly reference?: {
    /** The name of the field without `Id`: `customer`. */
    readonly name: string;
    readonly table: string;
    readonly onDelete: "restrict" | "cascade" | "set null";
  };
}

export interface UploadField {
  readonly name: string;
  readonly label: string;
  readonly type: typeof uploadTypes[number];
  /** Whether a new row needs the upload; an edited row keeps its own. */
  readonly isRequired: boolean;
  readonly maxKiB: number;
}

export interface ParsedFields {
  readonly fields: readonly Field[];
  readonly uploads: readonly UploadField[];
}

function refuse(explain: (texts: Messages["resource"]["field"]) => string): never {
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
    // Column names are case-insensitive.
    for (const name of columnNames(field).map((each) => each.toLowerCase())) {
      if (taken.has(name)) refuse(({ twice }) => twice(name));
      taken.add(name);
    }
    if (isPlainField(field)) fields.push(field);
    else uploads.push(field);
  }
  if (fields.length === 0) {
    const names = uploads.map(({ name }) => JSON.stringify(name)).join(", ");
    refuse((texts) => texts.uploads(names));
  }
  return { fields, uploads };
}

export function isPlainField(field: Field | UploadField): field is Field {
  return "builder" in field;
}

function columnNames(field: Field | UploadField): readonly string[] {
  const own = fieldColumn(field.name);
  if (!isPlainField(field)) return [own, ...uploadColumns(field)];
  if (field.reference === undefined) return [own];
  const column = fieldColumn(field.reference.name);
  return [own, column, `${column}_name`];
}

const fieldName = /^[a-z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)*$/;

/** Returns the column of a property: `dueAt` is `due_at`. */
export function fieldColumn(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function uploadColumns({ name }: UploadField): readonly string[] {
  return ["name", "type", "hash"].map((part) => `${fieldColumn(name)}_${part}`);
}

function parseField(text: string): Field | UploadField {
  const colon = text.indexOf(":");
  if (colon === -1) refuse(({ syntax }) => syntax(text, typeList));
  const name = parseName(text.slice(0, colon));
  const [written = "", ...ruleTexts] = text.slice(colon + 1).split(",");
  const [head = ""] = written.split("=");
  const form = Object.hasOwn(typeArguments, head) ? typeArguments[head] : undefined;
  const found = form?.pattern.exec(written);
  if (form !== undefined && !found) refuse(({ param }) => param(name, written, form.example));
  const type = form === undefined ? written : head;
  if (isUploadType(type)) {
    // The URL of an upload is in the same folder as these pages.
    if (name === "edit" || name === "delete" || isReservedFolder(name)) {
      refuse(({ reserved }) => reserved(name));
    }
    return uploadOf(name, type, parseRules(ruleTexts, name, type));
  }
  if (!isTypeName(type)) {
    return refuse((texts) => texts.type(name, type, guessType(name, type), typeList));
  }
  // The full-text search of SQLite has columns with these names.
  const isSearched = types[type].builder === "text" && type !== "oneof";
  if (isSearched && /^(?:rank|rowid)$/i.test(name)) refuse(({ reserved }) => reserved(name));
  const [, argument = "", action] = found ?? [];
  return typedField(name, { type, argument, action, rules: parseRules(ruleTexts, name, type) });
}

/** Returns the property of a name: columns have underscores, and `due_at` is `dueAt`. */
function parseName(sent: string): string {
  const isName = fieldName.test(sent) && sent.length <= 40;
  const name = sent.replaceAll(/_([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase());
  if (!isName) refuse((texts) => texts.name(sent));
  // `id` is the key of a row, `added_at` and `deleted_at` are its times, `texts` are its submitted
  // values, and every object has the others.
  const isReserved = /^(?:id|texts|(?:added|deleted)_?at)$/i.test(name) || name in {};
  if (isReserved) refuse(({ reserved }) => reserved(name));
  return name;
}

function typedField(
  name: string,
  { type, argument, action, rules }: {
    readonly type: TypeName;
    readonly argument: string;
    readonly action: string | undefined;
    readonly rules: ReadonlyMap<string, string>;
  },
): Field {
  const own: FieldType = types[type];
  const onDelete = action === "null" ? "set null" : action === "cascade" ? action : "restrict";
  const mayLack = rules.has("optional") || onDelete === "set null";
  const isRequired = rules.has("required") || ((type === "ref" || type === "oneof") && !mayLack);
  const isUnique = rules.has("unique");
  const choices = type === "oneof" ? [...new Set(argument.split("/"))] : [];
  const isSkippable = isDate(own) || (isUnique && own.builder === "text") ||
    excludesZero(own, rules);
  return {
    ...own,
    name: type === "ref" ? `${name}Id` : name,
    rules: new Map([
      // Rules are checked in their order, and the first that fails is the message.
      ...isRequired ? [["required", ""] as const] : [],
      ...own.rule === undefined ? [] : [[own.rule, ""] as const],
      ...type === "oneof" ? [["oneof", choices.join(" ")] as const] : [],
      ...[...rules].filter(([rule]) => !/^(?:required|optional|unique)$/.test(rule)),
      ...lengthLimit(type, rules),
    ]),
    isOptional: mayLack || (!isRequired && isSkippable),
    choices,
    label: labelOf(name),
    isUnique,
    ...type === "money" ? { currency: argument } : {},
    ...type === "ref"
      ? { reference: { name, table: argument.replaceAll("-", "_"), onDelete } }
      : {},
  };
}

export function isDate({ builder }: FieldType): boolean {
  return builder === "date" || builder === "day";
}

const maxChars: Readonly<Record<string, number>> = { text: 255, long: 10_000 };

/** Adds a limit to an unlimited text: any client may send one, and each search reads it. */
function lengthLimit(
  type: TypeName,
  rules: ReadonlyMap<string, string>,
): readonly (readonly [rule: string, param: string])[] {
  const max = maxChars[type];
  if (max === undefined || rules.has("max")) return [];
  return [["max", String(Math.max(max, 2 * Number(rules.get("min") ?? 0)))]];
}

/** Reports whether an omitted number, stored as 0, would break a rule on editing. */
function excludesZero({ builder }: FieldType, rules: ReadonlyMap<string, string>): boolean {
  return ["int", "int64", "float", "money"].includes(builder) &&
    (Number(rules.get("min") ?? 0) > 0 || Number(rules.get("max") ?? 0) < 0);
}

const defaultKiB = 512;

function uploadOf(
  name: string,
  type: UploadField["type"],
  rules: ReadonlyMap<string, string>,
): UploadField {
  const [, digits, unit] = /^(\d+)([km])b$/i.exec(rules.get("max") ?? "") ?? [];
  const maxKiB = Number(digits ?? defaultKiB) * (unit?.toLowerCase() === "m" ? 1_024 : 1);
  return { name, label: labelOf(name), type, isRequired: rules.has("required"), maxKiB };
}

function isUploadType(type: string): type is UploadField["type"] {
  return uploadTypes.some((each) => each === type);
}

const foreignTypes: ReadonlyMap<string, string> = new Map(
  ("str text, string text, varchar text, char text, textarea long, richtext long, integer int, " +
    "number int, bigint int64, double float, decimal float, real float, boolean bool, " +
    "timestamp datetime, enum oneof=draft/public, references ref=customers, " +
    "belongs_to ref=customers, currency money=EUR, picture image, photo image, attachment file, " +
    "uri url, link url, mail email").split(", ").map((pair) => pair.split(" ") as [string, string]),
);

const proseNames =
  /(?:body|description|content|bio|notes?|comments?|summary|story|message|details)$/i;

/** Returns the type of this generator that a type of another one means, or the nearest one. */
function guessType(name: string, type: string): string | undefined {
  const foreign = foreignTypes.get(type.toLowerCase());
  return foreign === "text" && proseNames.test(name)
    ? "long"
    : foreign ?? findNearest(type, [...Object.keys(types), ...uploadTypes]);
}

function isTypeName(name: string): name is TypeName {
  return Object.hasOwn(types, name);
}

/** Returns the parameter of each rule; `""` if a rule has none. */
function parseRules(
  texts: readonly string[],
  name: string,
  type: TypeName | UploadField["type"],
): ReadonlyMap<string, string> {
  const forms = ruleForms(type);
  const found = new Map<string, string>();
  for (const text of texts) {
    const [rule = "", ...rest] = text.split("=");
    const form = forms.get(rule);
    if (isTypeName(rule) || isUploadType(rule)) {
      const typed = [text.replaceAll(" ", "/"), ...texts.filter((each) => each !== text)].join(",");
      refuse(({ typeAsRule }) => typeAsRule(name, rule, typed));
    }
    if (form === undefined || found.has(rule)) {
      const allowed = [...forms.keys()].join(", ");
      return refuse((texts) => texts.rule(name, text, allowed));
    }
    const param = rest.join("=");
    if (!form.pattern.test(param)) refuse((texts) => texts.param(name, text, form.example));
    found.set(rule, param);
  }
  return found;
}

const instant = { pattern: /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$/, example: "2026-01-31" };
const whole = { pattern: /^-?\d{1,15}$/, example: "1" };
const fraction = { pattern: /^-?\d{1,15}(?:\.\d{1,15})?$/, example: "1.5" };

const bounds: Readonly<Record<string, Form>> = {
  text: { pattern: /^\d{1,6}$/, example: "1" },
  int: whole,
  int64: whole,
  float: fraction,
  money: fraction,
  date: instant,
  day: instant,
  // Larger files belong in a folder, not a database.
  upload: { pattern: /^(?:[1-9]\d{0,4}kb|[1-9]\d?mb)$/i, example: "2mb" },
};

/** Returns the minor units of a currency unit, such as 100 cents. */
export function minorUnits({ currency = "EUR" }: Pick<Field, "currency">): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
}

function ruleForms(type: TypeName | UploadField["type"]): ReadonlyMap<string, Form> {
  const builder = isUploadType(type) ? "upload" : types[type].builder;
  const isBound = builder !== "bool" && type !== "ref" && type !== "oneof";
  const names = isUploadType(type) ? ["required", "optional", "max"] : [
    "required",
    ...builder === "bool" ? [] : ["optional", "unique"],
    ...isBound ? ["min", "max"] : [],
  ];
  return new Map(names.map((name): [string, Form] => {
    const bound = name === "min" || name === "max" ? bounds[builder] : undefined;
    if (bound === undefined) return [name, { pattern: /^$/, example: name }];
    return [name, { pattern: bound.pattern, example: `${name}=${bound.example}` }];
  }));
}
