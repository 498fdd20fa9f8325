import { labelOf, portugueseLabel, wordedLanguages } from "../languages.ts";
import {
  type Item,
  type List,
  type NewFile,
  type Rendering,
  renderSample,
  replaceNames,
  sampleText,
} from "../sample.ts";
import { type EngineName, engineNames } from "../database/engine.ts";
import { columnSql, type IndexedFields, indexSql } from "./columns.ts";
import { builderCall, type Field, fieldColumn, type ParsedFields, parseFields } from "./fields.ts";
import { capital, nameResource, type ResourceNames } from "./names.ts";
import { findReferencedTable, type ReferencedTable } from "./references.ts";
import { refusedValue, type Sample, sampleOf } from "./samples.ts";
import { seedFile, seedValue } from "./seeds.ts";
import { neededKiB, sizeText, type UploadField } from "./uploads.ts";

export interface Resource extends ParsedFields {
  readonly names: ResourceNames;
  readonly hasApi: boolean;
  /** The list is exported as CSV, and rows are imported. */
  readonly hasCsv: boolean;
  /** The module in `lib/` whose guard lets signed-in users pass alone; `undefined` for public pages. */
  readonly guard: "sessions" | "auth" | undefined;
  readonly languages: readonly string[];
  readonly engine: EngineName;
  readonly references: readonly ReferencedTable[];
}

/** The fields of the book loans: each kind, and each that may be left out. */
export const sampleFields: readonly string[] = [
  "headline:text,required,max=200",
  "remark:text,optional",
  "story:long",
  "memo:long,optional",
  "contact:email,required",
  "backup:email,optional",
  "website:url",
  "mirror:url,optional",
  "genre:enum,required,oneof=novel|essay",
  "mood:enum,optional,oneof=novel|essay",
  "seats:int,max=500",
  "spare:int,optional",
  "views:int64",
  "peak:int64,optional",
  "price:float",
  "ratio:float,optional",
  "fee:money=EUR",
  "fine:money=EUR,optional",
  "lent:bool",
  "opens:date,required",
  "closes:date",
  "begins:datetime,required",
  "ends:datetime",
  "reader:ref=users",
  "cover:image,max=512kb",
  "scan:file,max=2mb",
];

/** The migration that makes the table of the book loans. */
const sampleMigration = "0002_create_book_loans.sql";

/** The folder of the migrations that the samples have for each engine. */
const migrationFolders: Readonly<Record<EngineName, string>> = {
  sqlite: "migrations",
  postgres: "postgres",
};

/** The fields that a list shows beside the title, in their order. */
function shownColumns(resource: Resource): readonly Field[] {
  const title = titleField(resource);
  const second = secondField(resource);
  return resource.fields.filter((field) =>
    field !== title && field !== second && field.control !== "textarea"
  );
}

/** The field that stands below the name of a row: the first prose, else the second line of text. */
function secondField(resource: Resource): Field | undefined {
  const title = titleField(resource);
  const texts = resource.fields.filter((field) =>
    field.builder === "text" && field !== title && field.choices.length === 0
  );
  return texts.find(isProse) ?? texts.find(({ control }) => control !== "url");
}

/** The most values that a list has views of. */
const maxViews = 6;

/** The field whose values are views above the list. */
function viewField(filters: readonly Field[]): Field | undefined {
  return filters.find((field) => hasWords(field) && field.choices.length <= maxViews);
}

/** The field that names a row, if there is a text of its own: many rows have the same choice. */
function titleField({ fields }: Resource): Field | undefined {
  const texts = fields.filter(({ builder, control, choices }) =>
    builder === "text" && control !== "textarea" && choices.length === 0
  );
  return texts.find(({ rules, isOptional }) => rules.has("required") && !isOptional) ?? texts[0];
}

