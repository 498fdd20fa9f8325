import { assert, assertEquals } from "@std/assert";
import * as h from "../../html/mod.ts";
import { type Child, csrfInput, type Ctx, type Route } from "../../mod.ts";
import * as ui from "../../ui/mod.ts";
import type { Page } from "./browser.ts";
import {
  focusOf,
  isMarked,
  mark,
  page as pageRoute,
  testInBrowser,
  type TrialRow,
  until,
} from "./kit_site.ts";

const one = (body: (c: Ctx) => Child, methods?: Route["methods"]): readonly Route[] => [
  pageRoute("/", body, methods),
];

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const tabPage = one(() => [
  ui.tabs("t", [
    { label: "One", content: h.p("first") },
    { label: "Two", content: h.p(h.id("deep"), "second") },
    {
      label: "Three",
      content: h.form(
        h.input(h.id("must"), h.required(), h.aria("label", "x")),
        h.button(h.id("send"), "Send"),
      ),
    },
  ]),
  h.a(h.id("link"), h.href("#deep"), "to the second"),
]);

/** The tab that is chosen and the text of the part that is shown. */
async function shownTab(page: Page): Promise<string[]> {
  const shown = page.locator(".ui-tab-panel:visible");
  assertEquals(await shown.count(), 1);
  return [await page.getByRole("tab", { selected: true }).innerText(), await shown.innerText()];
}

const tabs: readonly TrialRow[] = [
  {
    name: "a click and the arrow keys choose, and the ends meet",
    routes: tabPage,
    run: async ({ page, open, url }) => {
      await open("/");
      assertEquals(await shownTab(page), ["One", "first"]);
      await page.getByRole("tab", { name: "Two" }).click();
      assertEquals(await shownTab(page), ["Two", "second"]);
      assertEquals(page.url(), `${url}/#t-2`);
      await press(page, "ArrowLeft", "ArrowLeft");
      assertEquals((await shownTab(page))[0], "Three");
      await press(page, "Home");
      assertEquals((await shownTab(page))[0], "One");
      await press(page, "End");
      assertEquals((await shownTab(page))[0], "Three");
      assertEquals(
        await page.getByRole("tab", { name: "Three" }).evaluate("document.activeElement.id"),
        "t-tab-3",
      );
      await press(page, "Tab");
      assertEquals(await focusOf(page), "#t-3");
    },
  },
  {
    name: "from right to left the arrow keys turn",
    routes: tabPage,
    run: async ({ page, open }) => {
      await open("/");
      await page.evaluate("document.documentElement.dir = 'rtl'");
      await page.getByRole("tab", { name: "One" }).click();
      await press(page, "ArrowLeft");
      assertEquals((await shownTab(page))[0], "Two");
    },
  },
  {
    name: "an address that leads into a part shows it, at first and later",
    routes: tabPage,
    run: async ({ page, open, url }) => {
      await open("/#deep");
      assertEquals((await shownTab(page))[0], "Two");
      await page.getByRole("tab", { name: "One" }).click();
      await page.click("#link");
      await until(page, "document.querySelector('[aria-selected=true]').textContent === 'Two'");
      assertEquals(page.url(), `${url}/#deep`);
    },
  },
  {
    name: "what is wrong in a hidden part is shown",
    routes: tabPage,
    run: async ({ page, open }) => {
      await open("/");
      await page.evaluate("document.querySelector('form').requestSubmit()");
      assertEquals((await shownTab(page))[0], "Three");
      assertEquals(await focusOf(page), "#must");
    },
  },
  {
    name: "without a script all parts stand there",
    hasScript: false,
    routes: tabPage,
    run: async ({ page, open }) => {
      await open("/");
      assertEquals(await page.locator(".ui-tab-panel:visible").count(), 3);
    },
  },
];

testInBrowser("tabs", tabs);

const kinds = one(
  (c) =>
    h.form(
      h.method("post"),
      csrfInput(c),
      ui.select(h.id("kind"), h.name("kind"), ui.selectOptions(["person", "company"])),
      h.div(
        h.id("company"),
        ui.showWhen("kind", "company"),
        h.input(h.id("vat"), h.name("vat"), h.value("1")),
        h.input(h.id("off"), h.name("off"), h.disabled()),
        h.label(h.input(h.id("more"), h.type("checkbox"), h.name("more")), "more"),
      ),
      h.div(h.id("rest"), ui.showWhen("more", "on"), h.input(h.name("rest"), h.value("2"))),
      h.button(h.type("reset"), h.id("reset"), "Reset"),
      h.button(h.id("send"), "Send"),
    ),
  {
    POST: async (c) =>
      c.text(200, [...(await c.formData()).keys()].filter((name) => name !== "_csrf").join()),
  },
);

