import type { Place, ProblemText, Severity } from "../problem.ts";
import type { PossibleValue } from "../project/settings/production.ts";

/** A finding. */
export interface Found extends ProblemText {
  readonly severity: Exclude<Severity, "error">;
  readonly places: readonly Place[];
}

/** The findings, or a few words that name what is in order. */
export type Verdict = readonly Found[] | string;

/** Returns a finding. */
export function found(
  severity: Found["severity"],
  text: ProblemText,
  options: { readonly places?: readonly Place[] } = {},
): Found {
  const { places = [] } = options;
  return { severity, ...text, places };
}

/** Returns the places where code sets the values. */
export function placesOf(values: readonly PossibleValue[]): Place[] {
  return values.flatMap(({ source }) => source.kind === "code" ? [source.place] : []);
}
