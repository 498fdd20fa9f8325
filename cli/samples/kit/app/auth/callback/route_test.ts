import { use } from "@fw/fw";
import { testProvider } from "@fw/fw/auth/testing";
import { int, text } from "@fw/fw/data";
import { newTestClient, testApp, type TestClient, type TestResponse } from "@fw/fw/testing";
import { addAccount } from "../../../lib/account_testing.ts";
import { Accounts } from "../../../lib/accounts.ts";
import { auth } from "../../../lib/auth.ts";
import { Database } from "../../../lib/database.ts";

// The accounts of the tests are in memory.
const config = { variables: { FW_DB: ":memory:" } };

const claims = { sub: "42", name: "Ada Byron", email: "ada@example.org", email_verified: true };

/** Signs in at the provider, a test double. */
async function signIn(client: TestClient, user: object = claims): Promise<TestResponse> {
  const provider = testProvider(auth);
  // if github
  provider.json = { "/user/emails": [{ email: claims.email, primary: true, verified: true }] };
  // end
  return await provider.signIn(client, { ...user }, { path: "/login/provider" });
}

Deno.test("the first sign-in at the provider adds an account, which later ones update", async () => {
  await using app = await testApp({ config });
  const db = use(app, Database);
  const client = newTestClient(app);
  await client.get("/account").wantStatus(302).wantHeader("location", "/login?next=%2Faccount");
  await signIn(client);
  await client.get("/account").wantStatus(200).wantContains("Ada Byron");
  await signIn(client, { ...claims, name: "Ada Lovelace" });
  await client.get("/account").wantContains("Ada Lovelace");
  const names = await db.all(text())`select name from users where subject = '42'`;
  if (names.join() !== "Ada Lovelace") throw new Error(`The accounts are: ${names.join()}.`);
  await client.postForm("/logout", {}).wantStatus(303);
  await client.get("/account").wantStatus(302);
});

Deno.test("two first sign-ins at once add one account", async () => {
  await using app = await testApp({ config });
  const accounts = use(app, Accounts);
  const user = { provider: "https://id.example", subject: "42" };
  const [one, two] = await Promise.all([accounts.findOrAdd(user), accounts.findOrAdd(user)]);
  if (one.id !== two.id) throw new Error("There are two accounts.");
});

Deno.test("a role that is removed during a sign-in ends its session", async () => {
  await using app = await testApp({ config });
  const accounts = use(app, Accounts);
  const findOrAdd = accounts.findOrAdd.bind(accounts);
  accounts.findOrAdd = async (user) => {
    const account = await findOrAdd(user);
    await accounts.setRole(account.id, "");
    return account;
  };
  const client = newTestClient(app);
  (await signIn(client)).wantStatus(400);
  await client.get("/account").wantStatus(302);
});

Deno.test("an address at the provider gives no access to the account with that address", async () => {
  await using app = await testApp({ config });
  const own = await addAccount(app, { email: claims.email, role: "admin" });
  await use(app, Database).run`
    insert into user_pictures (user_id, type, hash, bytes)
    values (${Number(own.id)}, 'image/png', 'x', ${new Uint8Array(1)})`;
  const client = newTestClient(app);
  for (const sub of ["42", own.id]) {
    await signIn(client, { ...claims, sub });
    await client.get("/account").wantStatus(200);
    await client.get("/account/picture").wantStatus(404);
  }
  const count = await use(app, Database).one(int())`select count(*) from users`;
  if (count !== 3) throw new Error(`There are ${count} accounts.`);
});

Deno.test("a role of an account ends its sessions, and the account can be deleted", async () => {
  await using app = await testApp({ config });
  const accounts = use(app, Accounts);
  const client = newTestClient(app);
  await signIn(client);
  if (!await accounts.setRole(claims.email, "editor")) throw new Error("The role was not set.");
  await client.get("/account").wantStatus(302);
  await signIn(client);
  await client.postForm("/account/delete", {}).wantStatus(303);
  await client.get("/account").wantStatus(302);
  if (await accounts.setRole(claims.email, "")) throw new Error("The account is still there.");
});
