import { testRequest } from "@fw/fw/testing";
import { assertEquals } from "@std/assert";
import { withApp } from "./app.ts";

Deno.test("api: a page of events with its links", () =>
  withApp(async (app) => {
    const path = "/api/events?category=music&per_page=3&page=2";
    const response = await testRequest(app, "GET", path).wantStatus(200);
    response.wantHeader("content-type", "application/json").wantHeader("x-total-count", "8");
    response.wantHeader(
      "link",
      '</api/events?category=music&per_page=3>; rel="prev", ' +
        '</api/events?category=music&page=3&per_page=3>; rel="next"',
    );
    assertEquals(JSON.parse(response.body).length, 3);
  }));

const lists: [path: string, slugs: string[]][] = [
  ["/api/events?q=fado", ["fado-without-a-microphone", "portuguese-guitar-a-first-hour"]],
  ["/api/events?q=fado&price=free", []],
  ["/api/events?page=7", []],
  ["/api/events?when=today&category=art", ["opening-blue-is-not-a-colour"]],
];

for (const [path, slugs] of lists) {
  Deno.test(`api: ${path}`, () =>
    withApp(async (app) => {
      const { body } = await testRequest(app, "GET", path).wantStatus(200);
      const events: { slug: string }[] = JSON.parse(body);
      assertEquals(events.map(({ slug }) => slug), slugs);
    }));
}

Deno.test("api: one event, whose dates carry their offset", () =>
  withApp(async (app) => {
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
  ["page=0", "page"],
  ["page=-1", "page"],
  ["page=1.5", "page"],
  ["page=two", "page"],
  ["page=10001", "page"],
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
    withApp(async (app) => {
      const response = await testRequest(app, "GET", `/api/events?${query}`).wantStatus(400);
      response.wantHeader("content-type", "application/problem+json");
      const problem = JSON.parse(response.body);
      assertEquals(problem.title, "Invalid query");
      assertEquals(Object.keys(problem.fields), [field]);
    }));
}

for (const path of ["/api/events/nope", "/api/nope", "/api/events/%3Cscript%3E"]) {
  Deno.test(`api: ${path} is a problem document`, () =>
    withApp(async (app) => {
      const response = await testRequest(app, "GET", path).wantStatus(404);
      response.wantHeader("content-type", "application/problem+json");
      assertEquals(JSON.parse(response.body).title, "Not Found");
    }));
}
