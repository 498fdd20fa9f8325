import { use } from "@fw/fw";
import { newTestClient, testRequest, withForm, withHeader } from "@fw/fw/testing";
import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { Database } from "@/lib/database.ts";
import { shareApp, withApp } from "./app.ts";
import { eventForm } from "./event_fields.ts";

const onShared = shareApp();

const pages: [name: string, path: string, status: number, title: string, texts: string[]][] = [
  ["front", "/", 200, "Miradouro: what is on in Lisbon", ["Thursday 14 May", "This weekend"]],
  ["list", "/events", 200, "All events · Miradouro", ["64 events", "Tomorrow", "Later"]],
  ["last page", "/events?at=last", 200, "All events, continued · Miradouro", ["Earlier"]],
  ["one event", "/events/fado-without-a-microphone", 200, "Fado Without a Microphone · Miradouro", [
    "Friday 15 May",
    "21:30 to 23:10",
    "€14",
    "Rua do Viveiro 12, Marvila",
    "More music",
  ]],
  ["about, in JSX", "/about", 200, "About · Miradouro", [
    "A terrace, not a feed",
    "Teatro Lanterna",
  ]],
  ["schedule", "/organize", 200, "Schedule · Miradouro", ["Organisers", "64 events to come"]],
  ["venues", "/organize/venues", 200, "Venues · Miradouro", ["Organisers", "10 rooms"]],
  ["no such page", "/nope", 404, "Not found · Miradouro", ["No view from here"]],
  ["no such event", "/events/nope", 404, "Not found · Miradouro", ["No view from here"]],
];

for (const [name, path, status, title, texts] of pages) {
  Deno.test(`pages: ${name}`, () =>
    onShared(async (app) => {
      const response = await testRequest(app, "GET", path).wantStatus(status);
      response.wantHeader("content-type", "text/html; charset=utf-8");
      response.wantContains(`<title>${title}</title>`);
      response.wantContains('<meta name="description" content="');
      response.wantContains('<html lang="en">');
      assertMatch(response.body, /<main [^>]*id="content"/);
      for (const text of texts) response.wantContains(text);
      assertEquals(response.body.match(/<h1/g)?.length, 1);
    }));
}

Deno.test("pages: every link on the front page leads somewhere", () =>
  onShared(async (app) => {
    const { body } = await testRequest(app, "GET", "/");
    const urls = new Set([...body.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, url]) => url));
    for (const url of urls) {
      await testRequest(app, "GET", (url ?? "").replaceAll("&amp;", "&")).wantStatus(200);
    }
    assert(urls.size > 30);
  }));

Deno.test("pages: only those of the group are kept out of caches", () =>
  onShared(async (app) => {
    const inside = await testRequest(app, "GET", "/organize/venues");
    inside.wantHeader("cache-control", "no-store").wantHeader("x-robots-tag", "noindex");
    const outside = await testRequest(app, "GET", "/events");
    assertEquals(outside.header("x-robots-tag"), undefined);
  }));

Deno.test("pages: the header tells how long the answer took", () =>
  onShared(async (app) => {
    const response = await testRequest(app, "GET", "/about");
    assertMatch(response.header("server-timing") ?? "", /^app;dur=\d+\.\d\d$/);
  }));

Deno.test("pages: the current place is marked in the navigation", () =>
  onShared(async (app) => {
    const list = await testRequest(app, "GET", "/events");
    list.wantContains('<a class="ui-nav-link" href="/events" aria-current="page">All events</a>');
    const event = await testRequest(app, "GET", "/events/soup-exchange");
    event.wantContains(
      '<a class="ui-nav-link" href="/events" aria-current="true">All events</a>',
    );
  }));

Deno.test("pages: a failure shows the error page and keeps its message to itself", () =>
  withApp(async (app) => {
    await use(app, Database).close();
    const response = await testRequest(app, "GET", "/events").wantStatus(500);
    response.wantContains("Something broke");
    assert(!response.body.includes("database is not open"));
    assertMatch(response.body, /mention <code>[^<]+<\/code>/);
  }));

