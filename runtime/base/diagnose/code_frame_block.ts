import * as h from "../../../html/mod.ts";
import type { Node } from "../../../html/node.ts";
import type { CodeFrame } from "./code_frame.ts";

/** Shows a frame on a page that has the style of the error pages. */
export function frameBlock(frame: CodeFrame): Node {
  return h.pre(
    h.class("frame"),
    h.attr("tabindex", "0"),
    h.code(frame.lines.map(({ number, text }) => {
      const isMarked = number === frame.line;
      return h.fragment(
        h.span(
          h.class("row", isMarked ? "marked" : ""),
          h.span(h.class("number"), number),
          text === "" ? " " : text,
        ),
        isMarked ? caretRow(frame.column) : null,
      );
    })),
  );
}

function caretRow(column: number): Node {
  return h.span(
    h.class("row marked"),
    h.span(h.class("number"), " "),
    " ".repeat(column - 1),
    h.span(h.class("caret"), "^"),
  );
}
