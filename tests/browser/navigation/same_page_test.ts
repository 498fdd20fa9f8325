import { assertEquals } from "@std/assert";
import type { Ctx, Node } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { h, testInBrowser, type TrialRow, ui, until } from "../kit/site.ts";

interface Frame {
  readonly html?: readonly Node[];
  readonly head?: readonly Node[];
  readonly body?: readonly Node[];
  /** Content beside the region. */
  readonly beside?: Node;
  readonly policy?: string;
}

function pageOf(c: Ctx, frame: Frame, content: Node): Node {
  if (frame.policy !== undefined) c.header("content-security-policy", frame.policy);
  return h.html(
    h.lang("en"),
    frame.html ?? [],
    h.head(h.meta(h.charset("utf-8")), h.title(c.url.pathname), ui.head(c), frame.head ?? []),
    h.body(
      frame.body ?? [],
      frame.beside,
      h.main(h.id("main"), ui.navigate("main"), h.a(h.id("go"), h.href("/next"), "Next"), content),
    ),
  );
}

/** Returns the document without what the script adds to every page and what differs by request. */
const readPage = `(() => {
  const script = document.createElement('script');
  script.textContent = 'globalThis.canRun = true';
  document.head.append(script);
  script.remove();
  const shadows = (root) => [...root.querySelectorAll("*")].flatMap((one) =>
    one.shadowRoot ? [one.shadowRoot, ...shadows(one.shadowRoot)] : []);
  const html = document.documentElement.getHTML({ shadowRoots: shadows(document) });
  const attributes = (element) => element.getAttributeNames().sort()
    .map((name) => name + "=" + element.getAttribute(name));
  const focused = document.activeElement;
  return {
    title: document.title,
    html: attributes(document.documentElement),
    body: attributes(document.body),
    head: [...document.head.querySelectorAll("meta, link")].map((one) => attributes(one).join(" ")).sort(),
    content: document.body.getHTML({ shadowRoots: shadows(document) })
      .replace(/<div class="ui-sr-only" role="status">[^<]*<\\/div>/, "")
      .replace(/ (tabindex="-1"|nonce="[^"]*")/g, ""),
    look: [...document.querySelectorAll("main *")].map((one) => getComputedStyle(one).color),
    focused: focused.matches("main, h1, body") ? "" : focused.localName + focused.id,
    told: globalThis.told,
canRun: globalThis.canRun ?? false,
      };
})()`;

const ownPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'";

/** The target pages, reached from a page without content of its own. */
const pages: [name: string, frame: Frame, content: (c: Ctx) => Node, before?: Frame][] = [
  ["text", {}, () => h.h1("Next")],
  ["noscript", {}, () => h.div(h.noscript(h.p("No script")), h.p("Next"))],
  ["noscript in head", { head: [h.noscript(h.meta(h.name("x"), h.content("y")))] }, () => h.p()],
  [
    "a declarative shadow root",
    {},
    () =>
      h.raw(
        '<div id="s"><template shadowrootmode="open"><p>Inside</p><slot></slot></template>Out</div>',
      ),
  ],
  ["attributes of html", { html: [h.data("theme", "sea"), h.class("wide")] }, () => h.p("Next")],
  ["the direction", { html: [h.dir("rtl")] }, () => h.p("Next")],
  ["attributes of body", { body: [h.class("sea"), h.data("page", "next")] }, () => h.p("Next")],
  ["attributes only on the previous page", {}, () => h.p("Next"), {
    html: [h.data("theme", "sea")],
    body: [h.class("sea")],
  }],
  ["meta and canonical", {
    head: [
      h.meta(h.name("description"), h.content("What is next")),
      h.meta(h.attr("property", "og:title"), h.content("Next")),
      h.meta(h.name("robots"), h.content("noindex")),
      h.meta(h.name("theme-color"), h.content("#123456")),
      h.link(h.rel("canonical"), h.href("/canonical")),
      h.link(h.rel("alternate"), h.hreflang("pt"), h.href("/pt/next")),
      h.link(h.rel("icon"), h.href("/favicon.ico?next")),
    ],
  }, () => h.p("Next")],
  ["meta elements only on the previous page", {}, () => h.p("Next"), {
    head: [h.meta(h.name("robots"), h.content("noindex"))],
  }],
  ["a policy of its own", { policy: ownPolicy }, () => h.p("Next")],
  ["a policy only on the previous page", {}, () => h.p("Next"), { policy: ownPolicy }],
  ["a script in the region", {}, (c) => h.script(h.nonce(c.nonce), h.raw("told = 1"))],
  [
    "a style in the region",
    {},
    (c) => h.div(h.style(h.nonce(c.nonce), h.raw("main p { color: rgb(1, 2, 3) }")), h.p("Next")),
  ],
  ["autofocus", {}, () => h.div(h.h1("Next"), h.input(h.id("first"), h.autofocus()))],
  [
    "autofocus in a closed dialog",
    {},
    () => h.div(h.dialog(h.input(h.id("hidden"), h.autofocus())), h.h1("Next")),
  ],
  ["an open dialog", {}, () => h.dialog(h.open(), "Next")],
  [
    "content outside the region",
    { beside: h.nav(h.a(h.href("/next"), h.aria("current", "page"), "Next")) },
    () => h.p("Next"),
    { beside: h.nav(h.a(h.href("/next"), "Next")) },
  ],
];

testInBrowser(
  "ui.navigate shows the same page as a full load",
  pages.map(
    ([name, frame, content, before = {}]): TrialRow => ({
      name,
      routes: [
        { pattern: "/", page: (c) => pageOf(c, before, h.p("First")) },
        { pattern: "/next", page: (c) => pageOf(c, frame, content(c)) },
      ],
      run: async ({ page, open, url }) => {
        await open("/");
        await page.click("#go");
        const navigated = await read(page);
        await page.goto(`${url}/next`);
        assertEquals(navigated, await read(page));
      },
      expected: ["Content Security Policy"],
    }),
  ),
);

/** Reads the second page after its script has run. */
async function read(page: Page): Promise<unknown> {
  await until(
    page,
    "document.title === '/next' && globalThis.ui && document.readyState === 'complete'",
  );
  await until(page, "!document.querySelector('[aria-busy]') && location.pathname === '/next'");
  // The browser moves the focus in the next frame.
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
  return await page.evaluate(readPage);
}
