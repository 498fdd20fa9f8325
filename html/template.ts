import { element } from "./build.ts";
import type { Child, Node } from "./node.ts";
/** `html`: the root element. */
export function html(...children: Child[]): Node {
  return element("<html", "</html>", children);
}
