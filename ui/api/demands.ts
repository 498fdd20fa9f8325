/** What an operation asks of a client: its security and its parameters. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import { badge } from "../display.ts";
import { word } from "../labels.ts";
import { destructive, outline, secondary, small } from "../variants.ts";
import { exampleOf, paragraphs } from "./content.ts";
import { type ApiObject, entriesOf, listOf, memberOf, textOf } from "./document.ts";
import { type SchemaView, showSchema } from "./schema.ts";

/** Shows what a client must have. */
export function showSecurity(source: ApiObject, document: unknown): Node {
  const requirements = listOf(
    memberOf(source, "security") ?? memberOf(document, "security"),
  ).map((requirement) =>
    entriesOf(requirement).map(([name, scopes]) => {
      const list = listOf(scopes).filter((scope) => typeof scope === "string");
      return list.length === 0 ? name : `${name} (${list.join(", ")})`;
    }).join(" + ")
  ).filter((text) => text !== "");
  return requirements.length === 0 ? h.fragment() : h.p(
    h.class("ui-api-security"),
    `${word("security")}: `,
    h.mapIndex(
      requirements,
      (text, at) => h.fragment(at > 0 && " / ", badge(outline, small, text)),
    ),
  );
}

/** Shows the parameters of an operation. */
export function showParameters(parameters: readonly ApiObject[], view: SchemaView): Node {
  return h.dl(
    h.class("ui-api-members"),
    h.map(parameters, (parameter) =>
      h.fragment(
        h.dt(
          h.code(textOf(parameter, "name") ?? ""),
          badge(small, outline, textOf(parameter, "in") ?? ""),
          memberOf(parameter, "required") === true && badge(small, secondary, word("required")),
          memberOf(parameter, "deprecated") === true &&
            badge(small, destructive, word("deprecated")),
        ),
        h.dd(
          showSchema(memberOf(parameter, "schema"), view),
          paragraphs(textOf(parameter, "description")),
          exampleOf(memberOf(parameter, "example")),
        ),
      )),
  );
}