const groups: readonly TrialRow[] = [
  {
    name: "a group shows while its field has the value, and travels only then",
    routes: kinds,
    run: async ({ page, open }) => {
      await open("/");
      assert(!await page.locator("#company").isVisible());
      await page.selectOption("#kind", "company");
      assert(await page.locator("#company").isVisible());
      assert(await page.locator("#off").isDisabled());
      await page.check("#more");
      assert(await page.locator("#rest").isVisible());
      await page.selectOption("#kind", "person");
      assert(
        !await page.locator("#rest").isVisible(),
        "what hangs on a hidden field is hidden too",
      );
      await page.click("#send");
      assertEquals(await page.locator("body").innerText(), "kind");
    },
  },
  {
    name: "what is shown again travels again, and a reset shows what was there",
    routes: kinds,
    run: async ({ page, open }) => {
      await open("/");
      await page.selectOption("#kind", "company");
      await page.selectOption("#kind", "person");
      await page.selectOption("#kind", "company");
      await page.click("#reset");
      await page.locator("#company").waitFor({ state: "hidden" });
      await page.selectOption("#kind", "company");
      await page.click("#send");
      assertEquals(await page.locator("body").innerText(), "kind,vat");
    },
  },
  {
    name: "Back shows the group of what was chosen",
    routes: kinds,
    run: async ({ page, open }) => {
      await open("/");
      await page.selectOption("#kind", "company");
      await page.click("#send");
      await page.getByText("kind,vat").waitFor();
      await page.goBack();
      await page.locator("#company").waitFor();
    },
  },
  {
    name: "without a script all groups are there and travel",
    hasScript: false,
    routes: kinds,
    run: async ({ page, open }) => {
      await open("/");
      await page.click("#send");
      assertEquals(await page.locator("body").innerText(), "kind,vat,rest");
    },
  },
];

testInBrowser("conditional fields", groups);

const dialogPage = one(() => [
  ui.dialogOpen("box", h.id("open"), "Open"),
  ui.dialog("box", "A box", h.p("inside"), ui.dialogClose("box", h.id("close"), "Done")),
]);

/** A browser that knows neither `command` nor `closedby`. */
const oldBrowser = `
  delete HTMLButtonElement.prototype.commandForElement;
  delete HTMLButtonElement.prototype.command;
  delete HTMLDialogElement.prototype.closedBy;
  addEventListener("DOMContentLoaded", () => {
    for (const name of ["command", "commandfor", "closedby"]) {
      for (const each of document.querySelectorAll("[" + name + "]")) {
        each.dataset[name] = each.getAttribute(name);
        if (name !== "closedby") each.removeAttribute(name);
      }
    }
  });
`;

async function tryDialog(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "A box" });
  const isModal = (): Promise<boolean> => page.evaluate("!!document.querySelector('dialog:modal')");
  await page.focus("#open");
  await press(page, "Enter");
  await dialog.waitFor();
  assert(await isModal());
  await press(page, "Escape");
  await dialog.waitFor({ state: "hidden" });
  assertEquals(await focusOf(page), "#open");
  await page.click("#open");
  await page.click("#close");
  await dialog.waitFor({ state: "hidden" });
  await page.click("#open");
  await dialog.getByText("inside").click();
  assert(await dialog.isVisible());
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: "hidden" });
}

const dialogs: readonly TrialRow[] = [
  {
    name: "opens by its button, closes by Escape, its button and a click beside it",
    routes: dialogPage,
    run: async ({ page, open }) => {
      const warnings: string[] = [];
      page.on("console", (message) => warnings.push(message.text()));
      await open("/");
      await tryDialog(page);
      assertEquals(warnings, []);
    },
  },
  {
    name: "does the same in a browser that knows no commands",
    routes: dialogPage,
    run: async ({ page, open }) => {
      await page.addInitScript(oldBrowser);
      await open("/");
      await tryDialog(page);
    },
  },
  {
    name: "opens and closes without a script",
    hasScript: false,
    routes: dialogPage,
    run: async ({ page, open }) => {
      await open("/");
      await page.click("#open");
      await page.getByText("inside").waitFor();
      await page.click("#close");
      await page.getByText("inside").waitFor({ state: "hidden" });
    },
  },
];

testInBrowser("dialogs", dialogs);

