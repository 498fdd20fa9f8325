import { labelOf, portugueseLabel } from "../languages.ts";
import { createList, type Item, type List, type Pair } from "../sample.ts";
import { columnSql, type IndexedFields, indexSql } from "./columns.ts";
import { type Field, fieldColumn } from "./fields.ts";
import { capital, type ResourceNames } from "./names.ts";
import { isPlainField, type Resource } from "./resource.ts";
import { models, modelsOf, sample, sampleLists, sampleReference } from "./sample_fields.ts";
import { type Sample, sampleOf } from "./samples.ts";
import { seedValue } from "./seeds.ts";
import { sizeText, type UploadField } from "./uploads.ts";

export function createFieldList(
  fields: readonly (Field | UploadField)[],
  { sorts, resource, isSql }: {
    readonly sorts: readonly Field[];
    readonly resource: Resource;
    readonly isSql: boolean;
  },
): List {
  const nameOf = (name: string): string => isSql ? fieldColumn(name) : name;
  return {
    models: models.map(({ name }) => nameOf(name)),
    items: fields.map((field): Item => ({
      models: modelsOf(field).map(nameOf),
      replace: (name) => {
        const model = models.find((each) => nameOf(each.name) === name);
        if (model === undefined) return [];
        if (isSql && isPlainField(model) && isPlainField(field)) {
          return [[columnSql(model, resource), columnSql(field, resource)]];
        }
        if (isSql) return [[model.name, fieldColumn(field.name)]];
        return replacements(model, { field, resource });
      },
      ...isPlainField(field)
        ? {
          lists: {
            choice: choiceList(field),
            sortKey: createList("key", sorts.includes(field) ? [[]] : []),
          },
        }
        : {},
    })),
  };
}

export function referenceList(resource: Resource): List {
  return {
    models: ["reader", "readerName", "readerIds", "readerId"],
    items: resource.fields.flatMap((field): Item[] =>
      field.reference === undefined ? [] : [{
        models: ["reader", "readerName", "readerIds", "readerId"],
        replace: () => referenceNames(field, resource),
      }]
    ),
  };
}

function referenceNames(
  { reference, name }: Field,
  { references }: Resource,
): readonly Pair[] {
  const found = references.find(({ table }) => table === reference?.table);
  if (reference === undefined || found === undefined) return [];
  const own = reference.name;
  const column = fieldColumn(own);
  const link = `h.a(h.href(c.href("/book-loans/{id}", { id: row.readerId })), row.readerName)`;
  return [
    ...found.page === undefined
      ? ["\n        ", " "].map((space) =>
        [`row.readerId &&${space}${link}`, `row.${own}Name`] as const
      )
      : [["/book-loans/{id}", found.page] as const],
    ["readerId", name],
    ["readerName", `${own}Name`],
    ["readerChoices", `${own}Choices`],
    ["readerIds", `${own}Ids`],
    [`refer to ${sampleReference.table}:`, `refer to ${found.table}:`],
    ["the reader", `the ${labelOf(own).toLowerCase()}`],
    ['"reader"', `"${column}"`],
    ['"reader_id"', `"${column}_id"`],
    ['"reader_name"', `"${column}_name"`],
    [`"${sampleReference.table}"`, `"${found.table}"`],
    [`"${sampleReference.title}"`, `"${found.title}"`],
    ...found.isAudited
      ? [[`label: "${sampleReference.title}"`, `label: "${found.title}", isAudited: true`] as const]
      : [],
  ];
}

export function sortNames(sorts: readonly Field[]): string {
  const names = ["newest", "oldest", ...sorts.flatMap(({ name }) => [name, `-${name}`])];
  return `"oneof=${names.join(" ")}"`;
}

/** Returns what stands in the place of the SQL of the sample that no region holds. */
export function sqlNames(
  { searched, names, isAudited, ...lists }: IndexedFields & {
    readonly searched: readonly Field[];
    readonly names: ResourceNames;
    readonly isAudited: boolean;
  },
): Readonly<Record<string, string>> {
  const sampleSearched = sample.fields.filter(({ builder, choices }) =>
    builder === "text" && choices.length === 0
  );
  const columns = (fields: readonly Field[], before: string): string =>
    fields.map(({ name }) => `${before}"${fieldColumn(name)}"`).join(", ");
  const pairs = ["", "new.", "old."].map((before) =>
    [columns(sampleSearched, before), columns(searched, before)] as const
  );
  return {
    ...Object.fromEntries(pairs),
    [indexSql("book_loans", { ...sampleLists(), isAudited })]: indexSql(names.table, {
      ...lists,
      isAudited,
    }),
  };
}

