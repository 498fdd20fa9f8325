import { type App, use } from "@fw/fw";
import {
  newTestClient,
  type TestClient,
  testRequest,
  withCookie,
  withForm,
  withoutCsrf,
} from "@fw/fw/testing";
import { assert, assertEquals, assertFalse } from "@std/assert";
import type { CityEvent } from "@/lib/city_event.ts";
import { openDatabase } from "@/lib/database.ts";
import { EventDesk } from "@/lib/events/desk.ts";
import { textsOf } from "@/lib/events/form.ts";
import { EventStore, Store } from "@/lib/events/store.ts";
import { fillWithSamples } from "@/lib/samples/fill.ts";
import { now, shareApp, withApp } from "./app.ts";
import { eventForm, tokenOf } from "./event_fields.ts";

const onShared = shareApp();

const fado = "/events/fado-without-a-microphone";
const editUrl = "/organize/events/fado-without-a-microphone/edit";
const deleteUrl = "/organize/events/fado-without-a-microphone/delete";

async function findFado(app: App): Promise<CityEvent> {
  const event = await use(app, Store).findBySlug("fado-without-a-microphone");
  assert(event);
  return event;
}

/** Returns the form of the sample event with some changed fields. */
async function fadoForm(
  app: App,
  changed: Readonly<Record<string, string>> = {},
): Promise<FormData> {
  return eventForm({ ...textsOf(await findFado(app)), ...changed });
}

Deno.test("edit: the form holds what is known", () =>
  onShared(async (app) => {
    const event = await findFado(app);
    const page = await testRequest(app, "GET", editUrl).wantStatus(200);
    page.wantContains('value="Fado Without a Microphone"')
      .wantContains('<option value="music" selected>Music</option>')
      .wantContains('<option value="estufa-velha" selected>Estufa Velha, Marvila</option>')
      .wantContains('value="2026-05-15T21:30"').wantContains('value="2026-05-15T23:10"')
      .wantContains('value="160"').wantContains('value="14"')
      .wantContains(`${event.taken} of them are taken.`)
      .wantContains(`href="${deleteUrl}"`).wantContains(`href="${fado}"`);
    assertFalse(page.body.includes("removePhoto"));
  }));

Deno.test("edit: the schedule leads there", () =>
  onShared(async (app) => {
    await testRequest(app, "GET", "/organize").wantContains(`<a href="${editUrl}">`)
      .wantContains('href="/organize/events/new"');
  }));

Deno.test("edit: changes are kept, the address stays, the message is shown once", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    const form = await fadoForm(app, {
      title: "Fado With a Megaphone",
      category: "talks",
      price: "",
    });
    await client.request("POST", editUrl, withForm(form)).wantStatus(303)
      .wantHeader("location", fado);
    const page = await client.get(fado).wantContains("<h1>Fado With a Megaphone</h1>");
    page.wantContains("Your changes are saved.").wantContains("Free").wantContains("Talks");
    assertFalse((await client.get(fado)).body.includes("Your changes are saved."));
    await client.get("/events?q=megaphone").wantContains("1 event<");
    await client.get("/events?q=microphone").wantContains("0 events<");
  }));

Deno.test("edit: an event is not in its own way", () =>
  withApp(async (app) => {
    const form = await fadoForm(app, { starts: "2026-05-15T22:00" });
    await testRequest(app, "POST", editUrl, withForm(form)).wantStatus(303);
    assertEquals((await findFado(app)).startsAt, "2026-05-15T22:00");
  }));

const wrong: [field: string, typed: string, message: string][] = [
  ["title", "", "Title is required"],
  ["seats", "100", "Number of seats must be at least 123: so many are taken"],
  ["venue", "nowhere", "Venue is not one of ours"],
  ["starts", "2026-05-13T21:30", "Start must not be in the past"],
];

for (const [field, typed, message] of wrong) {
  Deno.test(`edit: ${field} ${JSON.stringify(typed)}: ${message}`, () =>
    onShared(async (app) => {
      const before = await findFado(app);
      const form = await fadoForm(app, { [field]: typed });
      const page = await testRequest(app, "POST", editUrl, withForm(form)).wantStatus(422);
      page.wantContains(`<p class="ui-error" id="${field}-error">${message}</p>`)
        .wantContains("<title>Error: Edit Fado Without a Microphone · Miradouro</title>");
      assertEquals(await findFado(app), before);
    }));
}

Deno.test("edit: an event that has begun may still be corrected", () =>
  withApp(async (app) => {
    const { body } = await testRequest(app, "GET", "/organize");
    const [, url = ""] = /href="(\/organize\/events\/slow-dances[^"]+)"/.exec(body) ?? [];
    const event = await use(app, Store).findBySlug("slow-dances-for-a-large-floor");
    assert(event);
    const form = eventForm({ ...textsOf(event), title: "Slower Dances" });
    await testRequest(app, "POST", url, withForm(form)).wantStatus(303);
  }, { at: "2026-05-14T19:30" }));

