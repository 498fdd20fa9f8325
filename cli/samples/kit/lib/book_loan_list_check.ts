// The generator adds the test to those of the holder, which have these functions and values.
import { type App, use } from "@fw/fw";
import { newTestClient, testApp, type TestClient } from "@fw/fw/testing";
import { Database } from "./database.ts";

const config = { variables: { FW_DB: ":memory:" } };
const form = 'form.ui-form[method="post"]';
const firstSent = {};

function openClient(app: App): TestClient {
  return newTestClient(app);
}

Deno.test("the form of a holder adds and removes book loans", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  // if referenced
  const db = use(app, Database);
  // end
  // each referenced
  await db
    .run`insert into "users" ("email", "password") values ('email1@example.org', 'Password 1'), ('email2@example.org', 'Password 2')`;
  // end
  const bookLoan = {
    // each field
    "bookLoans.0.headline": "Headline one",
    "bookLoans.0.remark": "Remark one",
    "bookLoans.0.story": "Story one",
    "bookLoans.0.contact": "a@b.co",
    "bookLoans.0.website": "https://a.co/",
    "bookLoans.0.genre": "novel",
    "bookLoans.0.mood": "novel",
    "bookLoans.0.seats": "1",
    "bookLoans.0.views": "1",
    "bookLoans.0.price": "1",
    "bookLoans.0.fee": "1",
    "bookLoans.0.lent": "on",
    "bookLoans.0.opens": "2026-05-01",
    "bookLoans.0.closes": "2026-05-01",
    "bookLoans.0.begins": "2026-05-01T00:00",
    "bookLoans.0.readerId": "1",
    // end
  };
  const made = await client.get("/holders/new").submit(form, { ...firstSent, ...bookLoan })
    .wantStatus(303);
  const path = made.headers.get("location") ?? "";
  // each shown
  await client.get(path).wantContains("Headline one");
  // end
  const none = 'name="bookLoans.0.id" value=""';
  const edited = await client.get(`${path}/edit`).wantNotContains(none)
    .submit('button[value="bookLoans"]').wantStatus(200).wantContains("bookLoans.1.id");
  await edited.submit('button[value="bookLoans.0"]').wantNotContains("bookLoans.0.id")
    .submit(form).wantStatus(303);
  await client.get(`${path}/edit`).wantContains(none);
});
