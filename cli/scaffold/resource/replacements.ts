import { labelOf, markText, portugueseLabel } from "../languages.ts";
import { createList, type Item, type List, type Pair, zip } from "../sample.ts";
import { columnsSql, type IndexedFields, indexSql } from "./columns.ts";
import {
  type Field,
  fieldColumn,
  isPlainField,
  type ParsedFields,
  type UploadField,
} from "./fields.ts";
import { capital } from "./names.ts";
import { canFollow } from "./parents.ts";
import type { ReferencedTable } from "./references.ts";
import { isFreeText, type Resource } from "./resource.ts";
import { models, modelsOf, sample, sampleLists, sampleReference } from "./sample_fields.ts";
import { sampleOf } from "./samples.ts";
import { seedValue } from "./seeds.ts";

export function createFieldList(
  fields: readonly (Field | UploadField)[],
  resource: Resource,
): List {
  return {
    models: models.map(({ name }) => name),
    items: fields.map((field): Item => ({
      models: modelsOf(field),
      replace: (name) => {
        const model = models.find((each) => each.name === name);
        return model === undefined ? [] : replacements(model, field, resource);
      },
      ...isPlainField(field) ? { lists: choiceLists(field) } : {},
    })),
  };
}

const referenceModels = ["reader", "readerName", "readerIds", "readerId"];

export function referenceList(resource: Resource): List {
  const fields = resource.fields.filter(({ reference }) => reference !== undefined);
  return {
    models: referenceModels,
    items: fields.map((field) => ({
      models: referenceModels,
      replace: () => referenceNames(field, resource),
      parts: { needed: !field.isOptional },
    })),
  };
}

/** Returns the references whose rows have a page that readers of the resource may see. */
export function linkedList(resource: Resource): List {
  const links = resource.fields.flatMap(({ name, reference }) => {
    const found = resource.references.find(({ table }) => table === reference?.table);
    return found?.page === undefined || !canFollow(found, resource)
      ? []
      : [[["readerId", name], ["/book-loans/{id}", found.page]] as const];
  });
  return createList(["readerId"], links);
}

function referenceTexts(name: string, { table, title }: ReferencedTable): readonly string[] {
  return [
    ...["Name", "Ids"].map((end) => `${name}${end}`),
    ...[table, title].map((text) => `"${text}"`),
    `refer to ${table}:`,
    `the ${labelOf(name).toLowerCase()}`,
  ];
}

function referenceNames(
  { reference, name }: Field,
  resource: Resource,
): readonly Pair[] {
  const found = resource.references.find(({ table }) => table === reference?.table);
  if (reference === undefined || found === undefined) return [];
  const texts = referenceTexts(reference.name, found);
  return [
    ["readerId", name],
    ...zip(referenceTexts("reader", sampleReference), texts),
    ...found.isAudited
      ? [[`label: "${sampleReference.title}"`, `label: "${found.title}", isAudited: true`] as const]
      : [],
  ];
}

export function sortNames(sorts: readonly Field[]): string {
  const names = ["newest", "oldest", ...sorts.flatMap(({ name }) => [name, `-${name}`])];
  return `"oneof=${names.join(" ")}"`;
}

export function sqlNames(resource: Resource, lists: IndexedFields): readonly Pair[] {
  return zip(
    sqlTexts({ ...sample, isAudited: true }, { table: "book_loans", ...sampleLists }),
    sqlTexts(resource, { table: resource.names.table, ...lists }),
  );
}

function sqlTexts(
  resource: ParsedFields & { readonly isAudited: boolean },
  { table, ...lists }: IndexedFields & { readonly table: string },
): readonly string[] {
  const searched = resource.fields.filter(isFreeText).map(({ name }) => `"${fieldColumn(name)}"`);
  return [
    columnsSql(resource),
    ...["", "new.", "old."].map((row) => searched.map((column) => row + column).join(", ")),
    indexSql(table, { ...lists, isAudited: resource.isAudited }),
  ];
}

