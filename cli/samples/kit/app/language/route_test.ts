import { newTestClient, testApp } from "@fw/fw/testing";

Deno.test("POST /language keeps the choice for the next pages", async () => {
  await using app = await testApp();
  const client = newTestClient(app);
  await client.get("/").wantHeader("content-language", "en");
  const choice = { language: "pt", next: "/" };
  await client.postForm("/language", choice).wantRedirect("/");
  await client.get("/").wantHeader("content-language", "pt");
  await client.postForm("/language", { language: "x" }).wantStatus(400);
});
