import type { Child, Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** GET / */
export function Page(c: Ctx): Node {
  return h.div(
    // Only in English, also in an application with several languages: replace this page.
    h.lang("en"),
    h.section(
      h.class("hero"),
      h.p(h.class("badge live"), "Running on ", c.url.host),
      h.h1("Your app is running"),
      h.p(
        h.class("lead"),
        "This page is ",
        h.code("app/page.ts"),
        ". Change a word there, save, and watch this window follow.",
      ),
    ),
    h.ol(
      h.class("steps"),
      step(
        "Add a page",
        "A folder is a URL. Write one by hand, or let the tool do it.",
        "deno task generate page /about",
      ),
      step(
        "Take a form",
        "Schema, messages and protection against forged posts included.",
        "deno task generate page /contact --form",
      ),
      step(
        "Serve data",
        [
          "A ",
          h.code("route.ts"),
          " answers programs, as ",
          h.a(!c.isExport && h.href(c.href("/api/hello")), "/api/hello"),
          " does.",
        ],
        "deno task generate route /api/items",
      ),
    ),
  );
}

function step(title: string, text: Child, command: string): Node {
  return h.li(h.div(h.h2(title), h.p(text)), h.pre(h.code(command)));
}
