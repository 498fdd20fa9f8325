/**
 * Compares what an operation requires of its caller.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { requirementText } from "../document/operations.ts";
import { memberOf, textsOf } from "../../project/json.ts";
import type { ChangeFacts } from "./change.ts";

/**
 * Compares the alternatives of two operations. A caller that met one of the older ones must still meet one
 * of the newer: it has the same schemes, and at least the same scopes.
 *
 * @param before Each object is an alternative; an empty one, or none at all, lets everyone call.
 */
export function compareSecurity(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): ChangeFacts[] {
  const [own, other] = [alternativesOf(before), alternativesOf(after)];
  const lost = own.filter((each) => !other.some((requirement) => satisfies(each, requirement)));
  const texts = {
    from: own.map(requirementName).join(" or "),
    to: other.map(requirementName).join(" or "),
  };
  if (lost.length > 0) return [{ kind: "security added", level: "breaking", ...texts }];
  const gained = other.some((each) => !own.some((requirement) => satisfies(each, requirement)));
  return gained ? [{ kind: "security removed", level: "compatible", ...texts }] : [];
}

function alternativesOf(requirements: readonly JsonObject[]): readonly JsonObject[] {
  return requirements.length === 0 ? [{}] : requirements;
}

/** Reports whether a caller with these credentials meets a requirement. */
function satisfies(credentials: JsonObject, requirement: JsonObject): boolean {
  return Object.keys(requirement).every((name) => {
    if (!Object.hasOwn(credentials, name)) return false;
    const scopes = new Set(textsOf(memberOf(credentials, name)));
    return textsOf(memberOf(requirement, name)).every((scope) => scopes.has(scope));
  });
}

function requirementName(requirement: JsonObject): string {
  return requirementText(requirement) || "none";
}