/** Lists the fields by which a list narrows and sorts: each pair costs an index. */
function listFields(resource: Resource, { filters, sorts }: Limits): IndexedFields {
  const { fields } = resource;
  const ranked = [
    ...fields.filter(({ reference }) => reference !== undefined),
    ...fields.filter(hasWords),
    ...fields.filter(({ builder }) => builder === "bool"),
  ].filter(({ name }) => !["q", "sort", "at", "rows", "view", "hide"].includes(name));
  const title = titleField(resource);
  const isKept = ({ isOptional, rules }: Field): boolean => !isOptional && rules.has("required");
  const sorted = [
    ...title !== undefined && isKept(title) && Number(title.rules.get("max") ?? 255) <= maxSortChars
      ? [title]
      : [],
    ...fields.filter(({ builder, isOptional }) => builder === "money" && !isOptional).slice(0, 1),
    ...fields.filter((each) => isKept(each) && /^(?:date|day)$/.test(each.builder)),
  ].filter(({ name }) => name !== "newest" && name !== "oldest");
  return { fields, filters: ranked.slice(0, filters), sorts: sorted.slice(0, sorts) };
}

/** A cursor holds the value. */
const maxSortChars = 300;

export interface Limits {
  readonly columns: number;
  readonly filters: number;
  readonly sorts: number;
}

const limits: Limits = { columns: 4, filters: 3, sorts: 3 };

/** The field by which the tests recognize a row: one that pages show as it is stored. */
function shownField(resource: Resource): Field | undefined {
  const { fields } = resource;
  return titleField(resource) ??
    fields.find(({ builder, reference }) =>
      /^(?:int|float)/.test(builder) && reference === undefined
    ) ??
    fields.find((field) => field.builder === "text" && !hasWords(field));
}

/** Reports whether the values of a field are words that people read in their language. */
function hasWords({ builder, choices, rules }: Field): boolean {
  return builder === "text" && choices.length > 0 && !rules.has("email") && !rules.has("url");
}

/** Reports whether a field is a text of several lines. */
function isProse({ control }: Field): boolean {
  return control === "textarea";
}

/** Reports whether people recognise a row by a field: a text, or what it refers to. */
function isBasic({ builder, choices, reference }: Field): boolean {
  return reference !== undefined || (builder === "text" && choices.length === 0);
}

/** Reports whether a form counts the characters of a field: its limit is the developer's own. */
function isCounted({ builder, control, choices, rules }: Field): boolean {
  return builder === "text" && control === "text" && choices.length === 0 && rules.has("max") &&
    rules.get("max") !== "255";
}

/** Returns a list whose items differ from their one model in the name alone. */
function nameList(model: string, fields: readonly Field[]): List {
  return {
    models: [model],
    items: fields.map(({ name }) => ({ models: [model], replace: () => [[model, name]] })),
  };
}

/** Reports whether the API may add a row: JSON carries no uploads. */
function canAddByApi({ uploads }: Resource): boolean {
  return uploads.every(({ isRequired }) => !isRequired);
}

/** Reports whether rows are imported: no row lacks an upload that it needs. */
function hasImport(resource: Resource): boolean {
  return resource.hasCsv && canAddByApi(resource);
}

/** Returns the path of the module with the catalogs of a resource. */
export function messagesFile({ file }: ResourceNames): string {
  return `lib/${file}_messages.ts`;
}

export function resourceFiles(
  resource: Resource,
  { number, seeds, shown = limits }: {
    readonly number: string;
    /** The number of example rows that a module adds. @default there is none */
    readonly seeds?: number | undefined;
    readonly shown?: Limits;
  },
): readonly NewFile[] {
  const own = renderingOf(resource, shown, undefined);
  const rendering = {
    ...own,
    names: { ...own.names, "count: number = 50": `count: number = ${seeds}` },
  };
  const sqlRendering = renderingOf(resource, shown, resource.engine);
  const ownPath = (path: string): string =>
    replaceNames(path, rendering.names).replace(
      /^(?:migrations|postgres)\/\d+/,
      `migrations/${number}`,
    );
  return [
    ...[...sampleFiles(resource), ...seeds === undefined ? [] : [seedFile]].map((path) =>
      renderSample(
        `kit/${path}`,
        ownPath(path),
        path.endsWith(".sql") ? sqlRendering : rendering,
      )
    ),
    ...resource.uploads.map((upload) => uploadRoute(upload, { rendering, ownPath })),
  ];
}

