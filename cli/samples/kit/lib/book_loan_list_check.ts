// The generator adds the test to those of the holder, which have these functions and values.
import { type App, use } from "@fw/fw";
import {
  newTestClient,
  type PendingResponse,
  sampleForm,
  testApp,
  type TestClient,
} from "@fw/fw/testing";
import { BookLoanInput } from "./book_loan_list.ts";
import { Database } from "./database.ts";

const config = { variables: { FW_DB: ":memory:" } };
const form = 'form.ui-form[method="post"]';

function openClient(app: App): TestClient {
  return newTestClient(app);
}

function add(client: TestClient, others: Readonly<Record<string, string>>): PendingResponse {
  return client.get("/holders/new").submit(form, others);
}

Deno.test("the form of a holder adds and removes book loans", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  // if referenced:
  const db = use(app, Database);
  // each referenced
  await db
    .run`insert into "users" ("email", "password") values ('email1@example.org', 'Password 1'), ('email2@example.org', 'Password 2')`;
  // end
  const values = sampleForm(BookLoanInput, 1);
  const bookLoan = Object.entries(values).flatMap(([name, value]) =>
    name === "id" ? [] : [[`bookLoans.0.${name}`, value] as const]
  );
  const made = await add(client, Object.fromEntries(bookLoan)).wantStatus(303);
  const path = made.headers.get("location") ?? "";
  // each shown
  await client.get(path).wantContains(values.headline);
  // end
  const none = 'name="bookLoans.0.id" value=""';
  const edited = await client.get(`${path}/edit`).wantNotContains(none)
    .submit('button[value="bookLoans"]').wantStatus(200).wantContains("bookLoans.1.id");
  const moved = await edited.submit('button[value="bookLoans.0.down"]');
  moved.wantNotContains(none.replace("0", "1"));
  await moved.submit('button[value="bookLoans.1.up"]').submit('button[value="bookLoans.0"]')
    .wantNotContains("bookLoans.0.id")
    .submit(form).wantStatus(303);
  await client.get(`${path}/edit`).wantContains(none);
});
