import { use } from "@fw/fw";
import { testProvider } from "@fw/fw/auth/testing";
import { newTestClient, testApp } from "@fw/fw/testing";
import { addAccount } from "../../../lib/account_testing.ts";
import { auth } from "../../../lib/auth.ts";
import { Database } from "../../../lib/database.ts";

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

Deno.test("a user of the provider has not the picture of the account with the same id", async () => {
  await using app = await testApp({ config });
  const { id: sub } = await addAccount(app);
  await use(app, Database).run`
    insert into user_pictures (user_id, type, hash, bytes)
    values (${Number(sub)}, 'image/png', 'x', ${new Uint8Array(1)})`;
  const client = newTestClient(app);
  await testProvider(auth).signIn(client, { sub }, { path: "/login/provider" });
  await client.get("/account").wantStatus(200);
  await client.get("/account/picture").wantStatus(404);
});
