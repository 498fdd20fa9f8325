import { sampleText } from "../sample.ts";
import {
  type Field,
  isDate,
  isPlainField,
  type ParsedFields,
  parseFields,
  type UploadField,
} from "./fields.ts";
import { findReferencedTable, type ReferencedTable } from "./references.ts";
import { hasWords, listFields } from "./resource.ts";

/** The fields of the book loans: one of each kind, and an optional one if its code differs. */
export const sampleFields: readonly string[] = [
  "headline:text,required,max=200",
  "remark:text,optional",
  "story:long",
  "contact:email,required",
  "website:url",
  "genre:oneof=active/lost",
  "mood:oneof=active/lost,optional",
  "seats:int,max=500",
  "views:int64",
  "price:float",
  "fee:money=EUR",
  "lent:bool",
  "opens:date,required",
  "closes:date",
  "begins:datetime,required",
  "reader:ref=users",
  "cover:image,max=512kb",
  "scan:file,max=2mb",
];

export const sample: ParsedFields = parseFields(sampleFields);

export const models: readonly (Field | UploadField)[] = [...sample.fields, ...sample.uploads];

export const sampleReference = requireReference();

function requireReference(): ReferencedTable {
  const sql = sampleText("kit/migrations/0001_create_accounts.sql");
  const found = findReferencedTable(sql, "users");
  if (found === undefined) throw new TypeError("Cannot find the accounts of the sample.");
  return found;
}

export const sampleLists = listFields(sample.fields, { filters: Infinity, sorts: 2 });

/** Returns the fields of the book loans that can be models of a field, best first. */
export function modelsOf(field: Field | UploadField): readonly string[] {
  if (!isPlainField(field)) return [field.type === "image" ? "cover" : "scan"];
  const kinds = [kindOf(field), baseOf(field)];
  const own = kinds.flatMap((kind) =>
    sample.fields.filter((each) => kindOf(each) === kind && each.isOptional === field.isOptional)
      .concat(sample.fields.filter((each) => kindOf(each) === kind))
  );
  return [...new Set(own.map(({ name }) => name))];
}

function kindOf(field: Field): string {
  const { builder, control, rules, reference } = field;
  if (reference !== undefined) return "ref";
  if (isDate(field)) return control;
  if (builder !== "text") return builder;
  if (rules.has("email") || rules.has("url")) return rules.has("email") ? "email" : "url";
  return hasWords(field) ? "enum" : control;
}

/** Returns the fallback kind, whose code also serves kinds without a model. */
function baseOf(field: Field): string {
  const { builder, control } = field;
  if (builder === "text") return "text";
  return isDate(field) ? "date" : builder === "bool" ? control : "int";
}
