import { use } from "@fw/fw";
import { newTestClient, testRequest, withCookie, withForm, withoutCsrf } from "@fw/fw/testing";
import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { Store } from "@/lib/events/store.ts";
import { shareApp, withApp } from "./app.ts";
import { elementOf, eventForm, goodFields, tokenOf } from "./event_fields.ts";

const onShared = shareApp();

const url = "/organize/events/new";

Deno.test("new event: the form is empty, labelled, and nothing is wrong with it yet", () =>
  onShared(async (app) => {
    const { body } = await testRequest(app, "GET", url).wantStatus(200);
    for (const name of [...Object.keys(goodFields), "photo"]) {
      assert(body.includes(`<label class="ui-label" for="${name}">`), name);
      assert(elementOf(body, name).includes(`name="${name}"`), name);
    }
    assert(body.includes('<span aria-hidden="true">€</span><input id="price"'), body);
    assertFalse(body.includes("aria-invalid"));
    assertFalse(body.includes("ui-alert"));
    assert(body.includes("<title>New event · Miradouro</title>"));
    const [form = ""] = /<form class="ui-form"[^>]*>/.exec(body) ?? [];
    for (const part of [' method="post"', ` action="${url}"`, ' enctype="multipart/form-data"']) {
      assert(form.includes(part), part);
    }
  }));

Deno.test("new event: a good form makes the event and leads to its page", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    await client.request("POST", url, withForm(eventForm())).wantStatus(303)
      .wantHeader("location", "/events/swifts-over-the-roofs");
    const page = await client.get("/events/swifts-over-the-roofs").wantStatus(200);
    page.wantContains("Wednesday 20 May").wantContains("19:00 to 20:30").wantContains("€7.50")
      .wantContains("30 of 30 seats left")
      .wantContains("<p>Bring a hat.</p><p>The swifts arrive at eight.</p>");
    await client.get("/events?q=swifts").wantContains("1 event<");
    const api = await client.get("/api/events/swifts-over-the-roofs").wantStatus(200);
    assertEquals(JSON.parse(api.body).price, { cents: 750, currency: "EUR" });
  }));

Deno.test("new event: the message is shown once", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    await client.request("POST", url, withForm(eventForm())).wantStatus(303);
    const message = "<p>“Swifts over the Roofs” is on the schedule.</p>";
    const first = await client.get("/events/swifts-over-the-roofs").wantContains(message);
    assertMatch(first.body, /class="ui-toast ui-success" data-ui-toast data-ui-fade="\d+"/);
    const second = await client.get("/events/swifts-over-the-roofs");
    assertFalse(second.body.includes("ui-toast "));
  }));

const long = (count: number): string => "a".repeat(count);

const wrong: [field: string, typed: string, message: string][] = [
  ["title", "", "Title is required"],
  ["title", " \t ", "Title is required"],
  ["title", long(81), "Title must have at most 80 characters"],
  ["category", "", "Category is required"],
  ["category", "sport", "Category is not one of these"],
  ["category", "__proto__", "Category is not one of these"],
  ["summary", "", "Summary is required"],
  ["summary", "  ", "Summary is required"],
  ["summary", long(161), "Summary must have at most 160 characters"],
  ["story", "", "Story is required"],
  ["story", "\r\n", "Story is required"],
  ["story", long(4_001), "Story must have at most 4000 characters"],
  ["venue", "", "Venue is required"],
  ["venue", "nowhere", "Venue is not one of ours"],
  ["starts", "", "Start is required"],
  ["starts", "soon", "Start must be a date"],
  ["starts", "2026-02-30T19:00", "Start must be a date"],
  ["starts", "2026-05-14T09:59", "Start must not be in the past"],
  ["ends", "", "End is required"],
  ["ends", "later", "End must be a date"],
  ["ends", "2026-05-20T19:00", "End must be after the start"],
  ["ends", "2026-05-19T20:30", "End must be after the start"],
  ["ends", "2026-05-27T19:01", "End must be at most 7 days after the start"],
  ["seats", "", "Number of seats is required"],
  ["seats", "many", "Number of seats must be a whole number"],
  ["seats", "2.5", "Number of seats must be a whole number"],
  ["seats", "0", "Number of seats must be at least 1"],
  ["seats", "-3", "Number of seats must be at least 1"],
  ["seats", "5001", "Number of seats must be at most 5000"],
  ["price", "cheap", "Price must be a number"],
  ["price", "-1", "Price must be at least 0"],
  ["price", "500.01", "Price must be at most 500"],
  ["price", "7.125", "Price must have at most two decimals"],
];

