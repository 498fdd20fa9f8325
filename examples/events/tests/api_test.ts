import { type App, use } from "@fw/fw";
import { testRequest, type TestResponse, withHeader, withJson, withoutCsrf } from "@fw/fw/testing";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Store } from "@/lib/events/store.ts";
import { PartnerGate } from "@/lib/partner_gate.ts";
import { shareApp, withApp } from "./app.ts";

const onShared = shareApp();

Deno.test("api: a page of events with its links", () =>
  onShared(async (app) => {
    const slugs = new Set<string>();
    let path: string | undefined = "/api/events?category=music&per_page=3";
    const links: string[][] = [];
    while (path !== undefined) {
      const response: TestResponse = await testRequest(app, "GET", path).wantStatus(200);
      response.wantHeader("content-type", "application/json").wantHeader("x-total-count", "8");
      for (const { slug } of JSON.parse(response.body)) slugs.add(slug);
      const link = response.header("link") ?? "";
      links.push([...link.matchAll(/rel="(\w+)"/g)].map(([, rel = ""]) => rel));
      path = /<([^>]*per_page=3[^>]*)>; rel="next"/.exec(link)?.[1];
    }
    assertEquals([slugs.size, links], [8, [["next"], ["prev", "next"], ["prev"]]]);
  }));

const lists: [path: string, slugs: string[]][] = [
  ["/api/events?q=fado", ["fado-without-a-microphone", "portuguese-guitar-a-first-hour"]],
  ["/api/events?q=fado&price=free", []],
  ["/api/events?when=today&category=art", ["opening-blue-is-not-a-colour"]],
];

for (const [path, slugs] of lists) {
  Deno.test(`api: ${path}`, () =>
    onShared(async (app) => {
      const { body } = await testRequest(app, "GET", path).wantStatus(200);
      const events: { slug: string }[] = JSON.parse(body);
      assertEquals(events.map(({ slug }) => slug), slugs);
    }));
}

Deno.test("api: one event, whose dates carry their offset", () =>
  onShared(async (app) => {
    const { body } = await testRequest(app, "GET", "/api/events/soup-exchange").wantStatus(200);
    const { story: _, ...event } = JSON.parse(body);
    assertEquals(event, {
      slug: "soup-exchange",
      title: "Soup Exchange",
      summary: "Bring four litres, leave with four different litres.",
      category: "food",
      venue: { name: "Teatro Lanterna", address: "Rua do Biombo 18", area: "Mouraria" },
      starts_at: "2026-06-08T18:30:00+01:00",
      ends_at: "2026-06-08T20:00:00+01:00",
      price: { cents: 0, currency: "EUR" },
      seats: 60,
      seats_left: event.seats_left,
      url: "/events/soup-exchange",
    });
  }));

const faults: [query: string, field: string][] = [
  ["per_page=51", "per_page"],
  ["per_page=0", "per_page"],
  ["when=yesterday", "when"],
  ["category=sport", "category"],
  ["category=__proto__", "category"],
  ["price=12", "price"],
  [`q=${"a".repeat(81)}`, "q"],
];

for (const [query, field] of faults) {
  Deno.test(`api: ${query.slice(0, 20)} is a problem with "${field}"`, () =>
    onShared(async (app) => {
      const response = await testRequest(app, "GET", `/api/events?${query}`).wantStatus(400);
      response.wantHeader("content-type", "application/problem+json");
      const problem = JSON.parse(response.body);
      assertEquals(problem.title, "Invalid query");
      assertEquals(Object.keys(problem.fields), [field]);
    }));
}

for (const path of ["/api/events/nope", "/api/nope", "/api/events/%3Cscript%3E"]) {
  Deno.test(`api: ${path} is a problem document`, () =>
    onShared(async (app) => {
      const response = await testRequest(app, "GET", path).wantStatus(404);
      response.wantHeader("content-type", "application/problem+json");
      assertEquals(JSON.parse(response.body).title, "Not Found");
    }));
}

const path = "/api/partners/events";
const apiKey = "0123456789abcdef0123456789abcdef";
const key = withHeader("authorization", `Bearer ${apiKey}`);

const goodBody = {
  title: "Swifts over the Roofs",
  category: "outdoors",
  summary: "An hour on a terrace.",
  story: "Bring a hat.",
  venue: "estufa-velha",
  starts_at: "2026-05-20T19:00:00+01:00",
  ends_at: "2026-05-20T19:30:00Z",
  seats: 30,
  price_cents: 750,
};

/** Runs a test on an application with a partner key. */
function withPartners(run: (app: App) => Promise<void>): Promise<void> {
  return withApp(run, { apiKey });
}

/** Runs a test of refused requests on a shared application with a partner key. */
const onPartners = shareApp({ apiKey });

const strangers: [name: string, header: string | undefined, challenge: string][] = [
  ["nothing", undefined, 'Bearer realm="partners"'],
  ["another scheme", `Basic ${apiKey}`, 'Bearer realm="partners"'],
  ["the key alone", apiKey, 'Bearer realm="partners"'],
  ["no key", "Bearer ", 'Bearer realm="partners"'],
  ["another key", `Bearer x${apiKey}`, 'Bearer realm="partners", error="invalid_token"'],
  ["its beginning", `Bearer ${apiKey.slice(1)}`, 'Bearer realm="partners", error="invalid_token"'],
  ["two keys", `Bearer ${apiKey} ${apiKey}`, 'Bearer realm="partners"'],
];

