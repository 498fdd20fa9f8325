/** The state that is shared while an API is described. */
import type { Compiler } from "../../facts/compiler.ts";
import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Place, type Problem, type ProblemText } from "../../problem.ts";
import type { Route } from "../../project/routes/table.ts";
import type { Schema } from "./document.ts";
import type { InputSchemas } from "./schemas/input_schemas.ts";
import type { DescribeType } from "./schemas/type_schema.ts";

type OpenApiCode = `E_OPENAPI_${string}`;

export class Reporter {
  readonly texts: Messages["openapi"];
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];

  constructor(texts: Messages["openapi"]) {
    this.texts = texts;
  }

  error(code: OpenApiCode, place: Place, text: ProblemText): void {
    this.problems.push(errorAt(place, code, text));
  }

  warn(code: OpenApiCode, place: Place, text: ProblemText): void {
    this.warnings.push({ ...errorAt(place, code, text), severity: "warning" });
  }
}

export interface ApiContext {
  readonly compiler: Compiler;
  readonly describeType: DescribeType;
  readonly inputs: InputSchemas;
  /** The security schemes by name, as the operations add them. */
  readonly security: Map<string, Schema>;
  readonly reporter: Reporter;
  /** Returns the body of the errors of a route. */
  readonly errorsOf: (route: Route) => { readonly media: string; readonly schema: Schema };
  readonly isCsrfForApi: boolean;
  readonly isLimited: boolean;
}
