/**
 * The form of a resource, with the component kit or without it.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import {
  changedFilesName,
  filesName,
  messagesImport,
  type ResourcePlan,
  valueImport,
} from "./plan.ts";
import { hasWords } from "./texts.ts";
import { acceptedTypes, type UploadField } from "./uploads.ts";

/** The parts of the form that take uploads. */
interface UploadParts {
  /** What the form imports beside the schema. */
  readonly imports: readonly string[];
  /** A further parameter of the function. */
  readonly param: string;
  /** The first statement of the function. */
  readonly start: string;
  /** The constant with the rules, as the function knows it. */
  readonly files: string;
}

function uploadParts(plan: ResourcePlan): UploadParts {
  const { names: { type }, uploads } = plan;
  const [files, changed] = [filesName(plan), changedFilesName(plan)];
  if (uploads.length === 0) return { imports: [], param: "", start: "", files: "" };
  const param = `stored?: ${type}Row`;
  if (files === changed) return { imports: [files], param, start: "", files };
  const start = `  const files = stored === undefined ? ${files} : ${changed};\n`;
  return { imports: [files, changed], param, start, files: "files" };
}

/** Returns the expression that links the stored file of an upload; nothing for a new row. */
function storedUpload(
  { names: { url }, texts }: ResourcePlan,
  { name, wrap }: { readonly name: string; readonly wrap: string },
): string {
  const href = `c.href("/${url}/{id}/${name}", { id: stored.id }, { query: { v: file.hash } })`;
  return `stored !== undefined && h.when(stored.${name}, (file) => ` +
    `${wrap}(${texts.text("currentFile")}, " ", h.a(h.href(${href}), file.name), ". ", ` +
    `${texts.text("keepsFile")}))`;
}

/** Returns the text of `views/<one>_form.ts`. */
export function resourceFormSource(plan: ResourcePlan): string {
  return plan.hasKit ? kitForm(plan) : plainForm(plan);
}

function kitForm(plan: ResourcePlan): string {
  const { names, fields, uploads, importOf, texts } = plan;
  const { type, one, aOne } = names;
  const file = formFile(names.file);
  const { imports, param, start, files } = uploadParts(plan);
  const help = uploads.map(({ name }) =>
    `${name}: ${storedUpload(plan, { name, wrap: "h.fragment" })}`
  );
  const helps = help.length === 0 ? "" : `, help: { ${help.join(", ")} }`;
  const catalogs = [
    texts.labelsName,
    ...help.length === 0 ? [] : [texts.textsName],
    ...valueImport(plan, fields),
  ];
  const other = fields.flatMap((field) => {
    const { name, control, choices } = field;
    if (texts.hasCatalog && hasWords(field)) {
      const label = texts.value(field, "value");
      return [
        `${name}: { choices: ${literals(choices)}.map((value) => ({ value, label: ${label} })) }`,
      ];
    }
    return control === "textarea" || control === "datetime-local"
      ? [`${name}: { type: "${control}" }`]
      : [];
  });
  const overrides = other.length === 0 ? "" : `, fields: { ${other.join(", ")} }`;
  const labels = texts.hasCatalog ? `, labels: (name) => c.t(${texts.labelsName}, name)` : "";
  return `import type { Bound, Ctx, Node } from "@fw/fw";
${help.length === 0 ? "" : 'import * as h from "@fw/fw/h";\n'}import * as ui from "@fw/fw/ui";
${messagesImport(plan, file, catalogs)}import { ${
    [...imports, `${type}Input`, `type ${type}Row`].join(", ")
  } } from "${importOf(`lib/${names.table}.ts`, file)}";

/** The form of ${aOne}, with what was sent or what the database has. */
export function ${one}Form(${params(type, param)}): Node {
${start}  return ui.form(c, ${type}Input, { values${
    files === "" ? "" : files === "files" ? ", files" : `, files: ${files}`
  }${labels}${helps}${overrides} });
}
`;
}

/** Returns the parameters of the function. */
function params(type: string, param: string): string {
  const own = ["c: Ctx", `values?: Bound<${type}Input> | ${type}Row`];
  return [...own, ...param === "" ? [] : [param]].join(", ");
}

/** Returns the path of the form. */
export function formFile(one: string): string {
  return `views/${one}_form.ts`;
}

