import { type App, publish, use } from "@fw/fw";
import { newTestClient, testRequest, withCookie, withForm, withoutCsrf } from "@fw/fw/testing";
import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import type { CityEvent } from "@/lib/city_event.ts";
import { Store } from "@/lib/events/store.ts";
import { seatsOf } from "@/lib/live_feed.ts";
import { withApp } from "./app.ts";
import { eventForm } from "./event_fields.ts";
import { countReaders } from "./readers.ts";

const page = "/events/swifts-over-the-roofs";
const api = "/api/events/swifts-over-the-roofs/attendees";

/** Creates the event of the test. */
async function create(app: App, seats: number): Promise<void> {
  const form = withForm(eventForm({ seats: String(seats) }));
  await testRequest(app, "POST", "/organize/events/new", form).wantStatus(303);
}

async function eventOf(app: App): Promise<CityEvent> {
  const event = await use(app, Store).findBySlug("swifts-over-the-roofs");
  if (event === undefined) throw new Error("the event of the test is gone");
  return event;
}

Deno.test("going: the button answers with a redirect, a message and a signed cookie", () =>
  withApp(async (app) => {
    await create(app, 2);
    const visitor = newTestClient(app);
    await visitor.get(page).wantContains("2 of 2 seats left").wantContains(">I am going</button>");
    assertEquals(visitor.cookie("visitor"), undefined);
    const answer = await visitor.get(page).submit(".going form").wantRedirect(page);
    const [cookie = ""] = answer.headers.getSetCookie().filter((text) =>
      text.startsWith("visitor=")
    );
    assertMatch(cookie, /; HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/);
    await visitor.get(page).wantContains("See you there").wantContains("1 of 2 seats left")
      .wantContains(">I cannot come</button>").wantContains(", you too");
    assertEquals((await eventOf(app)).taken, 1);
  }));

Deno.test("going: a visitor has one seat, and can give it back once", () =>
  withApp(async (app) => {
    await create(app, 5);
    const [ana, rui] = [newTestClient(app), newTestClient(app)];
    const steps: [client: typeof ana, action: string, taken: number, text: string][] = [
      [ana, "join", 1, "See you there"],
      [ana, "join", 1, "You have a seat already."],
      [rui, "leave", 1, "You had no seat."],
      [rui, "join", 2, "See you there"],
      [ana, "leave", 1, "Your seat is free for somebody else."],
      [ana, "leave", 1, "You had no seat."],
    ];
    for (const [client, action, taken, text] of steps) {
      await client.postForm(`${page}?/${action}`, {}).wantStatus(303);
      assertEquals((await eventOf(app)).taken, taken);
      await client.get(page).wantContains(text);
    }
  }));

Deno.test("going: nobody gets a seat that is not there", () =>
  withApp(async (app) => {
    await create(app, 1);
    const late = newTestClient(app);
    await late.get(page);
    await newTestClient(app).postForm(`${page}?/join`, {}).wantStatus(303);
    await late.postForm(`${page}?/join`, {}).wantStatus(303);
    const { body } = await late.get(page).wantContains("The last seat is gone.")
      .wantContains("Sold out");
    assertFalse(body.includes("I am going"));
    assertEquals((await eventOf(app)).taken, 1);
  }));

Deno.test("going: a cookie that was not signed here is nobody", () =>
  withApp(async (app) => {
    await create(app, 3);
    const [ana, forger] = [newTestClient(app), newTestClient(app)];
    await ana.postForm(`${page}?/join`, {});
    const forged = `x${ana.cookie("visitor") ?? ""}`;
    const { body } = await forger.get(page, withCookie("visitor", forged));
    assert(body.includes(">I am going</button>"));
  }));

const refused: [name: string, path: string, status: number][] = [
  ["an event that is not there", "/events/nope", 404],
  ["the stream of one that is not there", "/api/events/nope/attendees", 405],
];

for (const [name, path, status] of refused) {
  Deno.test(`going: ${name} is ${status}`, () =>
    withApp(async (app) => {
      await testRequest(app, "POST", `${path}?/join`).wantStatus(status);
    }));
}