function confirmPage(): readonly Route[] {
  return [
    ...one((c) => [
      h.form(
        h.id("form"),
        h.method("post"),
        ui.confirm("Delete <it>?", "For good."),
        csrfInput(c),
        h.button(
          h.id("delete"),
          h.name("by"),
          h.value("button"),
          h.class("ui-destructive"),
          "Delete",
        ),
      ),
      h.a(
        h.id("link"),
        h.href("/gone"),
        ui.confirm("Leave?", "", { ok: "Go", cancel: "Stay" }),
        "leave",
      ),
      h.form(
        h.id("swaps"),
        h.method("post"),
        ui.swap("swaps"),
        csrfInput(c),
        h.button(h.id("ask"), ui.confirm("Sure?"), h.name("by"), h.value("swap"), "Swap"),
      ),
    ], {
      POST: async (c) => {
        const by = await c.form("by");
        return c.render(200, h.form(h.id("swaps"), h.p(h.id("by"), `by ${by}`)));
      },
    }),
    pageRoute("/gone", () => h.p("gone")),
  ];
}

const confirms: readonly TrialRow[] = [
  {
    name: "asks before a form is sent, and sends it as it was pressed",
    routes: confirmPage(),
    run: async ({ page, open, asked }) => {
      await open("/");
      await page.focus("#delete");
      await press(page, "Enter");
      const dialog = page.getByRole("alertdialog", { name: "Delete <it>?" });
      await dialog.waitFor();
      await dialog.getByText("For good.").waitFor();
      assertEquals(await page.evaluate("document.activeElement.textContent"), "Cancel");
      await press(page, "Escape");
      await dialog.waitFor({ state: "detached" });
      assertEquals([asked, await focusOf(page)], [[], "#delete"]);
      await press(page, "Enter", "Tab", "Enter");
      await page.getByText("by button").waitFor();
      assertEquals(asked, ["POST /"]);
    },
  },
  {
    name: "asks before a link is followed, with the words that were given",
    routes: confirmPage(),
    run: async ({ page, open, url }) => {
      await open("/");
      await page.click("#link");
      await page.getByRole("button", { name: "Stay" }).click();
      assertEquals(page.url(), `${url}/`);
      await page.click("#link");
      await page.getByRole("button", { name: "Go" }).click();
      await page.getByText("gone").waitFor();
    },
  },
  {
    name: "asks before a swap, of a button that asks",
    routes: confirmPage(),
    run: async ({ page, open, asked }) => {
      await open("/");
      await mark(page);
      await page.click("#ask");
      await page.getByRole("alertdialog").getByRole("button", { name: "Swap" }).click();
      await page.getByText("by swap").waitFor();
      assertEquals(asked, ["POST / fragment=swaps"]);
      assert(await isMarked(page));
    },
  },
  {
    name: "without a script nothing asks and the form is sent",
    hasScript: false,
    routes: confirmPage(),
    run: async ({ page, open }) => {
      await open("/");
      await page.click("#delete");
      await page.getByText("by button").waitFor();
    },
  },
];

testInBrowser("confirm", confirms);

const themePage = one(() => ui.themeToggle(h.id("theme")));
const isDark = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.classList.contains('dark')");

const themes: readonly TrialRow[] = [
  {
    name: "the system decides until somebody chooses; the choice stays",
    routes: themePage,
    run: async ({ page, open }) => {
      await page.emulateMedia({ colorScheme: "dark" });
      await open("/");
      assert(await isDark(page));
      assertEquals(await page.getAttribute("#theme", "aria-pressed"), "true");
      await page.emulateMedia({ colorScheme: "light" });
      await until(page, "!document.documentElement.classList.contains('dark')");
      await page.focus("#theme");
      await press(page, "Enter");
      assert(await isDark(page));
      await page.reload();
      assert(await isDark(page));
      await page.emulateMedia({ colorScheme: "dark" });
      await page.click("#theme");
      assert(!await isDark(page));
      await page.emulateMedia({ colorScheme: "light" });
      await page.emulateMedia({ colorScheme: "dark" });
      assert(!await isDark(page));
    },
  },
  {
    name: "another window of the site follows",
    routes: themePage,
    run: async ({ page, context, open, url }) => {
      await open("/");
      const other = await context.newPage();
      await other.goto(url);
      await page.click("#theme");
      const expected = await isDark(page);
      await until(other, `document.documentElement.classList.contains('dark') === ${expected}`);
    },
  },
];

testInBrowser("theme", themes);