Deno.test("edit: another event is in the way", () =>
  onShared(async (app) => {
    const form = await fadoForm(app, { starts: "2026-05-14T18:00", ends: "2026-05-14T20:00" });
    await testRequest(app, "POST", editUrl, withForm(form)).wantStatus(422)
      .wantContains("Venue is taken then, by “Slow Dances for a Large Floor”");
  }));

Deno.test("edit: what was changed is a sample no more and stays on its day", async () => {
  const today = Temporal.PlainDate.from("2026-05-14");
  const db = await openDatabase(":memory:");
  await fillWithSamples(db, today);
  const store = new EventStore(db, () => Temporal.PlainDateTime.from(now));
  const event = await store.findBySlug("soup-exchange");
  assert(event);
  const { venue, ...draft } = event;
  const columns = {
    title: draft.title,
    summary: draft.summary,
    story: draft.story,
    category: draft.category,
    venue: venue.slug,
    startsAt: draft.startsAt,
    endsAt: draft.endsAt,
    priceCents: draft.priceCents,
    seats: draft.seats,
  };
  await new EventDesk(db).change(event, { draft: columns, photo: undefined });
  await fillWithSamples(db, today.add({ days: 14 }));
  assertEquals((await store.findBySlug("soup-exchange"))?.startsAt, event.startsAt);
  assertEquals(
    (await store.findBySlug("fado-without-a-microphone"))?.startsAt,
    "2026-05-29T21:30",
  );
  await db.close();
});

Deno.test("delete: the page asks, and nothing is gone yet", () =>
  onShared(async (app) => {
    const page = await testRequest(app, "GET", deleteUrl).wantStatus(200);
    page.wantContains("Delete this event?").wantContains("Fado Without a Microphone")
      .wantContains("123 seats are taken, and their guests aren’t notified.")
      .wantContains(`href="${editUrl}">Keep it</a>`);
    await findFado(app);
  }));

Deno.test("delete: the event is gone from everywhere, the message is shown once", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    await client.postForm(deleteUrl, {}).wantStatus(303).wantHeader("location", "/organize");
    const message = "“Fado Without a Microphone” is deleted.";
    await client.get("/organize").wantContains(message).wantContains("63 events");
    assertFalse((await client.get("/organize")).body.includes(message));
    for (const path of [fado, editUrl, deleteUrl, `/api${fado}`, `${fado}/cover.svg`]) {
      await client.get(path).wantStatus(404);
    }
    await client.get("/events?q=microphone").wantContains("0 events<");
    await client.postForm(deleteUrl, {}).wantStatus(404);
  }));

/** Sends the form of a page with or without a token, and with no other proof of its origin. */
async function sendWithToken(
  client: TestClient,
  url: string,
  options: { readonly token: string; readonly cookie: string },
): Promise<number> {
  const form = new URLSearchParams({ _csrf: options.token });
  const cookie = withCookie("fw_csrf", options.cookie);
  const answer = await client.request("POST", url, withForm(form), withoutCsrf(), cookie);
  return answer.status;
}

for (const [url, accepted] of [[editUrl, 422], [deleteUrl, 303]] as const) {
  Deno.test(`${url}: the token of the form is enough, and is needed`, () =>
    withApp(async (app) => {
      const client = newTestClient(app);
      const token = tokenOf((await client.get(url, withoutCsrf())).body);
      const cookie = client.cookie("fw_csrf") ?? "";
      const foreign = "0".repeat(43);
      assertEquals(await sendWithToken(client, url, { token: "", cookie }), 403);
      assertEquals(await sendWithToken(client, url, { token: foreign, cookie }), 403);
      assertEquals(await sendWithToken(client, url, { token, cookie: "" }), 403);
      await findFado(app);
      assertEquals(await sendWithToken(client, url, { token, cookie }), accepted);
    }));
}

for (const page of ["edit", "delete"]) {
  for (const method of ["GET", "POST"]) {
    Deno.test(`${page}: ${method} of an event that does not exist is not found`, () =>
      onShared(async (app) => {
        const url = `/organize/events/nope/${page}`;
        const options = method === "GET" ? [] : [withForm(eventForm())];
        await testRequest(app, method, url, ...options).wantStatus(404);
      }));
  }
}

Deno.test("flash: a cookie that nobody signed says nothing", () =>
  onShared(async (app) => {
    const forged = btoa(JSON.stringify([{ kind: "error", text: "forged" }]));
    const cookie = withCookie("fw_flash", `${forged}.zzzzzzzz.${"A".repeat(43)}`);
    const { body } = await testRequest(app, "GET", "/", cookie).wantStatus(200);
    assertFalse(body.includes("ui-toast "));
  }));
