import { type Application, key, provide, use } from "@fw/fw";
import { type Db, pictureTypes, tableFiles, TableStore } from "@fw/fw/data";
import { bool, date, day, float, type Infer, int, int64, money, struct, text } from "@fw/fw/schema";
import { Database } from "./database.ts";

const fields = {
  // each field
  headline: text("required,max=200"),
  remark: text("max=255").optional(),
  story: text("max=10000"),
  contact: text("required,email"),
  website: text("url"),
  genre: text("required,oneof=active lost"),
  mood: text("oneof=active lost").optional(),
  seats: int("max=500"),
  views: int64(),
  price: float(),
  fee: money("EUR"),
  lent: bool(),
  opens: day("required"),
  closes: day().optional(),
  begins: date("required"),
  readerId: int("required"),
  // end
};

/** The fields of the form of a book loan. */
export const BookLoanInput = struct(fields);
export type BookLoanInput = Infer<typeof BookLoanInput>;

// if upload
/** The uploads of a book loan. */
export const bookLoanFiles = tableFiles({
  // each field
  cover: { accept: pictureTypes, maxSizeBytes: 512 * 1_024, optional: true },
  scan: { maxSizeBytes: 2_048 * 1_024, optional: true },
  // end
});

// end
/** A book loan as pages show it. */
export const BookLoanRow = struct({
  id: int(),
  ...fields,
  // if audit:
  deletedAt: date().optional(),
  // if upload:
  ...bookLoanFiles.fields,
  // each reference
  readerName: text().optional(),
  // end
});
export type BookLoanRow = Infer<typeof BookLoanRow>;

/** The query of a list; `at` is the cursor of a page, or "last". */
export const BookLoanQuery = struct({
  // if search:
  q: text("max=100").optional(),
  // each filter
  readerId: int().optional(),
  genre: text("oneof=active lost").optional(),
  mood: text("oneof=active lost").optional(),
  lent: text("oneof=yes no").optional(),
  closes: text("oneof=none").optional(),
  // end
  sort: text("oneof=newest oldest headline -headline fee -fee").optional(),
  // if audit:
  deleted: text("oneof=yes").optional(),
  at: text("max=8000").optional(),
});
export type BookLoanQuery = Infer<typeof BookLoanQuery>;

/** The book loans, as `Setup` provides them: `use(c, BookLoans)`. */
export const BookLoans = key<BookLoanStore>("book_loans");

/** Provides the book loans of the database. */
export function openBookLoans(app: Application): void {
  // The pages show flash messages, which need a signed cookie.
  if (app.env !== "dev" && app.config.secret === undefined) {
    app.log.warn("the messages of book loans are lost: set FW_SECRET to 32 random bytes or more");
  }
  provide(app, BookLoans, new BookLoanStore(use(app, Database)));
}

/** The name of a book loan in titles and links. */
export function bookLoanTitle(row: BookLoanRow): string {
  // each titled
  if (row.headline) return row.headline;
  // end
  return `#${row.id}`;
}

/** The book loans of a database, as lists and by id. */
export class BookLoanStore extends TableStore<BookLoanRow, BookLoanInput, BookLoanQuery> {
  constructor(db: Db) {
    super(db, {
      table: "book_loans",
      rows: BookLoanRow,
      input: BookLoanInput,
      query: BookLoanQuery,
      // if audit:
      isAudited: true,
      // if reference
      references: {
        // each reference
        readerId: { table: "users", label: "label" },
        // end
      },
      // end
    });
  }
}
