import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { csrfInput, type Ctx, type Node, type Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import { focusOf, isMarked, pageRoute, testInBrowser, type TrialRow, until } from "../kit/site.ts";
import { routeOf } from "../../routes.ts";

const far = h.div(h.styleAttr("height: 4000px"));
const seen = "(name) => document.querySelector(name)?.textContent";

/** A queue whose length is polled until it is empty. */
function queueRoute(lengths: number[]): Route {
  return {
    pattern: "/queue",
    methods: {
      GET: (c) => {
        const length = lengths.shift() ?? 0;
        if (length < 0) return c.text(503, "busy");
        return c.render(
          200,
          h.p(h.id("queue"), length > 0 && ui.poll("/queue", 500), `${length} waiting`),
        );
      },
    },
  };
}

const days = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

/**
 * Two values with their forms, rendered by the page and by a stream, beside a form that shadows its
 * `id`.
 */
function desk(c: Ctx, day: string): Node {
  return h.div(
    h.id("desk"),
    h.form(h.method("post"), ui.values({ id: day }), h.button("Give back")),
    ["due-1", "due-2"].map((id) =>
      ui.inlineEdit(c, {
        id,
        value: h.b(day),
        form: () => h.form(h.input(h.name("due"))),
        page: "/desk",
      })
    ),
  );
}

/** Pages of rows, two of which share a row. */
function renderRows(c: Ctx): Node[] {
  const page = Number(c.query("page") ?? 1);
  const ids = Array.from({ length: 11 }, (_, at) => (page - 1) * 10 + at);
  return [
    h.ul(
      h.id("talks"),
      ids.map((id) =>
        h.li(h.id(`talk-${id}`), h.a(h.href("/elsewhere"), `Talk ${id}`), h.br(), h.br(), h.br())
      ),
    ),
    ...(page < 4 ? [h.a(h.id("more"), ui.more(`/talks?page=${page + 1}`, "talks"), "More")] : []),
  ];
}

function renderTable(c: Ctx): Node {
  const page = Number(c.query("page") ?? 1);
  return h.table(
    h.tbody(
      h.id("rows"),
      h.tr(h.td(`row ${page}`)),
      page < 2 && h.tr(h.td(h.a(h.id("next"), ui.more(`/table?page=${page + 1}`, "rows"), "More"))),
    ),
  );
}

/** A log that grows until it is told to stop. */
function streamRoute(connections: (string | undefined)[], end: Promise<void>): Route {
  return {
    pattern: "/log/stream",
    methods: {
      GET: (c) =>
        c.stream(async (s) => {
          connections.push(s.lastEventId);
          const at = connections.length;
          await s.send("message", h.render(h.b(h.id("count"), `${at} connections`)), {
            id: `${at}`,
          });
          const row = h.tr(h.id(`row-${at}`), ui.place("append", "log"), h.td(`row ${at}`));
          await s.send("message", h.render(row), { id: `${at}-${at}` });
          if (at > 1) {
            await end;
            await s.done();
          }
          await new Promise<void>((resolve) => s.signal.addEventListener("abort", () => resolve()));
        }),
    },
  };
}

function rows(): readonly TrialRow[] {
  const connections: (string | undefined)[] = [];
  const end = Promise.withResolvers<void>();
  const methods: string[] = [];
  let loads = 0;
  const takes = async (c: Ctx): Promise<Response> => {
    const form = await c.formData();
    methods.push(`${c.method} ${form.getAll("day").join("+")}`);
    return await c.render(200, h.p(h.id("said"), `${c.method}`));
  };
  return [
    ["load: an element near the viewport loads once, and keeps its link after a failure", "/", [
      pageRoute("/", () => [
        h.div(h.id("near"), ui.load("/near"), "wait"),
        h.div(h.id("fails"), ui.load("/fails"), h.a(h.href("/fails"), "open")),
        far,
        h.div(h.id("far"), ui.load("/far"), "wait"),
      ]),
      routeOf(
        "GET",
        "/near",
        (c) => c.render(200, h.div(h.id("near"), ui.load("/near"), `here ${++loads}`)),
      ),
      { pattern: "/far", methods: { GET: (c) => c.render(200, h.div(h.id("far"), "here")) } },
      { pattern: "/fails", methods: { GET: (c) => c.text(500, "no") } },
    ], async ({ page, asked }) => {
      await until(page, `(${seen})('#near') === 'here 1'`);
      await until(page, "!document.querySelector('[aria-busy]')");
      assertEquals(await page.textContent("#fails a"), "open");
      assert(!asked.includes("GET /far fragment=far"));
      await page.locator("#far").scrollIntoViewIfNeeded();
      await until(page, `(${seen})('#far') === 'here'`);
      assertEquals(loads, 1);
      assert(await isMarked(page));
    }, { expected: ["500"] }],
    ["live: data right before the end is shown", "/", [
      pageRoute("/", () => h.p(h.id("last"), ui.live("/last"), "wait")),
      routeOf("GET", "/last", (c) =>
        c.stream(async (s) => {
          await s.send("message", h.render(h.p(h.id("last"), "over")));
          await s.done();
        })),
    ], async ({ page }) => {
      await until(page, `(${seen})('#last') === 'over'`);
    }],
    ["poll: repeats until the element arrives without it, even after a failed response", "/", [
      pageRoute("/", () => h.p(h.id("queue"), ui.poll("/queue", 500), "3 waiting")),
      queueRoute([2, -1, 1, 0]),
    ], async ({ page, asked }) => {
      await until(page, `(${seen})('#queue') === '0 waiting'`);
      const count = asked.length;
      await new Promise((resolve) => setTimeout(resolve, 700));
      assertEquals(asked.length, count);
      assert(await isMarked(page));
    }, { expected: ["503"] }],
    [
      "more: adds pages near the end without duplicate rows, and Back after a load restores all",
      "/talks",
      [pageRoute("/talks", renderRows), pageRoute("/elsewhere", () => "Elsewhere")],
      async ({ page }) => {
        const count = "document.querySelectorAll('#talks li').length";
        await page.locator("#talk-10").scrollIntoViewIfNeeded();
        await until(page, `${count} >= 21`);
        await page.press("#more", "Enter");
        await until(page, `${count} === 31`);
        await until(page, "document.activeElement.closest('#talks')");
        await page.locator("#talk-30").scrollIntoViewIfNeeded();
        await until(page, `${count} === 41`);
        assertEquals(await page.locator("#more").count(), 0);
        await page.locator("#talk-25 a").scrollIntoViewIfNeeded();
        const y = Number(await page.evaluate("scrollY"));
        await page.click("#talk-25 a");
        await until(page, "location.pathname === '/elsewhere'");
        await page.goBack();
        await until(page, `${count} === 41`);
        await until(page, `Math.abs(scrollY - ${y}) < 5`);
      },
    ],
    [
      "more: a link in the last row of a table is replaced, and the focus moves to the new row",
      "/table",
      [
        pageRoute("/table", (c) => [far, renderTable(c)]),
      ],
      async ({ page }) => {
        await page.evaluate("document.querySelector('#next').focus()");
        await until(page, "document.querySelector('#rows tr:last-child').textContent === 'row 2'");
        assertEquals(await page.locator("#rows td").allInnerTexts(), ["row 1", "row 2"]);
        assertEquals(await focusOf(page), "tr");
      },
    ],
    ["live: inserts events of a stream, resumes with the last id, and ends", "/", [
      pageRoute("/", () => [
        h.b(h.id("count"), "0"),
        h.table(h.tbody(h.id("log"), ui.live("/log/stream"))),
      ]),
      streamRoute(connections, end.promise),
    ], async ({ page }) => {
      await page.locator("#row-1").waitFor();
      assertEquals(await page.textContent("#count"), "1 connections");
      // The page goes to the background and returns.
      const show = (state: "hidden" | "visible"): Promise<unknown> =>
        page.evaluate(
          `Object.defineProperty(Document.prototype, "hidden", { value: ${
            state === "hidden"
          }, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"))`,
        );
      await show("hidden");
      await show("visible");
      await page.locator("#row-2").waitFor();
      assertEquals(await page.locator("#log tr").count(), 2);
      assertEquals(connections, [undefined, "1-1"]);
      end.resolve();
      // A finished stream is not reopened.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await show("hidden");
      await show("visible");
      assertEquals(connections.length, 2);
    }],
    ["live: an open form of ui.inlineEdit stays while the values beside it change", "/desk", [
      pageRoute("/desk", (c) => h.div(ui.live("/desk/live"), desk(c, "Monday"))),
      routeOf("GET", "/desk/live", (c) =>
        c.stream(async (s) => {
          for (const [at, day] of ["Tuesday", "Friday"].entries()) {
            await days[at]?.promise;
            await s.send("message", h.render(desk(c, day)));
          }
          await s.done();
        })),
    ], async ({ page, url }) => {
      await page.click("#due-1 a");
      await page.fill("#due-1 input", "typed");
      for (const [at, day] of ["Tuesday", "Friday"].entries()) {
        days[at]?.resolve();
        await until(page, `(${seen})('#due-2 b') === '${day}'`);
        assertEquals(await page.inputValue("#due-1 input"), "typed");
      }
      assertEquals(await page.getAttribute("#due-2 a", "href"), "/desk?edit=due-2");
      await page.click("#due-1 a");
      await until(page, "(" + seen + ")('#due-1 b') === 'Monday'");
      await page.click("#due-2 a");
      await page.locator("#due-2 input").waitFor();
      assertEquals(page.url(), `${url}/desk`);
    }],
    ["method and values: a form and its button send another method, with hidden fields", "/", [
      pageRoute("/", (c) => [
        h.p(h.id("said"), "nothing"),
        h.form(
          h.method("post"),
          ui.method("PUT"),
          ui.swap("said"),
          csrfInput(c),
          ui.values({ day: ["mon", "tue"] }),
          h.button(h.id("put"), "Save"),
          h.button(h.id("delete"), ui.method("DELETE"), "Delete"),
        ),
      ], { POST: takes, PUT: takes, DELETE: takes }),
    ], async ({ page }) => {
      await page.click("#put");
      await until(page, `(${seen})('#said') === 'PUT'`);
      await page.click("#delete");
      await until(page, `(${seen})('#said') === 'DELETE'`);
      assertEquals(methods, ["PUT mon+tue", "DELETE mon+tue"]);
      assert(await isMarked(page));
    }],
  ];
}

testInBrowser("lazy loading, polling, load more and live updates", rows());
