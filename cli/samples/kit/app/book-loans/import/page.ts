import {
  bool,
  type Bound,
  type Ctx,
  type Infer,
  type Node,
  type Result,
  struct,
  use,
} from "@fw/fw";
import type { ImportedCsv } from "@fw/fw/data";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { bookLoanLabels, bookLoanMessages } from "../../../lib/book_loan_messages.ts";
import { type BookLoanInput, BookLoans } from "../../../lib/book_loans.ts";

const CsvFile = struct({ preview: bool() });
type CsvFile = Infer<typeof CsvFile>;

const files = { file: { accept: ["text/csv"] } } as const;

/** GET /book-loans/import */
export function Page(c: Ctx): Node {
  return view(c, { preview: true });
}

/** POST /book-loans/import */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(CsvFile, { files });
  if (!input.ok) {
    c.status(422);
    return view(c, input);
  }
  const { preview } = input.value;
  const found = await use(c, BookLoans).addFile(input.files.file.stream(), preview);
  if (found.faults.length > 0) c.status(422);
  else if (!preview) {
    c.flash("success", c.t(bookLoanMessages, "imported", { count: found.count }));
    return c.redirect(c.href("/book-loans"));
  }
  return view(c, { preview }, findings(c, found));
}

function view(c: Ctx, values: CsvFile | Bound<CsvFile>, found?: Node): Node {
  c.title = c.t(bookLoanMessages, "import");
  return h.fragment(
    ui.pageHeader(
      c.title,
      ui.buttonLink(c.href("/book-loans"), ui.outline, c.t(bookLoanMessages, "all")),
    ),
    found,
    h.p(c.t(bookLoanMessages, "importHelp")),
    ui.form(c, CsvFile, {
      values,
      files,
      labels: (name) => c.t(bookLoanMessages, name),
      fields: { file: { type: "dropzone" } },
      submit: c.t(bookLoanMessages, "import"),
    }),
  );
}

/** Shows what is wrong with a file by line, else its first rows. */
function findings(c: Ctx, { count, first, faults }: ImportedCsv<BookLoanInput>): Node {
  if (faults.length > 0) {
    const title = c.t(bookLoanMessages, "faults");
    const rows = h.map(faults, ({ line, field, message }) =>
      h.tr(
        h.th(h.scope("row"), c.t(bookLoanMessages, "line", { line })),
        h.td(field && c.t(bookLoanLabels, field)),
        h.td(message),
      ));
    return h.fragment(
      ui.alert(title, ui.destructive),
      ui.table(title, ui.hiddenCaption, h.tbody(rows)),
    );
  }
  const title = c.t(bookLoanMessages, "importable", { count });
  const names = Object.keys(first[0] ?? {}) as (keyof BookLoanInput)[];
  const cell = (value: unknown): h.Child =>
    value instanceof Date ? ui.time(c, value, { clock: true }) : String(value ?? "");
  return h.fragment(
    ui.alert(title),
    ui.table(
      title,
      ui.hiddenCaption,
      h.thead(h.tr(h.map(names, (name) => h.th(h.scope("col"), c.t(bookLoanLabels, name))))),
      h.tbody(h.map(first, (row) => h.tr(h.map(names, (name) => h.td(cell(row[name])))))),
    ),
  );
}
