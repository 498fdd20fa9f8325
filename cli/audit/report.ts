/**
 * Makes findings.
 *
 * @module
 */
import type { ProblemText } from "../project/problem.ts";
import type { PossibleValue } from "../project/settings/production.ts";
import type { Finding, FindingId, FindingPlace, Severity } from "./finding.ts";

/** A finding about which something must be done. */
export function found(
  id: FindingId,
  severity: Exclude<Severity, "ok">,
  about: { readonly text: ProblemText; readonly places?: readonly FindingPlace[] },
): Finding {
  const { text: { message, fix }, places = [] } = about;
  return { id, severity, message, fix, ...(places.length === 0 ? {} : { places }) };
}

/** Something that is in order. */
export function fine(id: FindingId, message: string): Finding {
  return { id, severity: "ok", message };
}

/** Where code sets a value; nothing for a default and a variable. */
export function placesOf(values: readonly PossibleValue[]): FindingPlace[] {
  return values.flatMap(({ source }) => source.kind === "code" ? [source.place] : []);
}
