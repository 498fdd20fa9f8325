import { type App, use } from "@fw/fw";
import { rowTag } from "@fw/fw/data";
import { watchPlans } from "@fw/fw/data/testing";
import {
  newTestClient,
  type PendingResponse,
  sampleForm,
  testApp,
  type TestClient,
  withForm,
  withoutCsrf,
} from "@fw/fw/testing";
import { withAccount } from "../../lib/account_testing.ts";
import { BookLoanInput, type BookLoanQuery, BookLoans } from "../../lib/book_loans.ts";
import { addReferenced } from "../../lib/book_loan_testing.ts";
import { Database } from "../../lib/database.ts";

// Each test has an empty database.
const config = { variables: { FW_DB: ":memory:" } };

const form = 'form.ui-form[method="post"]';
const first = sampleForm(BookLoanInput, 1);
const second = sampleForm(BookLoanInput, 2);
// if upload

// if image
/** The start of a PNG, from which its type is detected. */
const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
// end
const files = {
  // each field
  cover: new File([png], "cover.png"),
  scan: new File(["What scan says."], "scan.txt"),
  // end
};
// end

// if reference:
/** Adds the rows that book loans refer to, and returns a client. */
async function openClient(app: App): Promise<TestClient> {
  // if reference:
  await addReferenced(use(app, Database));
  return newTestClient(
    app,
    // if signed:
    await withAccount(app, /* if held */ { role: "clerk librarian" } /* end */),
  );
}

/** The filters and orders of a list. */
const queries: readonly Partial<BookLoanQuery>[] = [
  {},
  { sort: "oldest" },
  // if search
  { q: "one" },
  { q: "o" },
  // end
  // if audit:
  { deleted: "yes" },
  // each filter
  { readerId: 1 },
  { genre: "active" },
  { mood: "active" },
  { lent: "yes" },
  { closes: "none" },
  // end
  // each sorted
  { sort: "headline" },
  { sort: "-headline" },
  { sort: "fee" },
  { sort: "-fee" },
  // end
];

/** Sends the form of a new book loan, with the first values except for the others. */
function add(client: TestClient, others: Partial<typeof first> = {}): PendingResponse {
  return client.get("/book-loans/new").submit(form, {
    ...first,
    // if upload:
    ...files,
    ...others,
  });
}

Deno.test("no list of book loans gets slower with every row", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  for (const values of [first, second]) {
    await add(client, values).wantStatus(303);
  }
  const db = watchPlans(use(app, Database));
  const store = use(app, BookLoans);
  for (const one of queries) {
    for (const other of queries) {
      const query = { ...one, ...other };
      const { next } = await store.list(query, 1);
      await store.list({ ...query, at: next ?? "last" }, 1);
      // each view
      await store.countEach(query, "genre", ["active", "lost"]);
      // end
    }
  }
  await store.neighbours(1);
  // Fails if a statement scans a whole table or sorts its result.
  await db.close();
});

Deno.test("book loans are added, found, changed and deleted", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  await client.get("/book-loans").wantStatus(200);
  // if reference
  const references = [
    // each reference
    "readerId",
    // end
  ];
  for (const name of references) {
    const found = client.get(`/book-loans/choices/${name}?q=%25`);
    await found.wantStatus(200).wantNotContains("<option");
    await client.get(`/book-loans/new?${name}=1`).wantContains('value="1" selected');
  }
  // end
  await add(client).wantRedirect("/book-loans/1");
  await client.get("/book-loans/1").wantStatus(200);
  // each shown
  await client.get("/book-loans/1").wantContains(first.headline);
  // end
  await client.get("/book-loans").wantContains("/book-loans/1");
  // if parentPage
  // The page of a row to which it refers.
  // each parentPage
  await client.get("/book-loans/1").wantContains('"/book-loans/1"');
  // end
  // end
  // each found
  const found = `/book-loans?q=${encodeURIComponent(first.headline.slice(0, 100))}`;
  await client.get(found).wantContains("/book-loans/1");
  await client.get("/book-loans?q=%25%25").wantNotContains("/book-loans/1");
  // end
  await client.get("/book-loans/1/edit").submit(form, second).wantRedirect("/book-loans/1");
  await client.get("/book-loans/1").wantStatus(200);
  // each shown
  await client.get("/book-loans/1").wantContains(second.headline);
  // end
  // if upload
  const shown: readonly (readonly [path: string, media: string, type: string, sent?: string])[] = [
    // each field
    ["cover", "img", "image/png"],
    ["scan", "a", "application/octet-stream", `attachment; filename="scan.txt"`],
    // end
  ];
  const row = await client.get("/book-loans/1");
  for (const [path, media, type, disposition] of shown) {
    const attribute = media === "img" ? "src" : "href";
    const link = row.query(`${media}[${attribute}*="/${path}?"]`)?.attribute(attribute) ?? "";
    const sent = await client.get(link).wantStatus(200).wantHeader("content-type", type)
      .wantHeader("cache-control", "private, max-age=31536000, immutable");
    if (disposition !== undefined) sent.wantHeader("content-disposition", disposition);
    await client.get(`/book-loans/1/${path}`).wantHeader("cache-control", "private, no-cache");
    await client.get("/book-loans/1/edit").wantContains(`/book-loans/1/${path}?`);
  }
  // end
  await client.get("/book-loans/1/delete").submit(form, {}).wantRedirect("/book-loans");
  await client.get("/book-loans/1/edit").wantStatus(404);
});

