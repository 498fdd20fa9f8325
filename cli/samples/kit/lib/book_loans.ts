import {
  type Application,
  bool,
  date,
  float,
  type Infer,
  int,
  int64,
  key,
  notFound,
  provide,
  struct,
  text,
  type Upload,
  use,
} from "@fw/fw";
import { inTransaction } from "@fw/fw/sqlite";
import { createHash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Database } from "./database.ts";

/** What the form of a book loan takes. */
export const BookLoanInput = struct({
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
  lent: bool(),
  opens: date("required"),
  closes: date(),
  begins: date("required"),
  ends: date(),
  // end
});
export type BookLoanInput = Infer<typeof BookLoanInput>;

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

/** What is known of an upload without its bytes. */
export interface BookLoanFile {
  readonly name: string;
  /** The media type that the first bytes show. */
  readonly type: string;
  /** The hash of the bytes: what a URL with it returns never changes. */
  readonly hash: string;
}

/** An upload with its bytes. */
export interface BookLoanUpload extends BookLoanFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The uploads to store; what is left out stays as it is. */
export type BookLoanUploads = {
  readonly [Name in keyof typeof bookLoanFiles]?: BookLoanUpload | undefined;
};

/** Reads an upload of a form. */
export async function readBookLoanUpload(
  upload: Upload | undefined,
): Promise<BookLoanUpload | undefined> {
  if (upload === undefined) return undefined;
  const bytes = await upload.bytes();
  const hash = createHash("sha256").update(bytes).digest("base64url");
  return { name: upload.name, type: upload.mime, hash, bytes };
}

// end
/** A book loan in the database. */
export type BookLoanRow = BookLoanInput & {
  /** @type {integer} */
  readonly id: number;
  // each field
  readonly cover: BookLoanFile | null;
  readonly scan: BookLoanFile | null;
  // end
};

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

/** The columns of the fields. */
const columns: readonly string[] = [
  // each field
  "headline",
  "remark",
  "story",
  "memo",
  "contact",
  "backup",
  "website",
  "mirror",
  "genre",
  "mood",
  "seats",
  "spare",
  "views",
  "peak",
  "price",
  "ratio",
  "lent",
  "opens",
  "closes",
  "begins",
  "ends",
  // end
];

/** The columns that are read. */
const read = [
  "id",
  ...columns,
  // each field
  "cover_name",
  "cover_type",
  "cover_hash",
  "scan_name",
  "scan_type",
  "scan_hash",
  // end
].map(quote).join(", ");

/** The columns that a search looks at. */
const searched: readonly string[] = [
  // each searched
  "headline",
  "remark",
  "story",
  "memo",
  "contact",
  "backup",
  "website",
  "mirror",
  "genre",
  "mood",
  // end
];

const pageSize = 20;

/** The book loans of a database. */
export class BookLoanStore {
  readonly #count: StatementSync;
  readonly #list: StatementSync;
  readonly #get: StatementSync;
  readonly #add: StatementSync;
  readonly #change: StatementSync;
  readonly #remove: StatementSync;
  // if uploads
  readonly #db: DatabaseSync;
  readonly #bytes: StatementSync;
  // end

