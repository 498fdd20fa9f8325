/**
 * The pages of a row: detail, form and the question before it is deleted.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import { formFile } from "./form_source.ts";
import { markupOf, pageFile } from "./page_markup.ts";
import {
  changedFilesName,
  filesName,
  formatImport,
  formattedDate,
  messagesImport,
  type ResourcePlan,
  shownValue,
  valueImport,
} from "./plan.ts";
import { dash, uploadView } from "./upload_source.ts";

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
  const catalogs = [texts.labelsName, texts.textsName, ...valueImport(plan, fields)];
  return `import { type Ctx, int, type Node, use } from "@fw/fw";
${formatImport(plan, fields)}${markup.imports}${
    messagesImport(plan, file, catalogs)
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

/** Returns the expression of a value that may be a link; one that is not there is a dash. */
function detailValue(plan: ResourcePlan, field: Field): string {
  const { name, builder, control, rules, isNullable, isOptional } = field;
  const orDash = (shown: string): string => `h.either(row.${name}, ${shown}, ${dash})`;
  if (rules.has("url") || control === "url") return orDash("(url) => h.a(h.href(url), url)");
  if (rules.has("email") || control === "email") {
    return orDash("(email) => h.a(h.href(`mailto:${email}`), email)");
  }
  if (control === "textarea") {
    return orDash(
      '(text) => h.mapIndex(text.split("\\n"), (line, at) => h.fragment(at > 0 && h.br(), line))',
    );
  }
  const shown = shownValue(plan, field);
  if (builder === "bool") return shown;
  if (builder === "text") {
    return rules.has("required") && !isOptional ? shown : `${shown} || ${dash}`;
  }
  if (builder === "date" && plan.texts.hasCatalog) {
    return isNullable ? orDash(`(date) => ${formattedDate(field, "date")}`) : shown;
  }
  // Zero is a value.
  return isNullable ? `${shown} ?? ${dash}` : shown;
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
  const hasUploads = plan.uploads.length > 0;
  const find = `use(c, ${many}).get(c.param("id", int()))`;
  // The form of a row shows its files, also where the rest was refused.
  const page = hasUploads
    ? `const row = ${find};\n  return view(c, ${one}Form(c, row, row));`
    : `return view(c, ${one}Form(c, ${find}));`;
  const kept = hasUploads ? `, use(c, ${many}).get(id)` : "";
  const ctx = `Ctx<"/${url}/{id}/edit">`;
  return `import { type Ctx, int, type Node, type Result, use } from "@fw/fw";
${markup.imports}${messagesImport(plan, file, [texts.textsName])}import { ${
    stored.join(", ")
  } } from "${importOf(`lib/${names.table}.ts`, file)}";
import { ${one}Form } from "${importOf(formFile(names.file), file)}";

/** GET /${url}/{id}/edit */
export function Page(c: ${ctx}): Node {
  ${page}
}

/** POST /${url}/{id}/edit */
export async function POST(c: ${ctx}): Promise<Result> {
  const id = c.param("id", int());
  const input = await c.tryBind(${type}Input${bind});
  if (!input.ok) {
    c.status(422);
    return view(c, ${one}Form(c, input${kept}));
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