Deno.test("book loans keep what a form shows and sends back", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  await add(client).wantStatus(303);
  const token = / name="_csrf" value="[^"]*"/g;
  const [before = ""] = (await client.get("/book-loans/1")).body.replaceAll(token, "")
    .match(/<h1.*?(?=<dialog)/s) ?? [];
  await client.get("/book-loans/1/edit").submit(form, {}).wantRedirect("/book-loans/1");
  const after = await client.get("/book-loans/1").wantStatus(200);
  if (before === "" || !after.body.replaceAll(token, "").includes(before)) {
    throw new Error(`The page changed: ${after.body}`);
  }
  // Deleting several rows at once needs a confirmation.
  const chosen = { act: "delete", id: "1" };
  const asked = await client.postForm("/book-loans", chosen).wantStatus(200);
  asked.wantContains('<div class="ui-list-text">');
  await client.get("/book-loans/1").wantStatus(200);
  await client.postForm("/book-loans", { ...chosen, sure: "on" }).wantRedirect("/book-loans");
  await client.get("/book-loans/1/edit").wantStatus(404);
});

// if varied
Deno.test("book loans that changed after their form was shown are saved over only by a second try", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  await add(client).wantStatus(303);
  const shown = await client.get("/book-loans/1/edit");
  await client.get("/book-loans/1/edit").submit(form, second).wantStatus(303);
  const before = rowTag(await use(app, BookLoans).get(1));
  const late = await shown.submit(form, {}).wantStatus(409).wantContains('role="alert"');
  if (rowTag(await use(app, BookLoans).get(1)) !== before) throw new Error("An update is lost.");
  await late.submit(form, {}).wantRedirect("/book-loans/1");
  const open = await client.get("/book-loans/1/edit");
  await client.get("/book-loans/1/delete").submit(form, {}).wantRedirect("/book-loans");
  await open.submit(form, {}).wantStatus(409).wantContains('action="/book-loans/new"');
});

// end
// if audit
Deno.test("book loans have a history, and a deletion is taken back", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  await add(client).wantStatus(303);
  const send = async (act: string): Promise<void> => {
    const chosen = { act, id: "1", sure: "on" };
    await client.postForm("/book-loans", chosen).wantRedirect("/book-loans");
  };
  await send("delete");
  await client.get("/book-loans").wantNotContains("/book-loans/1");
  await client.get("/book-loans?deleted=yes").wantContains("/book-loans/1");
  await client.get("/book-loans/1").wantContains("restore");
  await send("restore");
  await client.get("/book-loans/1").wantStatus(200).wantContains("ui-timeline");
  const changes = await use(app, BookLoans).changes(1);
  const acts = changes.map(({ act }) => act).filter((act) => act !== "changed").join();
  if (acts !== "restored,deleted,added") throw new Error(`The history is ${acts}.`);
  // if signed:
  if (changes.some(({ by }) => by === null)) throw new Error("A change has no user.");
  await send("delete");
  await send("purge");
  await client.get("/book-loans/1").wantStatus(404);
});

// end

