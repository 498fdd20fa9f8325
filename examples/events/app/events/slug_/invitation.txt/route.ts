import type { Ctx } from "@fw/fw";
import { findEvent } from "@/lib/events/saving.ts";
import { Slug } from "@/lib/slug.ts";
import { invitation } from "@/views/print/programme.ts";

/** GET /events/{slug}/invitation.txt */
export async function GET(c: Ctx<"/events/{slug}/invitation.txt">): Promise<Response> {
  return c.text(200, await invitation(c, await findEvent(c, c.param("slug", Slug))));
}
