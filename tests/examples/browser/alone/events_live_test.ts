import { newTestClient } from "@fw/fw/testing";
import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../../../tools/skip.ts";
import { withApp } from "../../../../examples/events/tests/app.ts";
import { countReaders } from "../../../../examples/events/tests/readers.ts";
import { type Browser, noChromium, type Page, withBrowser } from "../../../browser/browser.ts";
import { until } from "../../../until.ts";

const eventPath = "/events/soup-exchange";

interface Site {
  readonly url: string;
  readonly browser: Browser;
  /** Another user says whether they are going. */
  readonly say: (going: "yes" | "no") => Promise<void>;
  readonly followers: () => number;
}

async function withSite(run: (site: Site) => Promise<void>): Promise<void> {
  await withApp(async (app) => {
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request, info) => app.fetch(request, info),
    );
    const other = newTestClient(app);
    const followers = countReaders(app);
    try {
      await withBrowser((browser) =>
        run({
          url: `http://127.0.0.1:${server.addr.port}`,
          browser,
          say: async (going) => {
            const action = going === "yes" ? "join" : "leave";
            await other.postForm(`${eventPath}?/${action}`, {}).wantStatus(303);
          },
          followers,
        })
      );
    } finally {
      await server.shutdown();
    }
  });
}

/** Returns the page's text about seats. */
async function seatsOn(page: Page): Promise<string> {
  const count = await page.locator(".going-count strong").innerText();
  return `${count}; ${await page.locator("dd #seats-left").innerText()}`;
}

testUnless(noChromium, {
  name:
    "live: the number on an open page follows other users' changes, and stops when the page is left",
  fn: () =>
    withSite(async ({ url, browser, say, followers }) => {
      const page = await browser.newPage();
      await page.goto(url + eventPath);
      assertEquals(await seatsOn(page), "43; 17 of 60 seats left");
      await until(() => followers() === 1, "the page follows");
      await say("yes");
      await until(async () => await seatsOn(page) === "44; 16 of 60 seats left", "one more");
      await say("no");
      await until(async () => await seatsOn(page) === "43; 17 of 60 seats left", "one less");
      await page.getByRole("button", { name: "I am going" }).click();
      await page.getByText("See you there").waitFor();
      assertEquals(await seatsOn(page), "44; 16 of 60 seats left");
      await until(() => followers() === 1, "the page alone follows");
      await page.goto(`${url}/about`);
      await until(() => followers() === 0, "no page follows");
    }),
});

testUnless(noChromium, {
  name: "live: without JavaScript the number is the rendered one, and the button works",
  fn: () =>
    withSite(async ({ url, browser, followers }) => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(url + eventPath);
      await page.getByRole("button", { name: "I am going" }).click();
      await page.getByText("See you there").waitFor();
      assertEquals(await seatsOn(page), "44; 16 of 60 seats left");
      await page.getByRole("button", { name: "I cannot come" }).click();
      await page.getByText("Your seat is free").waitFor();
      assertEquals(await seatsOn(page), "43; 17 of 60 seats left");
      assertEquals(followers(), 0);
    }),
});

const paths = [
  "/",
  "/events",
  "/events?q=fado&when=week",
  eventPath,
  "/about",
  "/organize",
  "/organize/venues",
  "/organize/events/new",
  `/organize${eventPath}/edit`,
  `/organize${eventPath}/delete`,
];

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1_280]) {
    testUnless(noChromium, {
      name: `policy: no page violates it, ${colorScheme}, ${width} px wide`,
      fn: () =>
        withSite(async ({ url, browser }) => {
          const context = await browser.newContext({
            colorScheme,
            viewport: { width, height: 900 },
          });
          const page = await context.newPage();
          const messages: string[] = [];
          page.on("console", (message) => messages.push(`${page.url()} ${message.text()}`));
          page.on("pageerror", (error) => messages.push(`${page.url()} ${error.message}`));
          for (const path of paths) {
            const answer = await page.goto(url + path, { waitUntil: "load" });
            assertEquals(answer?.status(), 200);
            assert(answer?.headers()["content-security-policy"]?.includes("default-src"));
            const shown = Number(await page.evaluate("document.documentElement.scrollWidth"));
            assert(shown <= width, `${path} is ${shown} px wide`);
          }
          assertEquals(messages, []);
        }),
    });
  }
}
