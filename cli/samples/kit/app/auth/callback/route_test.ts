import { use } from "@fw/fw";
import { testProvider } from "@fw/fw/auth/testing";
import { int, text } from "@fw/fw/data";
import {
  newTestClient,
  testApp,
  type TestClient,
  type TestResponse,
  withForm,
  withoutCsrf,
} from "@fw/fw/testing";
import { addAccount, withAccount } from "../../../lib/account_testing.ts";
import { Accounts } from "../../../lib/accounts.ts";
import { auth } from "../../../lib/auth.ts";
import { Database } from "../../../lib/database.ts";

// Each test has an empty database.
const config = { variables: { FW_DB: ":memory:" } };

const ada = { id: "42", name: "Ada Byron", email: "ada@example.org" };

/** Returns a user as the provider describes them. */
function toClaims({ id, name, email }: typeof ada): Record<string, unknown> {
  return {
    // if oidc
    sub: id,
    email_verified: true,
    // end
    // if no oidc
    id,
    verified: true,
    // end
    // if discord
    global_name: name,
    // end
    // if no discord
    name,
    // end
    email,
  };
}

/** The provider, a test double. */
const provider = testProvider(auth);
// if github
provider.json = { "/user/emails": [{ email: ada.email, primary: true, verified: true }] };
// end

async function signIn(client: TestClient, user = ada): Promise<TestResponse> {
  return await provider.signIn(client, toClaims(user), { path: "/login/provider" });
}

Deno.test("the first sign-in at the provider adds an account, which later ones update", async () => {
  await using app = await testApp({ config });
  const db = use(app, Database);
  const client = newTestClient(app);
  await client.get("/account").wantStatus(302).wantHeader("location", "/login?next=%2Faccount");
  await signIn(client);
  await client.get("/account").wantStatus(200).wantContains("Ada Byron");
  await signIn(client, { ...ada, name: "Ada Lovelace" });
  await client.get("/account").wantContains("Ada Lovelace");
  // if passwords
  await client.get("/account/email").wantStatus(404);
  // end
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
  const own = await addAccount(app, { email: ada.email, role: "admin" });
  await use(app, Database).run`
    insert into user_pictures (user_id, type, hash, bytes)
    values (${Number(own.id)}, 'image/png', 'x', ${new Uint8Array(1)})`;
  const client = newTestClient(app);
  for (const id of ["42", own.id]) {
    await signIn(client, { ...ada, id });
    const { status } = await client.get("/account/picture");
    if (status === 200) throw new Error("The picture of another account is shown.");
  }
});

Deno.test("a role of an account ends its sessions, and the account can be deleted", async () => {
  await using app = await testApp({ config });
  const accounts = use(app, Accounts);
  const client = newTestClient(app);
  await signIn(client);
  if (!await accounts.setRole(ada.email, "editor")) throw new Error("The role was not set.");
  await client.get("/account").wantStatus(302);
  await signIn(client);
  await client.postForm("/account/delete", {}).wantStatus(303);
  await client.get("/account").wantStatus(302);
  if (await accounts.setRole(ada.email, "")) throw new Error("The account is still there.");
});
// if passwords

/** Returns the authorization request that the account page starts. */
async function connect(client: TestClient): Promise<string> {
  await client.get("/account");
  const { headers } = await client.postForm("/account", { provider: "connect" }).wantStatus(303);
  return headers.get("location") ?? "";
}

/** Signs in at the provider and returns the path of the callback. */
function authorize(location: string, user = ada): string {
  const { pathname, search } = new URL(provider.authorize(location, toClaims(user)));
  return pathname + search;
}

Deno.test("an account with a password is connected, signs in at the provider, and is disconnected", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app, await withAccount(app, { email: "bob@example.org" }));
  const path = authorize(await connect(client));
  await client.get(path).wantRedirect("/account");
  await client.get("/account").wantContains('value="disconnect"');
  const other = newTestClient(app);
  await signIn(other);
  await other.get("/account").wantContains("bob@example.org").wantContains("/account/email");
  await other.postForm("/account", { provider: "disconnect" }).wantRedirect("/account");
  await other.get("/account").wantContains('value="connect"').wantContains(
    "disconnected from your account",
  );
  // Without the connection, the user of the provider gets an account of its own.
  const third = newTestClient(app);
  await signIn(third);
  await third.get("/account").wantNotContains("bob@example.org");
  // The provider is the only way to sign in to it.
  await third.postForm("/account", { provider: "disconnect" }).wantRedirect("/account");
  await newTestClient(app).get("/account").wantStatus(302);
  await signIn(third);
  await third.get("/account").wantStatus(200);
  // Its identity cannot be connected to the other account.
  const taken = authorize(await connect(client));
  await client.get(taken).wantRedirect("/account");
  await client.get("/account").wantContains('value="connect"');
});

Deno.test("a user whose address has an account is asked to connect it", async () => {
  await using app = await testApp({ config });
  await addAccount(app, { email: ada.email });
  const client = newTestClient(app);
  (await signIn(client)).wantRedirect("/login?next=%2Faccount");
  await client.get("/account").wantStatus(302);
  const count = await use(app, Database).one(int())`select count(*) from users`;
  if (count !== 1) throw new Error(`There are ${count} accounts.`);
});

Deno.test("an identity is connected only in the session that asked for it", async () => {
  await using app = await testApp({ config });
  const count = async (): Promise<number> =>
    await use(app, Database).one(int())`select count(*) from user_identities`;
  const bob = { email: "bob@example.org" };
  // The code of an attacker has no attempt in the browser of the victim.
  const attacker = newTestClient(app, await withAccount(app, { email: "eve@example.org" }));
  const victim = newTestClient(app, await withAccount(app, bob));
  await victim.get(authorize(await connect(attacker)));
  if (await count() !== 0) throw new Error("The identity of an attacker was connected.");
  // The session ends, or another one starts, before the browser returns.
  for (const id of ["", "7"]) {
    const client = newTestClient(app, await withAccount(app, bob));
    const path = authorize(await connect(client));
    await client.postForm("/logout", {}).wantStatus(303);
    if (id !== "") await signIn(client, { ...ada, id });
    await client.get(path).wantStatus(400);
    if (await count() !== 0) throw new Error("The identity was connected without its session.");
  }
  // Two tabs: the second one connects nothing more, and no code works twice.
  const client = newTestClient(app, await withAccount(app, bob));
  const [one, two] = [await connect(client), await connect(client)];
  const path = authorize(one);
  await client.get(path).wantRedirect("/account");
  await client.get(authorize(two, { ...ada, id: "8" })).wantRedirect("/account");
  await client.get(path);
  const subjects = await use(app, Database).all(text())`select subject from user_identities`;
  if (subjects.join() !== "42") throw new Error(`The identities are ${subjects}.`);
  // A form of another site connects nothing.
  await client.request("POST", "/account", withForm({ provider: "connect" }), withoutCsrf())
    .wantStatus(403);
});

Deno.test("a user who cancels at the provider is back at the sign-in", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const { headers } = await client.get("/login/provider?next=/account");
  const path = authorize(headers.get("location") ?? "");
  await client.get(path.replace("code=", "error=access_denied&was="))
    .wantRedirect("/login?next=%2Faccount");
});
// end
