import { type App, use } from "@fw/fw";
import {
  newTestClient,
  sampleJson,
  testApp,
  type TestClient,
  withHeader,
  withJson,
} from "@fw/fw/testing";
import { withAccount } from "../../../lib/account_testing.ts";
import { BookLoanInput, BookLoans } from "../../../lib/book_loans.ts";
import { addReferenced } from "../../../lib/book_loan_testing.ts";
import { Database } from "../../../lib/database.ts";

// Each test has an empty database.
const config = { variables: { FW_DB: ":memory:" } };

const first = sampleJson(BookLoanInput, 1);
const second = sampleJson(BookLoanInput, 2);

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

Deno.test("the API lists, replaces and deletes book loans", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  const url = "/api/book-loans/1";
  // if addable:
  await client.postJson("/api/book-loans", first).wantStatus(201).wantHeader("location", url);
  // if no addable
  // JSON cannot contain the upload that a new row needs.
  const checked = await BookLoanInput["~standard"].validate(first);
  if (checked.issues !== undefined) throw new Error("The first row breaks a rule.");
  await use(app, BookLoans).add(checked.value);
  // end
  await client.get(url).wantStatus(200);
  // each shown
  await client.get(url).wantContains(`"headline":${JSON.stringify(first.headline)}`);
  // end
  await client.get("/api/book-loans").wantStatus(200).wantContains('"rows":[{"id":');
  await client.request("PUT", url, withJson(second)).wantStatus(200);
  // each shown
  await client.get(url).wantContains(`"headline":${JSON.stringify(second.headline)}`);
  // end
  // if varied
  const old = withHeader("if-match", (await client.get(url)).headers.get("etag") ?? "");
  await client.request("PUT", url, withJson(first), old).wantStatus(200);
  for (const method of ["PUT", "DELETE"]) {
    await client.request(method, url, withJson(second), old).wantStatus(412);
  }
  // end
  // if writer
  const bob = { email: "bob@example.org", /* if role */ role: "clerk" /* end */ };
  const reader = newTestClient(app, await withAccount(app, bob));
  await reader.get(url).wantStatus(200);
  await reader.request("DELETE", url).wantStatus(403);
  // end
  await client.request("DELETE", url).wantStatus(204);
  await client.get(url).wantStatus(404);
  await client.request("PUT", url, withJson(second)).wantStatus(404);
  await client.request("DELETE", url).wantStatus(404);
});

// each refused
Deno.test("the API refuses book loans that break a rule", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  const wrong = { ...first, headline: "" };
  // if addable:
  await client.postJson("/api/book-loans", wrong).wantStatus(422);
  // if no addable:
  await client.request("PUT", "/api/book-loans/1", withJson(wrong)).wantStatus(422);
  await client.get("/api/book-loans").wantContains('"rows":[]');
});
// end
