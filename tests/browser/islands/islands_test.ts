import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import * as h from "../../../html/mod.ts";
import { App, whenIdle, whenVisible } from "../../../mod.ts";
import type { Ctx, FileSource, Node, Settings } from "../../../mod.ts";
import { until } from "../../cli/dev/project.ts";
import { noChromium, type Page, sharedContext, withBrowser, withServer } from "../browser.ts";

const modules: Readonly<Record<string, string>> = {
  // Shows its props, and counts the calls for each element.
  "islands/echo.js": `globalThis.loads = (globalThis.loads ?? 0) + 1;
export default function (el, props) {
  el.textContent = "mounted " + JSON.stringify(props);
  el.calls = (el.calls ?? 0) + 1;
}`,
  "islands/counter.js": `export default async function (el, { start }) {
  await undefined;
  let count = start;
  el.querySelector("button").onclick = (event) => event.target.textContent = ++count;
}`,
  "islands/throws.js": `export default () => { throw new Error("on purpose"); }`,
  "islands/rejects.js": `export default async () => { throw new Error("on purpose"); }`,
  "islands/empty.js": `export const mount = () => {};`,
  "islands/broken.js": `export default function ( {`,
  "favicon.ico": "",
};

/** The public folder; the text of a page's islands is requested like any other file. */
const files: FileSource = {
  get: (path) => {
    const text = modules[path];
    if (text === undefined) return undefined;
    const bytes = new TextEncoder().encode(text);
    return {
      size: bytes.length,
      modifiedMs: 1,
      fingerprint: `${bytes.length}`,
      read: ({ start, end }) => bytes.subarray(start, end),
    };
  },
};

const fallback = h.p("fallback");
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const hostile = {
  html: `"><script>globalThis.pwned = 1</script>`,
  close: "</div></body></html><img src=x onerror='globalThis.pwned = 1'>",
  lines: "\u2028\u2029\0",
  ["__proto__"]: { pwned: 1 },
};

const pages: Readonly<Record<string, (c: Ctx) => Node>> = {
  "/": (c) => c.island("/islands/counter.js", { start: 3 }, h.button(h.type("button"), "3")),
  "/many": (c) =>
    h.main(
      h.map([1, 2, 3], (id) => c.island("/islands/echo.js", { id }, fallback)),
      h.table(h.tbody(h.tr(h.td(c.island("/islands/echo.js", { id: 4 }, fallback))))),
    ),
  "/hostile": (c) => c.island("/islands/echo.js", hostile, fallback),
  "/late": (c) => h.main(c.defer(wait(30).then(() => echo(c, "late")), h.p("soon"))),
  "/early-and-late": (c) =>
    h.main(echo(c, "early"), c.defer(wait(30).then(() => echo(c, "late")), h.p("soon"))),
  "/swap": (c) => h.main(h.id("main"), echo(c, c.fragment === undefined ? "page" : "fragment")),
  "/plain": (c) => h.main(h.id("main"), c.fragment === undefined ? "page" : echo(c, "fragment")),
  "/idle": (c) => c.island("/islands/echo.js", {}, whenIdle(), fallback),
  "/visible": (c) =>
    h.main(
      h.div(h.styleAttr("height: 5000px"), "far"),
      h.div(h.id("far"), c.island("/islands/echo.js", {}, whenVisible())),
      h.div(
        h.id("bare"),
        c.island("/islands/echo.js", {}, whenVisible(), h.styleAttr("display: contents")),
      ),
    ),
  "/unknown-strategy": (c) =>
    c.island("/islands/echo.js", {}, h.data("fw-when", "sometime"), fallback),
};

function echo(c: Ctx, id: string): Node {
  return c.island("/islands/echo.js", { id }, fallback);
}

interface Visit {
  readonly page: Page;
  readonly url: string;
  /** Errors on the console, including policy violations. */
  readonly errors: readonly string[];
  readonly requests: readonly string[];
}

