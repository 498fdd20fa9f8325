/** Puts the rows of a resource into the form and the page of the rows to which they belong. */
import { appFolder } from "@fw/fw/conventions";
import type { Change, Edits } from "../edits.ts";
import { addImport, awaken } from "../imports.ts";
import { labelOf, markText, portugueseLabel, wordingLanguage } from "../languages.ts";
import { type NewFile, renderSample, replaceNames } from "../sample.ts";
import { fieldColumn } from "./fields.ts";
import { createRendering, migration, migrationSample } from "./files.ts";
import { capital, lowered } from "./names.ts";
import { addCall, type Holder, pageFile } from "./parents.ts";
import { seedFile } from "./seeds.ts";
import { findPrice, hasWords, isSummed, type Resource } from "./resource.ts";

export interface Inside {
  readonly resource: Resource;
  readonly holder: Holder;
}

const maxRows = 50;
/** Maximum number of inputs in all rows: a form has up to 1,000 (`maxFields`). */
const maxInputs = 900;

/** The files of the rows, and those with code for the test and the example rows of the holder. */
interface InsideFiles {
  readonly files: readonly NewFile[];
  readonly test: NewFile;
  readonly seeds: NewFile;
}

export function insideFiles(inside: Inside, number: string): InsideFiles {
  const { holder } = inside;
  const fields = inside.resource.fields.filter((field) => field !== holder.field);
  const references = inside.resource.references.map((each) => ({
    ...each,
    inserts: each.table === holder.table
      ? []
      : each.inserts.filter((insert) => !holder.inserted.includes(insert)),
  }));
  const resource = { ...inside.resource, fields, references };
  const { names } = resource;
  const list = lowered(names.many);
  const rendering = createRendering(resource, noLists);
  const word = labelOf(holder.one).toLowerCase();
  const labels = `${holder.one}Labels`;
  const price = findPrice(fields);
  const money = fields.find(({ builder }) => builder === "money");
  const sums = fields.filter(isSummed).map(({ name }) => name);
  const own = {
    ...rendering,
    parts: {
      ...rendering.parts,
      ...noPages,
      request: callArguments(inside) !== "",
      summed: sums.length > 0,
      priced: price !== undefined,
    },
    names: {
      ...rendering.names,
      "lib/book_loan_list": `lib/${names.table}`,
      bookLoans: list,
      "/book-loans/choices": `/${holder.url}/choices`,
      "use(c, BookLoans)": `use(c, ${holder.many})`,
      '{ BookLoans } from "../lib/book_loans.ts"':
        `{ ${holder.many} } from "../lib/${holder.table}.ts"`,
      'c.t(bookLoanMessages, "title")': `c.t(${labels}, "${list}")`,
      'c.t(bookLoanLabels, "price")': `c.t(${labels}, "${list}.total")`,
      "row.seats * row.fee": price ?? "",
      '"EUR"': JSON.stringify(money?.currency ?? "EUR"),
      'sums: ["fee"]': `sums: ${JSON.stringify(sums)}`,
      "c.t(bookLoanLabels, name)": `c.t(${labels}, \`${list}.\${name}\`)`,
      '{ bookLoanLabels, bookLoanMessages } from "../lib/book_loan_messages.ts"':
        `{ ${labels} } from "../lib/${holder.file}_messages.ts"`,
      holderId: holder.field.name,
      holder_id: fieldColumn(holder.field.name),
      "/holders": `/${holder.url}`,
      holders: `${word}s`,
      "a holder": `${/^[aeio]/.test(word) ? "an" : "a"} ${word}`,
      holder: word,
    },
  };
  const render = (sample: string, file: string): NewFile =>
    renderSample(`kit/${sample}`, file, own);
  const sql = replaceNames(migrationSample, own.names).replace(/\d+/, number);
  return {
    files: [
      migration(inside.resource, sql, noLists, noPages),
      render("lib/book_loan_list.ts", `lib/${names.table}.ts`),
      render("views/book_loan_list.ts", viewFile(inside)),
      ...fields.some(hasWords)
        ? [render("lib/book_loan_messages.ts", `lib/${names.file}_messages.ts`)]
        : [],
    ],
    test: render("lib/book_loan_list_check.ts", `${appFolder}/${holder.url}/page_test.ts`),
    seeds: render(seedFile, `seeds/${holder.table}.ts`),
  };
}