for (const [field, typed, message] of wrong) {
  const shown = typed.length > 20 ? `${typed.length} characters` : JSON.stringify(typed);
  Deno.test(`new event: ${field} ${shown}: ${message}`, () =>
    onShared(async (app) => {
      const form = eventForm({ [field]: typed });
      const { body } = await testRequest(app, "POST", url, withForm(form)).wantStatus(422);
      assert(body.includes(`<p class="ui-error" id="${field}-error">${message}</p>`), body);
      assert(body.includes(`<li><a href="#${field}">${message}</a></li>`));
      assertEquals(body.match(/class="ui-error"/g)?.length, 1);
      assert(elementOf(body, field).includes('aria-invalid="true"'));
      assert(/aria-describedby="[^"]*-error"/.test(elementOf(body, field)));
      assertEquals(await use(app, Store).findBySlug("swifts-over-the-roofs"), undefined);
    }));
}

const prices: [typed: string, cents: number][] = [
  ["", 0],
  ["0", 0],
  ["12", 1200],
  ["7.5", 750],
  [" 4,35 ", 435],
  ["500", 50_000],
];

for (const [typed, cents] of prices) {
  Deno.test(`new event: the price ${JSON.stringify(typed)} is ${cents} cents`, () =>
    withApp(async (app) => {
      const form = eventForm({ price: typed });
      await testRequest(app, "POST", url, withForm(form)).wantStatus(303);
      const event = await use(app, Store).findBySlug("swifts-over-the-roofs");
      assertEquals(event?.priceCents, cents);
    }));
}

Deno.test("new event: a start too far ahead", () =>
  withApp(async (app) => {
    const form = eventForm({ starts: "2028-05-14T10:01", ends: "2028-05-14T12:00" });
    await testRequest(app, "POST", url, withForm(form)).wantStatus(422)
      .wantContains("Start must be in the next 2 years");
  }));

// "Fado Without a Microphone" occupies the Estufa Velha on 15 May from 21:30 to 23:10.
const bookings: [name: string, venue: string, from: string, to: string, isFree: boolean][] = [
  ["the same time", "estufa-velha", "21:30", "23:10", false],
  ["its first minute", "estufa-velha", "20:00", "21:31", false],
  ["its last minute", "estufa-velha", "23:09", "23:50", false],
  ["within it", "estufa-velha", "22:00", "22:30", false],
  ["around it", "estufa-velha", "20:00", "23:50", false],
  ["until it starts", "estufa-velha", "20:00", "21:30", true],
  ["from its end on", "estufa-velha", "23:10", "23:50", true],
  ["elsewhere", "cinema-aurora", "21:30", "23:10", true],
];

for (const [name, venue, from, to, isFree] of bookings) {
  Deno.test(`new event: the hall ${name} is ${isFree ? "free" : "taken"}`, () =>
    withApp(async (app) => {
      const form = eventForm({ venue, starts: `2026-05-15T${from}`, ends: `2026-05-15T${to}` });
      const { body } = await testRequest(app, "POST", url, withForm(form))
        .wantStatus(isFree ? 303 : 422);
      const message =
        "Venue is taken then, by “Fado Without a Microphone” (Fri 15 May, 21:30 to 23:10)";
      assertEquals(body.includes(message), !isFree);
    }));
}

Deno.test("new event: of two who want one hall at the same moment, one is told", () =>
  withApp(async (app) => {
    const send = (title: string): Promise<{ status: number }> =>
      Promise.resolve(testRequest(app, "POST", url, withForm(eventForm({ title }))));
    const answers = await Promise.all([send("One"), send("Two")]);
    assertEquals(answers.map(({ status }) => status).sort(), [303, 422]);
  }));