Deno.test("going: no page of another site can say it", () =>
  withApp(async (app) => {
    await create(app, 3);
    await testRequest(app, "POST", `${page}?/join`, withoutCsrf())
      .wantStatus(403);
    assertEquals((await eventOf(app)).taken, 0);
  }));

Deno.test("going: what is over takes nobody, and is not followed", () =>
  withApp(async (app) => {
    const over = "/events/opening-blue-is-not-a-colour";
    const visitor = newTestClient(app);
    const { body } = await visitor.get(over).wantStatus(200);
    assertFalse(body.includes("data-ui-live"));
    await visitor.postForm(`${over}?/join`, {}).wantStatus(303);
    await visitor.get(over).wantContains("This event is over.");
  }, { at: "2026-05-14T23:59" }));

/** Returns a reader of a stream's events. */
function read(response: Response): { next: () => Promise<string>; leave: () => Promise<void> } {
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  assert(response.body);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    next: async (): Promise<string> => {
      for (;;) {
        const end = text.indexOf("\n\n");
        if (end >= 0) {
          const frame = text.slice(0, end);
          text = text.slice(end + 2);
          return frame;
        }
        const { done, value } = await reader.read();
        if (done) return "";
        text += value;
      }
    },
    leave: () => reader.cancel(),
  };
}

const frame = (going: number, left: string): string =>
  `event: message\ndata: <strong id="seats-going">${going}</strong><span id="seats-left">${left}</span>`;

async function openStream(app: App, path = api): Promise<ReturnType<typeof read>> {
  return read(await app.fetch(new Request(`http://localhost${path}`)));
}

