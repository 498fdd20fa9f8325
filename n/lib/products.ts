import { type Application, key, provide, use } from "@fw/fw";
import { columns, contains, type Db, sql, TableStore } from "@fw/fw/data";
import { day, type Infer, int, money, struct, text } from "@fw/fw/schema";
import { Database } from "./database.ts";

const fields = {
  name: text("required,max=80"),
  status: text("oneof=draft active archived").optional(),
  price: money("EUR"),
  stock: int("min=0"),
  released: day().optional(),
};

/** What the form of a product takes. */
export const ProductInput = struct(fields);
export type ProductInput = Infer<typeof ProductInput>;

/** A product as pages show it. */
export const ProductRow = struct({ id: int(), ...fields });
export type ProductRow = Infer<typeof ProductRow>;

/** What a list may be asked for. */
export const ProductQuery = struct({
  q: text("max=100").optional(),
  status: text("oneof=draft active archived").optional(),
  sort: text("oneof=newest oldest name -name price -price")
    .optional(),
  // The key of a page, or "last".
  at: text("max=8000").optional(),
});
export type ProductQuery = Infer<typeof ProductQuery>;

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
  select t."id", ${columns(ProductInput, "t")}
  from "products" t
`;

/** The products, as `Setup` provides them: `use(c, Products)`. */
export const Products = key<ProductStore>("products");

/** Provides the products of the database. */
export function openProducts(app: Application): void {
  // The pages flash messages, which travel in a signed cookie.
  if (app.env !== "dev" && app.config.secret === undefined) {
    app.log.warn("the messages of products are lost: set FW_SECRET to 32 random bytes or more");
  }
  provide(app, Products, new ProductStore(use(app, Database)));
}

/** The name of a product in titles and links. */
export function productTitle(row: ProductRow): string {
  if (row.name) return row.name;
  return `#${row.id}`;
}

/** The products of a database: their lists, and the rows by id. */
export class ProductStore extends TableStore<ProductRow, ProductInput, ProductQuery> {
  constructor(db: Db) {
    super(db, {
      table: "products",
      rows: ProductRow,
      input: ProductInput,
      read,
      orders,
      matching: (query) => [
        query.q && contains("products", query.q),
        query.status && sql`t."status" = ${query.status}`,
      ],
    });
  }
}
