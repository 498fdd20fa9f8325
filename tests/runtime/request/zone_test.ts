import { assertEquals, assertThrows } from "@std/assert";
import { type Ctx, date, type Settings, struct } from "../../../mod.ts";
import { newSite } from "../app/support.ts";

const noon = new Date("2026-07-01T12:00:00Z");

const rows: readonly [
  name: string,
  config: Settings,
  cookie: string | undefined,
  assigned: string | undefined,
  want: string,
][] = [
  ["none", {}, undefined, undefined, "UTC 12:00"],
  ["the application's", { zone: "Europe/Lisbon" }, undefined, undefined, "Europe/Lisbon 13:00"],
  ["the cookie's", { zone: "Europe/Lisbon" }, "Asia/Tokyo", undefined, "Asia/Tokyo 21:00"],
  ["the cookie's zone in another case", {}, "asia/tokyo", undefined, "Asia/Tokyo 21:00"],
  ["the user's", {}, "Asia/Tokyo", "America/New_York", "America/New_York 08:00"],
  ["a cookie with a nonexistent zone", {}, "Mars/Base", undefined, "UTC 12:00"],
  ["a cookie with an offset", {}, "+05:30", undefined, "UTC 12:00"],
  ["an empty cookie", {}, "", undefined, "UTC 12:00"],
  ["a cookie with a path", {}, "../etc/localtime", undefined, "UTC 12:00"],
  ["a long cookie", {}, "A".repeat(4_000), undefined, "UTC 12:00"],
];

const time = { timeStyle: "short", hourCycle: "h23", timeZone: undefined } as const;

for (const [name, config, cookie, assigned, want] of rows) {
  Deno.test(`c.zone and c.time: ${name}`, async () => {
    const GET = (c: Ctx): Response => {
      if (assigned !== undefined) c.zone = assigned;
      return c.text(200, `${c.zone} ${c.time(noon, time)}`);
    };
    const { app } = newSite([{ pattern: "/", methods: { GET } }], { config });
    const headers = cookie === undefined ? {} : { cookie: `fw_zone=${cookie}` };
    const response = await app.fetch(new Request("http://localhost/", { headers }));
    assertEquals(await response.text(), want);
    assertEquals(response.headers.get("vary"), assigned === undefined ? "Cookie" : null);
  });
}

Deno.test("c.time formats in the language of the request and accepts a Temporal.Instant", async () => {
  const instant = Temporal.Instant.from("2026-07-01T12:00:00Z");
  const GET = (c: Ctx): Response =>
    c.text(200, `${c.time(noon)} ${c.time(instant) === c.time(noon)}`);
  const { app } = newSite([{ pattern: "/", methods: { GET } }], { config: { languages: ["de"] } });
  const response = await app.fetch(new Request("http://localhost/"));
  assertEquals(await response.text(), "01.07.2026, 12:00 true");
});

Deno.test("local times of forms and queries are read in c.zone, and JSON times in UTC", async () => {
  const Input = struct({ at: date() });
  const GET = async (c: Ctx): Promise<Response> => c.json(200, await c.bindQuery(Input));
  const POST = async (c: Ctx): Promise<Response> => c.json(200, await c.bind(Input));
  const { app } = newSite([{ pattern: "/", methods: { GET, POST } }]);
  const at = "2026-07-01T12:00";
  const headers = { cookie: "fw_zone=Europe/Lisbon", "sec-fetch-site": "same-origin" };
  const json = { ...headers, "content-type": "application/json" };
  const url = "http://localhost/";
  const requests: readonly (readonly [request: Request, want: string])[] = [
    [new Request(`${url}?at=${at}`, { headers }), "2026-07-01T11:00:00.000Z"],
    [
      new Request(url, { method: "POST", headers, body: new URLSearchParams({ at }) }),
      "2026-07-01T11:00:00.000Z",
    ],
    [
      new Request(url, { method: "POST", headers: json, body: JSON.stringify({ at }) }),
      "2026-07-01T12:00:00.000Z",
    ],
    [new Request(`${url}?at=${at}Z`, { headers }), "2026-07-01T12:00:00.000Z"],
    [new Request(`${url}?at=2026-07-01`, { headers }), "2026-07-01T00:00:00.000Z"],
  ];
  for (const [request, want] of requests) {
    assertEquals(await (await app.fetch(request)).json(), { at: want });
  }
});

Deno.test("c.zone refuses a nonexistent zone of the application", async () => {
  const GET = (c: Ctx): Response => {
    const error = assertThrows(() => c.zone = "Mars/Base", TypeError);
    return c.text(200, error.message);
  };
  const { app } = newSite([{ pattern: "/", methods: { GET } }]);
  const response = await app.fetch(new Request("http://localhost/"));
  assertEquals(
    await response.text(),
    'Cannot set the zone "Mars/Base": use a name of the time zone database, such as "Europe/Lisbon".',
  );
});
