import { bool, date, day, float, type Infer, int, int64, money, struct, text } from "@fw/fw/schema";

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

/** A book loan in the form of its holder; a new one has no id. */
export const BookLoanInput = struct({ id: int().optional(), ...fields });
export type BookLoanInput = Infer<typeof BookLoanInput>;

/** A book loan as pages show it. */
export const BookLoanRow = struct({
  id: int(),
  holderId: int(),
  ...fields,
  // each reference
  readerName: text().optional(),
  // end
});
export type BookLoanRow = Infer<typeof BookLoanRow>;

/** The table of the book loans, for the store of their holders. */
export const bookLoanTable = {
  table: "book_loans",
  parent: "holderId",
  position: "position",
  // if reference
  references: {
    // each reference
    readerId: { table: "users", label: "label" },
    // end
  },
  // end
};
