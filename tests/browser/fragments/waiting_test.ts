import { assert, assertEquals } from "@std/assert";
import type { Ctx, Node, Result } from "../../../mod.ts";
import { findFaults, overflow, settle } from "../page_faults.ts";
import { h, pageRoute, postForm, testInBrowser, ui, until, untilAsked } from "../kit/site.ts";

let answering = Promise.withResolvers<void>();

const guests = ["Ada"];

function list(c: Ctx): Node {
  return h.div(
    h.id("box"),
    postForm(
      c,
      h.action("/guests"),
      ui.swap("box"),
      h.input(h.name("name")),
      h.select(h.name("table"), h.option(h.value("7"), "By the window")),
      h.button(h.id("send"), "Add"),
      ui.optimistic(
        h.li(ui.place("append", "guests"), h.b(ui.formValue("name")), h.i(ui.formValue("table"))),
      ),
    ),
    h.ul(h.id("guests"), guests.map((name) => h.li(h.id(`guest-${name}`), name, remove(c, name)))),
  );
}

function remove(c: Ctx, name: string): Node {
  return postForm(
    c,
    h.action("/guests"),
    ui.swap("box"),
    h.input(h.type("hidden"), h.name("gone"), h.value(name)),
    h.button(h.class("remove"), "Remove"),
    ui.optimistic(h.i(h.id(`guest-${name}`), ui.place("remove"))),
  );
}

const route = pageRoute("/guests", list, {
  POST: async (c): Promise<Result> => {
    const data = await c.formData();
    await answering.promise;
    const name = data.get("name");
    if (name === null || name === "nobody") {
      return c.respond(
        new Response("<p>Refused.</p>", { status: 500, headers: { "content-type": "text/html" } }),
      );
    }
    guests.push(String(name));
    return await c.render(200, list(c));
  },
});

const rows =
  "[...document.querySelectorAll('#guests li')].map((row) => row.firstChild.textContent).join()";

const region = (path: string, content: (c: Ctx) => Node, methods?: typeof route.methods) =>
  pageRoute(path, (c) => h.div(h.id("main"), ui.navigate("main"), content(c)), methods);

let title = "Night ferry";

const titleOf = (c: Ctx): Node =>
  ui.inlineEdit(c, {
    id: "title",
    value: h.p(title),
    form: () =>
      postForm(c, h.action("/title"), ui.swap("title"), h.input(h.name("title")), h.button("Save")),
  });

const titlePage = pageRoute("/title", titleOf, {
  POST: async (c) => {
    title = String((await c.formData()).get("title"));
    return c.render(200, titleOf(c));
  },
});

let found = 0;

/** A list with a row count, beside a dialog with the same links. */
const spoken = (c: Ctx): Node => {
  const more = (id: string) => h.a(h.id(id), h.href(`/found?n=${found}`), ui.swap("found"), id);
  return h.div(
    more("more"),
    h.dialog(h.id("box"), more("inside")),
    h.div(
      h.id("found"),
      c.query("still") === undefined && ui.transition(),
      ui.announce(`${found} found`),
      h.p(found),
    ),
  );
};
const spokenPage = pageRoute("/found", spoken);

const said =
  "[...document.querySelectorAll('.ui-sr-only[role=status]')].map((one) => one.textContent).join()";

/** Counts the view transitions of the page. */
const countMoves = `moves = 0;
  const own = Document.prototype.startViewTransition;
  Document.prototype.startViewTransition = function (run) {
    moves++;
    return own.call(this, run);
  };`;

let opening = Promise.withResolvers<void>();
const bar = "getComputedStyle(document.querySelector('#main'), '::before')";

