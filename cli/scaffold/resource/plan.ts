/**
 * What the sources of a resource are made from.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import type { ResourceNames } from "./names.ts";
import { hasWords, type ResourceTexts } from "./texts.ts";
import type { UploadField } from "./uploads.ts";

/** A resource to write. */
export interface ResourcePlan {
  readonly names: ResourceNames;
  readonly fields: readonly Field[];
  readonly uploads: readonly UploadField[];
  /** Whether there is a JSON API beside the pages. */
  readonly hasApi: boolean;
  /** Whether the pages use the component kit. */
  readonly hasKit: boolean;
  /** What the pages say. */
  readonly texts: ResourceTexts;
  /** Returns the specifier of a file of the project, from another one. */
  readonly importOf: (file: string, from: string) => string;
}

/** The constant with the rules of the uploads when a row is added. */
export function filesName({ names }: ResourcePlan): string {
  return `${names.one}Files`;
}

/** The constant with those when it is changed: it keeps what is not sent. */
export function changedFilesName(plan: ResourcePlan): string {
  return plan.uploads.some(({ isRequired }) => isRequired)
    ? `changed${plan.names.type}Files`
    : filesName(plan);
}

/** Reports whether the API may add a row: JSON carries no uploads. */
export function canAddByApi({ uploads }: ResourcePlan): boolean {
  return uploads.every(({ isRequired }) => !isRequired);
}

/** The characters that a search takes. */
export const maxSearchChars = 100;

/** The fields that a search looks at. */
export function searchedFields({ fields }: ResourcePlan): readonly Field[] {
  return fields.filter(({ builder }) => builder === "text");
}

/** The field that names a row, if there is a text of its own: many rows have the same choice. */
export function titleField({ fields }: ResourcePlan): Field | undefined {
  const texts = fields.filter(({ builder, control, choices }) =>
    builder === "text" && control !== "textarea" && choices.length === 0
  );
  return texts.find(({ rules, isOptional }) => rules.has("required") && !isOptional) ?? texts[0];
}

/** Returns the expression that shows a value of `row`. */
export function shownValue(
  { texts }: ResourcePlan,
  field: Field,
): string {
  const { name, builder, control, isNullable } = field;
  const dot = isNullable ? "?." : ".";
  switch (builder) {
    case "bool":
      return `row.${name} ? ${texts.text("yes")} : ${texts.text("no")}`;
    case "int64":
      return `row.${name}${dot}toString()`;
    case "date":
      if (texts.hasCatalog) {
        const shown = formattedDate(field, `row.${name}`);
        return isNullable ? `row.${name} && ${shown}` : shown;
      }
      return control === "date"
        ? `row.${name}${dot}toISOString().slice(0, 10)`
        : `row.${name}${dot}toISOString().slice(0, 16).replace("T", " ")`;
    case "text":
      return texts.value(field, `row.${name}`);
    default:
      return `row.${name}`;
  }
}

/** Returns the expression of a date in the language of the request, in UTC as the forms read it. */
export function formattedDate({ control }: Field, date: string): string {
  const options = control === "date" ? "" : `, { dateStyle: "long", timeStyle: "short" }`;
  return `formatOf(c.language).date(${date}${options})`;
}

/** Returns the import of what shows the dates among the fields; nothing where none needs it. */
export function formatImport({ texts }: ResourcePlan, fields: readonly Field[]): string {
  const isNeeded = texts.hasCatalog && fields.some(({ builder }) => builder === "date");
  return isNeeded ? 'import { formatOf } from "@fw/fw/i18n";\n' : "";
}

/** Returns the function that words values, where one of the fields needs it. */
export function valueImport({ texts }: ResourcePlan, fields: readonly Field[]): readonly string[] {
  return texts.valueName !== undefined && fields.some(hasWords) ? [texts.valueName] : [];
}

/** Reports whether a column of the values stands at the end. */
export function isNumeric({ builder }: Field): boolean {
  return builder === "int" || builder === "int64" || builder === "float";
}

/** The field by which the tests recognize a row. */
export function shownField(plan: ResourcePlan): Field | undefined {
  return titleField(plan) ?? plan.fields.find(isNumeric) ?? searchedFields(plan)[0];
}

/** Returns the path of the module with the catalogs of a resource. */
export function messagesFile({ names }: ResourcePlan): string {
  return `lib/${names.file}_messages.ts`;
}

/** Returns the import of catalogs for a file; nothing where the texts are literals. */
export function messagesImport(plan: ResourcePlan, file: string, names: readonly string[]): string {
  if (!plan.texts.hasCatalog || names.length === 0) return "";
  return `import { ${names.join(", ")} } from "${plan.importOf(messagesFile(plan), file)}";\n`;
}