Deno.test("cover: an SVG that may be kept for ever under the URL of a page", () =>
  onShared(async (app) => {
    const { body } = await testRequest(app, "GET", "/events/soup-exchange");
    const [, url = ""] = /src="(\/events\/soup-exchange\/cover\.svg\?v=\w+)"/.exec(body) ?? [];
    const response = await testRequest(app, "GET", url).wantStatus(200);
    response.wantHeader("content-type", "image/svg+xml");
    response.wantHeader("cache-control", "public, max-age=31536000, immutable");
    assert(response.body.startsWith('<svg xmlns="http://www.w3.org/2000/svg"'));
    await testRequest(app, "GET", "/events/soup-exchange/cover.svg?v=old")
      .wantHeader("cache-control", "public, max-age=3600");
    const known = withHeader("if-none-match", response.header("etag") ?? "");
    const same = await testRequest(app, "GET", url, known).wantStatus(304)
      .wantHeader("cache-control", "public, max-age=31536000, immutable");
    assertEquals(same.body, "");
    await testRequest(app, "GET", "/events/fado-without-a-microphone/cover.svg", known)
      .wantStatus(200);
    await testRequest(app, "GET", "/events/nope/cover.svg").wantStatus(404);
  }));

Deno.test("calendar: the file of an event, in UTC", () =>
  onShared(async (app) => {
    const response = await testRequest(app, "GET", "/events/soup-exchange/calendar.ics");
    response.wantStatus(200).wantHeader("content-type", "text/calendar; charset=utf-8");
    assertStringIncludes(response.header("content-disposition") ?? "", "soup-exchange.ics");
    response.wantContains("DTSTART:20260608T173000Z\r\n");
    response.wantContains("URL:http://localhost/events/soup-exchange\r\n");
    await testRequest(app, "GET", "/events/nope/calendar.ics").wantStatus(404);
  }));

Deno.test("programme: a document of its own, whose style has the nonce of the policy", () =>
  onShared(async (app) => {
    const path = "/events/fado-without-a-microphone/programme";
    const response = await testRequest(app, "GET", path).wantStatus(200);
    response.wantContains("<!DOCTYPE html>").wantContains("<dd>€14</dd>");
    response.wantContains("<dd>Friday 15 May, 21:30 to 23:10</dd>");
    const [, nonce = ""] = /<style nonce="([^"]+)">/.exec(response.body) ?? [];
    assertStringIncludes(response.header("content-security-policy") ?? "", `'nonce-${nonce}'`);
    await testRequest(app, "GET", "/events/nope/programme").wantStatus(404);
  }));

Deno.test("invitation: plain text with the address of the event", () =>
  onShared(async (app) => {
    const path = "/events/fado-without-a-microphone/invitation.txt";
    const response = await testRequest(app, "GET", path).wantStatus(200);
    response.wantHeader("content-type", "text/plain; charset=utf-8");
    response.wantContains("You are invited: Fado Without a Microphone\n");
    response.wantContains("Price    €14\n");
    response.wantContains("http://localhost/events/fado-without-a-microphone");
  }));

const requests: [name: string, method: string, path: string, status: number, header?: [
  string,
  string,
]][] = [
  ["HEAD of a page", "HEAD", "/events", 200, ["content-type", "text/html; charset=utf-8"]],
  ["HEAD of the API", "HEAD", "/api/events", 200, ["content-type", "application/json"]],
  ["a slash at the end", "GET", "/events/?q=fado", 301, ["location", "/events?q=fado"]],
  ["POST to a page", "POST", "/events", 405, ["allow", "GET, HEAD"]],
  ["DELETE to the API", "DELETE", "/api/events", 405, ["allow", "GET, HEAD"]],
  ["a file", "GET", "/style.css", 200, ["content-type", "text/css; charset=utf-8"]],
  ["the database is not a file of the site", "GET", "/data/events.sqlite", 404],
];

for (const [name, method, path, status, header] of requests) {
  Deno.test(`requests: ${name}`, () =>
    onShared(async (app) => {
      const response = await testRequest(app, method, path).wantStatus(status);
      if (header !== undefined) response.wantHeader(...header);
      if (method === "HEAD") assertEquals(response.body, "");
    }));
}

const event = "/events/fado-without-a-microphone";

/** Requests only the element with an id, as the kit's script does. */
function asking(id: string): ReturnType<typeof withHeader> {
  return withHeader("fw-fragment", id);
}