/** Waits until the given number of pages follow the event. */
async function waitForFollowers(readers: () => number, count: number): Promise<void> {
  for (let turn = 0; readers() !== count; turn++) {
    assert(turn < 1_000, `${readers()} pages follow the event`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

Deno.test("stream: it sends the seats at once, and when they change", () =>
  withApp(async (app) => {
    await create(app, 3);
    const [ana, rui] = [newTestClient(app), newTestClient(app)];
    const one = await openStream(app);
    const other = await openStream(app);
    for (const stream of [one, other]) {
      assertEquals(await stream.next(), frame(0, "3 of 3 seats left"));
    }
    await ana.postForm(`${page}?/join`, {});
    // The second request changes nothing.
    await ana.postForm(`${page}?/join`, {});
    for (const stream of [one, other]) {
      assertEquals(await stream.next(), frame(1, "2 of 3 seats left"));
    }
    await rui.postForm(`${page}?/join`, {});
    assertEquals(await one.next(), frame(2, "1 of 3 seats left"));
    const smaller = withForm(eventForm({ seats: "2" }));
    await testRequest(app, "POST", "/organize/events/swifts-over-the-roofs/edit", smaller);
    assertEquals(await one.next(), frame(2, "Sold out"));
    await one.leave();
    await other.leave();
  }));

Deno.test("stream: a reader who was away gets the newest state, not all that led there", () =>
  withApp(async (app) => {
    const readers = countReaders(app);
    await create(app, 300);
    const stream = await openStream(app);
    assertEquals(await stream.next(), frame(0, "300 of 300 seats left"));
    const event = await eventOf(app);
    await waitForFollowers(readers, 1);
    const visitor = newTestClient(app);
    await visitor.postForm(`${page}?/join`, {});
    for (let times = 0; times < 1_000; times++) await publish(app, seatsOf(event.id));
    assertEquals(await stream.next(), frame(1, "299 of 300 seats left"));
    await visitor.postForm(`${page}?/leave`, {});
    assertEquals(await stream.next(), frame(0, "300 of 300 seats left"));
    await stream.leave();
  }));

Deno.test("stream: a client that leaves is followed no longer", () =>
  withApp(async (app) => {
    const readers = countReaders(app);
    await create(app, 3);
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(app)));
    for (const stream of streams) await stream.next();
    await waitForFollowers(readers, 20);
    for (const stream of streams.slice(1)) await stream.leave();
    await waitForFollowers(readers, 1);
    await streams[0]?.leave();
    await waitForFollowers(readers, 0);
    const response = await app.fetch(new Request(`http://localhost${api}`, { method: "HEAD" }));
    assertEquals(response.status, 200);
    assertEquals(readers(), 0);
  }));

Deno.test("stream: it is done when the event is deleted", () =>
  withApp(async (app) => {
    const readers = countReaders(app);
    await create(app, 3);
    const stream = await openStream(app);
    await stream.next();
    await waitForFollowers(readers, 1);
    await newTestClient(app).postForm(`${page}?/join`, {});
    await stream.next();
    await testRequest(app, "POST", "/organize/events/swifts-over-the-roofs/delete").wantStatus(303);
    assertMatch(await stream.next(), /^event: done/);
    assertEquals(await stream.next(), "");
    assertEquals(readers(), 0);
  }));

Deno.test("stream: it ends when the application shuts down", () =>
  withApp(async (app) => {
    const readers = countReaders(app);
    await create(app, 3);
    const stream = await openStream(app);
    await stream.next();
    await waitForFollowers(readers, 1);
    await app.shutdown();
    assertEquals(await stream.next(), "");
    assertEquals(readers(), 0);
  }));

Deno.test("going: one address cannot take a whole hall at once", () =>
  withApp(async (app) => {
    await create(app, 100);
    const token = "t".repeat(43);
    const join = async (): Promise<number> => {
      const request = new Request(`http://localhost${page}?/join`, {
        method: "POST",
        headers: { cookie: `fw_csrf=${token}`, "x-csrf-token": token },
      });
      const response = await app.fetch(request, {
        remoteAddr: { transport: "tcp", hostname: "203.0.113.7", port: 40_000 },
        completed: Promise.resolve(),
      });
      await response.body?.cancel();
      return response.status;
    };
    const statuses = await Promise.all(Array.from({ length: 40 }, join));
    const { taken } = await eventOf(app);
    // The bucket refills during the responses, one a second.
    assert(taken >= 30 && taken <= 33, `${taken} seats are taken`);
    assertEquals(statuses.filter((status) => status === 303).length, taken);
    assertEquals(statuses.filter((status) => status === 429).length, 40 - taken);
  }));

Deno.test("guests: organisers see each come to the end of the list, and go from it", () =>
  withApp(async (app) => {
    await create(app, 3);
    const guests = "/organize/events/swifts-over-the-roofs/guests";
    const feed = await openStream(app, `${guests}/feed`);
    assertMatch(await feed.next(), /<span>0 \/ 3<\/span>.*<ul id="guests" class="ui-list"><\/ul>$/);
    const ana = newTestClient(app);
    await ana.postForm(`${page}?/join`, {});
    const [, name = ""] = /<li id="guest-([0-9a-f]{8})" data-fw-place="append guests">/.exec(
      await feed.next(),
    ) ?? [];
    await testRequest(app, "GET", guests).wantContains(`<strong>Guest ${name}</strong>`)
      .wantContains("1 / 3");
    await ana.postForm(`${page}?/leave`, {});
    assertMatch(await feed.next(), new RegExp(`<li id="guest-${name}" data-fw-place="remove">`));
    await feed.leave();
  }));

Deno.test("schedule: the stream sends the seats that have changed alone", () =>
  withApp(async (app) => {
    const feed = await openStream(app, "/organize/feed");
    const ids = async (): Promise<string[]> =>
      [...(await feed.next()).matchAll(/id="taken-(\d+)"/g)].map(([, id = ""]) => id);
    assertEquals((await ids()).length, 12);
    await newTestClient(app).postForm("/events/fado-without-a-microphone?/join", {});
    const fado = await use(app, Store).findBySlug("fado-without-a-microphone");
    assertEquals(await ids(), [String(fado?.id)]);
    await feed.leave();
  }));