for (const [name, header, challenge] of strangers) {
  Deno.test(`partners: with ${name} a request is a 401`, () =>
    onPartners(async (app) => {
      const sent = header === undefined ? [] : [withHeader("authorization", header)];
      for (const method of ["GET", "POST"]) {
        const options = method === "POST" ? [withJson(goodBody), ...sent] : sent;
        const answer = await testRequest(app, method, path, ...options).wantStatus(401)
          .wantHeader("www-authenticate", challenge)
          .wantHeader("content-type", "application/problem+json");
        assertEquals(JSON.parse(answer.body).status, 401);
      }
      assertEquals(await use(app, Store).findBySlug("swifts-over-the-roofs"), undefined);
    }));
}

Deno.test("partners: without a key in the settings nobody gets in", () =>
  withApp(async (app) => {
    await testRequest(app, "GET", path, key).wantStatus(401);
    await testRequest(app, "GET", path, withHeader("authorization", "Bearer ")).wantStatus(401);
  }));

Deno.test("PartnerGate: a key that could be guessed stops the boot", () => {
  assertThrows(() => new PartnerGate("secret"), RangeError, "Cannot use EVENTS_API_KEY");
});

Deno.test("partners: the list tells the seats that are taken, and stays out of caches", () =>
  withPartners(async (app) => {
    const answer = await testRequest(app, "GET", `${path}?q=fado`, key).wantStatus(200)
      .wantHeader("x-total-count", "2").wantHeader("cache-control", "no-store");
    const [event] = JSON.parse(answer.body);
    assertEquals(event.seats_taken + event.seats_left, event.seats);
    assert(event.seats_taken > 0);
    await testRequest(app, "GET", `${path}?per_page=0`, key).wantStatus(400);
  }));

Deno.test("partners: an event is made from JSON, without a token of a form", () =>
  withPartners(async (app) => {
    const answer = await testRequest(app, "POST", path, withJson(goodBody), withoutCsrf(), key)
      .wantStatus(201).wantHeader("location", "/api/events/swifts-over-the-roofs");
    const made = await testRequest(app, "GET", "/api/events/swifts-over-the-roofs").wantStatus(200);
    assertEquals(JSON.parse(made.body), JSON.parse(answer.body));
    const { starts_at, ends_at, price, seats_left } = JSON.parse(made.body);
    assertEquals([starts_at, ends_at, price.cents, seats_left], [
      "2026-05-20T19:00:00+01:00",
      "2026-05-20T20:30:00+01:00",
      750,
      30,
    ]);
    await testRequest(app, "GET", "/events?q=swifts").wantContains("Swifts over the Roofs");
  }));

const bodyFaults: [
  name: string,
  changed: Record<string, unknown>,
  field: string,
  message: string,
][] = [
  ["no title", { title: " " }, "title", "is required"],
  ["no category of ours", { category: "sport" }, "category", "is not one of these"],
  ["no venue of ours", { venue: "nope" }, "venue", "is not one of ours"],
  ["a time without offset", { starts_at: "2026-05-20T19:00" }, "starts_at", "with its offset"],
  ["no time", { ends_at: "soon" }, "ends_at", "with its offset"],
  ["an end before the start", { ends_at: "2026-05-20T17:00:00Z" }, "ends_at", "after the start"],
  ["two weeks", { ends_at: "2026-06-03T19:00:00Z" }, "ends_at", "at most 7 days"],
  ["the past", { starts_at: "2026-05-14T08:00:00Z" }, "starts_at", "in the past"],
  ["no seats", { seats: 0 }, "seats", "1"],
  ["a price below nothing", { price_cents: -1 }, "price_cents", "0"],
];

/** Runs a test on another application, because the refusals above count for the limit. */
const onBodies = shareApp({ apiKey });

for (const [name, changed, field, message] of bodyFaults) {
  Deno.test(`partners: ${name} is a 422 with "${field}"`, () =>
    onBodies(async (app) => {
      const body = withJson({ ...goodBody, ...changed });
      const answer = await testRequest(app, "POST", path, body, key)
        .wantStatus(422).wantHeader("content-type", "application/problem+json");
      const { fields } = JSON.parse(answer.body);
      assertEquals(Object.keys(fields), [field]);
      assertStringIncludes(fields[field], message);
      assertEquals(await use(app, Store).findBySlug("swifts-over-the-roofs"), undefined);
    }));
}

Deno.test("partners: a hall is not given twice", () =>
  withPartners(async (app) => {
    await testRequest(app, "POST", path, withJson(goodBody), key).wantStatus(201);
    const answer = await testRequest(app, "POST", path, withJson(goodBody), key).wantStatus(422);
    assertStringIncludes(JSON.parse(answer.body).fields.venue, "is taken then");
  }));

/** Requests the list with a client address, so that it has its own limit. */
async function askWith(app: App, authorization: string): Promise<Response> {
  const request = new Request(`http://localhost${path}?per_page=1`, { headers: { authorization } });
  const response = await app.fetch(request, {
    remoteAddr: { transport: "tcp", hostname: "203.0.113.7", port: 40_000 },
    completed: Promise.resolve(),
  });
  await response.body?.cancel();
  return response;
}

Deno.test("partners: twenty requests at once pass, more wait", () =>
  withPartners(async (app) => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => askWith(app, `Bearer ${apiKey}`)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    // The bucket refills during the responses, five a second.
    assert(refused.length >= 5 && refused.length <= 10, `${refused.length} of 30 had to wait`);
    assert(Number(refused[0]?.headers.get("retry-after")) >= 1);
  }));

Deno.test("partners: wrong keys are limited too, so that nobody guesses one", () =>
  withPartners(async (app) => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => askWith(app, "Bearer nope")),
    );
    const statuses = answers.map(({ status }) => status);
    const refused = statuses.filter((status) => status === 429);
    assert(refused.length >= 30, `${refused.length} of 60 had to wait`);
    assertEquals(new Set(statuses), new Set([401, 429]));
  }));