function replacements(
  model: Field | UploadField,
  field: Field | UploadField,
  resource: Resource,
): readonly Pair[] {
  const named: readonly Pair[] = [
    [model.name, field.name],
    [portugueseText(model), portugueseText(field)],
    [`: ${JSON.stringify(model.label)}`, `: ${JSON.stringify(field.label)}`],
    [`What ${model.name} says.`, `What ${field.name} says.`],
  ];
  if (isPlainField(model) && isPlainField(field)) {
    const { fields, names: { words: [rows] } } = resource;
    const pairs = zip(
      codeOf(model, { fields: sample.fields, rows: "" }),
      codeOf(field, { fields, rows }),
    );
    return [...named, ...pairs, ...referenceNames(field, resource)];
  }
  if (isPlainField(model) || isPlainField(field)) return named;
  return [...named, ...zip(uploadTexts(model), uploadTexts(field))];
}

function uploadTexts({ name, type, maxKiB, isRequired }: UploadField): readonly string[] {
  const isPdf = type === "pdf";
  const accept = isPdf ? ', accept: ["application/pdf"]' : "";
  return [
    ...["Name", "Hash"].map((part) => name + part),
    `${sizeText(maxKiB)}, optional: ${!isRequired}${accept}`,
    `["${isPdf ? "%PDF-1.4 " : ""}What ${name}`,
    `"${name}.${isPdf ? "pdf" : "txt"}"`,
  ];
}

/** Returns the expression of a size in bytes: `2_048 * 1_024`. */
export function sizeText(kib: number): string {
  return `${String(kib).replaceAll(/\B(?=(?:\d{3})+$)/g, "_")} * 1_024`;
}

function portugueseText({ label }: { readonly label: string }): string {
  const translated = portugueseLabel(label);
  const text = `: ${JSON.stringify(translated ?? label)},`;
  return translated === undefined ? markText(text) : text;
}

/** Returns the code of a field's rules and of its example value, in a fixed order. */
function codeOf(
  field: Field,
  { fields, rows }: { readonly fields: readonly Field[]; readonly rows: string },
): readonly string[] {
  const { choices } = field;
  return [
    builderCall(field),
    seedValue(field, { constant: sampleOf(fields)[field.name] ?? "", rows, fields }),
    `"oneof=${choices.join(" ")}"`,
    choices.length === 0 ? "" : `: ${JSON.stringify(choices[0])}`,
    choices.length === 0 ? "" : `[${choices.map((each) => JSON.stringify(each)).join(", ")}]`,
  ];
}

/** Returns the call that creates the field of the schema, such as `text("required,max=80")`. */
function builderCall({ builder, rules, isOptional, currency }: Field): string {
  const written = [...rules].map(([rule, param]) => param === "" ? rule : `${rule}=${param}`);
  const text = written.join(",");
  const parts = [...currency === undefined ? [] : [currency], ...text === "" ? [] : [text]];
  const optional = isOptional ? ".optional()" : "";
  return `${builder}(${parts.map((part) => JSON.stringify(part)).join(", ")})${optional}`;
}

/** The choices of a field, `"genre.active": "Active"`, and their looks, if one of them names a state. */
function choiceLists({ choices }: Field): Readonly<Record<"choice" | "tone", List>> {
  const looks = choices.map((choice) => {
    const word = choice.toLowerCase().replaceAll(/[_ ]/g, "-");
    return Object.keys(choiceLooks).find((look) => choiceLooks[look]?.split(" ").includes(word));
  });
  const toned = looks.every((look) => look === undefined) ? [] : choices;
  return {
    choice: createList(
      ["active", "lost"],
      choices.map((choice): Pair[] => [
        ["active", choice],
        ["Active", capital(choice.replaceAll(/[-_]+/g, " "))],
      ]),
    ),
    tone: createList(
      ["active", "lost"],
      toned.map((choice, at): Pair[] => [
        ["active", choice],
        ["ui.success, ui.dot", looks[at] ?? "ui.hollow"],
      ]),
    ),
  };
}

const choiceLooks: Readonly<Record<string, string>> = {
  "ui.success, ui.dot":
    "accepted active approved complete completed confirmed delivered done live " +
    "paid published resolved won",
  "ui.info, ui.dot": "in-progress new open processing running scheduled sent shipped todo",
  "ui.warning, ui.hollow": "draft on-hold paused pending planned requested review waiting",
  "ui.destructive, ui.dot": "blocked critical failed high lost overdue refused rejected urgent",
};
