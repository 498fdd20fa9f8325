/** Shows the rows of a resource on the pages of the rows to which they refer. */
import { appFolder } from "@fw/fw/conventions";
import type { Change, Edits } from "../edits.ts";
import { pruneImports } from "../imports.ts";
import { renderRegion } from "../sample.ts";
import { type Field, fieldColumn } from "./fields.ts";
import { lowered, type ResourceNames } from "./names.ts";
import type { ReferencedTable } from "./references.ts";
import { limits, listFields, type Resource } from "./resource.ts";

const pageSample = "kit/app/book-loans/id_/page.ts";

/** The resource whose form contains the rows. */
export interface Holder extends Omit<ResourceNames, "words" | "aOne"> {
  readonly field: Field;
  /** The module of its tests with the rows to which it refers. */
  readonly inserted: string;
}

/** Lists the references by which the list filters, and whose rows have a page. */
export function parentsOf(
  { fields, references }: Resource,
): readonly {
  readonly field: Field;
  readonly parent: ReferencedTable & { readonly page: string };
}[] {
  return listFields(fields, limits).filters.flatMap((field) =>
    references.flatMap(({ page, ...parent }) =>
      page === undefined || parent.table !== field.reference?.table
        ? []
        : { field, parent: { ...parent, page } }
    )
  );
}

/** Finds the resource of the first reference that deletes the rows with their row. */
export async function findParentResource(
  edits: Edits,
  fields: readonly Field[],
): Promise<Holder | undefined> {
  const field = fields.find(({ reference }) => reference?.onDelete === "cascade");
  const table = field?.reference?.table ?? "";
  const store = await edits.read(`lib/${table}.ts`) ?? "";
  const [, type] = /^export const (\w+)Input = struct\(/m.exec(store) ?? [];
  const [, many = `${type}s`] = /^export const (\w+) = key</m.exec(store) ?? [];
  if (field === undefined || type === undefined) return undefined;
  const one = lowered(type);
  const [url, file] = [table.replaceAll("_", "-"), fieldColumn(one)];
  const inserted = await edits.read(`lib/${file}_testing.ts`) ?? "";
  return { field, table, url, many, type, one, file, inserted };
}

/** Reports whether users who see the rows of a resource may see those of a referenced table. */
export function canFollow({ isGuarded, role }: ReferencedTable, resource: Resource): boolean {
  const isSigned = resource.guard !== undefined && resource.isPublic !== true;
  return (isSigned || isGuarded !== true) && (role === undefined || role === resource.role);
}

export async function joinParents(edits: Edits, resource: Resource): Promise<void> {
  const { one, file } = resource.names;
  const { children } = edits.project.messages.resource;
  for (const { field, parent } of parentsOf(resource)) {
    const page = pageFile(parent.page);
    const names = { bookLoan: one, book_loan: file, readerId: field.name };
    // A deleted row gets no new rows.
    const region = renderRegion(pageSample, "children", {
      names,
      parts: { audit: parent.isAudited },
    });
    const left = await edits.insert(page, region, addCall);
    if (left !== undefined) edits.tell(children(page, left.replace(/,$/, "")));
  }
}

export function withoutParents(
  resource: Resource,
): readonly (readonly [file: string, change: Change])[] {
  const call = new RegExp(
    `\\s*await ${resource.names.one}Rows\\((?:[^()]|\\([^()]*\\))*\\),?`,
    "g",
  );
  return parentsOf(resource).map(({ parent }) => [
    pageFile(parent.page),
    (text) => call.test(text) ? pruneImports(text.replaceAll(call, "")) : undefined,
  ]);
}

export function pageFile(pattern: string): string {
  return `${appFolder}${pattern.replace("{id}", "id_")}/page.ts`;
}

/** Adds a call to the arguments of `ui.detailPage`; `undefined` if the page is another one. */
export function addCall(text: string, call: string): string | undefined {
  const page = /(\n( +)return ui\.detailPage\([^]*?),?(\n\2 {2}ui\.history\(|\n\2\);|\n\2\}\);)/
    .exec(text);
  if (page === null || !/\n +const row = /.test(text)) return undefined;
  const [whole, head = "", , end = ""] = page;
  const added = end.endsWith("});") ? `${end.slice(0, -2)}, ${call});` : `,\n${call}${end}`;
  return text.replace(whole, () => head + added);
}
