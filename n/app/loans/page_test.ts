import { use } from "@fw/fw";
import { watchPlans } from "@fw/fw/data/testing";
import { newTestClient, testApp, withForm, withoutCsrf } from "@fw/fw/testing";
import { type LoanQuery, Loans } from "@/lib/loans.ts";
import { addReferenced } from "@/lib/loan_testing.ts";
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
  eventId: "1",
  notes: "Notes one",
};
const second = {
  name: "Name two",
  status: "active",
  price: "2",
  stock: "2",
  released: "2026-05-02",
  eventId: "2",
  notes: "Notes two",
};

/** The start of a PNG, by which its type is found. */
const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const files = {
  photo: new File([png], "photo.png"),
};

/** What narrows and sorts a list. */
const queries: readonly Partial<LoanQuery>[] = [
  {},
  { sort: "oldest" },
  { q: "one" },
  { q: "o" },
  { eventId: 1 },
  { status: "draft" },
  { sort: "name" },
  { sort: "-name" },
  { sort: "price" },
  { sort: "-price" },
];

Deno.test("no list of loans gets slower with every row", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  await addReferenced(use(app, Database));
  for (const values of [first, second]) {
    await client.get("/loans/new").submit(form, { ...values, ...files }).wantStatus(303);
  }
  const db = watchPlans(use(app, Database));
  const store = use(app, Loans);
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

Deno.test("loans are added, found, changed and deleted", async () => {
  await using app = await testApp({ config });
  await addReferenced(use(app, Database));
  const client = newTestClient(app);
  await client.get("/loans").wantStatus(200);
  const references = [
    "event",
  ];
  for (const name of references) {
    const found = client.get(`/loans/choices/${name}?q=%25`);
    await found.wantStatus(200).wantNotContains("<option");
  }
  await client.get("/loans/new").submit(form, { ...first, ...files }).wantRedirect("/loans/1");
  await client.get("/loans/1").wantStatus(200);
  await client.get("/loans/1").wantContains("Name one");
  await client.get("/loans").wantContains("/loans/1");
  const found = `/loans?q=${encodeURIComponent("Name one")}`;
  await client.get(found).wantContains("/loans/1");
  await client.get("/loans?q=%25%25").wantNotContains("/loans/1");
  await client.get("/loans/1/edit").submit(form, second).wantRedirect("/loans/1");
  await client.get("/loans/1").wantStatus(200);
  await client.get("/loans/1").wantContains("Name two");
  const shown: readonly (readonly [path: string, media: string, type: string, sent?: string])[] = [
    ["photo", "img", "image/png"],
  ];
  const row = await client.get("/loans/1");
  for (const [path, media, type, disposition] of shown) {
    const attribute = media === "img" ? "src" : "href";
    const link = row.query(`${media}[${attribute}*="/${path}?"]`)?.attribute(attribute) ?? "";
    const sent = await client.get(link).wantStatus(200).wantHeader("content-type", type)
      .wantHeader("cache-control", "private, max-age=31536000, immutable");
    if (disposition !== undefined) sent.wantHeader("content-disposition", disposition);
    await client.get(`/loans/1/${path}`).wantHeader("cache-control", "private, no-cache");
    await client.get("/loans/1/edit").wantContains(`/loans/1/${path}?`);
  }
  await client.get("/loans/1/delete").submit(form, {}).wantRedirect("/loans");
  await client.get("/loans/1/edit").wantStatus(404);
});

Deno.test("loans keep what a form shows and sends back", async () => {
  await using app = await testApp({ config });
  await addReferenced(use(app, Database));
  const client = newTestClient(app);
  await client.get("/loans/new").submit(form, { ...first, ...files });
  const before = (await client.get("/loans/1")).body;
  await client.get("/loans/1/edit").submit(form, {}).wantRedirect("/loans/1");
  const after = (await client.get("/loans/1")).wantStatus(200);
  after.wantContains(before.slice(before.indexOf("<h1"), before.indexOf("<dialog")));
  // Several are deleted at once after a question.
  const chosen = { act: "delete", id: "1" };
  await client.postForm("/loans", chosen).wantStatus(200);
  await client.get("/loans/1").wantStatus(200);
  await client.postForm("/loans", { ...chosen, sure: "on" }).wantRedirect("/loans");
  await client.get("/loans/1/edit").wantStatus(404);
});

Deno.test("loans are exported, and imported again with what is wrong by line", async () => {
  await using app = await testApp({ config });
  await addReferenced(use(app, Database));
  const client = newTestClient(app);
  await client.get("/loans/new").submit(form, { ...first, ...files });
  const csv = (await client.get("/loans/export").wantStatus(200)).body;
  const send = (
    text: string,
    values: { readonly preview: boolean },
  ): ReturnType<typeof client.get> =>
    client.get("/loans/import").submit(form, {
      file: new File([text], "rows.csv", { type: "text/csv" }),
      ...values,
    });
  await client.get("/loans/1/delete").submit(form, {}).wantStatus(303);
  await send(csv, { preview: true }).wantStatus(200);
  await send(csv + ",".repeat(50), { preview: false }).wantStatus(422);
  const none = (await client.get("/loans/export")).body;
  if (none.trim().includes("\n")) throw new Error(`Rows of a refused file were kept: ${none}`);
  await send(csv, { preview: false }).wantRedirect("/loans");
  const again = (await client.get("/loans/export")).body;
  if (again !== csv) throw new Error(`The file changed: ${again}`);
});

Deno.test("loans that are not there are a 404, and a post without a token is a 403", async () => {
  await using app = await testApp({ config });
  await addReferenced(use(app, Database));
  const client = newTestClient(app);
  const paths = [
    "7",
    "x",
    "7/edit",
    "7/delete",
    "7/photo",
  ];
  for (const path of paths) await client.get(`/loans/${path}`).wantStatus(404);
  await client.postForm("/loans/7/edit", first).wantStatus(404);
  await client.postForm("/loans/7/delete", {}).wantStatus(404);
  await client.request("POST", "/loans/new", withForm(first), withoutCsrf()).wantStatus(403);
});

Deno.test("loans are refused with what was typed", async () => {
  await using app = await testApp({ config });
  await addReferenced(use(app, Database));
  const client = newTestClient(app);
  const wrong = {
    ...first,
    ...files,
    name: "",
  };
  await client.get("/loans/new").submit(form, wrong).wantStatus(422);
  await client.get("/loans").wantNotContains("/loans/1");
});
