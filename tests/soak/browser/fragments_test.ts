/**
 * Fragments in Firefox, which the other browser suites cannot start: the rows of the comparison
 * with Turbo and htmx, and the features of fw alone.
 */
import { assertEquals } from "@std/assert";
import { type Browser, findProgram, launch, tryRows } from "../../../bench/fragments/main.ts";
import { newPages } from "../../../bench/fragments/pages.ts";
import { off, on, type Row, rows, until } from "../../../bench/fragments/rows.ts";
import * as h from "../../../html/mod.ts";
import { App, createLogger, csrfInput, type Ctx, httpError, type Node } from "../../../mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import * as ui from "../../../ui/mod.ts";

let found = 0;

const layout = (c: Ctx, children: Node): Node =>
  h.html(
    h.lang("en"),
    h.head(h.meta(h.charset("utf-8")), h.title(c.title), ui.head(c)),
    h.body(ui.body(), ui.navigate("main"), h.main(h.id("main"), children), ui.flashes(c)),
  );

const content = (c: Ctx): Node =>
  h.div(
    h.h1(c.pattern === "/fw/next" ? "Next" : "One"),
    h.a(h.id("more"), h.href("/fw/one?more"), ui.swap("found"), "more"),
    h.a(h.id("go"), h.href("/fw/next"), "next"),
    h.div(h.id("found"), ui.transition(), ui.announce(`${found} found`), h.p(h.id("n"), found)),
    h.form(
      h.method("post"),
      csrfInput(c),
      h.input(h.id("text"), h.name("text")),
      h.button(h.id("send"), "Send"),
    ),
    h.form(
      h.id("groups"),
      h.select(h.name("kind"), h.id("kind"), ui.selectOptions(["a", "b"], "a")),
      h.div(
        ui.showWhen("kind", "b"),
        h.input(h.name("inner"), h.id("inner"), h.required(), h.value("x")),
        h.div(ui.showWhen("inner", "x"), h.input(h.name("deep"), h.id("deep"), h.required())),
      ),
    ),
    h.dialog(
      h.id("box"),
      ui.field(
        "tags",
        "Tags",
        ui.combobox({ options: ["clay", "stone"] }, h.multiple(), h.name("tags")),
      ),
    ),
  );

function ownPages(): ReturnType<typeof newPages> {
  const { state } = newPages();
  const app = new App({
    logger: createLogger({ write: () => {} }),
    secret: "k".repeat(32),
    public: new URL("../../../ui/files/", import.meta.url),
  });
  for (const name of ["one", "next"]) {
    app.route({
      pattern: `/fw/${name}`,
      layouts: [layout],
      page: async (c) => {
        state.asked.push(`${c.method} /${name}`);
        await new Promise((resolve) => setTimeout(resolve, state.waits.get(name) ?? 0));
        return content(c);
      },
      methods: {
        POST: async (c) => {
          state.asked.push(`POST /${name}`);
          const text = (await c.formData()).get("text");
          if (text === "no") throw httpError(403, "Not you");
          found++;
          c.flash("success", "Saved.");
          return c.redirect("/fw/one");
        },
      },
    });
  }
  app.route({ pattern: "/favicon.ico", methods: { GET: (c) => c.noContent() } });
  return { app, state };
}

const said =
  "[...document.querySelectorAll('.ui-sr-only[role=status]')].map((one) => one.textContent)";
const click = (selector: string): string => `document.querySelector("${selector}").click()`;

