import { type App, use } from "@fw/fw";
import { watchPlans } from "@fw/fw/data/testing";
import {
  newTestClient,
  testApp,
  type TestClient,
  withBody,
  withForm,
  withoutCsrf,
} from "@fw/fw/testing";
import { addAccount, withAccount } from "../../lib/account_testing.ts";
import { Accounts } from "../../lib/accounts.ts";
import { Database } from "../../lib/database.ts";
import { UserStore } from "../../lib/users.ts";

// Each test has an empty database.
const config = { variables: { FW_DB: ":memory:" } };

const ada = { email: "ada@example.org", role: "admin" };
const bob = { email: "bob@example.org" };

const queries: readonly Parameters<UserStore["list"]>[0][] = [
  {},
  { q: "bob" },
  { q: "b" },
  { role: "admin" },
  { disabled: "yes" },
  { q: "bob", role: "admin", disabled: "yes" },
];

async function openClient(app: App): Promise<TestClient> {
  return newTestClient(app, await withAccount(app, ada));
}

Deno.test("no list of accounts gets slower with every row", async () => {
  await using app = await testApp({ config });
  const db = watchPlans(use(app, Database));
  const store = new UserStore(db, use(app, Accounts));
  await addAccount(app, ada);
  await addAccount(app, bob);
  for (const query of queries) {
    const { next } = await store.list(query, 1);
    await store.list({ ...query, at: next ?? "last" }, 1);
  }
  // Fails if a statement scans a whole table or sorts its result.
  await db.close();
});

Deno.test("accounts are for administrators", async () => {
  await using app = await testApp({ config });
  const { id } = await addAccount(app, bob);
  const reader = newTestClient(app, await withAccount(app, bob));
  for (const path of ["/users", `/users/${id}`]) {
    await newTestClient(app).get(path).wantStatus(302);
    await reader.get(path).wantStatus(403);
  }
  for (const action of ["", "?/signOut", "?/remove"]) {
    await reader.postForm(`/users/${id}${action}`, { roles: "admin" }).wantStatus(403);
  }
  await reader.get("/").wantNotContains('"/users"');
  const client = await openClient(app);
  await client.get("/users").wantStatus(200).wantContains(bob.email);
  await client.get("/users?role=admin").wantNotContains(bob.email);
  await client.get("/users?q=bob%40").wantContains(bob.email);
  for (const at of ["7", "x", "-1", "9007199254740993"]) {
    await client.get(`/users/${at}`).wantStatus(404);
    await client.postForm(`/users/${at}?/remove`, {}).wantStatus(404);
  }
  await client.postForm(`/users/${id}?/other`, {}).wantStatus(404);
  await client.request("POST", `/users/${id}`, withForm({ disabled: "on" }), withoutCsrf())
    .wantStatus(403);
  await client.get(`/users/${id}`).wantNotContains("ui-timeline");
});
// if provider

Deno.test("an account is never listed under a name that its user chose", async () => {
  await using app = await testApp({ config });
  for (const subject of ["1", "2"]) {
    await use(app, Accounts).findOrAdd({
      provider: "https://id.example",
      subject,
      name: bob.email,
    });
  }
  const { rows } = await new UserStore(use(app, Database), use(app, Accounts)).list({}, 10);
  const client = await openClient(app);
  for (const { id, address } of rows) {
    if (address !== `#${id}`) throw new Error(`The account is listed as "${address}".`);
    await client.get("/users").wantContains(`#${id}`).wantContains("https://id.example");
    await client.get(`/users/${id}`).wantContains(`${bob.email} · https://id.example`);
  }
});
// end

Deno.test("roles, the state and a sign-out end the sessions of an account at once", async () => {
  await using app = await testApp({ config });
  const { id } = await addAccount(app, bob);
  const client = await openClient(app);
  const changes: readonly (readonly [action: string, fields: Readonly<Record<string, string>>])[] =
    [
      ["", { roles: "admin" }],
      ["", { roles: "unknown" }],
      ["?/signOut", {}],
      ["", { disabled: "on" }],
    ];
  for (const [action, fields] of changes) {
    const other = newTestClient(app, await withAccount(app, bob));
    await other.get("/account").wantStatus(200);
    await client.postForm(`/users/${id}${action}`, fields).wantRedirect(`/users/${id}`);
    await other.get("/account").wantStatus(302);
    const roles = (await use(app, Accounts).find(id))?.roles.join() ?? "";
    if (roles !== (fields.roles === "admin" ? "admin" : "")) {
      throw new Error(`The roles are ${roles}.`);
    }
  }
  if (await use(app, Accounts).find(id)) throw new Error("A disabled account can sign in.");
  await client.get("/users?disabled=yes").wantContains(`"/users/${id}"`);
  // The history names the administrator.
  await client.get(`/users/${id}`).wantContains("ui-timeline").wantContains(`<strong>${ada.email}`);
  await client.postForm(`/users/${id}`, {}).wantRedirect(`/users/${id}`);
  await withAccount(app, bob);
  await client.postForm(`/users/${id}?/remove`, {}).wantRedirect("/users");
  await client.get(`/users/${id}`).wantStatus(404);
});

