import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** GET / */
export function Page(c: Ctx): Node {
  return h.fragment(
    h.section(
      h.class("hero"),
      // Only in English, also in an application with several languages: replace this page.
      h.lang("en"),
      h.p(h.class("badge"), "Welcome"),
      h.h1("Your app is running"),
      h.p(
        h.class("lead"),
        "This page comes from ",
        h.code("app/page.ts"),
        ". Save a change there and watch the browser follow.",
      ),
    ),
    h.section(
      h.class("cards"),
      h.lang("en"),
      card(
        "Add a page",
        "A folder is a URL. Write one by hand, or let the tool do it:",
        "deno task generate page /about",
      ),
      card(
        "Take a form",
        "Schema, messages and protection against forged posts included:",
        "deno task generate page /contact --form",
      ),
      card(
        "Serve data",
        h.fragment(
          "A ",
          h.code("route.ts"),
          " answers programs, as ",
          h.a(!c.isExport && h.href(c.href("/api/hello")), "/api/hello"),
          " does:",
        ),
        "deno task generate route /api/items",
      ),
    ),
  );
}

function card(title: string, text: Node | string, command: string): Node {
  return h.article(h.class("card"), h.h2(title), h.p(text), h.pre(h.code(command)));
}
