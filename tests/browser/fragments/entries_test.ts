import { assert, assertEquals } from "@std/assert";
import type { Page } from "../browser.ts";
import { type Ctx, httpError, type Node, type Route } from "../../../mod.ts";
import { h, pageRoute, postForm, testInBrowser, type TrialRow, ui, until } from "../kit/site.ts";

interface EntriesOptions {
  /** The handler's delay. @default 150, or until `release` if it is held */
  readonly delayMs?: number;
  /** @default false */
  readonly isHeld?: boolean;
  /** Whether the handler redirects instead of rendering. @default false */
  readonly redirects?: boolean;
  /** Renders the content of a row. @default none */
  readonly row?: (c: Ctx, entry: string) => Node;
  /** Content below the list. @default none */
  readonly more?: Node;
  /** The error thrown for the entry "one". @default none */
  readonly error?: Error;
}

function entriesPage(options: EntriesOptions = {}): {
  readonly route: Route;
  readonly taken: string[];
  readonly release: () => void;
} {
  const { delayMs = 150, isHeld = false, redirects = false, row, more, error } = options;
  const taken: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const box = (c: Ctx): Node =>
    h.div(
      h.id("box"),
      postForm(
        c,
        h.action("/box"),
        ui.swap("box"),
        ui.input(h.id("entry"), h.name("entry"), h.autocomplete("off")),
        h.input(h.type("checkbox"), h.name("urgent")),
        h.select(h.name("size"), ui.selectOptions(["small", "large"])),
        h.button(h.id("send"), "Add"),
      ),
      h.ul(h.id("entries"), taken.map((entry) => h.li(entry, row?.(c, entry)))),
      more,
    );
  const route = pageRoute("/box", box, {
    POST: async (c) => {
      const entry = String((await c.formData()).get("entry"));
      await (isHeld ? held : new Promise((resolve) => setTimeout(resolve, delayMs)));
      if (error !== undefined && entry === "one") throw error;
      taken.push(entry);
      return redirects ? c.redirect("/box") : await c.render(200, box(c));
    },
  });
  return { route, taken, release };
}

async function enter(page: Page, ...entries: readonly string[]): Promise<void> {
  for (const entry of entries) {
    await page.fill("#entry", entry);
    await page.keyboard.press("Enter");
  }
}

const shows = (entries: readonly string[]): string =>
  `[...document.querySelectorAll("#entries li")].map((li) => li.firstChild.data).join() === ` +
  `"${entries.join()}" && !document.querySelector("[aria-busy]")`;

