import { type Ctx, struct, text } from "@fw/fw";

// if schema
/** The fields of the body. */
export const ItemsInput = struct({
  name: text("required,max=80"),
});
// end

// each handler
/** GET /api/items/{slug} */
export function GET(c: Ctx<"/api/items/{slug}">): Response {
  return c.json(200, {
    // if no param
    ok: true,
    // end
    // each param
    slug: c.param("slug"),
    // end
  });
}

/** DELETE /api/items/{slug} */
export function DELETE(c: Ctx<"/api/items/{slug}">): Response {
  return c.noContent();
}

/** POST /api/items/{slug} */
export async function POST(c: Ctx<"/api/items/{slug}">): Promise<Response> {
  const input = await c.bind(ItemsInput);
  return c.json(201, {
    ...input,
    // each param
    slug: c.param("slug"),
    // end
  });
}

// end