testInBrowser("pending states of a request", [
  ["the pressed button is busy, and ui.optimistic adds its row at once", undefined, [
    route,
  ], async ({ page, open, asked }) => {
    answering = Promise.withResolvers();
    await open("/guests");
    await page.fill("[name=name]", "Grace");
    await page.click("#send");
    await until(page, "document.querySelector('#send[aria-busy=true]')");
    await until(page, `${rows} === "Ada,Grace"`);
    assertEquals(await page.innerText("#guests li:last-child i"), "By the window");
    await untilAsked(asked, "POST /guests fragment=box");
    answering.resolve();
    await until(page, "document.querySelector('#guest-Grace')");
    assertEquals(await page.evaluate(rows), "Ada,Grace");
    assertEquals(await page.evaluate("document.querySelector('[aria-busy]')"), null);
  }],
  ["a swap around a pending request keeps it busy", "/around", [
    route,
    pageRoute("/around", (c) =>
      h.div(
        h.id("around"),
        list(c),
        h.p(h.id("lazy"), ui.load("/lazy")),
        h.a(h.id("again"), h.href("/around?2"), ui.swap("around"), "Again"),
      )),
    pageRoute("/lazy", () => answering.promise.then(() => h.p(h.id("lazy"), "Loaded"))),
  ], async ({ page }) => {
    const busy = () => page.evaluate("document.querySelectorAll('[aria-busy=true]').length");
    answering = Promise.withResolvers();
    await page.reload();
    await until(page, "document.querySelector('#lazy[aria-busy=true]')");
    await page.fill("[name=name]", "Lin");
    await page.click("#send");
    await until(page, "document.querySelector('#box[aria-busy=true]')");
    await page.click("#again");
    await until(
      page,
      "location.search === '?2' && !document.querySelector('#around[aria-busy]')",
    );
    assertEquals(await busy(), 3);
    answering.resolve();
    await until(page, "document.querySelector('#lazy').textContent === 'Loaded'");
    await until(page, "document.querySelector('#guest-Lin')");
    assertEquals(await busy(), 0);
  }],
  ["a refusal removes what ui.optimistic added", undefined, [route], async ({ page, open }) => {
    answering = Promise.withResolvers();
    guests.splice(1);
    await open("/guests");
    await page.fill("[name=name]", "nobody");
    await page.click("#send");
    await until(page, `${rows} === "Ada,nobody"`);
    answering.resolve();
    await page.getByText("Refused.").waitFor();
    assertEquals(await page.evaluate(rows), "Ada");
    assertEquals(await page.inputValue("[name=name]"), "nobody");
  }, { expected: ["500"] }],
  ["a refusal restores what ui.optimistic removed", undefined, [route], async ({ page, open }) => {
    answering = Promise.withResolvers();
    guests.splice(1);
    await open("/guests");
    await page.evaluate("document.querySelector('#guest-Ada').kept = true");
    await page.click(".remove");
    await until(page, `${rows} === ""`);
    answering.resolve();
    await until(page, "document.querySelector('#guest-Ada')?.kept");
  }, { expected: ["500"] }],
  ["in a region a redirect is followed in place", "/form", [
    region(
      "/form",
      (c) =>
        h.div(
          h.id("form"),
          postForm(c, ui.swap("form"), h.button("Save")),
        ),
      {
        POST: (c) => {
          c.flash("success", "Saved.");
          return c.redirect("/saved");
        },
      },
    ),
    region("/saved", () => h.h1("Saved")),
  ], async ({ page, asked }) => {
    await page.click("text=Save");
    await page.locator("h1").waitFor();
    await page.getByText("Saved.").waitFor();
    assertEquals(await page.evaluate("[location.pathname, globalThis.isMarked]"), ["/saved", true]);
    assertEquals(asked, ["POST /form fragment=form", "GET /saved"]);
  }],
  ["a form that asks for confirmation in a region is a navigation", "/search", [
    region(
      "/search",
      (c) =>
        h.div(
          h.form(h.input(h.name("q")), h.button("Find")),
          h.h1(`Found ${c.query("q") ?? "nothing"}`),
        ),
    ),
  ], async ({ page, asked }) => {
    await page.fill("[name=q]", "a b");
    await page.click("text=Find");
    await page.getByText("Found a b").waitFor();
    assertEquals(await page.evaluate("[location.search, globalThis.isMarked]"), ["?q=a+b", true]);
    assertEquals(asked, ["GET /search?q=a+b"]);
    await page.goBack();
    await page.getByText("Found nothing").waitFor();
  }],
  ["a link with keyboard focus is prefetched", "/one", [
    region("/one", () => h.a(h.href("/two"), "Two")),
    region("/two", () => h.h1("Two")),
  ], async ({ page, asked }) => {
    await page.evaluate(
      "document.querySelector('#main').tabIndex = -1, document.querySelector('#main').focus()",
    );
    await page.keyboard.press("Tab");
    await untilAsked(asked, "GET /two purpose=prefetch");
    await page.keyboard.press("Enter");
    await page.locator("h1").waitFor();
    assertEquals(asked, ["GET /two purpose=prefetch"]);
  }],
  ["ui.inlineEdit replaces the value with the form and focuses its field", "/title", [
    titlePage,
  ], async ({ page, asked }) => {
    await page.getByRole("link", { name: "Edit" }).click();
    await until(page, "document.activeElement.name === 'title'");
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByText("Night ferry").waitFor();
    await page.getByRole("link", { name: "Edit" }).click();
    await until(page, "document.activeElement.name === 'title'");
    await page.keyboard.type("Day ferry");
    await page.keyboard.press("Enter");
    await page.getByText("Day ferry").waitFor();
    assertEquals(await page.evaluate("[location.search, globalThis.isMarked]"), ["", true]);
    assertEquals(asked.at(-1), "POST /title fragment=title");
  }],
  ["ui.announce: new text in a response is announced, in an open dialog too", undefined, [
    spokenPage,
  ], async ({ page, open }) => {
    found = 1;
    await open("/found");
    assertEquals(await page.evaluate(said), "");
    found = 2;
    await page.click("#more");
    await until(page, `${said} === "2 found"`);
    // Equal text is not announced, or polling would never be quiet.
    await page.evaluate("document.querySelector('.ui-sr-only[role=status]').textContent = ''");
    await page.evaluate("addEventListener('fw:swap', () => globalThis.swapped = true)");
    await page.click("#more");
    await until(page, "globalThis.swapped");
    assertEquals(await page.evaluate(said), "");
    found = 3;
    await page.evaluate("document.querySelector('#box').showModal()");
    await page.click("#inside");
    await until(page, `${said} === "3 found"`);
    await until(page, "document.querySelector('#box .ui-sr-only[role=status]')");
  }],
  ["ui.transition: a swap is a view transition unless reduced motion is set", undefined, [
    spokenPage,
  ], async ({ page, open }) => {
    found = 1;
    await open("/found");
    await page.evaluate(countMoves);
    found = 2;
    await page.click("#more");
    await page.locator("#found >> text=2").waitFor();
    assertEquals(await page.evaluate("moves"), 1);
    await page.emulateMedia({ reducedMotion: "reduce" });
    found = 3;
    await page.click("#more");
    await page.locator("#found >> text=3").waitFor();
    assertEquals(await page.evaluate("moves"), 1);
    await open("/found?still");
    await page.emulateMedia({ reducedMotion: null });
    await page.evaluate(countMoves);
    found = 4;
    await page.click("#more");
    await page.locator("#found >> text=4").waitFor();
    assertEquals(await page.evaluate("moves"), 0);
  }],
  [
    "after 150 ms a page shows a thin bar at the top, and a swap in place",
    undefined,
    [
      region(
        "/here",
        () => h.div(h.p(h.styleAttr("height: 3000px")), h.a(h.id("go"), h.href("/there"), "There")),
      ),
      region("/there", () => h.h1("There"), undefined),
    ].map((route, at) =>
      at === 0 ? route : {
        ...route,
        middleware: [{
          Middleware: async (_c: Ctx, next: () => Promise<Response>) => {
            await opening.promise;
            return await next();
          },
        }],
      }
    ),
    async ({ page, open }) => {
      opening = Promise.withResolvers();
      await open("/here");
      await page.press("#go", "Enter");
      await until(page, "document.querySelector('#main[aria-busy=true]')");
      assertEquals(
        await page.evaluate(
          `(({ position, top, height, animationName, animationDelay, opacity }) =>
            [position, top, height, animationName, animationDelay, opacity].join())(${bar})`,
        ),
        "fixed,0px,2px,ui-slide,0.15s,1",
      );
      await page.evaluate("document.documentElement.removeAttribute('data-ui-go')");
      assertEquals(await page.evaluate(`${bar}.position`), "absolute");
      opening.resolve();
      await page.locator("h1").waitFor();
      assertEquals(await page.evaluate(`${bar}.content`), "none");
      assertEquals(await page.locator("[data-ui-go], [aria-busy]").count(), 0);
    },
  ],
  ["the spinner of a pressed button has its own place, and the text stays readable", undefined, [
    pageRoute(
      "/guests",
      (c) =>
        postForm(
          c,
          h.action("/guests"),
          ui.swap("box"),
          h.div(h.id("box"), ui.submit(h.id("save"), ui.icon("check"), "Save")),
        ),
      route.methods,
    ),
  ], async ({ page, open }) => {
    answering = Promise.withResolvers();
    await open("/guests");
    const shape = "(({ width, height }) => [width, height].join())" +
      "(document.querySelector('#save').getBoundingClientRect())";
    const before = await page.evaluate(shape);
    await page.click("#save");
    await until(page, "document.querySelector('#save[aria-busy=true]')");
    const style = "getComputedStyle(document.querySelector('#save'), '::before')";
    assertEquals(
      await page.evaluate(`[${style}.animationName, ${style}.borderRadius, ${shape},
          getComputedStyle(document.querySelector('#save')).opacity].join()`),
      `ui-spin,50%,${before},1`,
    );
    answering.resolve();
    await page.getByText("Refused.").waitFor();
  }, { expected: ["500"] }],
  {
    name:
      "waiting and failed requests: no accessibility violation, at 320 px, right to left, with forced colours",
    routes: [
      pageRoute("/states", (c) =>
        h.div(
          h.h1("States"),
          h.div(h.id("slow-box"), h.p("waits")),
          h.a(h.id("off"), h.href("/states"), ui.swap("off-box"), "offline"),
          h.div(h.id("off-box"), h.p("stays")),
          postForm(c, h.action("/guests"), ui.swap("off-box"), ui.submit(h.id("fail"), "Fail")),
        )),
      route,
    ],
    run: async ({ page, open, context }) => {
      answering.resolve();
      await page.setViewportSize({ width: 320, height: 700 });
      await open("/states");
      await page.click("#fail");
      await page.getByText("Refused.").waitFor();
      await page.evaluate("document.querySelector('#slow-box').ariaBusy = 'true'");
      const [isOffline, isOnline] = [true, false];
      await context.setOffline(isOffline);
      try {
        await until(page, "!navigator.onLine");
        await page.click("#off");
        await page.getByRole("button", { name: "Try again" }).waitFor();
        for (const dir of ["ltr", "rtl"]) {
          await page.evaluate(`document.documentElement.dir = "${dir}"`);
          await settle(page);
          assertEquals(await findFaults(page), []);
          assertEquals(await overflow(page), 0);
        }
        await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
        const line = "getComputedStyle(document.querySelector('#slow-box'), '::before')";
        assertEquals(
          await page.evaluate(`[${line}.height, ${line}.animationDuration].join()`),
          "2px,3s",
        );
        assert(await page.evaluate(`${line}.backgroundImage.includes("gradient")`));
      } finally {
        await context.setOffline(isOnline);
      }
    },
    expected: ["500", "ERR_INTERNET_DISCONNECTED"],
  },
  ["without the script ui.inlineEdit is a page with the form", "/title", [
    titlePage,
  ], async ({ page }) => {
    await page.getByRole("link", { name: "Edit" }).click();
    await page.locator("[name=title]").fill("Slow ferry");
    await page.locator("[name=title]").press("Enter");
    await page.getByText("Slow ferry").waitFor();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByText("Slow ferry").waitFor();
  }, { hasScript: false }],
]);