const own: readonly Row[] = [
  {
    name: "nested conditional groups: hidden fields are neither submitted nor required",
    run: async ({ page, open }) => {
      await open("one");
      if (await page.evaluate("document.querySelector('#deep').disabled") !== true) return false;
      await page.evaluate(`document.querySelector("#kind").value = "b";
        document.querySelector("#kind").dispatchEvent(new Event("change", { bubbles: true }))`);
      return await until(page, "!document.querySelector('#deep').disabled");
    },
  },
  {
    name: "a message is in the open dialog, and its button closes only the message",
    run: async ({ page, open }) => {
      await open("one");
      await page.evaluate(`document.querySelector("#box").showModal(); ui.toast("error", "Lost")`);
      if (!await until(page, "document.querySelector('#box [data-ui-toast]')")) return false;
      await page.click("#box .ui-toast-close");
      return await until(page, "!document.querySelector('[data-ui-toast]')") &&
        await page.evaluate("document.querySelector('#box').open") === true;
    },
  },
  {
    name: "Escape closes the suggestions in a dialog, and the next Escape the dialog",
    run: async ({ page, open }) => {
      await open("one");
      await page.evaluate("document.querySelector('#box').showModal()");
      if (!await until(page, "document.querySelector('#tags[role=combobox]')")) return false;
      await page.evaluate("document.querySelector('#tags').focus()");
      await page.keyboard.press("ArrowDown");
      if (!await until(page, "document.querySelector('[role=listbox]:not([hidden])')")) {
        return false;
      }
      await page.keyboard.press("Escape");
      if (!await until(page, "document.querySelector('[role=listbox][hidden]')")) return false;
      if (await page.evaluate("document.querySelector('#box').open") !== true) return false;
      await page.keyboard.press("Escape");
      return await until(page, "!document.querySelector('#box').open");
    },
  },
  {
    name: "an announcement in a response is read out, and the swap is shown",
    run: async ({ page, open }) => {
      await open("one");
      found = 7;
      await page.evaluate(click("#more"));
      return await until(page, `${said}.includes("7 found")`) &&
        await page.evaluate("document.querySelector('#n').textContent") === "7";
    },
  },
  {
    name: "offline: the notice offers a retry, which runs by itself with the connection",
    run: async ({ page, open }) => {
      await open("one");
      found = 8;
      await page.setOfflineMode(on);
      await page.evaluate(click("#more"));
      const isTold = await until(page, "document.querySelector('[data-ui-failure] button')");
      await page.setOfflineMode(off);
      return isTold && await until(page, "document.querySelector('#n').textContent === '8'");
    },
  },
  {
    name: "a loading page has a bar at the top of the window",
    run: async ({ page, state, open }) => {
      state.waits.set("next", 800);
      await open("one");
      await page.evaluate(click("#go"));
      return await until(
        page,
        "getComputedStyle(document.querySelector('#main'), '::before').position === 'fixed'",
        700,
      ) && await until(page, "document.querySelector('h1').textContent === 'Next'");
    },
  },
  {
    name:
      "a plain form in a region: redirects in place with its message, and a refusal in the form",
    run: async ({ page, open }) => {
      await open("one");
      await page.evaluate("globalThis.stayed = true");
      await page.type("#text", "no");
      await page.evaluate(click("#send"));
      if (!await until(page, "document.querySelector('form [role=alert]')")) return false;
      await page.evaluate("document.querySelector('#text').value = 'yes'");
      found = 10;
      await page.evaluate(click("#send"));
      return await until(page, "document.querySelector('#n').textContent === '11'") &&
        await until(page, "document.querySelector('[data-ui-toast]')") &&
        await page.evaluate("globalThis.stayed") === true;
    },
  },
];

const names = (some: readonly Row[], results: readonly boolean[]): readonly string[] =>
  some.filter((_, at) => results[at] !== true).map(({ name }) => name);

const firefox = findProgram(["firefox-esr", "firefox"]);

let browser: Browser | undefined;
// Outside the test, whose sanitizers would find the process.
if (firefox !== "") {
  Deno.test.beforeAll(async () => {
    browser = await launch("firefox");
  });
  Deno.test.afterAll(async () => await browser?.close());
}

testUnless(firefox === "" ? "firefox is not installed" : undefined, {
  name: "fragments in Firefox: the rows of the comparison, and the features of fw alone",
  fn: async () => {
    if (browser === undefined) throw new Error("Cannot run the test: firefox did not start");
    const shared = rows.filter(({ isChromium }) => isChromium !== true);
    const results = await tryRows(browser, { kit: "fw", rows: shared });
    assertEquals(names(shared, results), []);
    const pages = ownPages();
    assertEquals(names(own, await tryRows(browser, { kit: "fw", rows: own, pages })), []);
  },
});
