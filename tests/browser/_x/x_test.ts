import { assert, assertEquals } from "@std/assert";
import { csrfInput } from "../../../mod.ts";
import {
  focusOf,
  h,
  isMarked,
  mark,
  pageRoute,
  press,
  testInBrowser,
  type TrialRow,
  ui,
  until,
  untilAsked,
} from "../kit/site.ts";

let gate = Promise.withResolvers<void>();
const log: string[] = [];
const rows: TrialRow[] = [];
rows.push(["busy kept over a swap around it", {
  routes: [
    pageRoute(
      "/",
      (c) =>
        h.div(
          h.id("outer"),
          ui.button(h.id("b"), "x"),
          h.form(
            h.id("f2"),
            h.method("post"),
            h.action("/slow"),
            ui.swap("inner"),
            csrfInput(c),
            h.div(h.id("inner"), "0"),
            h.button(h.id("go"), "Go"),
          ),
          h.a(h.id("re"), h.href("/?2"), ui.swap("outer"), "again"),
        ),
    ),
    pageRoute("/slow", () => h.div(h.id("inner"), "1"), {
      POST: async (c) => {
        await gate.promise;
        return await c.render(200, h.div(h.id("inner"), "1"));
      },
    }),
  ],
  run: async ({ page, open }) => {
    await open("/");
    await page.click("#go");
    await until(page, "document.querySelector('#inner').ariaBusy === 'true'");
    await page.click("#re");
    await until(page, "location.search === '?2'");
    console.log(
      "busy inner",
      await page.evaluate(
        "[document.querySelector('#inner').ariaBusy, document.querySelector('#go').ariaBusy].join()",
      ),
    );
    gate.resolve();
    await until(page, "document.querySelector('#inner').textContent === '1'");
    console.log(
      "busy after",
      await page.evaluate(
        "[document.querySelector('#inner').ariaBusy, document.querySelector('#go').ariaBusy].join()",
      ),
    );
  },
}]);
rows.push(["toaster in region", {
  routes: [{
    ...pageRoute(
      "/t",
      (c) =>
        h.div(
          h.id("r"),
          ui.flashes(c),
          h.p(h.id("n"), c.query("n") ?? "0"),
          h.a(h.id("re"), h.href("/t?n=1"), ui.swap("r"), "again"),
          h.a(h.id("re2"), h.href("/t?n=2"), ui.swap("r", { place: "replace" }), "again"),
        ),
    ),
    layouts: [(c, ch) => h.html(h.head(ui.head(c)), h.body(ch))],
  }],
  run: async ({ page, open }) => {
    await open("/t");
    await page.evaluate("ui.toast('error', 'kept?')");
    await page.click("#re");
    await until(page, "document.querySelector('#n').textContent === '1'");
    console.log(
      "toasts",
      await page.evaluate(
        "[...document.querySelectorAll('[data-ui-toast]')].map(t=>t.textContent).join() + ' ' + document.querySelectorAll('[data-ui-toaster]').length",
      ),
    );
    await page.evaluate("ui.toast('error', 'kept2?')");
    await page.click("#re2");
    await until(page, "document.querySelector('#n').textContent === '2'");
    console.log(
      "toasts",
      await page.evaluate(
        "[...document.querySelectorAll('[data-ui-toast]')].map(t=>t.textContent).join() + ' ' + document.querySelectorAll('[data-ui-toaster]').length",
      ),
    );
  },
}]);
testInBrowser("x", rows);
