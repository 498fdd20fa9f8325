import { testApp, testRequest, withForm } from "@fw/fw/testing";
// if account
import { withAccount } from "../../../../lib/account_testing.ts";

// Each test has an empty database.
const config = { variables: { FW_DB: ":memory:" } };
// end

// if guard
// The guard {guards} refuses a request without a session: add a sign-in to each request,
// for example withUser(sessions) of "@fw/fw/auth/testing".
// end
// if lookup
// Replace /api/items/example by a URL that exists in the application.
// end
// each case
Deno.test("GET /api/items/{slug} answers 200", async () => {
  await using app = await testApp(
    // if account
    { config },
    // end
  );
  const response = await testRequest(
    app,
    "GET",
    "/api/items/example",
    // if account
    await withAccount(
      app,
      // if role
      { role: "editor" },
      // end
    ),
    // end
  );
  response.wantStatus(200);
});

Deno.test("POST /api/items/{slug} refuses an empty form", async () => {
  await using app = await testApp(
    // if account
    { config },
    // end
  );
  const response = await testRequest(
    app,
    "POST",
    "/api/items/example",
    withForm({}),
    // if account
    await withAccount(
      app,
      // if role
      { role: "editor" },
      // end
    ),
    // end
  );
  response.wantStatus(422);
});

// end
