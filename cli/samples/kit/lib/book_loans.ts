import {
  type Application,
  bool,
  date,
  day,
  float,
  type Infer,
  int,
  int64,
  key,
  money,
  notFound,
  provide,
  struct,
  text,
  type Upload,
  use,
} from "@fw/fw";
import {
  among,
  columns,
  type Condition,
  contains,
  type Db,
  importCsv,
  type ImportedCsv,
  keyset,
  name,
  type Page,
  set,
  sql,
  values,
  where,
} from "@fw/fw/data";
import { createHash } from "node:crypto";
import { Database } from "./database.ts";

const fields = {
  // each field
  headline: text("required,max=200"),
  remark: text("max=255").optional(),
  story: text("max=10000"),
  memo: text("max=10000").optional(),
  contact: text("required,email"),
  backup: text("email").optional(),
  website: text("url"),
  mirror: text("url").optional(),
  genre: text("required,oneof=novel essay"),
  mood: text("oneof=novel essay").optional(),
  seats: int("max=500"),
  spare: int().optional(),
  views: int64(),
  peak: int64().optional(),
  price: float(),
  ratio: float().optional(),
  fee: money("EUR"),
  fine: money("EUR").optional(),
  lent: bool(),
  opens: day("required"),
  closes: day().optional(),
  begins: date("required"),
  ends: date().optional(),
  readerId: int("required"),
  // end
};

/** What the form of a book loan takes. */
export const BookLoanInput = struct(fields);
export type BookLoanInput = Infer<typeof BookLoanInput>;

const stored = {
  id: int(),
  ...fields,
  // each field
  // The cover, without its bytes.
  coverName: text().optional(),
  coverType: text().optional(),
  coverHash: text().optional(),
  // The scan, without its bytes.
  scanName: text().optional(),
  scanType: text().optional(),
  scanHash: text().optional(),
  // end
};
const Stored = struct(stored);

/** A book loan as pages show it. */
export const BookLoanRow = struct({
  ...stored,
  // each reference
  readerName: text().optional(),
  // end
});
export type BookLoanRow = Infer<typeof BookLoanRow>;

/** What a list may be asked for. */
export const BookLoanQuery = struct({
  // if search
  q: text("max=100").optional(),
  // end
  // each filter
  readerId: int().optional(),
  genre: text("oneof=novel essay").optional(),
  mood: text("oneof=novel essay").optional(),
  lent: text("oneof=yes no").optional(),
  // end
  sort: text("oneof=newest oldest headline -headline fee -fee opens -opens begins -begins")
    .optional(),
  // The key of a page, or "last".
  at: text("max=8000").optional(),
});
export type BookLoanQuery = Infer<typeof BookLoanQuery>;

/** The orders of a list: each has an index, alone and behind each filter. */
const orders = {
  newest: { id: [sql`t."id"`, "desc"] },
  oldest: { id: [sql`t."id"`, "asc"] },
  // each sorted
  headline: { headline: [sql`t."headline"`, "asc"], id: [sql`t."id"`, "asc"] },
  "-headline": { headline: [sql`t."headline"`, "desc"], id: [sql`t."id"`, "desc"] },
  fee: { fee: [sql`t."fee"`, "asc"], id: [sql`t."id"`, "asc"] },
  "-fee": { fee: [sql`t."fee"`, "desc"], id: [sql`t."id"`, "desc"] },
  opens: { opens: [sql`t."opens"`, "asc"], id: [sql`t."id"`, "asc"] },
  "-opens": { opens: [sql`t."opens"`, "desc"], id: [sql`t."id"`, "desc"] },
  begins: { begins: [sql`t."begins"`, "asc"], id: [sql`t."id"`, "asc"] },
  "-begins": { begins: [sql`t."begins"`, "desc"], id: [sql`t."id"`, "desc"] },
  // end
} as const;

const read = sql`
  select ${columns(Stored, "t")}
  -- each reference
  , "reader"."email" as "reader_name"
  -- end
  from "book_loans" t
  -- each reference
  left join "users" "reader" on "reader"."id" = t."reader_id"
  -- end
`;
// if uploads