/** Returns a start page that shows a resource. */
export function overviewFile(resource: Resource): NewFile {
  return renderSample(
    "kit/views/overview.ts",
    "app/page.ts",
    renderingOf(resource, limits, undefined),
  );
}

function uploadRoute(
  { name, type }: UploadField,
  { rendering, ownPath }: {
    readonly rendering: Rendering;
    readonly ownPath: (path: string) => string;
  },
): NewFile {
  const model = type === "image" ? "cover" : "scan";
  const path = `app/book-loans/id_/${model}/route.ts`;
  const file = ownPath(path).replace(`/${model}/`, () => `/${name}/`);
  const omitted = ["image/*", "application/octet-stream"]
    .map((each) => [`openapi:response 200 ${each}`, "openapi:omit"]);
  return renderSample(`kit/${path}`, file, {
    ...rendering,
    names: {
      ...rendering.names,
      ...rendering.parts?.has("api") === true ? {} : Object.fromEntries(omitted),
      [model]: name,
      [`Returns the ${model}`]: `Returns the ${labelOf(name).toLowerCase()}`,
    },
  });
}

/** The files of the book loans that a resource needs. */
function sampleFiles(resource: Resource): readonly string[] {
  const pages = "app/book-loans";
  const room = neededRoom(resource) === undefined ? [] : ["new", "id_/edit"];
  const guarded = resource.guard === undefined
    ? []
    : ["app/book-loans", ...resource.hasApi ? ["app/api/book-loans"] : []];
  return [
    `${migrationFolders[resource.engine]}/${sampleMigration}`,
    "lib/book_loans.ts",
    "lib/book_loan_messages.ts",
    ...resource.references.length > 0 ? ["lib/book_loan_testing.ts"] : [],
    "views/book_loan_columns.ts",
    "views/book_loan_form.ts",
    ...["", "new/", "id_/", "id_/edit/", "id_/delete/"].map((folder) =>
      `${pages}/${folder}page.ts`
    ),
    `${pages}/page_test.ts`,
    ...resource.references.length > 0 ? [`${pages}/choices/name_/route.ts`] : [],
    ...resource.hasCsv ? [`${pages}/export/route.ts`] : [],
    ...hasImport(resource)
      ? ["middleware.ts", "page.ts"].map((file) => `${pages}/import/${file}`)
      : [],
    ...guarded.map((folder) => `${folder}/middleware.ts`),
    ...room.map((folder) => `${pages}/${folder}/middleware.ts`),
    ...resource.hasApi
      ? ["route.ts", "id_/route.ts", "route_test.ts"].map((file) => `app/api/book-loans/${file}`)
      : [],
  ];
}