Deno.test("fragment: the list comes alone, with the title of its page", () =>
  onShared(async (app) => {
    const path = "/events?category=music";
    const { body } = await testRequest(app, "GET", path, asking("events")).wantStatus(200)
      .wantHeader("vary", "FW-Fragment, Accept-Language, Cookie");
    assert(body.startsWith('<title>Music · Miradouro</title><div id="events">'));
    assertFalse(body.includes("<main"));
    const page = await testRequest(app, "GET", path).wantStatus(200);
    assertEquals(page.body.match(/<title>/g)?.length, 1);
    assertStringIncludes(page.body, body.slice(body.indexOf("<div")));
  }));

Deno.test("fragment: who is going changes in the facts alone, and the message is in a header", () =>
  withApp(async (app) => {
    const visitor = newTestClient(app);
    await visitor.get(event);
    const steps: [button: string, message: string][] = [
      ["I cannot come", "See you there"],
      ["I am going", "Your seat is free"],
    ];
    for (const [button, message] of steps) {
      const answer = await visitor.get(event).submit(".going form", {}, asking("facts")).wantStatus(
        200,
      )
        .wantContains(`>${button}</button>`);
      assert(answer.body.startsWith('<aside id="facts"'));
      const flash = decodeURIComponent(answer.headers.get("fw-flash") ?? "");
      assertStringIncludes(flash, message);
    }
    assertFalse((await visitor.get(event)).body.includes("ui-toast "));
  }));

Deno.test("fragment: a form that is wrong comes back alone, and takes no focus by itself", () =>
  withApp(async (app) => {
    const form = withForm(eventForm({ seats: "many" }));
    const { body } = await testRequest(
      app,
      "POST",
      "/organize/events/new",
      form,
      asking("event-form"),
    ).wantStatus(422);
    assert(body.startsWith('<div class="ui-stack" id="event-form">'), body.slice(0, 80));
    assertStringIncludes(body, 'aria-invalid="true"');
    // The script focuses the first invalid field; without JavaScript, the summary is focused.
    assertFalse(/<(?:input|select|textarea|button)[^>]* autofocus/.test(body));
  }));

Deno.test("fragment: a form that is saved leads to the page of its event", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    const form = withForm(eventForm());
    await client.request("POST", "/organize/events/new", form, asking("event-form"))
      .wantStatus(204).wantHeader("fw-location", "/events/swifts-over-the-roofs");
    await client.get("/events/swifts-over-the-roofs").wantContains("is on the schedule.");
  }));

Deno.test("the site is ready while its database works", async () => {
  await withApp(async (app) => {
    await testRequest(app, "GET", "/_fw/health/ready").wantStatus(200);
    const { status, checks } = await app.healthReport();
    assertEquals([status, checks.map(({ name }) => name)], ["pass", ["database", "jobs"]]);
  });
});

Deno.test("the site is not ready when its database is gone, but lives", async () => {
  await withApp(async (app) => {
    await use(app, Database).close();
    await testRequest(app, "GET", "/_fw/health/ready").wantStatus(503).wantHeader(
      "retry-after",
      "5",
    );
    await testRequest(app, "GET", "/_fw/health/live").wantStatus(200);
  });
});

/** Requests the metrics from an address. */
async function readMetrics(
  app: { readonly fetch: (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> },
  hostname: string,
): Promise<{ status: number; text: string }> {
  const response = await app.fetch(new Request("http://localhost/metrics"), {
    remoteAddr: { transport: "tcp", hostname, port: 1 },
    completed: Promise.resolve(),
  });
  return { status: response.status, text: await response.text() };
}

Deno.test("this machine reads the metrics of the site and of its lists, others do not", async () => {
  await withApp(async (app) => {
    for (let visit = 0; visit < 2; visit++) await testRequest(app, "GET", "/events");
    const { status, text } = await readMetrics(app, "127.0.0.1");
    assertEquals(status, 200);
    assertMatch(text, /^fw_requests_total\{method="GET",route="\/events",status="200"\} 2$/m);
    assertMatch(text, /^fw_cache_hits_total\{cache="lists"\} [1-9]/m);
    assertEquals((await readMetrics(app, "192.0.2.1")).status, 401);
  });
});