function entries(): readonly TrialRow[] {
  const quick = [50, 150, 500].map((delayMs): TrialRow => {
    const { route, taken } = entriesPage({ delayMs });
    return {
      name: `two different entries of ${delayMs} ms each both arrive, in order`,
      routes: [route],
      run: async ({ page, open, asked }) => {
        await open("/box");
        await page.focus("#entry");
        await page.keyboard.type("one");
        await page.keyboard.press("Enter");
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.type("two");
        await page.keyboard.press("Enter");
        await until(page, shows(["one", "two"]));
        assertEquals(taken, ["one", "two"]);
        assertEquals(asked, ["POST /box fragment=box", "POST /box fragment=box"]);
        assertEquals(await page.inputValue("#entry"), "");
      },
    };
  });
  // The response waits until the test has made all its clicks, however slow the machine is.
  const same = entriesPage({ isHeld: true });
  const typed = entriesPage({ isHeld: true });
  const left = entriesPage({ isHeld: true, redirects: true });
  const rows = entriesPage({
    row: (c, entry) =>
      postForm(
        c,
        h.action("/box"),
        ui.swap("box"),
        h.button(h.name("entry"), h.value(`${entry}!`), "again"),
      ),
  });
  const sorted = entriesPage({
    more: h.a(h.id("sort"), h.href("/box?sort=1"), ui.swap("box"), "Sort"),
  });
  const over = Promise.withResolvers<void>();
  const late = entriesPage({
    row: (c, entry) => c.defer(over.promise.then(() => h.i(`late ${entry}`)), h.i("…")),
  });
  return [
    ...quick,
    ["late parts of a response do not delay an equal entry", "/box", [
      late.route,
    ], async ({ page }) => {
      for (const [at] of ["x", "x", "x"].entries()) {
        await enter(page, "x");
        await until(page, `document.querySelectorAll("#entries li").length === ${at + 1}`);
      }
      assertEquals(late.taken, ["x", "x", "x"]);
      assertEquals(await page.locator("#entries li i").allInnerTexts(), ["…", "…", "…"]);
      over.resolve();
      await page.getByText("late x").first().waitFor();
    }],
    ["a second submit of the same data sends one request", "/box", [
      same.route,
    ], async ({ page }) => {
      await page.fill("#entry", "one");
      await page.dblclick("#send");
      await page.press("#entry", "Enter");
      same.release();
      await until(page, shows(["one"]));
      assertEquals(same.taken, ["one"]);
      // The first request has finished, so the same data is a new entry.
      await enter(page, "one");
      await until(page, shows(["one", "one"]));
    }],
    ["input, checks and choices made meanwhile survive the swap, with caret and focus", "/box", [
      typed.route,
    ], async ({ page }) => {
      await enter(page, "one");
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("draft");
      await page.keyboard.press("ArrowLeft");
      await page.check("[name=urgent]");
      await page.selectOption("[name=size]", "large");
      await page.focus("#entry");
      typed.release();
      await until(page, shows(["one"]));
      assertEquals(
        await page.evaluate(
          `[entry.value, document.activeElement.id, entry.selectionStart,
              document.querySelector("[name=urgent]").checked,
              document.querySelector("[name=size]").value]`,
        ),
        ["draft", "entry", 4, true, "large"],
      );
      // The text was typed before the submit, so the response may clear it.
      await page.keyboard.press("Enter");
      await until(page, shows(["one", "draft"]));
      assertEquals(await page.inputValue("#entry"), "");
      assert(!await page.isChecked("[name=urgent]"));
    }],
    ["a redirect waits until the queued entries are sent", "/box", [
      left.route,
    ], async ({ page }) => {
      await enter(page, "one", "two");
      left.release();
      await until(page, shows(["one", "two"]));
      assertEquals(left.taken, ["one", "two"]);
    }],
    ["forms of several rows that replace one list are all sent", undefined, [
      rows.route,
    ], async ({ page, open }) => {
      rows.taken.push("a", "b");
      await open("/box");
      await page.evaluate(
        `document.querySelectorAll("li button").forEach((button) => button.click())`,
      );
      await until(page, shows(["a", "b", "a!", "b!"]));
    }],
    ["a link that replaces the same element does not cancel an entry in flight", "/box", [
      sorted.route,
    ], async ({ page, asked }) => {
      await enter(page, "one");
      await page.click("#sort");
      await until(page, `location.search === "?sort=1"`);
      await until(page, shows(["one"]));
      assertEquals(asked, ["POST /box fragment=box", "GET /box?sort=1 fragment=box"]);
    }],
    ...([[409, "one is taken"], [500, ""]] as const).map(([status, hasText]): TrialRow => {
      const error = status === 500 ? new Error("on purpose") : httpError(status, hasText);
      const { route, release } = entriesPage({ isHeld: true, error });
      return {
        name: `the entry after one that failed with ${status} is sent, and the failure is reported`,
        routes: [route],
        run: async ({ page, open, asked }) => {
          await open("/box");
          await enter(page, "one", "two");
          release();
          await until(page, shows(["two"]));
          await page.locator("[data-ui-toast].ui-destructive", { hasText }).waitFor();
          assertEquals(asked, ["POST /box fragment=box", "POST /box fragment=box"]);
        },
        expected: [String(status)],
      };
    }),
  ];
}

testInBrowser("consecutive history entries", entries());