/** The uploads beside these fields. */
export const bookLoanFiles = {
  // each field
  cover: {
    accept: ["image/avif", "image/gif", "image/jpeg", "image/png", "image/webp"],
    maxSizeBytes: 512 * 1_024,
    optional: true,
  },
  scan: { maxSizeBytes: 2_048 * 1_024, optional: true },
  // end
} as const;

/** The same for a book loan that changes, which keeps what is not sent. */
export const changedBookLoanFiles = {
  // each field
  cover: { ...bookLoanFiles.cover, optional: true },
  scan: { ...bookLoanFiles.scan, optional: true },
  // end
} as const;

/** The uploads to store; what is left out stays as it is. */
export type BookLoanUploads = {
  readonly [Name in keyof typeof bookLoanFiles]?: Upload | undefined;
};
// end

/** The book loans, as `Setup` provides them: `use(c, BookLoans)`. */
export const BookLoans = key<BookLoanStore>("book_loans");

/** Provides the book loans of the database. */
export function openBookLoans(app: Application): void {
  // The pages flash messages, which travel in a signed cookie.
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

// if references
const Choice = struct({ value: int(), label: text() });
type Choice = Infer<typeof Choice>;

// end

/** The book loans of a database. */
export class BookLoanStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns a page of the book loans, with their number up to 1,001. */
  async list(
    query: Partial<BookLoanQuery> = {},
    size: number = 20,
  ): Promise<Page<BookLoanRow> & { readonly total: number }> {
    const sort = query.sort || "newest";
    const page = keyset(query.at ?? undefined, { rows: BookLoanRow, by: orders[sort], size });
    const matching = this.#matching(query);
    // if search
    // Sorting the hits of a search is no scan.
    const bounded = query.q ? sql`-- scan: a search finds 10,000 rows at most\n` : sql``;
    // end
    const rows = await this.#db.all(BookLoanRow)`
      ${bounded} ${read} ${where(...matching, page.after)} ${page.order}`;
    return { ...page.cut(rows), total: await this.count(query) };
  }

  /** Counts the book loans that a query finds, up to 1,001. */
  async count(query: Partial<BookLoanQuery> = {}): Promise<number> {
    // if search
    const bounded = query.q ? sql`-- scan: a search finds 10,000 rows at most\n` : sql``;
    // end
    return await this.#db.one(int())`
      ${bounded} select count(*) from (select 1 from "book_loans" t ${
      where(...this.#matching(query))
    } limit 1001) x`;
  }
  // each view

  /** Counts the book loans that a query finds: all, and those of each genre. */
  async countViews(query: Partial<BookLoanQuery>): Promise<number[]> {
    const values = [undefined, ...(["novel", "essay"] as const)];
    return await Promise.all(values.map((value) => this.count({ ...query, genre: value ?? null })));
  }
  // end

  #matching(query: Partial<BookLoanQuery>): readonly Condition[] {
    return [
      // if search
      query.q && contains("book_loans", query.q),
      // end
      // each filter
      query.readerId && sql`t."reader_id" = ${query.readerId}`,
      query.genre && sql`t."genre" = ${query.genre}`,
      query.mood && sql`t."mood" = ${query.mood}`,
      query.lent && sql`t."lent" = ${query.lent === "yes"}`,
      // end
    ];
  }

  /** Returns a book loan; throws `notFound()` if the row does not exist. */
  async get(id: number): Promise<BookLoanRow> {
    return await this.#db.one(BookLoanRow)`${read} where t."id" = ${id}`;
  }
  // each reference

  /** Returns what a form offers as the reader: the newest 1,000, and the one that was chosen. */
  async readerChoices(chosen?: number | null): Promise<Choice[]> {
    return await this.#db.all(Choice)`
      -- scan: of 1,001 rows
      select * from (select "id" as "value", "email" as "label" from "users" order by "id" desc limit 1000) x
      union select "id", "email" from "users" where "id" = ${chosen ?? null} order by 2`;
  }
  // end

  /** Adds a book loan and returns it as it is stored. */
  async add(
    input: BookLoanInput,
    // if uploads
    uploads: BookLoanUploads = {},
    // end
  ): Promise<BookLoanRow> {
    // if uploads
    return await this.#db.tx(async () => {
      // end
      const id = await this.#db.one(int())`
        insert into "book_loans" ${values(BookLoanInput, withoutEmpty(input))} returning "id"`;
      // if uploads
      await this.#keep(id, uploads);
      // end
      return await this.get(id);
      // if uploads
    });
    // end
  }

  // if import
  /** Adds the rows of a CSV file, all or none; a preview adds none. */
  async addFile(
    file: ReadableStream<Uint8Array<ArrayBuffer>>,
    isPreview: boolean,
  ): Promise<ImportedCsv<BookLoanInput>> {
    return await importCsv(file, {
      db: this.#db,
      rows: BookLoanInput,
      add: (rows) =>
        this.#db.run`
          insert into "book_loans" ${values(BookLoanInput, rows.map(withoutEmpty))}`,
      isPreview,
    });
  }

  // end
  /** Changes a book loan and returns it; throws `notFound()` if the row does not exist. */
  async change(
    id: number,
    input: BookLoanInput,
    // if uploads
    uploads: BookLoanUploads = {},
    // end
  ): Promise<BookLoanRow> {
    // if uploads
    return await this.#db.tx(async () => {
      // end
      const changed = await this.#db.run`
        update "book_loans" set ${set(BookLoanInput, withoutEmpty(input))} where "id" = ${id}`;
      if (changed === 0) throw notFound();
      // if uploads
      await this.#keep(id, uploads);
      // end
      return await this.get(id);
      // if uploads
    });
    // end
  }

  // each view
  /** Sets the genre of book loans. */
  async setGenre(ids: readonly number[], value: BookLoanInput["genre"]): Promise<void> {
    await this.#db.run`
      update "book_loans" set ${set(BookLoanInput, { genre: value })} where "id" ${among(ids)}`;
  }

  // end
  /** Deletes book loans, those that are still there. */
  async removeAll(ids: readonly number[]): Promise<true> {
    return await this.#db.tx(async (): Promise<true> => {
      const there = await this.#db.all(int())`
        select "id" from "book_loans" where "id" ${among(ids)}`;
      for (const id of there) await this.remove(id);
      return true;
    });
  }

  /** Returns the ids of the rows beside one, the newer and the older. */
  async neighbours(id: number): Promise<readonly (number | undefined)[]> {
    return [
      await this.#db.first(int())`
        select "id" from "book_loans" where "id" > ${id} order by "id" limit 1`,
      await this.#db.first(int())`
        select "id" from "book_loans" where "id" < ${id} order by "id" desc limit 1`,
    ];
  }

  /** Deletes a book loan; throws `notFound()` if the row does not exist. */
  async remove(id: number): Promise<true> {
    if (await this.#db.run`delete from "book_loans" where "id" = ${id}` === 0) throw notFound();
    return true;
  }
  // if uploads

  /** Returns the bytes of an upload; throws `notFound()` if there are none. */
  async bytes(id: number, field: keyof typeof bookLoanFiles): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#db.one(text())`
      select hex("bytes") from "book_loans_bytes" where "id" = ${id} and "field" = ${field}`;
    return Uint8Array.fromHex(bytes);
  }

  async #keep(id: number, uploads: BookLoanUploads): Promise<void> {
    for (const [field, upload] of Object.entries(uploads)) {
      if (upload === undefined) continue;
      const bytes = await upload.bytes();
      const hash = createHash("sha256").update(bytes).digest("base64url");
      await this.#db.run`
        update "book_loans" set ${name(`${field}_name`)} = ${upload.name},
          ${name(`${field}_type`)} = ${upload.mime}, ${name(`${field}_hash`)} = ${hash}
        where "id" = ${id}`;
      await this.#db.run`
        insert into "book_loans_bytes" ("id", "field", "bytes") values (${id}, ${field}, ${bytes})
        on conflict ("id", "field") do update set "bytes" = excluded."bytes"`;
    }
  }
  // end
}
// if emptied

/** A form sends an empty text for what is left out; a unique column takes that once. */
function withoutEmpty(input: BookLoanInput): BookLoanInput {
  return {
    ...input,
    // each emptied
    remark: input.remark || null,
    memo: input.memo || null,
    backup: input.backup || null,
    mirror: input.mirror || null,
    mood: input.mood || null,
    // end
  };
}
// end