function renderingOf(
  resource: Resource,
  shown: Limits,
  engine: EngineName | undefined,
): Rendering & { readonly names: Readonly<Record<string, string>> } {
  const { names, fields, uploads, hasApi, hasCsv, languages, references } = resource;
  const searched = fields.filter(({ builder, choices }) =>
    builder === "text" && choices.length === 0
  );
  const lists = listFields(resource, shown);
  const { filters, sorts } = lists;
  const columns = shown.columns;
  const fieldList = (
    some: readonly (Field | UploadField)[],
    all: readonly Field[],
  ): List => listOf(some, { all, sorts, resource, engine });
  const title = titleField(resource);
  const pictures = uploads.filter(({ type }) => type === "image");
  const prose = [...pictures, ...fields.filter(isProse)];
  const view = viewField(filters);
  const second = secondField(resource);
  const otherFilters = filters.filter((each) => each !== view);
  const basics = fields.filter(isBasic);
  const facts = fields.filter((each) => !isBasic(each));
  // The title heads the page.
  // The heading has the state too, unless it may be missing.
  const headed = [title, view?.isOptional === false ? view : undefined];
  const known = [...fields, ...uploads]
    .filter((each) => !prose.includes(each) && !(isField(each) && headed.includes(each)));
  const refused = refusedValue(fields);
  const room = neededRoom(resource);
  return {
    names: {
      ...engineNames(resource.engine),
      ...resourceNames(names),
      ...resource.guard === "auth" ? { "sessions": "auth" } : {},
      ...room === undefined ? {} : { [sizeText(neededRoom(sample) ?? 0)]: sizeText(room) },
      ...searched.length > 0 ? {} : { "query.q ? undefined : ": "" },
      ...searched.length + filters.length > 0 ? {} : {
        "matching: (query) =>": "matching: () =>",
      },
      [sortNames(sampleSorts)]: sortNames(sorts),
      ...engine === undefined ? {} : sqlNames({ ...lists, searched, names, engine }),
    },
    parts: new Set([
      ...uploads.length > 0 ? ["uploads"] : [],
      ...searched.length > 0 ? ["search", "narrowed"] : [],
      ...filters.length > 0 ? ["narrowed"] : [],
      ...otherFilters.length > 0 ? ["filters"] : [],
      ...view === undefined ? [] : ["views"],
      ...basics.length > 0 ? ["basics"] : [],
      ...facts.length > 0 ? ["facts"] : [],
      ...fields.some(isProse) ? ["prose"] : [],
      ...known.length > 0 ? ["known"] : [],
      ...references.length > 0 ? ["references"] : [],
      ...fields.some(hasWords) ? ["values"] : [],
      ...fields.some(({ builder }) => builder === "bool") ? ["bool"] : [],
      ...hasApi ? ["api"] : [],
      ...hasCsv ? ["csv"] : [],
      ...hasImport(resource) ? ["import"] : [],
      ...resource.guard === undefined ? [] : ["guard"],
      ...uploads.some(({ type }) => type === "image") ? ["image"] : [],
      ...canAddByApi(resource) ? ["addable"] : [],
      ...refused?.fitsForm === true ? ["fits"] : [],
    ]),
    lists: {
      field: fieldList([...fields, ...uploads], fields),
      filter: fieldList(filters, fields),
      view: fieldList(view === undefined ? [] : [view], fields),
      sum: fieldList(fields.filter(({ builder }) => builder === "money").slice(0, 1), fields),
      otherFilter: fieldList(otherFilters, fields),
      basic: fieldList(basics, fields),
      fact: fieldList(facts, fields),
      upload: fieldList(uploads, fields),
      counted: nameList("headline", fields.filter(isCounted)),
      secondLine: nameList("story", second === undefined ? [] : [second]),
      sorted: fieldList(sorts, fields),
      sortedTitle: fieldList(title !== undefined && sorts.includes(title) ? [title] : [], fields),
      reference: referenceList(resource),
      referenced: {
        models: ["db"],
        items: [...new Set(references.flatMap(({ inserts }) => inserts))].map((insert) => ({
          models: ["db"],
          replace: () => [[sampleReference.inserts.join(""), insert]],
        })),
      },
      prose: fieldList(prose, fields),
      known: fieldList(known, fields),
      thumb: fieldList(pictures.slice(0, 1), fields),
      titled: fieldList(title === undefined ? [] : [title], fields),
      column: fieldList(shownColumns(resource).slice(0, columns), fields),
      shown: shownList(resource),
      found: foundList(resource),
      refused: {
        models: ["headline"],
        items: refused === undefined ? [] : [{
          models: ["headline"],
          replace: () => [["headline", refused.name], ['""', refused.literal]],
        }],
      },
    },
    languages: wordedLanguages(languages),
  };
}

/** Returns what stands in the place of each name of the book loans. */
function resourceNames(names: ResourceNames): Readonly<Record<string, string>> {
  const own = nameResource("book-loans");
  if (typeof own === "string") throw new TypeError("Cannot name the sample.");
  const forms = ({ words: [one, many], ...each }: ResourceNames): readonly string[] => [
    each.url,
    each.table,
    each.file,
    each.type,
    each.one,
    each.many,
    one,
    many,
    capital(one),
    capital(many),
    each.aOne,
    capital(each.aOne),
  ];
  const wanted = forms(names);
  return Object.fromEntries(forms(own).map((name, at) => [name, wanted[at] ?? name]));
}

