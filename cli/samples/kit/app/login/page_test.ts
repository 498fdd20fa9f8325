import { use } from "@fw/fw";
import { lowerPasswordCost } from "@fw/fw/auth/testing";
import { newTestClient, testApp } from "@fw/fw/testing";
import { withAccount } from "../../lib/account_testing.ts";
import { Accounts } from "../../lib/accounts.ts";
import { Database } from "../../lib/database.ts";
import { afterLogin, attempts } from "../../lib/sessions.ts";

// Hashing a password takes tenths of a second, so the tests use a cheap hash.
lowerPasswordCost();

// Each test has an empty database.
const config = { variables: { FW_DB: ":memory:" } };

const email = "ada@example.org";

Deno.test("making an account, signing out and in again, a new password", async () => {
  await using app = await testApp({ config });
  const accounts = use(app, Accounts);
  const client = newTestClient(app);
  const typed = { email, password: "correct horse battery" };
  await client.get("/account").wantStatus(302).wantHeader("location", "/login?next=%2Faccount");
  await client.get("/signup").wantStatus(200);
  await client.postForm("/signup", { email }).wantHeader("location", "/signup?sent=1");
  await client.get("/signup?sent=1").wantStatus(200).wantContains("<h1");

  // The link of the mail stays valid after a password that is too short.
  const first = `/password/${await accounts.links.add(email)}`;
  await client.get(first).wantStatus(200).wantContains(`value="${email}"`).wantContains(
    'name="name"',
  )
    .wantHeader("cache-control", "no-store").wantHeader("referrer-policy", "same-origin");
  for (const password of ["short", "Password1234!", "ada@example1815"]) {
    await client.postForm(first, { password }).wantStatus(422)
      .wantHeader("cache-control", "no-store").wantHeader("referrer-policy", "same-origin");
  }
  await client.postForm(first, { ...typed, name: " Ada  L. " }).wantRedirect(afterLogin)
    .wantHeader("cache-control", "no-store").wantHeader("referrer-policy", "same-origin");
  await client.postForm(first, typed).wantStatus(410)
    .wantHeader("cache-control", "no-store").wantHeader("referrer-policy", "same-origin");
  await newTestClient(app).get(first).wantStatus(200).wantNotContains(email);
  await client.get("/account").wantStatus(200).wantContains(email).wantContains("Ada L.");
  await client.get("/signup").wantStatus(303);

  await client.postForm("/logout", {}).wantStatus(303);
  await client.get("/account").wantStatus(302);
  await client.postForm("/login", { ...typed, password: "wrong" }).wantStatus(422);
  await client.postForm("/login?next=%2F%2Fother.example", typed)
    .wantStatus(303).wantHeader("location", afterLogin);
  await client.get("/login").wantStatus(303).wantHeader("location", afterLogin);
  await client.postForm("/account", {}).wantStatus(303);

  // Guesses at an account are limited, but never lock out a known browser.
  const another = "bob@example.org";
  for (let guesses = 0; guesses < 12; guesses++) {
    for (const address of [email, another]) await attempts.take(app, `address ${address}`);
  }
  await newTestClient(app).postForm("/login", typed).wantStatus(429);
  await client.postForm("/login", { ...typed, email: another }).wantStatus(429);
  await client.postForm("/logout", {}).wantStatus(303);
  await client.postForm("/login", typed).wantStatus(303);

  // The response is the same for addresses with and without an account.
  for (const address of [email, another]) {
    await newTestClient(app).postForm("/reset", { email: address })
      .wantStatus(303).wantHeader("location", "/reset?sent=1");
  }
  const other = newTestClient(app);
  await other.postForm(`/password/${await accounts.links.add(email)}`, {
    password: "another horse battery",
    name: "Not asked for",
  })
    .wantStatus(303);
  // Sessions from before the new password have ended.
  await client.get("/account").wantStatus(302);
  await other.get("/account").wantStatus(200).wantContains("Ada L.");

  const expired = `/password/${await accounts.links.add(email)}`;
  await use(app, Database).run`update password_links set expires_at = ${Date.now()}`;
  await other.postForm(expired, typed).wantStatus(410);
  const late = await accounts.links.add(email) ?? "";
  await other.get("/account/delete").wantStatus(200);
  await other.postForm("/account/delete", {}).wantRedirect("/login");
  await other.get("/account").wantStatus(302);
  const gone = await accounts.findByEmail(email);
  if (gone !== undefined) throw new Error("The account is still there.");
  // A link mailed before the deletion does not create the account again.
  await other.get(`/password/${late}`).wantNotContains(email);
});

Deno.test("a test signs a client in without a password", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app, await withAccount(app, { email, role: "editor" }));
  await client.get("/account").wantStatus(200).wantContains(email);
  // No password is valid for a test account.
  await newTestClient(app).postForm("/login", { email, password: "x" }).wantStatus(422);
});
// if passkeys

Deno.test("passkeys change after a sign-in of the last minutes", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const link = `/password/${await use(app, Accounts).links.add(email)}`;
  await client.get(link).wantStatus(200).wantNotContains("removePasskeys");
  await client.postForm(link, { password: "correct horse battery" }).wantRedirect(afterLogin);
  await client.get("/account/passkeys").wantStatus(200);
  await client.postForm("/account", { passkey: "x" }).wantRedirect("/account");
  await client.get("/account").wantNotContains("again=1");
  await client.get("/login?again=1").wantStatus(200);
});

Deno.test("a malformed passkey response is a 400", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  await client.get("/login/passkey").wantStatus(200).wantContains("challenge");
  await client.postJson("/login/passkey", {}).wantStatus(400);
});
// end