Deno.test("a form that arrives slowly does nothing once its sender has lost the role", async () => {
  await using app = await testApp({ config });
  await addAccount(app, ada);
  const { id } = await addAccount(app, { ...bob, role: "admin" });
  const client = newTestClient(app, await withAccount(app, bob));
  await client.get("/users").wantStatus(200);
  const { now } = performance;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      // After more than a second, the session is looked up again.
      performance.now = () => now.call(performance) + 1_001;
      await use(app, Accounts).setRole(bob.email, "");
      controller.enqueue(new TextEncoder().encode(`roles=${"admin"}`));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const form = withBody("application/x-www-form-urlencoded", body);
  try {
    const { status } = await client.request("POST", `/users/${id}`, form);
    // A middleware that reads the user before the form makes it a refusal instead of a redirect.
    if (status !== 303 && status !== 401) throw new Error(`The status is ${status}.`);
  } finally {
    performance.now = now;
  }
  const account = await use(app, Accounts).find(id);
  if (account?.roles.length !== 0) throw new Error("The role is back.");
});

Deno.test("an outdated form undoes no change of another administrator", async () => {
  await using app = await testApp({ config });
  const { id } = await addAccount(app, bob);
  const client = await openClient(app);
  const shown = await client.get(`/users/${id}`);
  await client.postForm(`/users/${id}`, { disabled: "on" });
  await shown.submit("#access", {}).wantRedirect(`/users/${id}`);
  if (await use(app, Accounts).find(id)) throw new Error("The account is enabled again.");
});

Deno.test("no change of an account is kept if its sessions do not end", async () => {
  await using app = await testApp({ config });
  const accounts = use(app, Accounts);
  const account = await addAccount(app, { ...bob, role: "editor" });
  const store = new UserStore(use(app, Database), accounts);
  accounts.sessions.deleteBySubject = () => Promise.reject(new Error("down"));
  const changes = [
    () => store.save(Number(account.id), { role: "", disabled: false }),
    () => accounts.setRole(account.id, "admin"),
    () => accounts.signOut(account.id),
    () => store.delete(Number(account.id)),
    () => accounts.delete(Number(account.id)),
  ];
  for (const change of changes) {
    const isDone = await change().then(() => true, () => false);
    const left = await accounts.find(account.id);
    if (isDone || String(left?.roles) !== "editor" || !await accounts.isCurrent(account)) {
      throw new Error(`${change} was kept.`);
    }
  }
});

Deno.test("one administrator stays, also when two lose the role at once", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  const one = await addAccount(app, ada);
  const path = `/users/${one.id}`;
  await client.postForm(path, {}).wantRedirect(path);
  await client.postForm(path, { roles: "admin", disabled: "on" }).wantRedirect(path);
  await client.postForm(`${path}?/remove`, {}).wantRedirect(path);
  await client.postForm("/account/delete", {}).wantRedirect("/account");
  await client.get(path).wantStatus(200);
  const two = await addAccount(app, { ...bob, role: "admin" });
  const store = new UserStore(use(app, Database), use(app, Accounts));
  const saved = await Promise.all(
    [one, two].map(({ id }) => store.save(Number(id), { role: "", disabled: false })),
  );
  if (saved.filter(Boolean).length !== 1) throw new Error(`The changes were made: ${saved}.`);
});
// if passwords

Deno.test("an invitation mails a link, up to three for an address", async () => {
  await using app = await testApp({ config });
  const client = await openClient(app);
  await client.get("/users/new").wantStatus(200);
  await client.postForm("/users/new", { email: "nobody" }).wantStatus(422);
  for (let link = 0; link < 4; link++) {
    await client.postForm("/users/new", bob).wantRedirect("/users");
  }
  if (await use(app, Accounts).links.add(bob.email) !== undefined) {
    throw new Error("No link was made.");
  }
});
// end
