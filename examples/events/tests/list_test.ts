import { testRequest } from "@fw/fw/testing";
import { assert, assertEquals } from "@std/assert";
import { withApp } from "./app.ts";

/** The number that the list shows, and the titles of its page. */
async function listAt(path: string): Promise<{ count: string | undefined; titles: string[] }> {
  let found: { count: string | undefined; titles: string[] } = { count: undefined, titles: [] };
  await withApp(async (app) => {
    const { body } = await testRequest(app, "GET", path).wantStatus(200);
    found = {
      count: /role="status">(\d+ events?)</.exec(body)?.[1],
      titles: [...body.matchAll(/<h3><a [^>]*>([^<]*)</g)].map(([, title = ""]) => title),
    };
  });
  return found;
}

const searches: [name: string, path: string, count: string, first?: string][] = [
  ["all words must occur", "/events?q=fado+guitars", "1 event", "Fado Without a Microphone"],
  ["the beginning of a word is enough", "/events?q=ferm", "1 event", "Fermentation Kitchen"],
  [
    "accents do not matter",
    "/events?q=repair+cafe",
    "1 event",
    "Repair Café: Lamps, Zips, Toasters",
  ],
  ["the venue counts", "/events?q=lanterna&category=food", "1 event", "Soup Exchange"],
  ["no word in it", "/events?q=%22*%28%29-", "0 events"],
  ["nothing found", "/events?q=zeppelin", "0 events"],
  ["only spaces are no search", "/events?q=+++", "64 events"],
  ["operators are words", "/events?q=NOT+OR+NEAR", "0 events"],
  ["a quote cannot end the word", "/events?q=fado%22+OR+%22a", "0 events"],
  ["a NUL byte", "/events?q=fado%00", "2 events"],
  ["a search for longer than the limit is cut", `/events?q=${"a".repeat(5000)}`, "0 events"],
  ["today", "/events?when=today", "3 events"],
  ["this weekend", "/events?when=weekend&category=music", "1 event"],
  ["a category", "/events?category=stage", "8 events"],
  ["free", "/events?price=free&category=workshops", "2 events"],
  ["filters that make no sense do not count", "/events?when=never&category=x&price=9", "64 events"],
  ["a page that is no number is the first", "/events?page=abc", "64 events"],
];

for (const [name, path, count, first] of searches) {
  Deno.test(`list: ${name}`, async () => {
    const found = await listAt(path);
    assertEquals(found.count, count);
    if (first !== undefined) assertEquals(found.titles[0], first);
  });
}

Deno.test("list: malformed percent-encoding is no query", () =>
  withApp(async (app) => {
    await testRequest(app, "GET", "/events?q=%ff%fe").wantStatus(400);
  }));

const pages: [path: string, events: number][] = [
  ["/events", 12],
  ["/events?page=1", 12],
  ["/events?page=0", 12],
  ["/events?page=5", 12],
  ["/events?page=6", 4],
  ["/events?per_page=50", 50],
  ["/events?per_page=51", 12],
];

for (const [path, events] of pages) {
  Deno.test(`list: ${path} shows ${events} events`, async () => {
    assertEquals((await listAt(path)).titles.length, events);
  });
}

for (const path of ["/events?page=7", "/events?page=9999", "/events?q=zeppelin&page=2"]) {
  Deno.test(`list: ${path} is not found`, () =>
    withApp(async (app) => {
      await testRequest(app, "GET", path).wantStatus(404).wantContains("No view from here");
    }));
}

Deno.test("list: all pages together hold every event once, by date", async () => {
  const titles: string[] = [];
  for (let page = 1; page <= 6; page++) {
    titles.push(...(await listAt(`/events?page=${page}`)).titles);
  }
  assertEquals([titles.length, new Set(titles).size], [64, 64]);
});

Deno.test("list: links keep the filters and start again at the first page", () =>
  withApp(async (app) => {
    const response = await testRequest(app, "GET", "/events?q=the&category=art&price=free&page=1");
    response.wantContains('href="/events?q=the&amp;when=weekend&amp;category=art&amp;price=free"');
    response.wantContains('<input type="hidden" name="category" value="art">');
  }));

Deno.test("list: markup in the search stays text", () =>
  withApp(async (app) => {
    const q = `"><script>alert(1)</script>`;
    const path = `/events?q=${encodeURIComponent(q)}`;
    const { body } = await testRequest(app, "GET", path).wantStatus(200);
    assert(!body.includes("<script>alert"));
    assert(body.split("&lt;script&gt;alert(1)&lt;/script&gt;").length > 2);
  }));