const sample: ParsedFields = parsedSample();

function parsedSample(): ParsedFields {
  const parsed = parseFields(sampleFields);
  if ("kind" in parsed) throw new TypeError("Cannot read the fields of the sample.");
  return parsed;
}

const models: readonly (Field | UploadField)[] = [...sample.fields, ...sample.uploads];

/** The accounts, to which the book loans refer. */
const sampleReference = requireReference();

function requireReference(): ReferencedTable {
  const sql = sampleText("kit/migrations/0001_create_accounts.sql");
  const found = findReferencedTable(sql, "users");
  if (found === undefined) throw new TypeError("Cannot find the accounts of the sample.");
  return found;
}

/** The fields by which the lists of the book loans narrow and sort. */
function sampleLists(): IndexedFields {
  const names = nameResource("book-loans");
  if (typeof names === "string") throw new TypeError("Cannot name the sample.");
  const resource = {
    ...sample,
    names,
    hasApi: true,
    hasCsv: true,
    guard: undefined,
    languages: [],
    engine: "sqlite",
  } as const;
  const all = { columns: Infinity, filters: Infinity, sorts: Infinity };
  return listFields({ ...resource, references: [sampleReference] }, all);
}

const sampleSorts = sampleLists().sorts;

/** A list of fields, each made from the field of the book loans that is most like it. */
function listOf(
  fields: readonly (Field | UploadField)[],
  { all, sorts, resource, engine }: {
    readonly all: readonly Field[];
    readonly sorts: readonly Field[];
    readonly resource: Resource;
    readonly engine: EngineName | undefined;
  },
): List {
  const nameOf = (name: string): string => engine === undefined ? name : fieldColumn(name);
  return {
    models: models.map(({ name }) => nameOf(name)),
    items: fields.map((field): Item => ({
      models: modelsOf(field).map(nameOf),
      replace: (name) => {
        const model = models.find((each) => nameOf(each.name) === name);
        if (model === undefined) return [];
        if (engine !== undefined && isField(model) && isField(field)) {
          return [[columnSql(model, engine), columnSql(field, engine)]];
        }
        if (engine !== undefined) return [[model.name, fieldColumn(field.name)]];
        return replacements(model, { field, all, resource });
      },
      ...isField(field)
        ? {
          lists: {
            choice: choiceList(field),
            sortKey: {
              models: ["key"],
              items: sorts.includes(field) ? [{ models: ["key"], replace: () => [] }] : [],
            },
          },
        }
        : {},
    })),
  };
}

/** The references of a resource, each made from that of the book loans. */
function referenceList(resource: Resource): List {
  return {
    models: ["reader", "readerName", "readerIds"],
    items: resource.fields.flatMap((field): Item[] =>
      field.reference === undefined ? [] : [{
        models: ["reader", "readerName", "readerIds"],
        replace: () => referenceNames(field, resource),
      }]
    ),
  };
}

/** Returns what stands in the place of the names of the sample's reference. */
function referenceNames(
  { reference, name }: Field,
  { references }: Resource,
): readonly (readonly [from: string, to: string])[] {
  const found = references.find(({ table }) => table === reference?.table);
  if (reference === undefined || found === undefined) return [];
  const own = reference.name;
  const column = fieldColumn(own);
  return [
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
  ];
}

function sortNames(sorts: readonly Field[]): string {
  const names = ["newest", "oldest", ...sorts.flatMap(({ name }) => [name, `-${name}`])];
  return `"oneof=${names.join(" ")}"`;
}

