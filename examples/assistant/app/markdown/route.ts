import type { Ctx } from "@fw/fw";
import { markdown } from "@/lib/markdown.ts";

/** Renders an answer that the script of the chat has shown as text while it came. */
export async function POST(c: Ctx): Promise<Response> {
  return c.html(200, markdown(await c.form("text") ?? ""));
}
