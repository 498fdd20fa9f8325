import { use } from "@fw/fw";
import { watchPlans } from "@fw/fw/data/testing";
import { newTestClient, testApp, withForm, withoutCsrf } from "@fw/fw/testing";
import { type EventQuery, Events } from "@/lib/events.ts";
import { Database } from "@/lib/database.ts";

// The database of the tests is in memory.
const config = { variables: { FW_DB: ":memory:" } };

const form = 'form.ui-form[method="post"]';
const first = {
  title: "Title one",
  seats: "1",
};
const second = {
  title: "Title two",
  seats: "2",
};

/** What narrows and sorts a list. */
const queries: readonly Partial<EventQuery>[] = [{}, { sort: "oldest" }, { q: "one" }, { q: "o" }, {
  sort: "title",
}, { sort: "-title" }];

Deno.test("no list of events gets slower with every row", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  for (const values of [first, second]) {
    await client.get("/events/new").submit(form, { ...values }).wantStatus(303);
  }
  const db = watchPlans(use(app, Database));
  const store = use(app, Events);
  for (const one of queries) {
    for (const other of queries) {
      const query = { ...one, ...other };
      const { next } = await store.list(query, 1);
      await store.list({ ...query, at: next ?? "last" }, 1);
    }
  }
  await store.neighbours(1);
  // Fails if a statement read a whole table, or sorted all that it found.
  await db.close();
});

Deno.test("events are added, found, changed and deleted", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  await client.get("/events").wantStatus(200);
  await client.get("/events/new").submit(form, { ...first }).wantRedirect("/events/1");
  await client.get("/events/1").wantStatus(200);
  await client.get("/events/1").wantContains("Title one");
  await client.get("/events").wantContains("/events/1");
  const found = `/events?q=${encodeURIComponent("Title one")}`;
  await client.get(found).wantContains("/events/1");
  await client.get("/events?q=%25%25").wantNotContains("/events/1");
  await client.get("/events/1/edit").submit(form, second).wantRedirect("/events/1");
  await client.get("/events/1").wantStatus(200);
  await client.get("/events/1").wantContains("Title two");
  await client.get("/events/1/delete").submit(form, {}).wantRedirect("/events");
  await client.get("/events/1/edit").wantStatus(404);
});

Deno.test("events keep what a form shows and sends back", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  await client.get("/events/new").submit(form, { ...first });
  const before = (await client.get("/events/1")).body;
  await client.get("/events/1/edit").submit(form, {}).wantRedirect("/events/1");
  const after = (await client.get("/events/1")).wantStatus(200);
  after.wantContains(before.slice(before.indexOf("<h1"), before.indexOf("<dialog")));
  // Several are deleted at once after a question.
  const chosen = { act: "delete", id: "1" };
  await client.postForm("/events", chosen).wantStatus(200);
  await client.get("/events/1").wantStatus(200);
  await client.postForm("/events", { ...chosen, sure: "on" }).wantRedirect("/events");
  await client.get("/events/1/edit").wantStatus(404);
});

Deno.test("events that are not there are a 404, and a post without a token is a 403", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const paths = [
    "7",
    "x",
    "7/edit",
    "7/delete",
  ];
  for (const path of paths) await client.get(`/events/${path}`).wantStatus(404);
  await client.postForm("/events/7/edit", first).wantStatus(404);
  await client.postForm("/events/7/delete", {}).wantStatus(404);
  await client.request("POST", "/events/new", withForm(first), withoutCsrf()).wantStatus(403);
});

Deno.test("events are refused with what was typed", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const wrong = {
    ...first,
    title: "",
  };
  await client.get("/events/new").submit(form, wrong).wantStatus(422);
  await client.get("/events").wantNotContains("/events/1");
});
