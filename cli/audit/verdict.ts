/**
 * What a check of the audit says.
 *
 * @module
 */
import type { Place, ProblemText, Severity } from "../problem.ts";
import type { PossibleValue } from "../project/settings/production.ts";

/** Something about which something must be done. */
export interface Found extends ProblemText {
  /** How bad it is. */
  readonly severity: Exclude<Severity, "error">;
  /** Where; empty where it has no place in a file. */
  readonly places: readonly Place[];
}

/** What was found, or a few words that name what is in order. */
export type Verdict = readonly Found[] | string;

/**
 * Makes one finding.
 *
 * @param severity How bad it is.
 * @param text What is wrong and what to do.
 * @param options `places`: where. @default []
 */
export function found(
  severity: Found["severity"],
  text: ProblemText,
  options: { readonly places?: readonly Place[] } = {},
): Found {
  const { places = [] } = options;
  return { severity, ...text, places };
}

/** Where code sets a value; nothing for a default and a variable. */
export function placesOf(values: readonly PossibleValue[]): Place[] {
  return values.flatMap(({ source }) => source.kind === "code" ? [source.place] : []);
}
