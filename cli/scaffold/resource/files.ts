import { engineNames } from "../database/engine.ts";
import { auditKinds, type ColumnKind, toPostgresSql } from "../database/postgres_sql.ts";
import { labelOf, wordedLanguages } from "../languages.ts";
import {
  createList,
  type List,
  type NewFile,
  type Rendering,
  renderSample,
  replaceNames,
  zip,
} from "../sample.ts";
import { accessRendering, guardSample } from "./access.ts";
import { type Field, fieldColumn, type UploadField } from "./fields.ts";
import { capital, nameResource, type ResourceNames } from "./names.ts";
import {
  createFieldList,
  linkedList,
  referenceList,
  sizeText,
  sortNames,
  sqlNames,
} from "./replacements.ts";
import {
  canAddByApi,
  hasImport,
  hasWords,
  isBasic,
  isCounted,
  isFreeText,
  isProse,
  type Limits,
  limits,
  listFields,
  neededRoom,
  type Resource,
  secondField,
  shownColumns,
  shownField,
  titleField,
  viewField,
} from "./resource.ts";
import { sample, sampleLists, sampleReference } from "./sample_fields.ts";
import { isVaried, refusedValue } from "./samples.ts";
import { canFollow, parentsOf } from "./parents.ts";
import { seedFile } from "./seeds.ts";

export function messagesFile({ file }: ResourceNames): string {
  return `lib/${file}_messages.ts`;
}

export function resourceFiles(
  resource: Resource,
  { number, seeds, shown = limits }: {
    readonly number: string;
    /** The number of example rows. @default no module with example rows */
    readonly seeds?: number | undefined;
    readonly shown?: Limits;
  },
): readonly NewFile[] {
  const own = createRendering(resource, shown);
  const rendering = {
    ...own,
    names: { ...own.names, "count: number = 50": `count: number = ${seeds}` },
  };
  const ownPath = (path: string): string =>
    replaceNames(path, rendering.names).replace(/^migrations\/\d+/, `migrations/${number}`)
      .replace(/^guards\/(.*)\/.*/, "app/$1/middleware.ts");
  return [
    migration(resource, ownPath(migrationSample), shown),
    ...[...sampleFiles(resource), ...seeds === undefined ? [] : [seedFile]].map((path) =>
      renderSample(`kit/${path}`, ownPath(path), rendering)
    ),
    ...resource.uploads.map((upload) => uploadRoute(upload, rendering, ownPath)),
  ];
}

export const migrationSample = "migrations/0002_create_book_loans.sql";

export function migration(
  resource: Resource,
  file: string,
  shown: Limits,
  parts: Readonly<Record<string, boolean>> = {},
): NewFile {
  const created = createRendering(resource, shown);
  const own = { ...created, parts: { ...created.parts, ...parts } };
  const names = {
    ...own.names,
    ...Object.fromEntries(sqlNames(resource, listFields(resource.fields, shown))),
  };
  const made = renderSample(`kit/${migrationSample}`, file, { ...own, names });
  if (resource.engine === "sqlite") return made;
  const { fields, names: { table } } = resource;
  const kinds = new Map<string, ColumnKind>([
    ...fields.flatMap(({ name, builder }) =>
      builder === "bool" || builder === "date" || builder === "day"
        ? [[`${table}.${fieldColumn(name)}`, builder] as const]
        : []
    ),
    ...auditKinds(table),
  ]);
  return { file, text: toPostgresSql(made.text, kinds).text };
}

function uploadRoute(
  { name, type }: UploadField,
  rendering: Rendering,
  ownPath: (path: string) => string,
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
      ...rendering.parts?.["api"] === true ? {} : Object.fromEntries(omitted),
      [model]: name,
      [`Returns the ${model}`]: `Returns the ${labelOf(name).toLowerCase()}`,
    },
  });
}

function sampleFiles(resource: Resource): readonly string[] {
  const pages = "app/book-loans";
  const room = neededRoom(resource) === undefined ? [] : ["new", "id_/edit"];
  const guard = guardSample(resource);
  return [
    "lib/book_loans.ts",
    "lib/book_loan_messages.ts",
    ...resource.references.length > 0 ? ["lib/book_loan_testing.ts"] : [],
    "views/book_loan_columns.ts",
    "views/book_loan_form.ts",
    ...parentsOf(resource).length > 0 ? ["views/book_loan_rows.ts"] : [],
    ...["", "new/", "id_/", "id_/edit/", "id_/delete/"].map((folder) =>
      `${pages}/${folder}page.ts`
    ),
    `${pages}/page_test.ts`,
    ...resource.references.length > 0 ? [`${pages}/choices/name_/route.ts`] : [],
    ...resource.hasCsv ? [`${pages}/export/route.ts`] : [],
    ...hasImport(resource)
      ? ["middleware.ts", "page.ts"].map((file) => `${pages}/import/${file}`)
      : [],
    ...guard === undefined
      ? []
      : [guard, ...resource.hasApi ? ["app/api/book-loans/middleware.ts"] : []],
    ...room.map((folder) => `${pages}/${folder}/middleware.ts`),
    ...resource.hasApi
      ? ["route.ts", "id_/route.ts", "route_test.ts"].map((file) => `app/api/book-loans/${file}`)
      : [],
  ];
}

