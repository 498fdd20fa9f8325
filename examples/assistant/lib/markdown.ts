import { type Node, raw } from "@fw/fw/h";
// @ts-types="npm:@types/markdown-it@14.1.2"
import MarkdownIt from "npm:markdown-it@14.1.0";

// HTML is shown as text. Images are not loaded, because they would reveal readers to other sites.
const parser = new MarkdownIt({ html: false, linkify: true }).disable("image");

const renderLink = parser.renderer.rules.link_open ??
  ((tokens, index, options, _, self) => self.renderToken(tokens, index, options));
parser.renderer.rules.link_open = (tokens, index, ...rest) => {
  tokens[index]?.attrSet("rel", "noopener noreferrer nofollow");
  return renderLink(tokens, index, ...rest);
};

/** Renders Markdown written by a model. */
export function markdown(text: string): Node {
  return raw(parser.render(text));
}
