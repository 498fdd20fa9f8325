/** All code reads the texts of its own request, before and after an await. */
import { assertEquals } from "@std/assert";
import { App, type Ctx, href, type Node, type Result } from "@fw/fw";
import { requestLanguage } from "@fw/fw/addon";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { testRequest, withHeader } from "@fw/fw/testing";

const languages = ["en", "pt-PT"];

/** Returns texts that code without a context reads: a label of the kit and a link. */
function words(): Node {
  const html = h.render(ui.pagination({ page: 2, pages: 3, href: () => "/" }));
  const word = ["Next", "Seguinte", "Seite"].find((each) => html.includes(each)) ?? html;
  return h.p(h.class("words"), `${word} ${href("/")}`);
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2));
}

async function load(): Promise<Node> {
  await turn();
  return words();
}

/** Whether the next call returns synchronously, as from a cache. */
let isKept = false;

const pages: Readonly<Record<string, (c: Ctx) => Result | Promise<Result>>> = {
  "/sync": words,
  "/async": async () => {
    await turn();
    return words();
  },
  "/returns-promise": () => load(),
  "/then": () => turn().then(() => turn()).then(words),
  "/sometimes": () => {
    isKept = !isKept;
    return isKept ? words() : load();
  },
  "/render": async (c) => {
    await turn();
    return c.render(200, words());
  },
};

function newApp(): App {
  const app = new App({ env: "prod", logRequest: () => false, languages, languagePrefix: true });
  for (const [pattern, page] of Object.entries(pages)) {
    app.route({ pattern, page });
    app.route({ pattern: `/inside${pattern}`, page, layouts: [asyncLayout] });
    app.route({
      pattern: `/behind${pattern}`,
      page,
      middleware: [{
        Middleware: async (_c, next) => {
          await turn();
          return await next();
        },
      }],
    });
  }
  return app;
}

async function asyncLayout(_c: Ctx, children: Node): Promise<Node> {
  await turn();
  return h.html(h.body(words(), children));
}

const asked: readonly { language: string; prefix: string; expected: string }[] = [
  { language: "en", prefix: "", expected: "Next /" },
  { language: "pt-PT", prefix: "", expected: "Seguinte /" },
  { language: "en", prefix: "/pt-PT", expected: "Seguinte /pt-PT/" },
  { language: "pt-PT", prefix: "/en", expected: "Next /en/" },
];

for (const pattern of Object.keys(pages)) {
  for (const around of ["", "/inside", "/behind"]) {
    Deno.test(`texts: ${around}${pattern}: interleaved requests keep their languages`, async () => {
      const app = newApp();
      const many = Array.from({ length: 24 }, (_, index) => asked[index % asked.length]);
      await Promise.all(many.map(async (one) => {
        if (one === undefined) return;
        const { language, prefix, expected } = one;
        const path = `${prefix}${around}${pattern}`;
        const option = withHeader("accept-language", language);
        const response = await testRequest(app, "GET", path, option);
        const found = [...response.body.matchAll(/<p class="words">([^<]*)</g)].map(([, text]) =>
          text
        );
        assertEquals(found, around === "/inside" ? [expected, expected] : [expected]);
        const vary = prefix === "" ? "FW-Fragment, Accept-Language, Cookie" : "FW-Fragment";
        assertEquals(response.header("vary"), vary);
      }));
      assertEquals(requestLanguage(), undefined, "nothing is left of a request");
    });
  }
}

for (const [from, to, word] of [["en", "pt-PT", /Seguinte/g], ["pt-PT", "en", /Next/g]] as const) {
  Deno.test(`texts: a page in ${from} that sets ${to} uses it afterwards, and its caller does not`, async () => {
    const app = new App({ env: "prod", logRequest: () => false, languages });
    app.route({
      pattern: "/",
      page: async (c) => {
        c.setLanguage(to);
        const before = words();
        await turn();
        return h.fragment(before, words());
      },
    });
    const headers = { "accept-language": from };
    const response = app.fetch(new Request("http://localhost/", { headers }));
    assertEquals(requestLanguage(), undefined);
    const html = await (await response).text();
    assertEquals([html.match(word)?.length, requestLanguage()], [2, undefined]);
  });
}

Deno.test("texts: an application nested in another one uses its own", async () => {
  const inner = new App({ env: "prod", logRequest: () => false, languages });
  inner.route({ pattern: "/", page: load });
  const outer = new App({ env: "prod", logRequest: () => false, languages });
  outer.route({
    pattern: "/",
    page: async () => {
      const request = new Request("http://localhost/", { headers: { "accept-language": "en" } });
      const html = await (await inner.fetch(request)).text();
      return h.fragment(h.p(/Next/.test(html) ? "inner en" : html), words());
    },
  });
  const response = await testRequest(outer, "GET", "/", withHeader("accept-language", "pt-PT"));
  response.wantContains("inner en").wantContains("Seguinte");
});
