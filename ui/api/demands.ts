/** What an operation asks of a client: its security and its parameters. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import { badge } from "../display.ts";
import { word } from "../labels.ts";
import { destructive, outline, secondary, small } from "../variants.ts";
import { exampleOf, paragraphs } from "./content.ts";
import { apiEntries, apiList, apiMember, type ApiObject, apiText } from "./document.ts";
import { type SchemaView, showSchema } from "./schema.ts";

/** Shows what a client must have. */
export function showSecurity(source: ApiObject, document: unknown): Node {
  const requirements = apiList(
    apiMember(source, "security") ?? apiMember(document, "security"),
  ).map((requirement) =>
    apiEntries(requirement).map(([name, scopes]) => {
      const list = apiList(scopes).filter((scope) => typeof scope === "string");
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
          h.code(apiText(parameter, "name") ?? ""),
          badge(small, outline, apiText(parameter, "in") ?? ""),
          apiMember(parameter, "required") === true && badge(small, secondary, word("required")),
          apiMember(parameter, "deprecated") === true &&
            badge(small, destructive, word("deprecated")),
        ),
        h.dd(
          showSchema(apiMember(parameter, "schema"), view),
          paragraphs(apiText(parameter, "description")),
          exampleOf(apiMember(parameter, "example")),
        ),
      )),
  );
}
