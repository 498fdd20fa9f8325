/**
 * The list of a resource, with its search.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import { markupOf, pageFile } from "./page_markup.ts";
import {
  formatImport,
  isNumeric,
  maxSearchChars,
  messagesImport,
  type ResourcePlan,
  searchedFields,
  shownValue,
  titleField,
  valueImport,
} from "./plan.ts";

/** A list shows its title and as many columns beside it. */
const maxColumns = 4;

/** Returns the text of the list. */
export function listSource(plan: ResourcePlan): string {
  const { names, importOf, hasKit, texts } = plan;
  const { many, one } = names;
  const file = pageFile(plan);
  const hasSearch = searchedFields(plan).length > 0;
  const markup = markupOf(plan);
  const members = [
    ...hasSearch ? [`q: text("max=${maxSearchChars}")`] : [],
    'page: int("min=1,max=100000").optional()',
  ];
  const builders = [
    "type Ctx",
    "int",
    "type Result",
    "struct",
    ...hasSearch ? ["text"] : [],
    "use",
  ];
  const search = hasSearch ? "search: q, " : "";
  const more = `(page: number) => c.href("/${names.url}", {}, { query: { ${
    hasSearch ? "q, " : ""
  }page } })`;
  const add = markup.link(`c.href("/${names.url}/new")`, texts.text("new"));
  const columns = shownColumns(plan);
  const catalogs = [
    ...columns.length > 0 || titleField(plan) !== undefined ? [texts.labelsName] : [],
    texts.textsName,
    ...valueImport(plan, columns),
  ];
  return `import { ${builders.join(", ")} } from "@fw/fw";
${formatImport(plan, columns)}${markup.imports}${
    messagesImport(plan, file, catalogs)
  }import { ${many}, ${one}Title } from "${importOf(`lib/${names.table}.ts`, file)}";

const Query = struct({ ${members.join(", ")} });

/** GET /${names.url} */
export async function Page(c: Ctx): Promise<Result> {
  c.title = ${texts.text("title")};
  const { ${hasSearch ? "q, " : ""}page } = await c.bindQuery(Query);
  const at = page ?? 1;
  const { rows, pages } = use(c, ${many}).list({ ${search}page: at });
  const href = ${more};
  // A link may be older than a deletion that left fewer pages.
  if (at > pages) return c.redirect(href(pages));
  return h.fragment(
    ${markup.head(add)},
    ${hasSearch ? searchForm(plan) : ""}${hasKit ? kitTable(plan) : plainTable(plan)},
    ${hasKit ? "ui.pagination({ page: at, pages, href })" : plainPages(plan)},
  );
}
`;
}

function plainPages({ texts }: ResourcePlan): string {
  return `h.p(
      at > 1 && h.a(h.href(href(at - 1)), h.rel("prev"), ${texts.text("previous")}),
      " ", ${texts.text("page", { page: "at", pages: "pages" })}, " ",
      at < pages && h.a(h.href(href(at + 1)), h.rel("next"), ${texts.text("next")}),
    )`;
}

function searchForm({ hasKit, texts }: ResourcePlan): string {
  const attributes = `h.type("search"), h.name("q"), h.value(q), h.maxlength(${maxSearchChars})`;
  const search = texts.text("search");
  return hasKit
    ? `ui.toolbar(h.role("search"), ui.field("q", ${search}, ui.input(${attributes})), ` +
      `ui.submit(ui.outline, ui.icon("search"), ${search})),\n    `
    : `h.form(h.role("search"), h.input(${attributes}, h.aria("label", ${
      texts.text("searchAll")
    })), ` +
      `h.button(${search})),\n    `;
}

function shownColumns(plan: ResourcePlan): readonly Field[] {
  const title = titleField(plan);
  return plan.fields.filter((field) => field !== title && field.control !== "textarea")
    .slice(0, maxColumns);
}

/** The label of the first column, which links the row. */
function firstLabel(plan: ResourcePlan): string {
  const title = titleField(plan);
  return title === undefined ? plan.texts.text("row") : plan.texts.label(title);
}

function rowLink({ names }: ResourcePlan): string {
  return `h.a(h.href(c.href("/${names.url}/{id}", { id: row.id })), ${names.one}Title(row))`;
}

function kitTable(plan: ResourcePlan): string {
  const { texts } = plan;
  const columns = shownColumns(plan).map((field) =>
    `{ title: ${texts.label(field)}, ${isNumeric(field) ? "numeric: true, " : ""}` +
    `cell: (row) => ${shownValue(plan, field)} },\n`
  );
  return `ui.dataTable({
      caption: c.title,
      columns: [
        { title: ${firstLabel(plan)}, cell: (row) => ${rowLink(plan)} },
        ${columns.join("")}
      ],
      rows,
      empty: ${texts.text("none")},
    }, ui.hiddenCaption)`;
}

function plainTable(plan: ResourcePlan): string {
  const { texts } = plan;
  const columns = shownColumns(plan);
  const heads = [firstLabel(plan), ...columns.map(texts.label)].map((label) =>
    `h.th(h.scope("col"), ${label})`
  );
  const cells = [
    `h.th(h.scope("row"), ${rowLink(plan)})`,
    ...columns.map((field) => `h.td(${shownValue(plan, field)})`),
  ];
  return `h.either(
      rows.length === 0,
      () => h.p(${texts.text("none")}),
      () => h.table(
        h.thead(h.tr(${heads.join(", ")})),
        h.tbody(h.map(rows, (row) => h.tr(${cells.join(", ")}))),
      ),
    )`;
}