/** Returns what differs in the code of two fields. */
function replacements(
  model: Field | UploadField,
  { field, resource }: {
    readonly field: Field | UploadField;
    readonly resource: Resource;
  },
): readonly Pair[] {
  const [from, to] = [model.label, field.label];
  const own = portugueseLabel(from) ?? from;
  const named = [
    [model.name, field.name],
    [`: ${JSON.stringify(own)}`, `: ${JSON.stringify(portugueseLabel(to) ?? to)}`],
    [`: ${JSON.stringify(from)}`, `: ${JSON.stringify(to)}`],
    [`What ${model.name} says.`, `What ${field.name} says.`],
  ] as const;
  if (!isPlainField(model) || !isPlainField(field)) {
    if (isPlainField(model) || isPlainField(field)) return named;
    return [
      ...named,
      ...["Name", "Type", "Hash"].map((part) =>
        [`${model.name}${part}`, `${field.name}${part}`] as const
      ),
      [`The ${model.name}, without`, `The ${to.toLowerCase()}, without`],
      ...[" ", "\n    "].map((space) =>
        [
          `${sizeText(model.maxKiB)},${space}optional: ${!model.isRequired}`,
          `${sizeText(field.maxKiB)}, optional: ${!field.isRequired}`,
        ] as const
      ),
    ];
  }
  const values = [false, true].flatMap((isOther) => {
    const [before, after] = [
      sampleOf(sample.fields, { isOther }),
      sampleOf(resource.fields, { isOther }),
    ];
    const pairs = [
      [before[model.name] ?? "", after[field.name] ?? ""],
      [jsonValue(model, before), jsonValue(field, after)],
    ] as const;
    return pairs.map(([one, other]) =>
      [`: ${JSON.stringify(one)}`, `: ${JSON.stringify(other)}`] as const
    );
  });
  return [
    ...named,
    ...values,
    ...referenceNames(field, resource),
    [`."${fieldColumn(model.name)}"`, `."${fieldColumn(field.name)}"`],
    [`"-${model.name}"`, `"-${field.name}"`],
    [`column: "${fieldColumn(model.name)}"`, `column: "${fieldColumn(field.name)}"`],
    [`set${capital(model.name)}`, `set${capital(field.name)}`],
    ...model.choices.length > 0
      ? [
        [
          'type: "cards"',
          `type: "${field.choices.length > maxCards ? "select" : "cards"}"`,
        ] as const,
      ]
      : [],
    ...shownPairs(model, field),
    [`${model.name} / 100`, `${field.name} / ${minorUnits(field)}`],
    ["sum / 100", `sum / ${minorUnits(field)}`],
    [`currency: "EUR"`, `currency: "${field.currency ?? "EUR"}"`],
    [builderCall(model), builderCall(field)],
    [
      seedValue(model, {
        constant: sampleOf(sample.fields)[model.name] ?? "",
        rows: "",
        fields: sample.fields,
      }),
      seedValue(field, {
        constant: sampleOf(resource.fields)[field.name] ?? "",
        rows: resource.names.words[0],
        fields: resource.fields,
      }),
    ],
    [`"oneof=${model.choices.join(" ")}"`, `"oneof=${field.choices.join(" ")}"`],
    [literals(model.choices), literals(field.choices)],
  ];
}

/** Guards what pages show of a field that may be `null`; the field of the sample never is. */
function shownPairs({ name: from }: Field, { name: to, isOptional }: Field): readonly Pair[] {
  const guard = (code: string): string => isOptional ? code : "";
  return [
    [`String(row.${from})`, isOptional ? `row.${to}?.toString()` : `String(row.${to})`],
    [`ui.amount(c, row.${from},`, `${guard(`row.${to} !== null && `)}ui.amount(c, row.${to},`],
    [`ui.time(c, row.${from},`, `${guard(`row.${to} && `)}ui.time(c, row.${to},`],
  ];
}

/** The most choices that stand beside each other in a form. */
const maxCards = 4;

function minorUnits({ currency = "EUR" }: Field): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
}

function jsonValue({ name, builder }: Field, values: Sample): unknown {
  if (builder === "bool") return true;
  // Not every integer of 64 bits is a number of JavaScript: one of JSON may be a text.
  return ["int", "float", "money"].includes(builder) ? Number(values[name]) : values[name];
}

function literals(choices: readonly string[]): string {
  return choices.length === 0 ? "" : `[${choices.map((each) => JSON.stringify(each)).join(", ")}]`;
}

/** Returns the call that makes the field of the schema, such as `text("required,max=80")`. */
function builderCall({ builder, rules, isOptional, currency }: Field): string {
  const written = [...rules].map(([rule, param]) => param === "" ? rule : `${rule}=${param}`);
  const text = written.join(",");
  const parts = [...currency === undefined ? [] : [currency], ...text === "" ? [] : [text]];
  const optional = isOptional ? ".optional()" : "";
  return `${builder}(${parts.map((part) => JSON.stringify(part)).join(", ")})${optional}`;
}

/** The choices of a field: `"genre.novel": "Novel"`. */
function choiceList({ choices }: Field): List {
  const items = choices.map((choice): Pair[] => [
    ["novel", choice],
    ["Novel", choiceLabel(choice)],
    ["[]", `[${choiceLook(choice, choices)}]`],
  ]);
  return { ...createList("novel", items), models: ["novel", "essay"] };
}

const choiceLooks: readonly (readonly [values: RegExp, look: string])[] = [
  [
    /^(?:accepted|active|approved|completed?|confirmed|delivered|done|live|paid|published|resolved|won)$/,
    "ui.success, ui.dot",
  ],
  [
    /^(?:in[-_ ]?progress|new|open|processing|running|scheduled|sent|shipped|todo)$/,
    "ui.info, ui.dot",
  ],
  [
    /^(?:draft|on[-_ ]?hold|paused|pending|planned|requested|review|waiting)$/,
    "ui.warning, ui.hollow",
  ],
  [
    /^(?:blocked|critical|failed|high|lost|overdue|refused|rejected|urgent)$/,
    "ui.destructive, ui.dot",
  ],
];

/** Returns the look of a value. The values of a field that says nothing of a state look alike. */
function choiceLook(choice: string, choices: readonly string[]): string {
  const looks = choices.map((each) =>
    choiceLooks.find(([values]) => values.test(each.toLowerCase()))?.[1]
  );
  const isState = looks.some((look) => look !== undefined);
  return looks[choices.indexOf(choice)] ?? (isState ? "ui.hollow" : "");
}

export function choiceLabel(choice: string): string {
  return capital(choice.replaceAll(/[-_]+/g, " "));
}
