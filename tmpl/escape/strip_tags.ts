/** The text of some HTML, for places that hold no tags. */

import { type Context, textContext } from "./context.ts";
import { endOfText } from "./edit_text.ts";
import { hasContent, move, step } from "./transition.ts";

/** Drops the tags and comments of a fragment; character references stay what they are. */
export function stripTags(html: string): string {
  if (!html.includes("<")) return html;
  const piece = { source: html, end: html.length };
  let context: Context = textContext;
  let out = "";
  let isAllText = true;
  for (let at = 0; at < html.length;) {
    if (context.delimiter !== "None") {
      const moved = move({ ...context, state: "Attr" }, html, at);
      if (moved.context.delimiter !== "None" || moved.context.state === "Error") {
        context = { ...context, state: "Error" };
        break;
      }
      context = { ...moved.context, element: context.element };
      at = moved.at;
      continue;
    }
    const isContent = hasContent(context);
    const moved = isContent
      ? move({ ...context, state: "RCDATA" }, html, at)
      : step(context, piece, at);
    const next = isContent && moved.context.state === "RCDATA" ? context : moved.context;
    // Scripts and styles are dropped.
    if (["Text", "RCDATA", "RawText"].includes(context.state)) {
      out += html.slice(
        at,
        endOfText(html, { at, end: moved.at, hasChanged: next.state !== context.state }),
      );
    } else isAllText = false;
    context = next;
    if (context.state === "Error") break;
    at = moved.at;
  }
  return isAllText ? html : out;
}
