import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";

/** GET / */
export function Page(c: Ctx): Node {
  // Until you write a page of your own, also in an application with several languages.
  return h.div(
    h.lang("en"),
    ui.pageHeader("Your app is running"),
    h.p(
      "This page comes from ",
      h.code("app/page.ts"),
      ". Save a change there and watch the browser follow.",
    ),
    ui.grid(
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
        "Keep rows",
        "List, form and store on SQLite, with a migration and a test:",
        "deno task generate resource notes title:text,required",
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
  return ui.card(ui.cardHeader(h.h2(title)), h.p(text), h.p(h.code(command)));
}
