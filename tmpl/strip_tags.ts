/** The text of some HTML, for places that hold no tags. */

import { type Context, isInTag, textContext } from "./context.ts";
import { move, step } from "./transition.ts";

/**
 * Drops the tags and comments of a fragment; character references stay what they are.
 *
 * @param html The fragment.
 */
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
    const isContent = context.element !== "" && !isInTag(context.state) &&
      context.state !== "AfterName" && context.state !== "BeforeValue";
    const moved = isContent
      ? move({ ...context, state: "RCDATA" }, html, at)
      : step(context, piece, at);
    const next = isContent && moved.context.state === "RCDATA" ? context : moved.context;
    // Of code nothing is kept.
    if (["Text", "RCDATA", "RawText"].includes(context.state)) {
      out += html.slice(at, next.state === context.state ? moved.at : textEnd(html, at, moved.at));
    } else isAllText = false;
    context = next;
    if (context.state === "Error") break;
    at = moved.at;
  }
  return isAllText ? html : out;
}

/** Where the text before a tag or comment ends. */
function textEnd(html: string, from: number, to: number): number {
  const open = html.lastIndexOf("<", to - 1);
  return open >= from ? open : to;
}
