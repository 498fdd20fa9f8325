/** The contents, headers, examples and texts of an operation. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import { word } from "../labels.ts";
import { shownJson } from "../chat/shown_json.js";
import { apiEntries, apiMember, apiText, follow } from "./document.ts";
import { type SchemaView, showSchema, typeOf, valueText } from "./schema.ts";

/** The document that parts refer to, and how its schemas are shown. */
interface Parts {
  readonly document: unknown;
  readonly view: SchemaView;
}

/** Shows the headers of a response. */
export function showHeaders(
  headers: readonly (readonly [string, unknown])[],
  { document, view }: Parts,
): Node {
  return headers.length === 0 ? h.fragment() : h.dl(
    h.class("ui-api-members"),
    h.map(headers, ([name, value]) => {
      const header = follow(document, value);
      return h.fragment(
        h.dt(h.code(name)),
        h.dd(
          showSchema(apiMember(header, "schema"), view),
          paragraphs(apiText(header, "description")),
        ),
      );
    }),
  );
}

/** Shows a body by its media types. */
export function showContents(content: unknown, { document, view }: Parts): Node {
  return h.map([...apiEntries(content)], ([mediaType, value]) => {
    const media = follow(document, value);
    const examples = apiEntries(apiMember(media, "examples")).map(([, example]) =>
      apiMember(follow(document, example), "value")
    );
    return h.div(
      h.class("ui-api-content"),
      h.p(h.code(mediaType)),
      apiMember(media, "schema") !== undefined && showSchema(apiMember(media, "schema"), view),
      h.map(
        [...apiEntries(apiMember(media, "x-events"))],
        ([name, schema]) => h.p(h.code(`event: ${name}`), " ", typeOf(schema, view, 0)),
      ),
      h.map([apiMember(media, "example"), ...examples], exampleOf),
    );
  });
}

/** The most characters of a text. */
export const maxTextChars = 10_000;

/** Returns texts as paragraphs: a blank line starts another. */
export function paragraphs(...texts: readonly (string | undefined)[]): Node {
  const parts = texts.flatMap((text) => text?.slice(0, maxTextChars).split(/\n\s*\n/) ?? []);
  return h.map(parts.filter((part) => part.trim() !== ""), (part) => h.p(part));
}

/** Returns an example as code; nothing without one. */
export function exampleOf(value: unknown): Node {
  if (value === undefined) return h.fragment();
  const text = typeof value === "object" ? shownJson(value) : valueText(value);
  return h.pre(
    h.tabindex(0),
    h.aria("label", word("example")),
    h.role("region"),
    h.code(text.slice(0, maxTextChars)),
  );
}
