import { type Ctx, type Node, struct, text } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Guides",
  },
  pt: {
    title: "Guides",
  },
});

// if schema
/** What a submission must hold. */
const GuidesInput = struct({
  name: text("required,max=80"),
});
// end

/** GET /guides/{slug} */
export function Page(c: Ctx<"/guides/{slug}">): Node {
  c.title = c.t(messages, "title");
  return (
    <>
      {ui.pageHeader(c.title)}
      {/* each param */}
      <p>slug: {c.param("slug")}</p>
      {/* end */}
    </>
  );
}

// each handler
/** DELETE /guides/{slug} */
export function DELETE(c: Ctx<"/guides/{slug}">): Response {
  return c.redirect(c.href("/guides/{slug}", {
    // each param
    slug: c.param("slug"),
    // end
  }));
}

/** POST /guides/{slug} */
export async function POST(c: Ctx<"/guides/{slug}">): Promise<Response> {
  const input = await c.bind(GuidesInput);
  c.log.info("received", { fields: Object.keys(input) });
  return c.redirect(c.href("/guides/{slug}", {
    // each param
    slug: c.param("slug"),
    // end
  }));
}

// end
