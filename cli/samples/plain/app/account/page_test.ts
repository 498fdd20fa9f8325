import { testProvider } from "@fw/fw/auth/testing";
import { newTestClient, testApp } from "@fw/fw/testing";
import { auth } from "../../lib/auth.ts";

Deno.test("signing in at the provider leads to the account, signing out leads away", async () => {
  await using app = await testApp();
  const client = newTestClient(app);
  const claims = { sub: "42", name: "Ada Lovelace" };
  await client.get("/account").wantStatus(302).wantHeader("location", "/login?next=%2Faccount");
  await testProvider(auth).signIn(client, claims);
  await client.get("/account").wantStatus(200).wantContains("Ada Lovelace");
  await client.postForm("/logout", {}).wantStatus(303);
  await client.get("/account").wantStatus(302);
});
