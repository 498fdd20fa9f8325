/**
 * Compares what two documents say of the whole API: security schemes and servers.
 *
 * @module
 */
import { entriesOf, listOf, memberOf, textOf } from "../../project/json.ts";
import { followReferences } from "../document/values.ts";
import type { ChangePlace } from "./change.ts";
import type { Changes } from "./changes.ts";
import { shown } from "./shown.ts";

const documentPlace: ChangePlace = { part: "operation" };

/** Compares the security schemes of two documents. */
export function compareSecuritySchemes(changes: Changes): void {
  const [before, after] = [changes.documents.before, changes.documents.after].map((document) => {
    const schemes = memberOf(memberOf(document, "components"), "securitySchemes");
    return new Map(
      entriesOf(schemes).map(([name, scheme]) => [
        name,
        followReferences(document, scheme),
      ]),
    );
  });
  for (const [name, scheme] of before ?? []) {
    const other = after?.get(name);
    const [from, to] = [schemeText(scheme), schemeText(other)];
    if (from === to) continue;
    changes.add("", documentPlace, {
      kind: other === undefined ? "scheme removed" : "scheme changed",
      level: other === undefined ? "notice" : "breaking",
      name,
      from,
      to,
    });
  }
}

/** Lists the servers that are gone. */
export function compareServers(changes: Changes): void {
  const [before, after] = [changes.documents.before, changes.documents.after].map((document) =>
    listOf(memberOf(document, "servers")).flatMap((each) => textOf(memberOf(each, "url")) ?? [])
  );
  for (const url of before ?? []) {
    if (after?.includes(url)) continue;
    changes.add("", documentPlace, { kind: "server removed", level: "notice", name: url });
  }
}

/** Returns what a client must know of a security scheme. */
function schemeText(scheme: unknown): string {
  const names = ["type", "in", "name", "scheme", "openIdConnectUrl"];
  const parts = names.map((name) => memberOf(scheme, name));
  return parts.filter((part) => part !== undefined)
    .map((part) => typeof part === "string" ? part : shown(part)).join(" ");
}
