import { use } from "@fw/fw";
import { lowerPasswordCost } from "@fw/fw/auth/testing";
import { newTestClient, testApp } from "@fw/fw/testing";
import { addAccount, withAccount } from "../../lib/account_testing.ts";
import { Accounts } from "../../lib/accounts.ts";
import { Database } from "../../lib/database.ts";
import { afterLogin } from "../../lib/sessions.ts";

// if passwords
// Hashing a password takes tenths of a second, so the tests use a cheap hash.
lowerPasswordCost();

// end
// Each test has an empty database.
const config = { variables: { FW_DB: ":memory:" } };

// if passwords
const email = "ada@example.org";
const password = "correct horse battery";
// end
const form = "#profile-form";
const png = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
);

Deno.test("a picture is shown, refused for what it is, and removed", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app, await withAccount(app));
  await client.get("/account/picture").wantStatus(404);
  const picture = new File([png], "me.png");
  await client.get("/account").submit(form, { picture }).wantRedirect("/account");
  await client.get("/account/picture").wantStatus(200).wantHeader("content-type", "image/png")
    .wantHeader("x-content-type-options", "nosniff");
  await client.get("/account").wantContains('src="/account/picture?v=');
  const script = new File(["<svg xmlns='http://www.w3.org/2000/svg'/>"], "me.png");
  await client.get("/account").submit(form, { picture: script }).wantStatus(422);
  await newTestClient(app).get("/account/picture").wantStatus(401);
  await client.postForm("/account", { removePicture: "on" }).wantRedirect("/account");
  await client.get("/account").wantNotContains("/account/picture");
});

Deno.test("an account is deleted once its owner confirms it", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app, await withAccount(app));
  await client.get("/account/delete").wantStatus(200);
  await client.postForm("/account/delete", {}).wantRedirect("/login");
  await client.get("/account").wantStatus(302);
});

Deno.test("a sign-in of long ago changes no access", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app, await withAccount(app, { role: "admin" }));
  await client.get("/account").wantStatus(200);
  // Without its first digit, the time is decades ago.
  await use(app, Database).run`
    update fw_user_sessions set session = replace(session, '"issuedAtMs":1', '"issuedAtMs":')`;
  const paths = [
    "/account",
    "/account/delete",
    // if passwords
    "/account/email",
    // end
    // if passkeys
    "/account/passkeys",
    // end
    // if users
    "/users/1",
    // end
  ];
  for (const path of paths) {
    const again = `/login?next=${encodeURIComponent(path)}&again=1`;
    await client.postForm(path, {}).wantRedirect(again);
  }
  await client.get("/account").wantStatus(200);
});
// if passwords

Deno.test("an address changes when the new one is confirmed, and the form tells of no account", async () => {
  await using app = await testApp({ config });
  const accounts = use(app, Accounts);
  const client = newTestClient(app);
  const link = `/password/${await accounts.links.add(email)}`;
  await client.postForm(link, { password }).wantRedirect(afterLogin);
  const other = newTestClient(app);
  await other.postForm("/login", { email, password }).wantRedirect(afterLogin);
  const { id } = await accounts.findByEmail(email) ?? { id: "" };
  await addAccount(app, { email: "bob@example.org" });

  // The response is the same for an address that has an account.
  for (const address of ["ada@example.com", "bob@example.org"]) {
    await client.get("/account/email").wantStatus(200);
    await client.postForm("/account/email", { email: address }).wantRedirect("/account");
    await client.get("/account").wantStatus(200);
  }
  await client.postForm("/account/email", { email: "no address" }).wantStatus(422);

  const taken = `/account/email/${await accounts.links.add("bob@example.org", id)}`;
  await client.postForm(taken, {}).wantStatus(409);
  const token = await accounts.links.add("ada@example.com", id);
  const path = `/account/email/${token}`;
  // The link sets no password and works only for the account that requested it.
  await client.postForm(`/password/${token}`, { password }).wantStatus(410);
  await newTestClient(app).get(path).wantStatus(302);
  await client.get(path).wantStatus(200).wantContains("ada@example.com");
  await client.postForm(path, {}).wantRedirect("/account");
  await client.get("/account").wantStatus(200).wantContains("ada@example.com");
  await client.get(path).wantStatus(410);
  // Other sessions and earlier links end.
  await other.get("/account").wantStatus(302);
  await client.get(taken).wantStatus(410);
  await other.postForm("/login", { email, password }).wantStatus(422);
  await other.postForm("/login", { email: "ada@example.com", password }).wantRedirect(afterLogin);

  // Links that others request for an address do not block its owner's password links.
  for (let link = 0; link < 4; link++) await accounts.links.add("bob@example.org", id);
  const own = `/password/${await accounts.links.add("bob@example.org")}`;
  await newTestClient(app).postForm(own, { password }).wantRedirect(afterLogin);

  // A new password ends a change of address that a thief requested.
  const stolen = `/account/email/${await accounts.links.add("eve@example.com", id)}`;
  const reset = `/password/${await accounts.links.add("ada@example.com")}`;
  await other.postForm(reset, { password }).wantRedirect(afterLogin);
  await other.get(stolen).wantStatus(410);
});
// end