async function visit(
  path: string,
  run: (visit: Visit) => Promise<void>,
  options: {
    readonly javaScriptEnabled?: boolean;
    readonly config?: Settings;
    /** Whether every module fails to load. @default false */
    readonly isCutOff?: boolean;
  } = {},
): Promise<void> {
  const { javaScriptEnabled = true, config = {}, isCutOff = false } = options;
  const app = new App({ public: files, logRequest: () => false, ...config });
  for (const [pattern, page] of Object.entries(pages)) app.route({ pattern, page });
  for (const name of ["throws", "rejects", "empty", "broken"]) {
    const page = (c: Ctx): Node => c.island(`/islands/${name}.js`, {}, fallback);
    app.route({ pattern: `/${name}`, page });
  }
  app.route({
    pattern: "/go",
    methods: {
      GET: (c) => new Response(null, { status: 302, headers: { location: c.query("to") ?? "/" } }),
    },
  });
  app.route({
    pattern: "/uploads/17",
    methods: {
      GET: () => new Response(intrusion, { headers: { "content-type": "text/javascript" } }),
    },
  });
  const errors: string[] = [];
  const requests: string[] = [];
  await withServer(app.handler(), (url) =>
    withBrowser(async (browser) => {
      const context = javaScriptEnabled
        ? sharedContext()
        : await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("request", (request) => {
        const asked = request.url().slice(url.length);
        if (asked !== "/favicon.ico") requests.push(asked);
      });
      if (isCutOff) await page.route(/\.js/, (route) => route.abort());
      await page.goto(url + path);
      await run({ page, url, errors, requests });
    }));
}

const stateOf = (page: Page, index = 0): Promise<string | null> =>
  page.locator("[data-fw-island]").nth(index).getAttribute("data-fw-island-state");

async function untilMounted(page: Page, count: number): Promise<void> {
  const mounted = page.locator('[data-fw-island-state="mounted"]');
  await until(() => mounted.count(), (found) => found === count, (found) => `${found} islands`);
}

function tryPage(name: string, ...parts: Parameters<typeof visit>): void {
  testUnless(noChromium, { name, fn: () => visit(...parts) });
}

tryPage(
  "islands: mounted under the default policy, with its props, on a live element",
  "/",
  async ({ page, errors, requests }) => {
    await untilMounted(page, 1);
    await page.click("button");
    await page.click("button");
    assertEquals(await page.innerText("button"), "5");
    assertEquals(errors, []);
    // The preload and the loader share one request.
    const version = modules["islands/counter.js"]?.length;
    assertEquals(requests, ["/", `/islands/counter.js?v=${version}`]);
  },
);

tryPage("islands: without JavaScript the fallback stays", "/many", async ({ page, errors }) => {
  assertEquals(await page.getByText("fallback").count(), 4);
  assertEquals(errors, []);
}, { javaScriptEnabled: false });

tryPage(
  "islands: one module for several elements is loaded once, each is mounted once",
  "/many",
  async ({ page, requests, errors }) => {
    await untilMounted(page, 4);
    assertEquals(await page.innerText("td"), 'mounted {"id":4}');
    assertEquals(await page.evaluate("globalThis.loads"), 1);
    assertEquals(requests.filter((path) => path.includes("echo")).length, 1);
    await page.evaluate("document.dispatchEvent(new CustomEvent('fw:swap'))");
    await page.evaluate("document.querySelector('main').append(document.querySelector('div'))");
    await page.evaluate("document.dispatchEvent(new CustomEvent('fw:swap'))");
    await wait(100);
    const calls = "[...document.querySelectorAll('[data-fw-island]')].map((el) => el.calls).join()";
    assertEquals(await page.evaluate(calls), "1,1,1,1");
    assertEquals(errors, []);
  },
);

