/**
 * The behaviours tested with the pages of each kit, in a real browser.
 *
 * @module
 */
import type { Kit, State } from "./pages.ts";

/** The used members of the driver's page, whose own types need the browser's globals. */
export interface Page {
  evaluate(expression: string): Promise<unknown>;
  goto(url: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  url(): string;
  waitForNavigation(): Promise<unknown>;
  setOfflineMode(isOffline: boolean): Promise<void>;
  setJavaScriptEnabled(isOn: boolean): Promise<void>;
  on(event: "console", run: (message: { type(): string; text(): string }) => void): unknown;
  readonly keyboard: { press(key: string): Promise<void> };
}

/** The context of a row's test. */
export interface Trial {
  readonly kit: Kit;
  readonly page: Page;
  readonly state: State;
  /** The errors in the browser's console. */
  readonly errors: readonly string[];
  /** Opens a page of the kit and waits for its script. */
  open(name: string): Promise<void>;
}

/** A behaviour that users expect. */
export interface Row {
  readonly name: string;
  readonly run: (trial: Trial) => Promise<boolean>;
  /** Whether it needs a driver feature that only Chromium has. @default false */
  readonly isChromium?: boolean;
}

/** The values of the driver's switches. */
export const [on, off] = [true, false];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until an expression is true; returns `false` after the timeout. */
export async function until(page: Page, expression: string, ms = 5_000): Promise<boolean> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    if (await page.evaluate(`Boolean(${expression})`).catch(() => false)) return true;
    await pause(20);
  }
  return false;
}

const textOf = (selector: string): string =>
  `document.querySelector(${JSON.stringify(selector)})?.textContent`;
const press = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
const ask = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression);

/** Opens B by a link and waits until an expression is true there. */
async function untilB({ page, open }: Trial, expression: string): Promise<boolean> {
  await open("a");
  await press(page, "#to-b");
  return await until(page, `${textOf("h1")} === "B" && ${expression}`, 3_000);
}