const noLists = { columns: 0, filters: 0, sorts: 0 };

const noPages = { page: false, search: false };

function viewFile({ resource: { names } }: Inside): string {
  return `views/${names.file}_list.ts`;
}

/** A change of a file of the holder, with the code that the developer adds to an edited one. */
type Join = readonly [file: string, code: string, add: Change];

/** Adds the rows to the files of their holder, or prints what to add to a changed one. */
export async function joinHolder(
  edits: Edits,
  inside: Inside,
  { test, seeds }: InsideFiles,
): Promise<void> {
  const { holder, resource: { names } } = inside;
  const page = pageFile(`/${holder.url}/{id}`);
  const list = lowered(names.many);
  const rows = `${names.one}Rows(c, row.${list}),`;
  const joins: readonly Join[] = [
    storeJoin(edits, inside),
    labelsJoin(inside),
    formJoin(edits, inside),
    [page, rows, (text) => {
      const added = addCall(text, rows);
      return added && addImport(added, `${names.one}Rows`, edits.style(viewFile(inside), page));
    }],
    seedsJoin(list, seeds),
    testJoin(edits, inside, test),
  ];
  if (callArguments(inside).includes("row")) await edits.addMissing(choicesRoute(holder));
  for (const [file, code, add] of joins) {
    if (await edits.read(file) === undefined) continue;
    await edits.join(file, add, edits.project.messages.generateEdited(file, code));
  }
}

/** Returns the route with the choices for references, which a holder with references of its own has. */
function choicesRoute({ url, table, many }: Holder): NewFile {
  const names = { "book-loans": url, "book_loans": table, BookLoans: many };
  const path = "app/book-loans/choices/name_/route.ts";
  return renderSample(`kit/${path}`, replaceNames(path, names), { names });
}

function storeJoin(edits: Edits, { holder: { type, table }, resource }: Inside): Join {
  const { names, fields } = resource;
  // A row has an id in place of its reference to the holder.
  const max = Math.min(maxRows, Math.floor(maxInputs / fields.length));
  const list = lowered(names.many);
  const file = `lib/${table}.ts`;
  // Optional, so that a client of the API that does not know of the rows keeps them.
  const member = `${list}: list(${names.type}Input, "max=${max}").optional()`;
  const rows = `${list}: list(${names.type}Row)`;
  const own = `${list}: ${names.one}Table`;
  const input = new RegExp(
    `^(export const ${type}Input = struct\\()(?:fields|\\{([^]*?),?\\s*\\})\\);`,
    "m",
  );
  const row = new RegExp(`(${type}Row = struct\\(\\{\\s*id: int\\(\\),\\s*\\.{3}fields\\b),?`);
  const options = /(\n {6}orders|\bquery: \w+),?(?:\s*lists: \{([^]*?),?\s*\},?)?(?=\s)/;
  const code = [
    `${type}Input = struct({ ...fields, ${member} })`,
    `${type}Row = struct({ …, ${rows} })`,
    `lists: { ${own} }`,
  ];
  return [file, code.join("\n"), (text) => {
    if (![input, row, options].every((place) => place.test(text))) return undefined;
    const joined = text
      .replace(input, (_, head, more = " ...fields") => `${head}{${more}, ${member} });`)
      .replace(row, `$1, ${rows},`)
      .replace(options, (_, head, more = "") => `${head}, lists: {${more && `${more},`} ${own} },`);
    const imported = `${names.type}Input, ${names.type}Row, ${names.one}Table`;
    const whole = addImport(joined, imported, edits.style(`lib/${names.table}.ts`, file));
    return addImport(whole, "list", "@fw/fw/schema");
  }];
}

