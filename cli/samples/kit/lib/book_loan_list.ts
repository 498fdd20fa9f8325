import { type Ctx, notFound, use } from "@fw/fw";
import { type Choice, type ChoiceSource, readChoices } from "@fw/fw/data";
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

// if reference
/** The referenced tables. */
const references: Readonly<Record<string, ChoiceSource>> = {
  // each reference
  readerId: { table: "users", label: "label" },
  // end
};

// end
/** The table of the book loans, for the store of their holders. */
export const bookLoanTable = {
  table: "book_loans",
  parent: "holderId",
  position: "position",
  // if reference
  references,
  // end
};
// if reference

/** Returns the choices for a reference: the newest 200 and the chosen ones, or a search. */
export async function bookLoanReferences(
  c: Ctx,
  name: string,
  asked: string | readonly number[],
): Promise<Choice[]> {
  const source = Object.hasOwn(references, name) ? references[name] : undefined;
  if (source === undefined) throw notFound();
  return await readChoices(use(c, Database), { ...source, asked });
}
// end