tryPage(
  "islands: hostile props arrive as they are and run nothing",
  "/hostile",
  async ({ page, errors }) => {
    await untilMounted(page, 1);
    const text = (await page.locator("[data-fw-island]").textContent()) ?? "";
    const want = JSON.stringify(hostile);
    assertEquals(JSON.parse(text.slice("mounted ".length)), JSON.parse(want));
    assertEquals(await page.evaluate("[globalThis.pwned, ({}).pwned].join()"), ",");
    assertEquals(errors, []);
  },
);

for (const [path, islands] of [["/late", 1], ["/early-and-late", 2]] as const) {
  tryPage(
    `islands: mounted when they come with a deferred part (${path})`,
    path,
    async ({ page, errors }) => {
      await untilMounted(page, islands);
      await page.getByText('mounted {"id":"late"}').waitFor();
      assertEquals(errors, []);
    },
  );
}

/** Simulates a client of the fragment protocol. */
const swap = `(async () => {
  const response = await fetch(location.href, { headers: { "FW-Fragment": "main" } });
  const box = document.createElement("template");
  box.innerHTML = await response.text();
  document.getElementById("main").replaceWith(box.content);
  const detail = { target: document.getElementById("main"), status: response.status };
  detail.target.dispatchEvent(new CustomEvent("fw:swap", { bubbles: true, detail }));
})()`;

tryPage(
  "islands: mounted when they come with a fragment, where the page had one",
  "/swap",
  async ({ page, errors }) => {
    await page.getByText('mounted {"id":"page"}').waitFor();
    await page.evaluate(swap);
    await page.getByText('mounted {"id":"fragment"}').waitFor();
    assertEquals(errors, []);
  },
);

tryPage(
  "islands: not mounted when they come with a fragment of a page without the loader",
  "/plain",
  async ({ page }) => {
    await page.evaluate(swap);
    await wait(100);
    assertEquals([await stateOf(page), await page.innerText("main")], [null, "fallback"]);
  },
);

tryPage(
  "islands: a copy of the page's HTML is brought to life again",
  "/swap",
  async ({ page }) => {
    await untilMounted(page, 1);
    await page.evaluate(`{
      const main = document.getElementById("main");
      main.innerHTML = main.innerHTML;
      main.dispatchEvent(new CustomEvent("fw:swap", { bubbles: true }));
    }`);
    const calls = "document.querySelector('[data-fw-island]').calls";
    await until(() => page.evaluate(calls), (found) => found === 1);
  },
);

tryPage("whenIdle: mounted by itself", "/idle", ({ page }) => untilMounted(page, 1));

tryPage(
  "data-fw-when: an unknown strategy mounts at once",
  "/unknown-strategy",
  ({ page }) => untilMounted(page, 1),
);

tryPage(
  "whenVisible: loaded and mounted when it comes near, at once where it has no box",
  "/visible",
  async ({ page, requests }) => {
    await untilMounted(page, 1);
    assertEquals(await page.innerText("#bare"), "mounted {}");
    await wait(100);
    assertEquals(await page.innerText("#far"), "");
    assertEquals(requests.length, 2);
    await page.evaluate("scrollTo(0, 4900)");
    await untilMounted(page, 2);
    assertEquals(await page.innerText("#far"), "mounted {}");
  },
);

const failures: [name: string, says: RegExp][] = [
  ["throws", /Error: on purpose/],
  ["rejects", /Error: on purpose/],
  ["empty", /TypeError: its default export is not a function/],
  ["broken", /SyntaxError/],
];

for (const [name, says] of failures) {
  tryPage(
    `islands: a module that is ${name} says so and leaves the fallback`,
    `/${name}`,
    async ({ page, errors }) => {
      await until(() => stateOf(page), (state) => state === "failed", String);
      assertEquals(await page.innerText("[data-fw-island]"), "fallback");
      const told = errors.find((text) => text.startsWith("The island")) ?? "";
      assertStringIncludes(told, `The island /islands/${name}.js?v=`);
      assertMatch(told, says);
    },
  );
}

