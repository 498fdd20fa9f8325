import { type Ctx, FieldErrors, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { productLabels, productMessages, productValue } from "@/lib/product_messages.ts";
import { ProductQuery, Products, productTitle } from "@/lib/products.ts";
import { productColumns } from "@/views/product_columns.ts";

/** GET /products */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(productMessages, "title");
  const query = await c.bindQuery(ProductQuery);
  const store = use(c, Products);
  const page = await store.list(query, ui.pageSize(c));
  return ui.listPage(c, {
    title: c.title,
    text: c.t(productMessages, "about"),
    page,
    note: page.total > 1_000
      ? c.t(productMessages, "many", { most: 1_000 })
      : c.t(productMessages, "count", { count: page.total }),
    columns: productColumns(c),
    label: productTitle,
    search: c.t(productMessages, "search"),
    tabs: {
      name: "status",
      label: c.t(productLabels, "status"),
      choices: ["draft", "active", "archived"].map((value) => ({
        value,
        label: productValue(c, "status", value),
      })),
      // A search is too dear to be counted for each.
      counts: query.q
        ? undefined
        : await store.countEach(query, "status", ["draft", "active", "archived"]),
    },
    create: [c.href("/products/new"), c.t(productMessages, "new")],
    importHref: c.href("/products/import"),
    exportHref: c.href("/products/export"),
    edit: (row) => c.href("/products/{id}/edit", { id: row.id }),
    remove: (row) => c.href("/products/{id}/delete", { id: row.id }),
    acts: { value: (row) => row.id },
    empty: [c.t(productMessages, "empty"), c.t(productMessages, "begin")],
  });
}

/** POST /products */
export async function POST(c: Ctx): Promise<Result> {
  const store = use(c, Products);
  return await ui.actOnRows(c, {
    // Another row may refer to one of them.
    remove: (ids) => keep(new FieldErrors(), store.removeAll(ids)),
    set: {
      name: "status",
      values: ["draft", "active", "archived"],
      run: (ids, status) => store.changeAll(ids, { status }),
    },
  });
}