Deno.test("new event: one answer names all that is wrong, in the order of the form", () =>
  withApp(async (app) => {
    const form = eventForm({
      title: "",
      seats: "many",
      starts: "2026-05-01T21:00",
      venue: "nowhere",
    });
    form.set("photo", new File(["plain text"], "a.png", { type: "image/png" }));
    const { body } = await testRequest(app, "POST", url, withForm(form)).wantStatus(422);
    const links = [...body.matchAll(/<li><a href="#(\w+)">/g)].map(([, id]) => id);
    assertEquals(links, ["title", "venue", "starts", "seats", "photo"]);
    const places = links.map((id) => body.indexOf(elementOf(body, id ?? "")));
    assertEquals(places, places.toSorted((a, b) => a - b));
    // The summary comes first and is focused.
    assert(/<div class="ui-alert ui-destructive" role="alert" tabindex="-1" autofocus/.test(body));
    assert(body.indexOf("ui-alert") < Math.min(...places));
    assert(body.includes("<title>Error: New event · Miradouro</title>"));
    assertFalse(/tabindex="[1-9]/.test(body));
  }));

Deno.test("new event: what was typed is kept", () =>
  withApp(async (app) => {
    const form = eventForm({ seats: "many" });
    const { body } = await testRequest(app, "POST", url, withForm(form)).wantStatus(422);
    const { title, category, summary, venue, starts, ends, price } = goodFields;
    for (const value of [title, summary, starts, ends, price, "many"]) {
      assert(body.includes(`value="${value}"`), value);
    }
    assert(body.includes(`<option value="${category}" selected>`));
    assert(body.includes(`<option value="${venue}" selected>`));
    assert(body.includes("Bring a hat.\r\n\r\nThe swifts arrive at eight.</textarea>"));
    assert(elementOf(body, "seats").includes('aria-describedby="seats-help seats-error"'));
  }));

const slugs: [title: string, slug: string][] = [
  ["Fado Without a Microphone", "fado-without-a-microphone-2"],
  ["  Repair   Café  ", "repair-cafe"],
  ["!!!", "event"],
  ["日本の夜", "event"],
  ["../../etc/passwd", "etc-passwd"],
  [`${"word ".repeat(15)}end`, "word-word-word-word-word-word-word-word-word-word-word-word"],
];

for (const [title, slug] of slugs) {
  Deno.test(`new event: ${JSON.stringify(title.slice(0, 30))} gets the slug ${slug}`, () =>
    withApp(async (app) => {
      await testRequest(app, "POST", url, withForm(eventForm({ title }))).wantStatus(303)
        .wantHeader("location", `/events/${slug}`);
      await testRequest(app, "GET", `/events/${slug}`).wantStatus(200);
    }));
}

Deno.test("new event: two of one title have two slugs", () =>
  withApp(async (app) => {
    for (const [day, slug] of [["20", "soup"], ["21", "soup-2"], ["22", "soup-3"]]) {
      const form = eventForm({
        title: "Soup",
        starts: `2026-05-${day}T19:00`,
        ends: `2026-05-${day}T20:00`,
      });
      await testRequest(app, "POST", url, withForm(form)).wantHeader("location", `/events/${slug}`);
    }
  }));

Deno.test("new event: the token of the form is enough, and is needed", () =>
  withApp(async (app, folder) => {
    const page = await testRequest(app, "GET", url, withoutCsrf());
    const token = tokenOf(page.body);
    const [, kept = ""] = /fw_csrf=([^;]+);/.exec(page.header("set-cookie") ?? "") ?? [];
    const cookie = withCookie("fw_csrf", kept);
    // The page contains only a masked token.
    assert(kept.length === 43 && !page.body.includes(kept), page.body);
    const bare = eventForm();
    await testRequest(app, "POST", url, withForm(bare), withoutCsrf()).wantStatus(403)
      .wantContains("This form is no longer valid. Reload the page and send it again.");
    await testRequest(app, "POST", url, withForm(bare), withoutCsrf(), cookie).wantStatus(403);
    const foreign = eventForm({ _csrf: "0".repeat(43) });
    await testRequest(app, "POST", url, withForm(foreign), withoutCsrf(), cookie).wantStatus(403);
    assertEquals(await use(app, Store).findBySlug("swifts-over-the-roofs"), undefined);
    assertEquals(await folder.list(), []);
    const form = eventForm({ _csrf: token });
    await testRequest(app, "POST", url, withForm(form), withoutCsrf(), cookie).wantStatus(303);
  }));

const hostile = `"'></textarea></title><script>alert(1)</script>`;

for (const field of Object.keys(goodFields)) {
  Deno.test(`new event: markup in ${field} is shown as text`, () =>
    withApp(async (app) => {
      const form = eventForm({ price: "cheap", [field]: hostile });
      const { body } = await testRequest(app, "POST", url, withForm(form)).wantStatus(422);
      assertFalse(body.includes("<script>alert"));
      // An invalid choice is not shown at all.
      const isChoice = field === "category" || field === "venue";
      assertEquals(body.includes("&lt;script&gt;alert(1)"), !isChoice);
    }));
}

Deno.test("new event: markup that was kept is shown as text everywhere", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    const form = eventForm({ title: hostile, summary: hostile, story: hostile });
    const { headers } = await client.request("POST", url, withForm(form)).wantStatus(303);
    const page = headers.get("location") ?? "";
    const desk = page.replace("/events/", "/organize/events/");
    const paths = [
      page,
      "/events?q=script",
      `${desk}/edit`,
      `${desk}/delete`,
      "/organize?per_page=50",
    ];
    for (const path of paths) {
      const { body } = await client.get(path).wantStatus(200);
      assertFalse(body.includes("<script>alert"), path);
      assert(body.includes("&lt;script&gt;alert(1)"), path);
    }
    await client.get(`/api${page}`).wantHeader("content-type", "application/json");
    await client.get(`${page}/calendar.ics`).wantHeader(
      "content-type",
      "text/calendar; charset=utf-8",
    );
  }));

Deno.test("new event: the API takes none", () =>
  withApp(async (app) => {
    await testRequest(app, "POST", "/api/events", withForm(eventForm())).wantStatus(405);
  }));
