import { testApp, testRequest } from "@fw/fw/testing";

Deno.test("GET / answers with a page", async () => {
  await using app = await testApp();
  const response = await testRequest(app, "GET", "/");
  response.wantStatus(200);
  response.wantHeader("content-type", "text/html; charset=utf-8");
});
