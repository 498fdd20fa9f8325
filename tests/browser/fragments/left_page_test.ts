import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { type Child, csrfInput, type Ctx, type Node, type Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import { isMarked, layout, testInBrowser, until, untilAsked } from "../kit/site.ts";
import type { Trial, TrialRow } from "../kit/site.ts";

/** A response to a request whose page was left before the response arrived. */
type LateAnswer = readonly [
  name: string,
  method: "GET" | "POST" | "UPLOAD" | "PLAIN",
  answer: (c: Ctx) => Response | Promise<Response>,
  more?: {
    /** The text of its toast, if any. */
    readonly told?: string;
    /** Whether the other page has the same region. @default true */
    readonly hasList?: boolean;
    /** How the user leaves the page. @default "link" */
    readonly by?: "link" | "back" | "outer";
  },
];

const list = (text: string): Node => h.ul(h.id("list"), h.li(text));
const ofA = (c: Ctx): Response => c.html(200, list("of A"));
const broken = (c: Ctx): Response => c.html(500, h.p("broken"));
const redirect = (c: Ctx): Response => c.redirect("/elsewhere");
const alert = h.p(h.role("alert"), "too long");
const refused = (c: Ctx): Response => c.html(422, h.form(h.id("list"), alert, "Title"));
const refusedRegion = (c: Ctx): Response => c.html(422, h.div(h.id("region"), alert));
const lost = "There was no answer, but it may have arrived.";

const answers: readonly LateAnswer[] = [
  ["a read", "GET", ofA],
  ["a read whose target is missing on the other page", "GET", ofA, { hasList: false }],
  ["a read, on Back", "GET", (c) => c.html(200, h.p("none")), { by: "back" }],
  ["a read that fails", "GET", broken],
  ["a read whose outer region was replaced", "GET", ofA, { by: "outer" }],
  ["a write", "POST", ofA],
  ["a write that redirects", "POST", redirect],
  ["a refused write", "POST", refused, { told: "too long" }],
  ["a failing write", "POST", broken, { told: "broken", by: "back" }],
  ["a write that loses its connection", "POST", ofA, { told: lost, hasList: false }],
  ["a write whose outer region was replaced", "POST", refused, { told: "too long", by: "outer" }],
  ["an upload", "UPLOAD", ofA],
  ["a failing upload", "UPLOAD", broken, { told: "broken" }],
  ["a plain write that redirects", "PLAIN", redirect],
  ["a refused plain write", "PLAIN", refusedRegion, { told: "too long", by: "back" }],
];

function rowOf([name, method, answer, more = {}]: LateAnswer): TrialRow {
  const { told, hasList = true, by = "link" } = more;
  const isLost = told === lost;
  const gate = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const body = (title: string, content: Child): Child =>
    h.div(
      h.id("region"),
      ui.navigate("region"),
      h.h1(title),
      h.a(h.id("a"), h.href("/a"), "A"),
      h.a(h.id("b"), h.href("/b"), "B"),
      content,
    );
  const asking = (c: Ctx): Child =>
    method === "GET" ? h.a(h.id("ask"), h.href("/late"), ui.swap("list"), "ask") : h.form(
      h.method("post"),
      h.action("/late"),
      h.enctype(method === "UPLOAD" ? "multipart/form-data" : "application/x-www-form-urlencoded"),
      method === "UPLOAD" ? ui.uploadTo("list") : method === "POST" && ui.swap("list"),
      csrfInput(c),
      h.button(h.id("ask"), "ask"),
    );
  const page = (pattern: string, content: (c: Ctx) => Child): Route => ({
    pattern,
    layouts: [layout],
    page: (c) => h.fragment(content(c)),
  });
  const slow = async (c: Ctx): Promise<Response> => {
    await gate.promise;
    try {
      return await answer(c);
    } finally {
      answered.resolve();
    }
  };
  const routes: Route[] = [
    page("/first", () => body("First", list("of first"))),
    page(
      "/a",
      (c) =>
        body("A", [
          asking(c),
          h.a(h.id("outer"), h.href("/a2"), ui.swap("region"), "outer"),
          list("before"),
        ]),
    ),
    page("/a2", () => body("A again", h.ol(h.id("list"), h.li("new")))),
    page("/b", () => body("B", hasList ? list("of B") : h.p("no list"))),
    { pattern: "/late", csrf: false, methods: { GET: slow, POST: slow } },
  ];
  const leave = async ({ page }: Trial): Promise<string> => {
    if (by === "back") await page.goBack();
    else await page.click(by === "outer" ? "#outer" : "#b");
    const title = by === "back" ? "First" : by === "outer" ? "A again" : "B";
    await until(page, `document.querySelector("h1").textContent === "${title}"`);
    return title;
  };
  return {
    name: `${name}: the current page stays unchanged${told ? ", and a toast tells" : ""}`,
    routes,
    expected: ["500", "422", "ERR_CONNECTION_FAILED"],
    run: async (trial) => {
      const { page, open, asked, url } = trial;
      await open("/first");
      await page.click("#a");
      await until(page, `document.querySelector("h1").textContent === "A"`);
      if (isLost) {
        await page.route("**/late", async (route) => {
          await gate.promise;
          await route.abort("connectionfailed");
          answered.resolve();
        });
      }
      await page.locator("#ask").click();
      if (!isLost) {
        const fragment = method === "PLAIN" ? "" : " fragment=list";
        await untilAsked(asked, `${method === "GET" ? "GET" : "POST"} /late${fragment}`);
      }
      const title = await leave(trial);
      const address = page.url();
      const shown = await page.locator("#region").innerHTML();
      gate.resolve();
      await answered.promise;
      // Requests made after the response are answered after it.
      await page.evaluate("fetch('/b').then((answer) => answer.text())");
      const toasts = page.locator("[data-ui-toast]");
      if (told !== undefined) await toasts.getByText(told).waitFor();
      assertEquals(await toasts.count(), told === undefined ? 0 : 1);
      assertEquals(await page.locator("h1").innerText(), title);
      assertEquals(await page.locator("#region").innerHTML(), shown);
      assertEquals(await page.locator("[aria-busy], dialog[open], [data-ui-failure]").count(), 0);
      assertEquals(page.url(), address);
      assert(await isMarked(page), "the document was left");
      assert(address.startsWith(url));
    },
  };
}

testInBrowser("a response that arrives after its page was left", answers.map(rowOf));