tryPage(
  "islands: a module that cannot be loaded says so and leaves the fallback",
  "/",
  async ({ page, errors }) => {
    await until(() => stateOf(page), (state) => state === "failed", String);
    assertEquals(await page.innerText("button"), "3");
    assertMatch(errors.join("\n"), /The island \/islands\/counter\.js\?v=\d+ failed: TypeError/);
  },
  { isCutOff: true },
);

/** Modules named by foreign HTML; a module that runs marks the page. */
const intrusion = "globalThis.pwned = 1; export default () => {};";
const foreign: [name: string, src: (url: string, other: string) => string, isBlob?: boolean][] = [
  ["of another origin", (_, other) => `${other}/evil.js`],
  ["on another origin, without a scheme", (_, other) => `${other.slice("http:".length)}/evil.js`],
  [
    "on another host, with backslashes",
    (_, other) => `\\\\${other.slice("http://".length)}/evil.js`,
  ],
  ["in a data: URL", () => `data:text/javascript,${intrusion}//.js`],
  ["in a blob: URL", () => "", true],
  ["behind a redirect that uses its target", (url, other) => `${url}/go?to=${other}/evil.js`],
  ["without the extension of JavaScript", (url) => `${url}/uploads/17`],
];

for (const [name, src, isBlob = false] of foreign) {
  for (const tag of ["div", "i"]) {
    testUnless(noChromium, {
      name: `islands: foreign HTML, a module ${name} on <${tag}> is refused`,
      fn: async () => {
        let asked = 0;
        const answer = (): Response => {
          asked++;
          const headers = { "content-type": "text/javascript", "access-control-allow-origin": "*" };
          return new Response(intrusion, { headers });
        };
        await withServer(answer, (other) =>
          visit("/", async ({ page, url, errors }) => {
            await untilMounted(page, 1);
            await page.evaluate(
              `(([tag, src, code]) => {
              const foreign = document.createElement(tag);
              foreign.id = "foreign";
              src ||= URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
              foreign.setAttribute("data-fw-island", src);
              foreign.setAttribute("data-fw-props", "{}");
              document.body.append(foreign);
              document.dispatchEvent(new CustomEvent("fw:swap"));
            })(${JSON.stringify([tag, isBlob ? "" : src(url, other), intrusion])})`,
            );
            const state = (): Promise<string | null> =>
              page.locator("#foreign").getAttribute("data-fw-island-state");
            // Only elements written by the server are used: a `div`.
            if (tag === "div") {
              await until(state, (found) => found === "failed", String);
              assertMatch(
                errors.join("\n"),
                /The island .+ failed: TypeError: it is not a module of the site/,
              );
            } else await wait(100);
            assertEquals(await page.evaluate("globalThis.pwned"), undefined);
            assertEquals(asked, 0);
          }, { config: { security: { csp: "script-src 'nonce-{nonce}'" } } }));
      },
    });
  }
}

tryPage(
  "islands: foreign HTML that names its controls like members does not keep others from mounting",
  "/swap",
  async ({ page }) => {
    await untilMounted(page, 1);
    await page.evaluate(`{
        const foreign = document.createElement("form");
        foreign.setAttribute("data-fw-island", "/islands/echo.js");
        foreign.innerHTML = "<input name=getAttribute><input name=setAttribute>";
        document.body.prepend(foreign);
      }`);
    await page.evaluate(swap);
    await page.getByText('mounted {"id":"fragment"}').waitFor();
  },
);

for (
  const csp of [
    "script-src 'nonce-{nonce}'",
    "script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'",
    "script-src 'self' 'nonce-{nonce}'; require-trusted-types-for 'script'",
  ]
) {
  tryPage(`islands: mounted under the policy "${csp}"`, "/", async ({ page, errors }) => {
    await untilMounted(page, 1);
    assertEquals(errors, []);
  }, { config: { security: { csp } } });
}