export function createRendering(
  resource: Resource,
  shown: Limits,
): Rendering & { readonly names: Readonly<Record<string, string>> } {
  const { names, fields, uploads, hasApi, hasCsv, isAudited, languages, references } = resource;
  const searched = fields.filter(isFreeText);
  const access = accessRendering(resource);
  const { filters, sorts } = listFields(resource.fields, shown);
  const fieldList = (...some: readonly (Field | UploadField | undefined)[]): List =>
    createFieldList(some.filter((each) => each !== undefined), resource);
  const title = titleField(fields);
  const pictures = uploads.filter(({ type }) => type === "image");
  const prose = [...pictures, ...fields.filter(isProse)];
  const view = viewField(filters);
  // The heading contains the title, and the state unless it is optional.
  const headed = [title, view?.isOptional === false ? view : undefined];
  const elsewhere = fields.filter((field) => headed.includes(field) || isProse(field));
  const others = uploads.filter(({ type }) => type !== "image");
  const columns = shownColumns(fields, shown.columns);
  const parents = parentsOf(resource);
  const inserts = new Set(references.flatMap(({ inserts }) => inserts));
  const refused = refusedValue(fields);
  const room = neededRoom(resource);
  return {
    names: {
      ...engineNames(resource.engine),
      ...resourceNames(names),
      ...access.names,
      ...uploads.length > 0 ? {} : { ", but not its uploads": "" },
      ...room === undefined ? {} : { [sizeText(neededRoom(sample) ?? 0)]: sizeText(room) },
      [sortNames(sampleLists.sorts)]: sortNames(sorts),
    },
    parts: {
      ...access.parts,
      // Rows inside the form of others have no pages.
      page: true,
      search: searched.length > 0,
      narrowed: searched.length + filters.length > 0,
      audit: isAudited,
      values: fields.some(hasWords),
      api: hasApi,
      csv: hasCsv,
      import: hasImport(resource),
      image: pictures.length > 0,
      addable: canAddByApi(resource),
      fits: refused?.fitsForm === true,
      varied: isVaried(fields),
    },
    lists: {
      field: fieldList(...fields, ...uploads),
      filter: fieldList(...filters),
      view: fieldList(view),
      sum: fieldList(fields.find(({ builder }) => builder === "money")),
      otherFilter: fieldList(...filters.filter((each) => each !== view)),
      basic: fieldList(...fields.filter(isBasic)),
      fact: fieldList(...fields.filter((each) => !isBasic(each))),
      upload: fieldList(...uploads),
      counted: nameList("headline", fields.filter(isCounted)),
      secondLine: nameList("story", [secondField(fields)]),
      sorted: { ...nameList("headline", sorts), models: ["headline", "fee"] },
      sortedColumn: nameList("fee", sorts.filter((each) => columns.includes(each))),
      sortedTitle: fieldList(sorts.find((each) => each === title)),
      reference: referenceList(resource),
      linked: linkedList(resource),
      // References that the link to a new row takes from the filters.
      chosen: fieldList(...filters.filter(({ reference }) => reference !== undefined)),
      parent: fieldList(...parents.map(({ field }) => field)),
      // The pages that a test may see with the roles of the resource.
      parentPage: createList(
        ["get"],
        parents.filter(({ parent }) => canFollow(parent, resource)).map(({ parent: { page } }) => [
          ['get("/book-loans/1")', `get("${page.replace("{id}", "1")}")`],
        ]),
      ),
      referenced: createList(
        ["db"],
        [...inserts].map((insert) => [[sampleReference.inserts.join(""), insert]]),
      ),
      prose: fieldList(...prose),
      known: fieldList(...fields.filter((field) => !elsewhere.includes(field)), ...others),
      elsewhere: fieldList(...elsewhere),
      file: fieldList(...others),
      thumb: fieldList(pictures[0]),
      seeded: fieldList(...pictures),
      titled: title === undefined
        ? nameList("headline", substituteTitles(resource))
        : fieldList(title),
      column: fieldList(...columns),
      shown: nameList("headline", [shownField(fields)]),
      found: nameList("headline", [title ?? searched[0]]),
      refused: createList(
        ["headline"],
        refused === undefined ? [] : [[["headline", refused.name], ['""', refused.literal]]],
      ),
    },
    languages: wordedLanguages(languages),
  };
}

/** Returns the properties of which the first one with a value names a row without a text. */
function substituteTitles({ fields, uploads }: Resource): readonly { readonly name: string }[] {
  const references = fields.flatMap(({ reference }) => reference?.name ?? []);
  const days = fields.flatMap(({ builder, name }) => builder === "day" ? name : []);
  return [
    ...[...references, ...uploads.map(({ name }) => name)].map((name) => `${name}Name`),
    ...days,
  ].map((name) => ({ name }));
}

function nameList(model: string, items: readonly ({ readonly name: string } | undefined)[]): List {
  const found = items.filter((item) => item !== undefined);
  return createList([model], found.map(({ name }) => [[model, name]]));
}

function resourceNames(names: ResourceNames): Readonly<Record<string, string>> {
  const own = nameResource("book-loans");
  const forms = (
    { url, table, file, type, one, many, words, aOne }: ResourceNames,
  ): readonly string[] => [
    ...[url, table, file, type, one, many],
    ...[...words, ...words.map(capital), aOne, capital(aOne)],
  ];
  return Object.fromEntries(zip(forms(own), forms(names)));
}
