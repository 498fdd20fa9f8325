import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Place, type Problem, type ProblemText } from "../../problem.ts";

export type OpenApiCode = Extract<Problem["code"], `E_OPENAPI_${string}`>;

export interface Reporter {
  readonly texts: Messages["openapi"];
  error(code: OpenApiCode, place: Place, text: ProblemText): void;
  warn(code: OpenApiCode, place: Place, text: ProblemText): void;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export function createReporter(texts: Messages["openapi"]): Reporter {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  return {
    texts,
    error: (code, place, text) => void problems.push(errorAt(place, code, text)),
    warn: (code, place, text) =>
      void warnings.push({ ...errorAt(place, code, text), severity: "warning" }),
    problems,
    warnings,
  };
}
