import type { Ctx } from "@fw/fw";
import { markdown } from "@/lib/markdown.ts";

/** Renders the Markdown of an answer, which the chat shows as plain text while it streams. */
export async function POST(c: Ctx): Promise<Response> {
  return c.html(200, markdown(await c.form("text") ?? ""));
}