// if guard
Deno.test("book loans are not shown to others", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  await add(client).wantRedirect("/book-loans/1");
  const others = [
    newTestClient(app),
    // if role:
    newTestClient(app, await withAccount(app, { email: "bob@example.org" })),
  ];
  for (const other of others) {
    for (const path of ["/book-loans", "/book-loans/1", /* if api */ "/api/book-loans" /* end */]) {
      const { status } = await other.get(path);
      if (![302, 401, 403].includes(status)) throw new Error(`Others see ${path}: ${status}.`);
    }
    await other.get("/").wantNotContains('"/book-loans');
    // each parentPage
    await other.get("/book-loans/1").wantNotContains('"/book-loans/1"');
    // end
  }
});

// end

// if writer
Deno.test("book loans are changed by users with the role alone, who alone see the buttons", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  await add(client).wantStatus(303);
  await client.get("/book-loans").wantContains("/book-loans/1/edit");
  const bob = { email: "bob@example.org", /* if role */ role: "clerk" /* end */ };
  const reader = newTestClient(app, await withAccount(app, bob));
  for (const path of ["/", "/book-loans", "/book-loans/1"]) {
    const page = await reader.get(path).wantStatus(200);
    page.wantNotContains("/book-loans/new").wantNotContains("/edit").wantNotContains("/delete");
  }
  for (const path of ["new", "1/edit", "1/delete"]) {
    await reader.get(`/book-loans/${path}`).wantStatus(403);
    await reader.postForm(`/book-loans/${path}`, first).wantStatus(403);
  }
  const chosen = { act: "delete", id: "1", sure: "on" };
  await reader.postForm("/book-loans", chosen).wantStatus(403);
  // if no guard
  const stranger = newTestClient(app);
  await stranger.get("/book-loans/1").wantStatus(302).wantNotContains("/edit");
  await stranger.get("/book-loans/new").wantStatus(302);
  // if audit
  // They see neither the history nor deleted rows.
  await stranger.get("/book-loans/1").wantNotContains("ui-timeline");
  await client.postForm("/book-loans", chosen).wantRedirect("/book-loans");
  await stranger.get("/book-loans").wantNotContains("deleted");
  await stranger.get("/book-loans?deleted=yes").wantStatus(302);
  const gone = await stranger.get("/book-loans/1");
  if (gone.status === 200) throw new Error("Strangers see a deleted row.");
  // end
  // end
});

// end
// if import
Deno.test("book loans are exported, and imported again with what is wrong by line", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  await add(client).wantStatus(303);
  const csv = (await client.get("/book-loans/export").wantStatus(200)).body;
  const send = (text: string, button: string): PendingResponse =>
    client.get("/book-loans/import").submit(`${form} ${button}`, {
      file: new File([text], "rows.csv", { type: "text/csv" }),
    });
  const [preview, save] = ["button[name]", "button:not([name])"] as const;
  await client.get("/book-loans/1/delete").submit(form, {}).wantStatus(303);
  await send(csv, preview).wantStatus(200);
  await send(csv + "x,".repeat(50), save).wantStatus(422);
  const none = (await client.get("/book-loans/export")).body;
  if (none.trim().includes("\n")) throw new Error(`Rows of a refused file were kept: ${none}`);
  await send(csv, save).wantRedirect("/book-loans");
  const again = (await client.get("/book-loans/export")).body;
  if (again !== csv) throw new Error(`The file changed: ${again}`);
});

// end
Deno.test("book loans that are not there are a 404, and a post without a token is a 403", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  const paths = [
    "7",
    "x",
    "7/edit",
    "7/delete",
    // each field
    "7/cover",
    "7/scan",
    // end
  ];
  for (const path of paths) await client.get(`/book-loans/${path}`).wantStatus(404);
  await client.postForm("/book-loans/7/edit", first).wantStatus(404);
  await client.postForm("/book-loans/7/delete", {}).wantStatus(404);
  await client.request("POST", "/book-loans/new", withForm(first), withoutCsrf()).wantStatus(403);
});

// each refused
Deno.test("book loans are refused with what was typed", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  // if fits:
  await add(client, { headline: "" }).wantStatus(422);
  // if no fits:
  await client.postForm("/book-loans/new", { ...first, headline: "" }).wantStatus(422);
  await client.get("/book-loans").wantNotContains("/book-loans/1");
});
// end
