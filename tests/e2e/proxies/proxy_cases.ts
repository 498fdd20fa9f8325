/** Checks for an application behind any proxy configured as in the guide. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { patienceMs } from "../../until.ts";
import type { ProxyClient } from "./proxied_app.ts";

export const proxyCases: Readonly<Record<string, (client: ProxyClient) => Promise<void>>> = {
  "the client's address is the browser's, whatever the headers say": async (client) => {
    for (const claimed of [undefined, "203.0.113.9", "203.0.113.9, 127.0.0.1"]) {
      const headers: Record<string, string> = claimed === undefined
        ? {}
        : { "x-forwarded-for": claimed };
      const { body } = await client.ask("/api/who", { headers });
      assertEquals(JSON.parse(body).ip, "::1", claimed);
    }
  },
  "HTTPS is seen: HSTS is sent and cookies are secure": async (client) => {
    const page = await client.ask("/");
    assertEquals(page.status, 200);
    assertMatch(String(page.headers["strict-transport-security"]), /^max-age=\d+/);
    const { headers } = await client.ask("/api/who");
    assertMatch(String(headers["set-cookie"]), /^seen=1;.*; Secure/);
  },
  "a cookie of the largest size passes": async (client) => {
    const { status, headers } = await client.ask("/api/cookie");
    assertEquals(status, 204);
    assertMatch(String(headers["set-cookie"]), /^large=x{4090};/);
  },
  "the host is the one that the browser used": async (client) => {
    const { status, body } = await client.ask("/api/who");
    assertEquals([status, JSON.parse(body).host], [200, "shop.example"]);
  },
  "an event arrives before the next one is sent": async (client) => {
    await arrivesEarly(client, "/api/live", { early: "data: one", late: "data: two" });
  },
  "the early part of a page arrives before the late one is there": async (client) => {
    await arrivesEarly(client, "/late", { early: "early part", late: "late part" });
  },
  "an upload below the limit passes, one above is refused": async (client) => {
    const form = async (bytes: number): Promise<[number, string]> => {
      const data = new FormData();
      data.set("f", new File([new Uint8Array(bytes)], "a.bin"));
      const request = new Request("http://x/", { method: "POST", body: data });
      const { status, body } = await client.ask("/api/upload", {
        method: "POST",
        headers: { "content-type": request.headers.get("content-type") ?? "" },
        body: new Uint8Array(await request.arrayBuffer()),
      });
      return [status, body];
    };
    assertEquals(await form(1_800_000), [200, '{"size":1800000}']);
    // The application refuses all of them, or a proxy with its own limit the largest.
    for (const bytes of [1_950_000, 2_500_000, 2_500_000, 2_500_000, 20_000_000]) {
      assertEquals((await untilHeard(() => form(bytes)))[0], 413, `${bytes}`);
    }
  },
  "a page is compressed if the client accepts it": async (client) => {
    for (const coding of ["gzip", "br"]) {
      const { status, headers } = await client.ask("/", {
        headers: { "accept-encoding": coding },
      });
      assertEquals([status, headers["content-encoding"]], [200, coding]);
      assertMatch(String(headers["vary"]), /accept-encoding/i);
    }
    assertEquals((await client.ask("/")).headers["content-encoding"], undefined);
  },
  "an asset is compressed, and its fingerprinted URL is cached": async (client) => {
    const { body } = await client.ask("/");
    const path = /href="(\/style\.css\?v=[^"]+)"/.exec(body)?.[1] ?? "";
    const { status, headers } = await client.ask(path, {
      headers: { "accept-encoding": "gzip" },
    });
    assertEquals([status, headers["content-encoding"]], [200, "gzip"]);
    assertMatch(String(headers["cache-control"]), /immutable/);
  },
};

/** Requests a response of two parts, and releases the second one after the first has arrived. */
async function arrivesEarly(
  client: ProxyClient,
  path: string,
  parts: { readonly early: string; readonly late: string },
): Promise<void> {
  const arrived = Promise.withResolvers<string>();
  const answer = client.ask(path, {
    onText: (text) => {
      if (text.includes(parts.early)) arrived.resolve(text);
    },
  });
  const timer = setTimeout(() => arrived.resolve("nothing in time"), patienceMs);
  const early = await arrived.promise;
  clearTimeout(timer);
  const opened = await client.ask("/api/go", { method: "POST" });
  assertEquals(opened.status, 204);
  const { body } = await answer;
  assert(early.includes(parts.early) && !early.includes(parts.late), early);
  assert(body.includes(parts.late), body);
}

/**
 * Retries if the connection closes while the client is still sending: on a busy machine it may
 * notice that before it reads the response, which is then lost.
 */
async function untilHeard<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await ask();
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (tries === 5 || (code !== "EPIPE" && code !== "ECONNRESET")) throw error;
    }
  }
}
