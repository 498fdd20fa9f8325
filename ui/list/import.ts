/** The page that imports rows from a CSV file and shows errors by line. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import { bool, type Ctx, type Result, struct } from "../../mod.ts";
import { submit } from "../button.ts";
import { alert } from "../display.ts";
import { swap } from "../fragment/fragments.ts";
import { errorSummary } from "../field.ts";
import { formPage } from "../form/page.ts";
import { word } from "../labels.ts";
import { nameField } from "../parts.ts";
import { type Column, dataTable } from "../table.ts";
import { destructive, hiddenCaption, outline, success, wide } from "../variants.ts";
import { details } from "./details.ts";
import type { FieldName, FieldTexts } from "../form/field_texts.ts";
import { fieldColumns, plainFields } from "./fields.ts";

/** The result of reading a file, as returned by `importCsv`. */
export interface FoundRows<Row> {
  /** The number of rows. */
  readonly count: number;
  /** The first rows. */
  readonly first: readonly Row[];
  /** The errors by line. */
  readonly faults: readonly {
    readonly line: number;
    readonly field?: string | undefined;
    readonly message: string;
  }[];
}

/** Options of {@linkcode importPage}. */
export interface ImportPageOptions<Row extends object>
  extends
    Pick<FieldTexts<Row>, "label" | "value" | "tones">,
    Partial<Pick<FieldTexts<Row>, "schema">> {
  /** The heading. */
  readonly title: string;
  /** The URL of the list, to which the import redirects when done. */
  readonly list: string;
  /** Adds all rows of a file or none; a preview adds none. */
  readonly add: (
    file: ReadableStream<Uint8Array<ArrayBuffer>>,
    isPreview: boolean,
  ) => Promise<FoundRows<Row>>;
  /** The maximum size of the file, below the limit of the route's `allowBody`. @default unchecked */
  readonly maxSizeBytes?: number;
}

const findingsId = "import-findings";

const CsvFile = struct({ preview: bool() });

function filesOf(
  { maxSizeBytes = Infinity }: { readonly maxSizeBytes?: number },
): { readonly file: { readonly accept: readonly string[]; readonly maxSizeBytes: number } } {
  return { file: { accept: ["text/csv"], maxSizeBytes } };
}

/**
 * Renders the page that imports rows, and handles its posted form.
 *
 * @param c The request, by `get` or `post`.
 * @param options The heading, the list and the import function.
 * @returns The page, or a redirect to the list.
 *
 * @example
 * ```ts
 * import type { Ctx, Result } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export async function POST(c: Ctx): Promise<Result> {
 *   return await ui.importPage(c, {
 *     title: "Import products",
 *     list: "/products",
 *     add: () => Promise.resolve({ count: 0, first: [], faults: [] }),
 *     label: (name) => name,
 *   });
 * }
 * ```
 */
export async function importPage<Row extends object>(
  c: Ctx,
  options: ImportPageOptions<Row>,
): Promise<Result> {
  c.title = options.title;
  if (c.request.method !== "POST") return view(c, options, {});
  const input = await c.tryBind(CsvFile, { files: filesOf(options) });
  if (!input.ok) {
    c.status(422);
    const found = errorSummary(input.errors, { file: word("csvFile") });
    return view(c, options, { found });
  }
  const { preview } = input.value;
  const found = await options.add(input.files.file.stream(), preview);
  if (found.faults.length > 0) c.status(422);
  else if (!preview) {
    c.flash("success", word("imported").replace("{count}", String(found.count)));
    return c.redirect(options.list);
  }
  return view(c, options, { found: findings(c, found, options) });
}

function view<Row extends object>(
  c: Ctx,
  options: ImportPageOptions<Row>,
  { found }: { readonly found?: Node },
): Node {
  return formPage(
    c,
    CsvFile,
    {
      title: options.title,
      text: word("importHelp"),
      before: h.div(h.class("ui-stack"), h.id(findingsId), h.hidden(found === undefined), found),
      cancel: options.list,
      files: filesOf(options),
      labels: { file: word("csvFile") },
      fields: { file: { type: "dropzone" } },
      only: ["file"],
      summary: false,
      more: submit(outline, h.name("preview"), h.value("on"), word("preview")),
      submit: word("import"),
      // Keep the form with its file, so that the user need not choose it again after the preview.
    },
    wide,
    swap(findingsId),
  );
}

/** Shows the errors of a file by line, or its first rows. */
function findings<Row extends object>(
  c: Ctx,
  found: FoundRows<Row>,
  options: ImportPageOptions<Row>,
): Node {
  const { label, schema } = options;
  const { count, first, faults } = found;
  if (faults.length > 0) {
    const lines = [...Map.groupBy(faults, ({ line }) => line)];
    const messages = lines.map(([line, found]) =>
      [
        word("line").replace("{line}", String(line)),
        h.map(found, ({ field, message }) =>
          h.p(
            field === undefined ? message : nameField(label(field as FieldName<Row>), message),
          )),
      ] as const
    );
    return alert(word("faults"), destructive, details(messages, wide));
  }
  const title = word("importable").replace("{count}", String(count));
  const names = Object.keys(first[0] ?? {}) as FieldName<Row>[];
  const shown = schema && plainFields(schema).map(({ path }) => path);
  const columns: readonly Column<Row>[] = schema === undefined
    ? names.map((name) => ({ title: label(name), cell: (row) => `${row[name] ?? ""}` }))
    : fieldColumns(c, { ...options, schema, names: names.filter((name) => shown?.includes(name)) });
  return h.fragment(
    alert(title, success),
    dataTable({ caption: title, columns, rows: first }, hiddenCaption),
  );
}
