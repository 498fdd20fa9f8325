/**
 * The pages of a resource: list, detail, form and the question before a row is deleted.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import { formFile } from "./form_source.ts";
import {
  changedFilesName,
  filesName,
  isNumeric,
  messagesImport,
  type ResourcePlan,
  searchedFields,
  shownValue,
  titleField,
} from "./plan.ts";
import { uploadView } from "./upload_source.ts";

/** A list shows its title and as many columns beside it. */
const maxColumns = 4;

/** The markup of a page, with the kit or without. */
interface Markup {
  readonly imports: string;
  /** The head of a page with links. */
  head(...links: readonly string[]): string;
  link(href: string, text: string): string;
}

function markupOf({ hasKit }: ResourcePlan): Markup {
  const html = 'import * as h from "@fw/fw/h";\n';
  return hasKit
    ? {
      imports: `${html}import * as ui from "@fw/fw/ui";\n`,
      head: (...links) => `ui.pageHeader(${["c.title", ...links].join(", ")})`,
      link: (href, text) => `ui.buttonLink(${href}, ${text})`,
    }
    : {
      imports: html,
      head: (...links) =>
        ["h.h1(c.title)", messages, ...links.map((link) => `h.p(${link})`)].join(", "),
      link: (href, text) => `h.a(h.href(${href}), ${text})`,
    };
}

/** What was flashed: the layout of the kit shows it. */
const messages = 'h.map(c.flashes(), ({ text }) => h.p(h.role("status"), text))';