/** The rows, in the order of the guide. */
export const rows: readonly Row[] = [
  {
    name: "a late response stays off the next page",
    run: async ({ page, state, open }) => {
      state.waits.set("slow", 900);
      await open("a");
      await press(page, "#slow");
      await pause(100);
      await press(page, "#to-b");
      if (!await until(page, `${textOf("h1")} === "B"`)) return false;
      await pause(1_500);
      return await ask(
        page,
        `${textOf("#list")} === "B rows" && location.pathname.endsWith("/b")`,
      ) ===
        true;
    },
  },
  {
    name: "of two requests the later wins",
    run: async ({ page, state, open }) => {
      state.waits.set("slow", 700);
      await open("a");
      await press(page, "#slow");
      await pause(100);
      await press(page, "#quick");
      await pause(1_400);
      return await ask(page, textOf("#list")) === "quick rows";
    },
  },
  {
    name: "one response changes a text and a table row",
    run: async ({ page, open }) => {
      await open("two");
      await press(page, "#send");
      return await until(page, `${textOf("#count")} === "1" && ${textOf("tr#row-2 td")} === "1"`);
    },
  },
  {
    name: "deleting by key hands the focus to the next row",
    run: async ({ page, open }) => {
      await open("rows");
      await ask(page, "document.querySelector('#row-1 button').focus()");
      await page.keyboard.press("Enter");
      if (!await until(page, "!document.querySelector('#row-1')")) return false;
      return await until(page, "document.activeElement.textContent === 'Delete 2'", 1_000);
    },
  },
  {
    name: "a page has its canonical link",
    run: (trial) => untilB(trial, "document.querySelector('[rel=canonical]')"),
  },
  {
    name: "a page has its attributes of `html` and `body`",
    run: (trial) =>
      untilB(
        trial,
        "document.documentElement.dataset.page === 'b' && document.body.dataset.look === 'b'",
      ),
  },
  {
    name: "two clicks send a form once",
    run: async ({ page, state, open }) => {
      await open("save");
      await press(page, "#send");
      await press(page, "#send");
      await until(page, `${textOf("#n")} !== "0"`);
      await pause(900);
      return state.asked.filter((line) => line === "POST /save").length === 1;
    },
  },
  {
    name: "a form's response that is a file is saved",
    run: async ({ page, state, open }) => {
      await open("file");
      await ask(
        page,
        `HTMLAnchorElement.prototype.click = function () { globalThis.saved = this.download }`,
      );
      await press(page, "#send");
      await until(page, "globalThis.saved", 1_500);
      return await ask(page, `saved === "list.csv" && ${textOf("#list")} === "kept"`)
            .catch(() => false) === true && state.asked.slice(1).join() === "POST /file";
    },
  },
  {
    name: "success closes a form's dialog, a 422 keeps it",
    run: async ({ page, open }) => {
      await open("dialog");
      await ask(page, "document.querySelector('#box').showModal()");
      await press(page, "#send");
      if (!await until(page, `${textOf("#said")} === "wrong"`)) return false;
      if (await ask(page, "document.querySelector('#box').open") !== true) return false;
      await page.type("#box [name=text]", "x");
      await press(page, "#send");
      return await until(page, "!document.querySelector('#box').open", 1_500);
    },
  },
  {
    name: "Back past a `#` link shows the address",
    run: async ({ page, open }) => {
      await open("page");
      await press(page, "#next");
      if (!await until(page, `${textOf("#at")} === "2"`)) return false;
      await pause(400);
      await press(page, "#hash");
      await until(page, "location.hash");
      // A pause like a user's.
      await pause(400);
      await ask(page, "history.back()");
      if (!await until(page, `!location.hash && ${textOf("#at")} === "2"`)) return false;
      await pause(400);
      await ask(page, "history.back()");
      return await until(page, `!location.search && ${textOf("#at")} === "1"`, 2_000);
    },
  },
  {
    name: "typed text, ticks and open details stay",
    run: async ({ page, state, open }) => {
      await open("state");
      await page.type("#text", "typed");
      await ask(page, "document.querySelector('#tick').checked = true");
      await ask(page, "document.querySelector('#more').open = true");
      state.count = 5;
      await press(page, "#again");
      if (!await until(page, `${textOf("#n")} === "5"`)) return false;
      return await ask(
        page,
        "document.querySelector('#text').value === 'typed' && " +
          "document.querySelector('#tick').checked && document.querySelector('#more').open",
      ) === true;
    },
  },
  {
    name: "an open modal dialog stays",
    run: async ({ page, state, open }) => {
      await open("state");
      await ask(page, "document.querySelector('#box').showModal()");
      state.count = 5;
      await press(page, "#inside");
      if (!await until(page, `${textOf("#n")} === "5"`)) return false;
      return await ask(page, "document.querySelector('#box').matches(':modal')") === true;
    },
  },
  {
    name: "Back shows the page at once",
    run: async ({ page, state, open }) => {
      await open("a");
      await press(page, "#to-b");
      if (!await until(page, `${textOf("h1")} === "B"`)) return false;
      state.waits.set("a", 1_500);
      await ask(page, "history.back()");
      return await until(page, `${textOf("h1")} === "A"`, 1_000);
    },
  },
  {
    name: "offline, the region stays and says so",
    run: async ({ page, open }) => {
      await open("a");
      await page.setOfflineMode(on);
      try {
        await press(page, "#slow");
        const isSaid = await until(
          page,
          "/connection|offline/i.test(document.body.textContent)",
          2_000,
        );
        return isSaid && await ask(page, textOf("#list")) === "A rows";
      } finally {
        await page.setOfflineMode(off);
      }
    },
  },
  {
    name: "a 500 is shown, and the form keeps its text",
    run: async ({ page, open }) => {
      await open("a");
      await page.type("[name=text]", "typed");
      await press(page, "#fail");
      if (!await until(page, "document.body.textContent.includes('Number 7')", 2_000)) return false;
      return await ask(page, "document.querySelector('[name=text]')?.value === 'typed'") === true;
    },
  },
  {
    name: "a plain form that leads to its page keeps the place",
    run: async ({ page, open }) => {
      await open("plain");
      await ask(page, "globalThis.stayed = true, scrollTo(0, 900)");
      await press(page, "#send");
      if (!await until(page, `${textOf("#n")} === "1"`)) return false;
      await pause(300);
      return await ask(page, "globalThis.stayed && Math.abs(scrollY - 900) < 60") === true;
    },
  },
  {
    name: "what waits has `aria-busy`",
    run: async ({ page, state, open }) => {
      state.waits.set("slow", 600);
      await open("a");
      await press(page, "#slow");
      return await until(page, "document.querySelector('#list[aria-busy=true]')", 500);
    },
  },
  {
    name: "a strict policy (CSP) refuses nothing",
    run: async ({ page, state, open, errors }) => {
      state.waits.set("b", 900);
      await open("a");
      await press(page, "#quick");
      await until(page, `${textOf("#list")} === "quick rows"`);
      await press(page, "#to-b");
      await until(page, `${textOf("h1")} === "B"`);
      return !errors.some((text) => text.includes("Content Security Policy"));
    },
  },
  {
    name: "links and forms work without a script",
    isChromium: true,
    run: async ({ page, state, open }) => {
      await page.setJavaScriptEnabled(off);
      try {
        await open("rows");
        await Promise.all([page.waitForNavigation(), page.click("#row-1 button")]);
        await open("page");
        await Promise.all([page.waitForNavigation(), page.click("#next")]);
        return state.rows.length === 2 && page.url().includes("p=2");
      } finally {
        await page.setJavaScriptEnabled(on);
      }
    },
  },
];
