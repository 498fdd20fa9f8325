import { type Ctx, type Node, struct, text } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "About",
  },
  pt: {
    title: "About", // translate
  },
});

// if schema
/** The fields of a submission. */
const AboutInput = struct({
  name: text("required,max=80"),
});
// end

/** GET /about/{slug} */
export function Page(c: Ctx<"/about/{slug}">): Node {
  c.title = c.t(messages, "title");
  return h.fragment(
    // if kit:
    ui.pageHeader(c.title),
    // if no kit:
    h.section(h.class("hero"), h.h1(c.title)),
    // each param
    h.p("slug: ", c.param("slug")),
    // end
  );
}

// each handler
/** DELETE /about/{slug} */
export function DELETE(c: Ctx<"/about/{slug}">): Response {
  return c.redirect(c.href("/about/{slug}", {
    // each param
    slug: c.param("slug"),
    // end
  }));
}

/** POST /about/{slug} */
export async function POST(c: Ctx<"/about/{slug}">): Promise<Response> {
  const input = await c.bind(AboutInput);
  c.log.info("received", { fields: Object.keys(input) });
  return c.redirect(c.href("/about/{slug}", {
    // each param
    slug: c.param("slug"),
    // end
  }));
}

// end