/** Returns the text of the list. */
export function listSource(plan: ResourcePlan): string {
  const { names, importOf, hasKit, texts } = plan;
  const { many, one } = names;
  const file = pageFile(plan);
  const hasSearch = searchedFields(plan).length > 0;
  const markup = markupOf(plan);
  const members = [
    ...hasSearch ? ['q: text("max=100")'] : [],
    'page: int("min=1,max=100000").optional()',
  ];
  const builders = ["type Ctx", "int", "type Node", "struct", ...hasSearch ? ["text"] : [], "use"];
  const search = hasSearch ? "search: q, " : "";
  const more = `(page: number) => c.href("/${names.url}", {}, { query: { ${
    hasSearch ? "q, " : ""
  }page } })`;
  const add = markup.link(`c.href("/${names.url}/new")`, texts.text("new"));
  const columns = shownColumns(plan);
  const catalogs = [
    ...columns.length > 0 || titleField(plan) !== undefined ? [texts.labelsName] : [],
    texts.textsName,
  ];
  return `import { ${builders.join(", ")} } from "@fw/fw";
${markup.imports}${messagesImport(plan, file, catalogs)}import { ${many}, ${one}Title } from "${
    importOf(`lib/${names.table}.ts`, file)
  }";

const Query = struct({ ${members.join(", ")} });

/** GET /${names.url} */
export async function Page(c: Ctx): Promise<Node> {
  c.title = ${texts.text("title")};
  const { ${hasSearch ? "q, " : ""}page } = await c.bindQuery(Query);
  const at = page ?? 1;
  const { rows, pages } = use(c, ${many}).list({ ${search}page: at });
  ${hasKit ? "" : `const href = ${more};\n  `}return h.fragment(
    ${markup.head(add)},
    ${hasSearch ? searchForm(plan) : ""}${hasKit ? kitTable(plan) : plainTable(plan)},
    ${
    hasKit
      ? `ui.pagination({ page: at, pages, href: ${more.replace("(page: number)", "(page)")} })`
      : plainPages(plan)
  },
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
  const attributes = `h.type("search"), h.name("q"), h.value(q), h.maxlength(100)`;
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

/** Returns the text of the detail page. */
export function detailSource(plan: ResourcePlan): string {
  const { names, fields, importOf, hasKit, texts } = plan;
  const { many, one, url } = names;
  const file = pageFile(plan, "id_");
  const markup = markupOf(plan);
  const id = "{ id: row.id }";
  const edit = markup.link(
    `c.href("/${url}/{id}/edit", ${id})`,
    `${hasKit ? "ui.outline, " : ""}${texts.text("edit")}`,
  );
  const remove = markup.link(
    `c.href("/${url}/{id}/delete", ${id})`,
    `${hasKit ? "ui.ghost, " : ""}${texts.text("delete")}`,
  );
  const rows = fields.map((field) =>
    hasKit
      ? `h.tr(h.th(h.scope("row"), ${texts.label(field)}), h.td(${detailValue(plan, field)})),\n`
      : `h.dt(${texts.label(field)}), h.dd(${detailValue(plan, field)}),\n`
  ).join("");
  const files = plan.uploads.map((upload) =>
    hasKit
      ? `h.tr(h.th(h.scope("row"), ${texts.label(upload)}), h.td(${uploadView(plan, upload)})),\n`
      : `h.dt(${texts.label(upload)}), h.dd(${uploadView(plan, upload)}),\n`
  ).join("");
  const list = hasKit
    ? `ui.table(c.title, ui.hiddenCaption, h.tbody(\n${rows}${files}))`
    : `h.dl(\n${rows}${files})`;
  return `import { type Ctx, int, type Node, use } from "@fw/fw";
${markup.imports}${
    messagesImport(plan, file, [texts.labelsName, texts.textsName])
  }import { ${many}, ${one}Title } from "${importOf(`lib/${names.table}.ts`, file)}";

/** GET /${url}/{id} */
export function Page(c: Ctx<"/${url}/{id}">): Node {
  const row = use(c, ${many}).get(c.param("id", int()));
  c.title = ${one}Title(row);
  return h.fragment(
    ${markup.head(edit, remove)},
    ${list},
    h.p(h.a(h.href(c.href("/${url}")), ${texts.text("all")})),
  );
}
`;
}

/** Returns the expression of a value that may be a link. */
function detailValue(plan: ResourcePlan, field: Field): string {
  const { name, control, rules } = field;
  if (rules.has("url") || control === "url") {
    return `h.when(row.${name}, (url) => h.a(h.href(url), url))`;
  }
  if (rules.has("email") || control === "email") {
    return `h.when(row.${name}, (email) => h.a(h.href(\`mailto:\${email}\`), email))`;
  }
  if (control === "textarea") {
    const lines = `row.${name}${field.isNullable ? "?." : "."}split("\\n")${
      field.isNullable ? " ?? []" : ""
    }`;
    return `h.mapIndex(${lines}, (line, at) => h.fragment(at > 0 && h.br(), line))`;
  }
  return shownValue(plan, field);
}

/** Returns the text of the page that adds a row. */
export function newSource(plan: ResourcePlan): string {
  const { names, importOf, texts } = plan;
  const { many, one, type, url } = names;
  const file = pageFile(plan, "new");
  const markup = markupOf(plan);
  const { stored, bind, read } = uploadCode(plan, filesName(plan));
  return `import { type Ctx, type Node, type Result, use } from "@fw/fw";
${markup.imports}${messagesImport(plan, file, [texts.textsName])}import { ${
    stored.join(", ")
  } } from "${importOf(`lib/${names.table}.ts`, file)}";
import { ${one}Form } from "${importOf(formFile(names.file), file)}";

/** GET /${url}/new */
export function Page(c: Ctx): Node {
  return view(c, ${one}Form(c));
}

/** POST /${url}/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(${type}Input${bind});
  if (!input.ok) {
    c.status(422);
    return view(c, ${one}Form(c, input));
  }
  const { id } = use(c, ${many}).add(input.value${read});
  c.flash("success", ${texts.text("created")});
  return c.redirect(c.href("/${url}/{id}", { id }));
}

function view(c: Ctx, form: Node): Node {
  c.title = ${texts.text("new")};
  return h.fragment(${plan.hasKit ? "ui.pageHeader(c.title)" : "h.h1(c.title)"}, form);
}
`;
}

/** The code of a form handler that reads uploads; empty without them. */
interface UploadCode {
  /** What the page imports from the store. */
  readonly stored: readonly string[];
  readonly bind: string;
  readonly read: string;
}

function uploadCode({ names: { type, many }, uploads }: ResourcePlan, files: string): UploadCode {
  const own = [`${type}Input`, many];
  if (uploads.length === 0) return { stored: own, bind: "", read: "" };
  const members = uploads.map(({ name }) =>
    `${name}: await read${type}Upload(input.files.${name}), `
  );
  return {
    stored: [...own, files, `read${type}Upload`],
    bind: `, { files: ${files} }`,
    read: `, { ${members.join("")}}`,
  };
}

/** Returns the text of the page that changes a row. */
export function editSource(plan: ResourcePlan): string {
  const { names, importOf, texts } = plan;
  const { many, one, type, url } = names;
  const file = pageFile(plan, "id_/edit");
  const markup = markupOf(plan);
  const files = changedFilesName(plan);
  const { stored, bind, read } = uploadCode(plan, files);
  const rules = files === filesName(plan) ? "" : `, ${files}`;
  const ctx = `Ctx<"/${url}/{id}/edit">`;
  return `import { type Ctx, int, type Node, type Result, use } from "@fw/fw";
${markup.imports}${messagesImport(plan, file, [texts.textsName])}import { ${
    stored.join(", ")
  } } from "${importOf(`lib/${names.table}.ts`, file)}";
import { ${one}Form } from "${importOf(formFile(names.file), file)}";

/** GET /${url}/{id}/edit */
export function Page(c: ${ctx}): Node {
  return view(c, ${one}Form(c, use(c, ${many}).get(c.param("id", int()))${rules}));
}

/** POST /${url}/{id}/edit */
export async function POST(c: ${ctx}): Promise<Result> {
  const id = c.param("id", int());
  const input = await c.tryBind(${type}Input${bind});
  if (!input.ok) {
    c.status(422);
    return view(c, ${one}Form(c, input${rules}));
  }
  use(c, ${many}).change(id, input.value${read});
  c.flash("success", ${texts.text("changed")});
  return c.redirect(c.href("/${url}/{id}", { id }));
}

function view(c: Ctx, form: Node): Node {
  c.title = ${texts.text("editTitle")};
  return h.fragment(${plan.hasKit ? "ui.pageHeader(c.title)" : "h.h1(c.title)"}, form);
}
`;
}

/** Returns the text of the page that asks before it deletes, which needs no script. */
export function deleteSource(plan: ResourcePlan): string {
  const { names, importOf, hasKit, texts } = plan;
  const { many, one, url } = names;
  const file = pageFile(plan, "id_/delete");
  const markup = markupOf(plan);
  const ctx = `Ctx<"/${url}/{id}/delete">`;
  const back = `c.href("/${url}/{id}", { id: row.id })`;
  const [remove, cancel] = [texts.text("delete"), texts.text("cancel")];
  const form = hasKit
    ? `ui.form(h.method("post"), csrfInput(c), ui.row(ui.submit(ui.destructive, ${remove}), ` +
      `ui.buttonLink(${back}, ui.outline, ${cancel})))`
    : `h.form(h.method("post"), csrfInput(c), h.button(${remove}), h.a(h.href(${back}), ${cancel}))`;
  return `import { csrfInput, type Ctx, int, type Node, type Result, use } from "@fw/fw";
${markup.imports}${
    messagesImport(plan, file, [texts.textsName])
  }import { ${many}, ${one}Title } from "${importOf(`lib/${names.table}.ts`, file)}";

/** GET /${url}/{id}/delete */
export function Page(c: ${ctx}): Node {
  const row = use(c, ${many}).get(c.param("id", int()));
  c.title = ${texts.text("deleteTitle", { title: `${one}Title(row)` })};
  return h.fragment(
    ${hasKit ? "ui.pageHeader(c.title)" : "h.h1(c.title)"},
    h.p(${texts.text("deleteForGood")}),
    ${form},
  );
}

/** POST /${url}/{id}/delete */
export function POST(c: ${ctx}): Result {
  use(c, ${many}).remove(c.param("id", int()));
  c.flash("success", ${texts.text("deleted")});
  return c.redirect(c.href("/${url}"));
}
`;
}

/** Returns the path of a page of the resource. */
export function pageFile({ names }: ResourcePlan, folder = ""): string {
  return `app/${names.url}/${folder === "" ? "" : `${folder}/`}page.ts`;
}