function labelsJoin({ holder, resource: { names, fields } }: Inside): Join {
  const list = lowered(names.many);
  const own = fields.filter((field) => field !== holder.field);
  const labels: readonly (readonly [key: string, label: string])[] = [
    [list, capital(names.words[1])],
    [`"${list}.id"`, "#"],
    ...own.map(({ name, label }) => [`"${list}.${name}"`, label] as const),
    ...findPrice(own) === undefined ? [] : [[`"${list}.total"`, "Total"] as const],
  ];
  const lines = (tag: string): string =>
    labels.map(([key, label]) => {
      const own = wordingLanguage(tag) === "pt" ? portugueseLabel(label) : undefined;
      const line = `    ${key}: ${JSON.stringify(own ?? label)},`;
      return `${wordingLanguage(tag) === "en" || own !== undefined ? line : markText(line)}\n`;
    }).join("");
  const catalog = new RegExp(
    `(?<=^export const ${holder.one}Labels = catalog\\(\\{\\n)(?: {2}[\\w"-]+: \\{\\n(?: {4}.*\\n)* {2}\\},\\n)+`,
    "m",
  );
  const language = /^ {2}"?([\w-]+)"?: \{\n(?: {4}.*\n)*/gm;
  return [
    `lib/${holder.file}_messages.ts`,
    lines("en").trimEnd(),
    (text) =>
      catalog.test(text)
        ? text.replace(catalog, (all) => all.replaceAll(language, (one, tag) => one + lines(tag)))
        : undefined,
  ];
}

/** Returns the arguments for the controls of the rows: choices need the request, references the values. */
function callArguments({ holder, resource: { fields } }: Inside): string {
  const own = fields.filter((field) => field !== holder.field);
  if (own.some(({ reference }) => reference !== undefined)) return "c, sent ?? row, row";
  return own.some(hasWords) ? "c" : "";
}

function formJoin(edits: Edits, inside: Inside): Join {
  const { holder, resource: { names } } = inside;
  const file = `views/${holder.file}_form.ts`;
  const given = callArguments(inside);
  const call = `${given.includes("row") ? "await " : ""}${names.one}Fields(${given})`;
  const spread = `      ...${call},\n`;
  const head = new RegExp(`^export (?:async )?function ${holder.one}Form\\(`, "m");
  return [file, `fields: { ...${call} }`, (text) => {
    const added = put(text, /\n {4}fields: \{\n/, spread) ??
      text.replace(/\n(?= {4}layout: )/, `\n    fields: {\n${spread}    },\n`);
    if (added === text || !head.test(text)) return undefined;
    const awaited = awaken(added, `${holder.one}Form`);
    return addImport(awaited, `${names.one}Fields`, edits.style(viewFile(inside), file));
  }];
}

function testJoin(edits: Edits, { resource: { names } }: Inside, test: NewFile): Join {
  const [own = ""] = /^Deno\.test\([^]*?^\}\);\n/m.exec(edits.restyle(test).text) ?? [];
  return [test.file, own, (present) => {
    if (!["openClient", "add"].every((name) => present.includes(`function ${name}(`))) {
      return undefined;
    }
    const added = `${present.trimEnd()}\n\n${own}`;
    return addImport(added, `${names.type}Input`, edits.style(`lib/${names.table}.ts`, test.file));
  }];
}

function seedsJoin(list: string, { file, text: own }: NewFile): Join {
  const [, reads = "", members] =
    /\n {2}if \(present !== [^\n]*\n([^]*?)(?= {2}const rows = )[^]*?=> \(\{\n([^]*?)\n {2}\}\)\);/
      .exec(own) ?? [];
  const rows = `    ${list}: [2 * at, 2 * at + 1].map((at) => ({\nid: null,\n${members}\n})),\n`;
  return [file, rows, (text) => {
    // The holder may read the ids of the same rows.
    const missing = reads.split(/^(?= {2}const )/m)
      .filter((read) => !text.includes(read.split(" = ")[0] ?? ""));
    return put(text.replace(/^ {2}const rows = /m, `${missing.join("")}$&`), seedRows, rows);
  }];
}

const seedRows = /, at\): \w+Input => \(\{\n/;

function put(text: string, place: RegExp, lines: string): string | undefined {
  return place.test(text) ? text.replace(place, (head) => head + lines) : undefined;
}
