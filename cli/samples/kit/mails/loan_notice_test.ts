import { testApp, testRequest } from "@fw/fw/testing";

const config = { variables: { FW_DB: ":memory:" } };

Deno.test("the mail loan_notice greets its reader", async () => {
  await using app = await testApp({ config });
  await testRequest(app, "GET", "/_fw/dev/mail/loan_notice").wantStatus(200)
    .wantContains("Ada</h1>");
});