/** Returns what stands in the place of the SQL of the sample that no region holds. */
function sqlNames(
  { searched, names, engine, ...lists }: IndexedFields & {
    readonly searched: readonly Field[];
    readonly names: ResourceNames;
    readonly engine: EngineName;
  },
): Readonly<Record<string, string>> {
  const sampleSearched = sample.fields.filter(({ builder, choices }) =>
    builder === "text" && choices.length === 0
  );
  const columns = (fields: readonly Field[], before: string): string =>
    fields.map(({ name }) => `${before}"${fieldColumn(name)}"`).join(", ");
  const joined = (fields: readonly Field[]): string =>
    fields.map(({ name }) => `coalesce("${fieldColumn(name)}", '')`).join(" || e'\\n' || ");
  const pairs = [
    ...["", "new.", "old."].map((before) =>
      [columns(sampleSearched, before), columns(searched, before)] as const
    ),
    [joined(sampleSearched), joined(searched)] as const,
  ];
  return {
    ...Object.fromEntries(pairs),
    [indexSql("book_loans", { ...sampleLists(), engine })]: indexSql(names.table, {
      ...lists,
      engine,
    }),
  };
}

function isField(field: Field | UploadField): field is Field {
  return "builder" in field;
}

/** Returns the fields of the book loans that a field can be made from, the best first. */
function modelsOf(field: Field | UploadField): readonly string[] {
  if (!isField(field)) return [field.type === "image" ? "cover" : "scan"];
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
  if (builder === "date" || builder === "day") return control;
  if (builder !== "text") return builder;
  if (rules.has("email") || rules.has("url")) return rules.has("email") ? "email" : "url";
  return hasWords(field) ? "enum" : control;
}

/** The kind whose code serves another kind too, where that has none of its own. */
function baseOf({ builder, control }: Field): string {
  if (builder === "text") return "text";
  return builder === "date" || builder === "day" ? "date" : builder === "bool" ? control : "int";
}

/** Returns what differs in the code of two fields. */
function replacements(
  model: Field | UploadField,
  { field, all, resource }: {
    readonly field: Field | UploadField;
    readonly all: readonly Field[];
    readonly resource: Resource;
  },
): readonly (readonly [from: string, to: string])[] {
  const [from, to] = [labelFor(model), labelFor(field)];
  const own = portugueseLabel(from) ?? from;
  const named = [
    [model.name, field.name],
    [`: ${JSON.stringify(own)}`, `: ${JSON.stringify(portugueseLabel(to) ?? to)}`],
    [`: ${JSON.stringify(from)}`, `: ${JSON.stringify(to)}`],
    [`What ${model.name} says.`, `What ${field.name} says.`],
  ] as const;
  if (!isField(model) || !isField(field)) {
    if (isField(model) || isField(field)) return named;
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
    const [before, after] = [sampleOf(sample.fields, { isOther }), sampleOf(all, { isOther })];
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
    [`${model.name} / 100`, `${field.name} / ${minorUnits(field)}`],
    ["sum / 100", `sum / ${minorUnits(field)}`],
    [`currency: "EUR"`, `currency: "${field.currency ?? "EUR"}"`],
    [builderCall(model), builderCall(field)],
    [
      seedValue(model, sampleOf(sample.fields)[model.name] ?? ""),
      seedValue(field, sampleOf(all)[field.name] ?? ""),
    ],
    [`"oneof=${model.choices.join(" ")}"`, `"oneof=${field.choices.join(" ")}"`],
    [literals(model.choices), literals(field.choices)],
  ];
}

/** The most choices that stand beside each other in a form. */
const maxCards = 4;

function labelFor(field: Field | UploadField): string {
  return isField(field) ? field.label : labelOf(field.name);
}

/** Returns how many of the smallest units a unit of the currency has. */
function minorUnits({ currency = "EUR" }: Field): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
}

/** Returns a value as a client of an API sends it. */
function jsonValue({ name, builder }: Field, values: Sample): unknown {
  if (builder === "bool") return true;
  // Not every integer of 64 bits is a number of JavaScript: one of JSON may be a text.
  return ["int", "float", "money"].includes(builder) ? Number(values[name]) : values[name];
}

function literals(choices: readonly string[]): string {
  return choices.length === 0 ? "" : `[${choices.map((each) => JSON.stringify(each)).join(", ")}]`;
}

