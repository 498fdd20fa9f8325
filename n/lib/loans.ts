import { type Application, key, provide, type Upload, use } from "@fw/fw";
import { type Choice, columns, contains, type Db, name, sql, TableStore } from "@fw/fw/data";
import { day, type Infer, int, money, struct, text } from "@fw/fw/schema";
import { createHash } from "node:crypto";
import { Database } from "./database.ts";

const fields = {
  name: text("required,max=80"),
  status: text("oneof=draft active archived").optional(),
  price: money("EUR"),
  stock: int("min=0"),
  released: day().optional(),
  eventId: int("required"),
  notes: text("max=10000").optional(),
};

/** What the form of a loan takes. */
export const LoanInput = struct(fields);
export type LoanInput = Infer<typeof LoanInput>;

const uploaded = {
  // The photo, without its bytes.
  photoName: text().optional(),
  photoType: text().optional(),
  photoHash: text().optional(),
};

/** A loan as pages show it. */
export const LoanRow = struct({ id: int(), ...fields, ...uploaded, eventName: text().optional() });
export type LoanRow = Infer<typeof LoanRow>;

/** What a list may be asked for. */
export const LoanQuery = struct({
  q: text("max=100").optional(),
  eventId: int().optional(),
  status: text("oneof=draft active archived").optional(),
  sort: text("oneof=newest oldest name -name price -price")
    .optional(),
  // The key of a page, or "last".
  at: text("max=8000").optional(),
});
export type LoanQuery = Infer<typeof LoanQuery>;

/** The orders of a list: each has an index, alone and behind each filter. */
const orders = {
  newest: { id: [sql`t."id"`, "desc"] },
  oldest: { id: [sql`t."id"`, "asc"] },
  name: { name: [sql`t."name"`, "asc"], id: [sql`t."id"`, "asc"] },
  "-name": { name: [sql`t."name"`, "desc"], id: [sql`t."id"`, "desc"] },
  price: { price: [sql`t."price"`, "asc"], id: [sql`t."id"`, "asc"] },
  "-price": { price: [sql`t."price"`, "desc"], id: [sql`t."id"`, "desc"] },
} as const;

const read = sql`
  select t."id", ${columns(LoanInput, "t")}
  , ${columns(struct(uploaded), "t")}
  , "event"."title" as "event_name"
  from "loans" t
  left join "events" "event" on "event"."id" = t."event_id"
`;

/** The uploads beside these fields. */
export const loanFiles = {
  photo: {
    accept: ["image/avif", "image/gif", "image/jpeg", "image/png", "image/webp"],
    maxSizeBytes: 512 * 1_024,
    optional: true,
  },
} as const;

/** The same for a loan that changes, which keeps what is not sent. */
export const changedLoanFiles = {
  photo: { ...loanFiles.photo, optional: true },
} as const;

/** The uploads to store; what is left out stays as it is. */
export type LoanUploads = {
  readonly [Name in keyof typeof loanFiles]?:
    | Pick<Upload, "bytes" | "mime" | "name">
    | undefined;
};

/** The loans, as `Setup` provides them: `use(c, Loans)`. */
export const Loans = key<LoanStore>("loans");

/** Provides the loans of the database. */
export function openLoans(app: Application): void {
  // The pages flash messages, which travel in a signed cookie.
  if (app.env !== "dev" && app.config.secret === undefined) {
    app.log.warn("the messages of loans are lost: set FW_SECRET to 32 random bytes or more");
  }
  provide(app, Loans, new LoanStore(use(app, Database)));
}

/** The name of a loan in titles and links. */
export function loanTitle(row: LoanRow): string {
  if (row.name) return row.name;
  return `#${row.id}`;
}

/** The loans of a database: their lists, and the rows by id. */
export class LoanStore extends TableStore<LoanRow, LoanInput, LoanQuery> {
  constructor(db: Db) {
    super(db, {
      table: "loans",
      rows: LoanRow,
      input: LoanInput,
      read,
      orders,
      matching: (query) => [
        query.q && contains("loans", query.q),
        query.eventId && sql`t."event_id" = ${query.eventId}`,
        query.status && sql`t."status" = ${query.status}`,
      ],
    });
  }

  /** Returns what a form offers as the event: the newest 1,000 and the chosen one, or what holds a text. */
  async eventChoices(asked?: number | string | null): Promise<Choice[]> {
    return await this.choices({ table: "events", label: "title" }, asked);
  }

  /** Adds a loan with its uploads. */
  override async add(input: LoanInput, uploads: LoanUploads = {}): Promise<LoanRow> {
    return await this.db.tx(async () => this.#keep(await super.add(input), uploads));
  }

  /** Changes a loan and the uploads that are there. */
  override async change(
    id: number,
    input: Partial<LoanInput>,
    uploads: LoanUploads = {},
  ): Promise<LoanRow> {
    return await this.db.tx(async () => this.#keep(await super.change(id, input), uploads));
  }

  /** Returns the bytes of an upload; throws `notFound()` if there are none. */
  async bytes(id: number, field: keyof typeof loanFiles): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.db.one(text())`
      select hex("bytes") from "loans_bytes" where "id" = ${id} and "field" = ${field}`;
    return Uint8Array.fromHex(bytes);
  }

  async #keep({ id }: LoanRow, uploads: LoanUploads): Promise<LoanRow> {
    for (const [field, upload] of Object.entries(uploads)) {
      if (upload === undefined) continue;
      const bytes = await upload.bytes();
      const hash = createHash("sha256").update(bytes).digest("base64url");
      await this.db.run`
        update "loans" set ${name(`${field}_name`)} = ${upload.name},
          ${name(`${field}_type`)} = ${upload.mime}, ${name(`${field}_hash`)} = ${hash}
        where "id" = ${id}`;
      await this.db.run`
        insert into "loans_bytes" ("id", "field", "bytes") values (${id}, ${field}, ${bytes})
        on conflict ("id", "field") do update set "bytes" = excluded."bytes"`;
    }
    return await this.get(id);
  }
}
