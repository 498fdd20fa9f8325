import { use } from "@fw/fw";
import { watchPlans } from "@fw/fw/data/testing";
import { newTestClient, testApp, withForm, withoutCsrf } from "@fw/fw/testing";
import { type ProductQuery, Products } from "@/lib/products.ts";
import { Database } from "@/lib/database.ts";

// The database of the tests is in memory.
const config = { variables: { FW_DB: ":memory:" } };

const form = 'form.ui-form[method="post"]';
const first = {
  name: "Name one",
  status: "draft",
  price: "1",
  stock: "1",
  released: "2026-05-01",
};
const second = {
  name: "Name two",
  status: "active",
  price: "2",
  stock: "2",
  released: "2026-05-02",
};

/** What narrows and sorts a list. */
const queries: readonly Partial<ProductQuery>[] = [
  {},
  { sort: "oldest" },
  { q: "one" },
  { q: "o" },
  { status: "draft" },
  { sort: "name" },
  { sort: "-name" },
  { sort: "price" },
  { sort: "-price" },
];

Deno.test("no list of products gets slower with every row", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  for (const values of [first, second]) {
    await client.get("/products/new").submit(form, { ...values }).wantStatus(303);
  }
  const db = watchPlans(use(app, Database));
  const store = use(app, Products);
  for (const one of queries) {
    for (const other of queries) {
      const query = { ...one, ...other };
      const { next } = await store.list(query, 1);
      await store.list({ ...query, at: next ?? "last" }, 1);
      await store.countEach(query, "status", ["draft", "active", "archived"]);
    }
  }
  await store.neighbours(1);
  // Fails if a statement read a whole table, or sorted all that it found.
  await db.close();
});

Deno.test("products are added, found, changed and deleted", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  await client.get("/products").wantStatus(200);
  await client.get("/products/new").submit(form, { ...first }).wantRedirect("/products/1");
  await client.get("/products/1").wantStatus(200);
  await client.get("/products/1").wantContains("Name one");
  await client.get("/products").wantContains("/products/1");
  const found = `/products?q=${encodeURIComponent("Name one")}`;
  await client.get(found).wantContains("/products/1");
  await client.get("/products?q=%25%25").wantNotContains("/products/1");
  await client.get("/products/1/edit").submit(form, second).wantRedirect("/products/1");
  await client.get("/products/1").wantStatus(200);
  await client.get("/products/1").wantContains("Name two");
  await client.get("/products/1/delete").submit(form, {}).wantRedirect("/products");
  await client.get("/products/1/edit").wantStatus(404);
});

Deno.test("products keep what a form shows and sends back", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  await client.get("/products/new").submit(form, { ...first });
  const before = (await client.get("/products/1")).body;
  await client.get("/products/1/edit").submit(form, {}).wantRedirect("/products/1");
  const after = (await client.get("/products/1")).wantStatus(200);
  after.wantContains(before.slice(before.indexOf("<h1"), before.indexOf("<dialog")));
  // Several are deleted at once after a question.
  const chosen = { act: "delete", id: "1" };
  await client.postForm("/products", chosen).wantStatus(200);
  await client.get("/products/1").wantStatus(200);
  await client.postForm("/products", { ...chosen, sure: "on" }).wantRedirect("/products");
  await client.get("/products/1/edit").wantStatus(404);
});

Deno.test("products are exported, and imported again with what is wrong by line", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  await client.get("/products/new").submit(form, { ...first });
  const csv = (await client.get("/products/export").wantStatus(200)).body;
  const send = (
    text: string,
    values: { readonly preview: boolean },
  ): ReturnType<typeof client.get> =>
    client.get("/products/import").submit(form, {
      file: new File([text], "rows.csv", { type: "text/csv" }),
      ...values,
    });
  await client.get("/products/1/delete").submit(form, {}).wantStatus(303);
  await send(csv, { preview: true }).wantStatus(200);
  await send(csv + ",".repeat(50), { preview: false }).wantStatus(422);
  const none = (await client.get("/products/export")).body;
  if (none.trim().includes("\n")) throw new Error(`Rows of a refused file were kept: ${none}`);
  await send(csv, { preview: false }).wantRedirect("/products");
  const again = (await client.get("/products/export")).body;
  if (again !== csv) throw new Error(`The file changed: ${again}`);
});

Deno.test("products that are not there are a 404, and a post without a token is a 403", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const paths = [
    "7",
    "x",
    "7/edit",
    "7/delete",
  ];
  for (const path of paths) await client.get(`/products/${path}`).wantStatus(404);
  await client.postForm("/products/7/edit", first).wantStatus(404);
  await client.postForm("/products/7/delete", {}).wantStatus(404);
  await client.request("POST", "/products/new", withForm(first), withoutCsrf()).wantStatus(403);
});

Deno.test("products are refused with what was typed", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const wrong = {
    ...first,
    name: "",
  };
  await client.get("/products/new").submit(form, wrong).wantStatus(422);
  await client.get("/products").wantNotContains("/products/1");
});