  constructor(db: DatabaseSync) {
    // `like` costs the length of the text times that of the pattern.
    const found = searched.map((name) => `instr(lower(${quote(name)}), lower(?1)) > 0`);
    const where = ["?1 = ''", ...found].join(" or ");
    const names = columns.map(quote);
    const marks = names.map(() => "?").join(", ");
    const set = names.map((name) => `${name} = ?`).join(", ");
    this.#count = db.prepare(`select count(*) as n from "book_loans" where ${where}`);
    this.#list = db.prepare(
      `select ${read} from "book_loans" where ${where} order by "id" desc limit ?2 offset ?3`,
    );
    this.#get = db.prepare(`select ${read} from "book_loans" where "id" = ?`);
    this.#add = db.prepare(
      `insert into "book_loans" (${names.join(", ")}) values (${marks}) returning ${read}`,
    );
    this.#change = db.prepare(`update "book_loans" set ${set} where "id" = ?`);
    this.#remove = db.prepare('delete from "book_loans" where "id" = ?');
    // if int64
    // A number would lose the last digits of a large integer.
    const isExact = true;
    for (const each of [this.#list, this.#get]) each.setReadBigInts(isExact);
    // end
    // if uploads
    this.#db = db;
    this.#bytes = db.prepare(
      'select "bytes" from "book_loans_bytes" where "id" = ? and "field" = ?',
    );
    // end
  }

  /** Returns a page of the book loans that contain a text, the newest first. */
  list({ search = "", page }: { readonly search?: string; readonly page: number }): {
    readonly rows: BookLoanRow[];
    readonly pages: number;
  } {
    const rows = this.#list.all(search, pageSize, (page - 1) * pageSize).map(rowOf);
    const count = Number(this.#count.get(search)?.["n"]);
    return { rows, pages: Math.max(1, Math.ceil(count / pageSize)) };
  }

  /** Returns a book loan; throws `notFound()` if the row does not exist. */
  get(id: number): BookLoanRow {
    const row = this.#get.get(id);
    if (row === undefined) throw notFound();
    return rowOf(row);
  }

  /** Adds a book loan and returns it as it is stored. */
  add(
    input: BookLoanInput,
    // if uploads
    uploads: BookLoanUploads = {},
    // end
  ): BookLoanRow {
    // if uploads
    return this.#asWhole(() => {
      // end
      const row = this.#add.get(...valuesOf(input));
      if (row === undefined) {
        throw new Error("Cannot add a book loan: the database returned no row.");
      }
      // if uploads
      this.#keep(Number(row["id"]), uploads);
      // end
      return rowOf(this.#get.get(Number(row["id"])) ?? row);
      // if uploads
    });
    // end
  }

  /** Changes a book loan and returns it; throws `notFound()` if the row does not exist. */
  change(
    id: number,
    input: BookLoanInput,
    // if uploads
    uploads: BookLoanUploads = {},
    // end
  ): BookLoanRow {
    // if uploads
    return this.#asWhole(() => {
      // end
      const { changes } = this.#change.run(...valuesOf(input), id);
      if (Number(changes) === 0) throw notFound();
      // if uploads
      this.#keep(id, uploads);
      // end
      return this.get(id);
      // if uploads
    });
    // end
  }

  /** Deletes a book loan; throws `notFound()` if the row does not exist. */
  remove(id: number): void {
    if (Number(this.#remove.run(id).changes) === 0) throw notFound();
  }
  // if uploads

  /** Returns the bytes of an upload; throws `notFound()` if there are none. */
  bytes(id: number, field: keyof typeof bookLoanFiles): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.get(id, field)?.["bytes"];
    if (!(bytes instanceof Uint8Array)) throw notFound();
    // A response takes bytes of a buffer that belongs to nothing else.
    return new Uint8Array(bytes);
  }

  /** Writes a book loan with its bytes, or neither; inside a transaction of the caller, with that. */
  #asWhole<T>(change: () => T): T {
    return this.#db.isTransaction ? change() : inTransaction(this.#db, change);
  }

  #keep(id: number, uploads: BookLoanUploads): void {
    for (const [field, file] of Object.entries(uploads)) {
      if (file === undefined) continue;
      const set = ["name", "type", "hash"].map((part) => `${quote(`${field}_${part}`)} = ?`);
      this.#db.prepare(`update "book_loans" set ${set.join(", ")} where "id" = ?`)
        .run(file.name, file.type, file.hash, id);
      this.#db.prepare('insert or replace into "book_loans_bytes" values (?, ?, ?)')
        .run(id, field, file.bytes);
    }
  }
  // end
}

function quote(column: string): string {
  return `"${column}"`;
}

function rowOf(row: Readonly<Record<string, unknown>>): BookLoanRow {
  return {
    id: Number(row["id"]),
    // each field
    headline: String(row["headline"]),
    remark: row["remark"] === null ? null : String(row["remark"]),
    story: String(row["story"]),
    memo: row["memo"] === null ? null : String(row["memo"]),
    contact: String(row["contact"]),
    backup: row["backup"] === null ? null : String(row["backup"]),
    website: String(row["website"]),
    mirror: row["mirror"] === null ? null : String(row["mirror"]),
    genre: row["genre"] as BookLoanRow["genre"],
    mood: row["mood"] as BookLoanRow["mood"],
    seats: Number(row["seats"]),
    spare: row["spare"] === null ? null : Number(row["spare"]),
    views: BigInt(String(row["views"])),
    peak: row["peak"] === null ? null : BigInt(String(row["peak"])),
    price: Number(row["price"]),
    ratio: row["ratio"] === null ? null : Number(row["ratio"]),
    lent: Number(row["lent"]) === 1,
    opens: new Date(String(row["opens"])),
    closes: row["closes"] === null ? null : new Date(String(row["closes"])),
    begins: new Date(String(row["begins"])),
    ends: row["ends"] === null ? null : new Date(String(row["ends"])),
    cover: fileOf(row, "cover"),
    scan: fileOf(row, "scan"),
    // end
  };
}

/** Returns the values of the columns; a form sends an empty text for one that is left out. */
function valuesOf(input: BookLoanInput): (string | number | bigint | null)[] {
  return [
    // each field
    input.headline,
    input.remark || null,
    input.story,
    input.memo || null,
    input.contact,
    input.backup || null,
    input.website,
    input.mirror || null,
    input.genre,
    input.mood || null,
    input.seats,
    input.spare,
    input.views,
    input.peak,
    input.price,
    input.ratio,
    Number(input.lent),
    input.opens.toISOString().slice(0, 10),
    input.closes?.toISOString().slice(0, 10) ?? null,
    input.begins.toISOString(),
    input.ends?.toISOString() ?? null,
    // end
  ];
}
// if uploads

function fileOf(row: Readonly<Record<string, unknown>>, field: string): BookLoanFile | null {
  const name = row[`${field}_name`];
  if (typeof name !== "string") return null;
  return { name, type: String(row[`${field}_type`]), hash: String(row[`${field}_hash`]) };
}
// end
