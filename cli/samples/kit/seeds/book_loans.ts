/**
 * Example book loans, the same in each run:
 * `deno run --allow-env=FW_DB --allow-read=data --allow-write=data seeds/book_loans.ts`
 *
 * @module
 */
import { int, struct } from "@fw/fw";
import type { Db } from "@fw/fw/data";
import { type BookLoanInput, BookLoanStore } from "../lib/book_loans.ts";
import { connect } from "../lib/database.ts";
import * as seed from "./values.ts";

// if audit
const Added = struct({ id: int(), addedAt: int() });

// end
/** Adds book loans to an empty table; returns their number. */
export async function seedBookLoans(db: Db, count: number = 50): Promise<number> {
  const present = await db.first(int())`select 1 from "book_loans" limit 1`;
  if (present !== undefined) return 0;
  // each reference
  const readerIds = await db.all(int())`select "id" from "users" order by "id" limit 1000`;
  // if needed:
  if (readerIds.length === 0) throw new Error("Cannot refer to users: fill the table first.");
  // end
  const rows = Array.from({ length: count }, (_, at): BookLoanInput => ({
    // each field
    headline: seed.thing(at),
    remark: at % 4 === 0 ? null : seed.thing(at),
    story: seed.prose(at),
    contact: seed.mail(at),
    website: seed.url(at),
    genre: seed.choose(["active", "lost"], at),
    mood: at % 4 === 1 ? null : seed.choose(["active", "lost"], at),
    seats: seed.number(at, { min: 1, count: 500 }),
    views: BigInt(seed.number(at, { min: 1, count: 61 })),
    price: seed.number(at, { min: 1, count: 61 }),
    fee: seed.number(at, { min: 500, count: 20001 }),
    lent: at % 3 === 0,
    opens: seed.day({ at, count, step: 1 }),
    closes: at % 4 === 2 ? null : seed.day({ at, count, step: 3 }),
    begins: seed.instant({ at, count, step: 2 }),
    readerId: seed.pick(readerIds, at * 7),
    // end
  }));
  await db.tx(async () => {
    const store = new BookLoanStore(db);
    // if image
    for (const [at, row] of rows.entries()) {
      await store.add(row, {
        // each seeded
        cover: seed.picture(at),
        // end
      });
    }
    // end
    // if no image:
    for (const row of rows) await store.add(row);
    // Spreads the rows over the last fifteen weeks, with growing numbers.
    await db.run`-- scan: all of them
      update "book_loans" set "added_at" = "added_at" -
        9000000 * (${count} - "id") * (${count} - "id") / ${count * count} -
        ("id" * 7 * length('book_loans')) % 15 * 86400`;
    // if audit
    const added = await db.all(Added)`select "id", "added_at" from "book_loans" order by "id"`;
    for (const [at, { id, addedAt }] of added.entries()) {
      // A team of four, whose names differ from those in the first hundred rows.
      await db.run`
        update "book_loans_changes" set "at" = ${new Date(addedAt * 1_000)},
          "by" = ${seed.person(100 + at % 4)} where "row_id" = ${id}`;
    }
    // end
  });
  return rows.length;
}

if (import.meta.main) {
  const db = await connect(Deno.env.get("FW_DB"));
  const added = await seedBookLoans(db);
  await db.close();
  console.log(`${added} book loans added`);
}
