import { assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import { node, parse } from "../../../tmpl/mod.ts";
import { noChromium, withPage } from "../../browser/browser.ts";
import { isThorough } from "../../thorough.ts";
import { hostileContexts, hostileValues } from "../hostile_values.ts";

/** The functions that the contexts and the values would call. */
const prelude =
  "<!doctype html><script>var hits = 0, x, y, z, n, a, b, s; function pwn() { hits++ }\n" +
  "function f() {} function g() {} var h = f;</script>";

/** Contexts that would leave the page, or that end a script with their own error. */
const left = /http-equiv|importmap|<base|return|ld\+json|"application\/json/;

const contexts = hostileContexts.filter((template) => !left.test(template)).map((template) => ({
  set: parse(template, { name: "t.html" }),
  isFrame: template.includes("<iframe"),
}));

/** A frame takes as much work as a hundred elements, so only some are shown. */
const reachesTop = "top.pwn()";

function documentOf(texts: readonly string[]): string {
  const sections = texts.flatMap((value) =>
    contexts.filter(({ isFrame }) => !isFrame || value.includes(reachesTop))
      .map(({ set }) => `<section>${node(set, "t.html", value).render()}</section>`)
  );
  return prelude + sections.join("\n");
}

/** The number of values per document. */
const perDocument = 10;

/**
 * In the page: uses every element, then returns the calls by values and the links that run code.
 */
function useAll(): Promise<readonly [hits: number, urls: readonly string[]]> {
  // deno-lint-ignore no-explicit-any -- the types of a browser are not known here
  const page = globalThis as any;
  page.document.addEventListener("submit", (event: Event) => event.preventDefault());
  page.document.addEventListener("click", (event: Event) => event.preventDefault());
  const urls: string[] = [];
  for (const element of page.document.querySelectorAll("*")) {
    for (const name of ["click", "mouseover", "focus", "error", "load", "toggle"]) {
      element.dispatchEvent(new page.Event(name, { bubbles: name === "click", cancelable: true }));
    }
    for (const name of ["href", "src", "action", "formAction", "data"]) {
      const url = element[name]?.baseVal ?? element[name];
      if (typeof url === "string" && /^(?:javascript|vbscript|data):/i.test(url)) urls.push(url);
    }
  }
  return new Promise((resolve) => setTimeout(() => resolve([page.hits, urls]), 0));
}

testUnless(noChromium, {
  name: "hostile values in every context run no script in Chromium",
  fn: () =>
    withPage(async (page) => {
      await page.route("**/*", (route) => route.abort());
      const found: unknown[] = [];
      // Every run compares the escaped output of each value without a browser.
      const tried = hostileValues.filter((_, at) => isThorough || at % 4 === 0);
      for (let at = 0; at < tried.length; at += perDocument) {
        const values = tried.slice(at, at + perDocument);
        await page.setContent(documentOf(values), { waitUntil: "domcontentloaded" });
        const [hits, urls] = await page.evaluate(useAll);
        if (hits !== 0 || urls.length > 0) found.push([values, hits, urls]);
      }
      assertEquals(found, []);
    }),
});

const slashes = [
  "if (true) /{{.}}/.test('')",
  "for (const a of [1]) /{{.}}/.test(a)",
  "var r = {return: 4}, q; r.return / {{.}}",
  "var i = 1; i++ / {{.}}",
  "var o = {} / 2;\n;f({{.}})",
];

testUnless(noChromium, {
  name: "a value after a slash runs nothing in Chromium, however the slash is read",
  fn: () =>
    withPage(async (page) => {
      const attacks = ["./;pwn();var q=/.", "/;pwn()//", "];pwn();/[", '"/;pwn()//', "*/pwn()/*"];
      const scripts = slashes.flatMap((code) =>
        attacks.map((value) =>
          node(parse(`<script>{${code}}</script>`, { name: "t.html" }), "t.html", value).render()
        )
      );
      await page.setContent(prelude + scripts.join("\n"));
      assertEquals(await page.evaluate(useAll), [0, []]);
    }),
});

/**
 * In the page: parses documents of one frame without showing it, and returns their unexpected
 * content.
 */
function readFrames(texts: readonly string[]): readonly (readonly [at: number, html: string])[] {
  // deno-lint-ignore no-explicit-any -- the types of a browser are not known here
  const page = globalThis as any;
  const read = (text: string): { readonly body: typeof page; readonly names: string } => {
    const { head, body } = new page.DOMParser().parseFromString(text, "text/html");
    const elements = [...head.querySelectorAll("*"), ...body.querySelectorAll("*")];
    return { body, names: elements.map((element) => element.localName).join() };
  };
  return [...texts.entries()].filter(([, text]) => {
    const { body, names } = read(text);
    if (names !== "iframe") return true;
    const [frame] = body.children;
    if (frame.attributes.length === 0) return frame.textContent === "";
    return frame.attributes.length !== 1 || frame.srcdoc === "" || read(frame.srcdoc).names !== "";
  });
}

testUnless(noChromium, {
  name: "500 hostile values in a frame's document create no element and no attribute",
  fn: () =>
    withPage(async (page) => {
      const texts = contexts.filter(({ isFrame }) => isFrame)
        .flatMap(({ set }) => hostileValues.map((value) => node(set, "t.html", value).render()));
      assertEquals(texts.length, 1_500);
      assertEquals(await page.evaluate(readFrames, texts), []);
      const open = [
        '<iframe srcdoc="a<b>b</b>"></iframe>',
        '<iframe srcdoc="a" onload="pwn()"></iframe>',
        '<iframe srcdoc="a"></iframe><script>pwn()</script>',
        "<iframe>a</iframe><script>pwn()</script>",
        '<iframe src="javascript:pwn()">a</iframe>',
        "<iframe></iframe>",
        "<p>a</p>",
      ];
      assertEquals(await page.evaluate(readFrames, open), [...open.entries()]);
    }),
});

testUnless(noChromium, {
  name: "the page detects whether a script in a value runs",
  fn: () =>
    withPage(async (page) => {
      const [value = ""] = hostileValues;
      await page.setContent(`${prelude}<p>${value}</p><a href="javascript:pwn()">x</a>`);
      assertEquals(await page.evaluate(useAll), [1, ["javascript:pwn()"]]);
    }),
});
