import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { type Child, csrfInput, type Ctx, type Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import type { Page } from "../browser.ts";
import { focusOf, isMarked, pageRoute, press, testInBrowser, until } from "../kit/site.ts";

const one = (body: (c: Ctx) => Child, methods?: Route["methods"]): readonly Route[] => [
  pageRoute("/", body, methods),
];

const dialogPage = one(() => [
  ui.dialogOpen("box", h.id("open"), "Open"),
  ui.dialog("box", "A box", h.p("inside"), ui.dialogClose("box", h.id("close"), "Done")),
]);

/** Simulates a browser that supports neither `command` nor `closedby`. */
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
  await page.press("#open", "Enter");
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

testInBrowser("dialogs", [
  ["opens by its button, and closes by Escape, its button and a click outside", undefined, [
    ...dialogPage,
  ], async ({ page, open }) => {
    const warnings: string[] = [];
    page.on("console", (message) => warnings.push(message.text()));
    await open("/");
    await tryDialog(page);
    assertEquals(warnings, []);
  }],
  ["works in a browser without command support", undefined, dialogPage, async ({ page, open }) => {
    await page.addInitScript(oldBrowser);
    await open("/");
    await tryDialog(page);
  }, { isApart: true }],
  ["opens and closes without a script", "/", dialogPage, async ({ page }) => {
    await page.click("#open");
    await page.getByText("inside").waitFor();
    await page.click("#close");
    await page.getByText("inside").waitFor({ state: "hidden" });
  }, { hasScript: false }],
]);

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
        ui.confirm("Leave?"),
        h.attrs(h.data("ui-confirm-ok", "Go"), h.data("ui-confirm-cancel", "Stay")),
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

testInBrowser("confirm", [
  ["asks before a form is submitted, and keeps the pressed button", "/", [
    ...confirmPage(),
  ], async ({ page, asked }) => {
    await page.press("#delete", "Enter");
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
  }],
  ["asks before a link is followed, with the given text", "/", [
    ...confirmPage(),
  ], async ({ page, url }) => {
    await page.click("#link");
    await page.getByRole("button", { name: "Stay" }).click();
    assertEquals(page.url(), `${url}/`);
    await page.click("#link");
    await page.getByRole("button", { name: "Go" }).click();
    await page.getByText("gone").waitFor();
  }],
  ["asks before a swap by a button", "/", confirmPage(), async ({ page, asked }) => {
    await page.click("#ask");
    await page.getByRole("alertdialog").getByRole("button", { name: "Swap" }).click();
    await page.getByText("by swap").waitFor();
    assertEquals(asked, ["POST / fragment=swaps"]);
    assert(await isMarked(page));
  }],
  ["does not ask without a script, and the form is submitted", "/", [
    ...confirmPage(),
  ], async ({ page }) => {
    await page.click("#delete");
    await page.getByText("by button").waitFor();
  }, { hasScript: false }],
]);

const themePage = one(() => ui.themeToggle(h.id("theme")));
const isDark = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.classList.contains('dark')");

testInBrowser("theme", [
  ["follows the system until the user chooses, and keeps the choice", undefined, [
    ...themePage,
  ], async ({ page, open }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await open("/");
    assert(await isDark(page));
    assertEquals(await page.getAttribute("#theme", "aria-pressed"), "true");
    await page.emulateMedia({ colorScheme: "light" });
    await until(page, "!document.documentElement.classList.contains('dark')");
    await page.press("#theme", "Enter");
    assert(await isDark(page));
    await page.reload();
    assert(await isDark(page));
    await page.emulateMedia({ colorScheme: "dark" });
    await page.click("#theme");
    assert(!await isDark(page));
    await page.emulateMedia({ colorScheme: "light" });
    await page.emulateMedia({ colorScheme: "dark" });
    assert(!await isDark(page));
  }],
  ["another window of the site follows", "/", themePage, async ({ page, context, url }) => {
    const other = await context.newPage();
    await other.goto(url);
    await page.click("#theme");
    const expected = await isDark(page);
    await other.evaluate("dispatchEvent(new Event('focus'))");
    await until(other, `document.documentElement.classList.contains('dark') === ${expected}`);
  }],
]);
