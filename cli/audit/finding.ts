/**
 * What an audit finds.
 *
 * @module
 */
import type { ProblemText } from "../problem.ts";
import type { PossibleValue } from "../project/settings/production.ts";

/** How bad a finding is; `ok` is none. */
export type Severity = "critical" | "warning" | "info" | "ok";

/** Every severity, the worst first. */
export const severities: readonly Severity[] = ["critical", "warning", "info", "ok"];

/** A place in a file of the project. */
export interface FindingPlace {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  /** The line, from 1; absent where the whole file is meant. */
  readonly line?: number;
  /** The column, from 1. */
  readonly column?: number;
}

/** One thing that was looked at. */
export interface Finding {
  /** A name that does not change with the language or the wording. */
  readonly id: FindingId;
  /** How bad it is. */
  readonly severity: Severity;
  /** What was found. */
  readonly message: string;
  /** What to do about it; absent where nothing is to be done. */
  readonly fix?: string;
  /** Where. */
  readonly places?: readonly FindingPlace[];
}

/** Every name of a finding, in the order in which they are looked for. */
export const findingIds = [
  "settings",
  "env",
  "variables",
  "env-file",
  "secret",
  "token",
  "metrics",
  "trusted",
  "proxies",
  "hosts",
  "headers",
  "health",
  "generated",
  "kinds",
  "csrf",
  "start",
  "permissions",
  "env-access",
  "lock",
  "dependency-age",
  "versions",
  "deno",
  "lint",
  "types",
  "vulnerabilities",
] as const;

/** The name of a finding. */
export type FindingId = typeof findingIds[number];

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