/** The choices of a field: `"genre.novel": "Novel"`. */
function choiceList({ choices }: Field): List {
  return {
    models: ["novel", "essay"],
    items: choices.map((choice) => ({
      models: ["novel"],
      replace: () => [
        ["novel", choice],
        ["Novel", choiceLabel(choice)],
        ["ui.hollow", choiceLook(choice)],
      ],
    })),
  };
}

/** The looks of values that many applications have: a dot is live, a ring is not. */
const choiceLooks: readonly (readonly [values: RegExp, look: string])[] = [
  [
    /^(?:active|approved|completed?|confirmed|delivered|done|live|paid|published|resolved|won)$/,
    "ui.success, ui.dot",
  ],
  [
    /^(?:in[-_ ]?progress|new|open|processing|running|scheduled|sent|shipped|todo)$/,
    "ui.info, ui.dot",
  ],
  [/^(?:draft|on[-_ ]?hold|paused|pending|review|waiting)$/, "ui.warning, ui.hollow"],
  [
    /^(?:blocked|critical|failed|high|lost|overdue|refused|rejected|urgent)$/,
    "ui.destructive, ui.dot",
  ],
];

function choiceLook(choice: string): string {
  return choiceLooks.find(([values]) => values.test(choice.toLowerCase()))?.[1] ?? "ui.hollow";
}

function choiceLabel(choice: string): string {
  return capital(choice.replaceAll(/[-_]+/g, " "));
}

/** Returns the texts that the tests look for in the page of a row. */
function shownList(resource: Resource): List {
  const field = shownField(resource);
  const items = field === undefined ? [] : [field].map((each): Item => {
    const [first, second] = [false, true].map((isOther) => sampleOf(resource.fields, { isOther }));
    const shown = (values: Sample = {}): string => {
      const value = values[each.name] ?? "";
      const json = each.builder === "text" || each.builder === "int64"
        ? JSON.stringify(value)
        : value;
      return JSON.stringify(`"${each.name}":${json}`);
    };
    return {
      models: ["Headline"],
      replace: () => [
        [`'"headline":"Headline one"'`, shown(first)],
        [`'"headline":"Headline two"'`, shown(second)],
        ['"Headline one"', JSON.stringify(first?.[each.name])],
        ['"Headline two"', JSON.stringify(second?.[each.name])],
      ],
    };
  });
  return { models: ["Headline"], items };
}

const maxSearchChars = 100;

/** A text of a row by which the search finds it. */
function foundList(resource: Resource): List {
  const { fields } = resource;
  const field = titleField(resource) ??
    fields.find(({ builder, choices }) => builder === "text" && choices.length === 0);
  const text = field === undefined ? undefined : sampleOf(fields)[field.name];
  const found = JSON.stringify(text?.slice(0, maxSearchChars));
  return {
    models: ["Headline"],
    items: text === undefined
      ? []
      : [{ models: ["Headline"], replace: () => [['"Headline one"', found]] }],
  };
}

/** Returns the KiB that the forms need; `undefined` where the limit of an application is enough. */
function neededRoom({ fields, uploads }: ParsedFields): number | undefined {
  const chars = fields.map(({ builder, rules }) =>
    builder === "text" ? Number(rules.get("max") ?? rules.get("len") ?? 0) : 0
  );
  return neededKiB(uploads, chars);
}

/** Returns the words of the developer that stand untranslated in the Portuguese catalogs. */
export function untranslatedWords(resource: Resource): readonly string[] {
  const { names, fields, uploads, languages } = resource;
  if (!wordedLanguages(languages).some(({ language }) => language === "pt")) return [];
  const labels = [...fields, ...uploads].map(labelFor);
  const choices = fields.filter(hasWords).flatMap((field) => field.choices.map(choiceLabel));
  const words = [
    capital(names.words[1]),
    capital(names.words[0]),
    ...labels.filter((label) => portugueseLabel(label) === undefined),
    ...choices.filter((label) => /\p{L}/u.test(label)),
  ];
  return [...new Set(words)];
}
