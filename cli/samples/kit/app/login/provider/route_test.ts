import { testProvider } from "@fw/fw/auth/testing";
import { newTestClient, testApp } from "@fw/fw/testing";
import { auth } from "../../../lib/auth.ts";

// The accounts of the tests are in memory.
const config = { variables: { FW_DB: ":memory:" } };

Deno.test("signing in at the provider leads to the account, signing out leads away", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const claims = { sub: "42", name: "Ada Lovelace" };
  await client.get("/account").wantStatus(302).wantHeader("location", "/login?next=%2Faccount");
  await testProvider(auth).signIn(client, claims, { path: "/login/provider" });
  await client.get("/account").wantStatus(200).wantContains("Ada Lovelace");
  await client.postForm("/logout", {}).wantStatus(303);
  await client.get("/account").wantStatus(302);
});