function plainForm(plan: ResourcePlan): string {
  const { names, fields, importOf, texts } = plan;
  const { type, one, aOne } = names;
  const file = formFile(names.file);
  const save = texts.text("save");
  const catalogs = [texts.labelsName, texts.textsName, ...valueImport(plan, fields)];
  const { imports, param, start, files } = uploadParts(plan);
  const controls = [
    ...fields.map((field) => ({ field, node: control(plan, field) })),
    ...plan.uploads.map((field) => ({ field, node: uploadControl(field, files) })),
  ].map(({ field, node }) => {
    const control = `    field(${JSON.stringify(field.name)}, ${texts.label(field)}, ${node}),\n`;
    const isUpload = plan.uploads.some(({ name }) => name === field.name);
    if (!isUpload) return control;
    return `${control}    ${storedUpload(plan, { name: field.name, wrap: "h.p" })},\n`;
  });
  const fieldNames = files === ""
    ? `keyof ${type}Input`
    : `keyof ${type}Input | keyof typeof ${files}`;
  const enctype = files === "" ? "" : '    h.enctype("multipart/form-data"),\n';
  const types = [
    ...imports.map((name) => name.replace(/^type /, "")),
    `${type}Input`,
    `${type}Row`,
  ];
  const stored = files === ""
    ? `import type { ${types.join(", ")} }`
    : `import { ${[...imports, `type ${type}Input`, `type ${type}Row`].join(", ")} }`;
  return `import { type Bound, csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
${messagesImport(plan, file, catalogs)}${stored} from "${importOf(`lib/${names.table}.ts`, file)}";

/** The form of ${aOne}, with what was sent or what the database has. */
export function ${one}Form(${params(type, param)}): Node {
${start}  const sent = values !== undefined && "texts" in values ? values : undefined;
  const row = values !== undefined && "id" in values ? textsOf(values) : undefined;
  const value = (name: keyof ${type}Input): string => sent?.text(name) ?? row?.[name] ?? "";
  const field = (name: ${fieldNames}, label: string, control: Node): Node =>
    h.label(
      label,
      control,
      h.when(sent?.errors.get(name), (message) => h.span(h.class("message"), message)),
    );
  const named = (name: ${fieldNames}): Node =>
    h.group(h.name(name), sent?.errors.has(name) === true && h.aria("invalid", "true"));
  return h.form(
    h.method("post"),
${enctype}    csrfInput(c),
${controls.join("")}    h.button(h.type("submit"), ${save}),
  );
}

/** The texts that the fields show for a row. */
function textsOf(row: ${type}Row): Readonly<Record<keyof ${type}Input, string>> {
  return {
${fields.map((field) => `    ${field.name}: ${rowText(field)},\n`).join("")}  };
}
`;
}

function uploadControl(upload: UploadField, files: string): string {
  const { name, isRequired } = upload;
  const accept = acceptedTypes(upload);
  const rules = [
    ...accept === undefined ? [] : [`h.accept("${accept}")`],
    // A row that is there keeps its upload.
    ...isRequired ? [`!${files}.${name}.optional && h.required()`] : [],
  ];
  return `h.input(${[`named("${name}")`, 'h.type("file")', ...rules].join(", ")})`;
}

function control({ texts }: ResourcePlan, field: Field): string {
  const { name, control: type, choices, builder, rules } = field;
  const own = `named(${JSON.stringify(name)})`;
  const value = `value(${JSON.stringify(name)})`;
  const required = rules.has("required") ? ", h.required()" : "";
  if (type === "checkbox") {
    return `h.input(${own}, h.type("checkbox"), h.checked(${value} !== "")${required})`;
  }
  if (choices.length > 0) {
    // The first option is empty, so that a form that is sent unread has no choice of its own.
    return `h.select(${own}${required}, h.option(h.value(""), ${texts.text("choose")}), ` +
      `h.map(${literals(choices)}, (choice) => ` +
      `h.option(h.value(choice), h.selected(choice === ${value}), ${
        texts.value(field, "choice")
      })))`;
  }
  const limits = builder === "text" ? textLimits(field) : valueLimits(field);
  if (type === "textarea") return `h.textarea(${own}, h.rows(6)${required}${limits}, ${value})`;
  const step = builder === "float" ? ', h.step("any")' : "";
  return `h.input(${own}, h.type("${type}"), h.value(${value})${required}${limits}${step})`;
}

function literals(choices: readonly string[]): string {
  return `[${choices.map((choice) => JSON.stringify(choice)).join(", ")}]`;
}

function textLimits({ rules }: Field): string {
  const min = rules.get("len") ?? rules.get("min");
  const max = rules.get("len") ?? rules.get("max");
  return (min === undefined ? "" : `, h.minlength(${min})`) +
    (max === undefined ? "" : `, h.maxlength(${max})`);
}

function valueLimits({ rules, control }: Field): string {
  return (["min", "max"] as const).map((rule) => {
    const limit = rules.get(rule);
    if (limit === undefined) return "";
    const shown = control === "date"
      ? limit.slice(0, 10)
      : control === "datetime-local" && !limit.includes("T")
      ? `${limit}T${rule === "min" ? "00:00" : "23:59"}`
      : limit;
    return `, h.${rule}(${JSON.stringify(shown)})`;
  }).join("");
}

/** Returns the expression of the text that a field shows. */
function rowText({ name, builder, control: type, isNullable }: Field): string {
  const end = isNullable ? ' ?? ""' : "";
  const dot = isNullable ? "?." : ".";
  switch (builder) {
    case "text":
      return `row.${name}${end}`;
    case "bool":
      return `row.${name} ? "on" : ""`;
    case "date":
      return `row.${name}${dot}toISOString().slice(0, ${type === "date" ? 10 : 16})${end}`;
    default:
      return isNullable ? `row.${name}?.toString()${end}` : `String(row.${name})`;
  }
}
