import type { Compiler } from "../../facts/compiler.ts";
import type { Messages } from "../../messages/catalog.ts";
import type { Place, ProblemText } from "../../problem.ts";
import type { Route } from "../../project/routes/table.ts";
import type { Schema } from "./document.ts";
import type { InputSchemas } from "./schemas/input_schemas.ts";
import type { DescribeType } from "./schemas/type_schema.ts";

export interface ApiContext {
  readonly compiler: Compiler;
  readonly describeType: DescribeType;
  readonly inputs: InputSchemas;
  /** The security schemes by name, as the operations add them. */
  readonly security: Map<string, Schema>;
  readonly texts: Messages["openapi"];
  readonly report: (
    code: `E_OPENAPI_${string}`,
    place: Place,
    text: ProblemText,
    severity?: "error" | "warning",
  ) => void;
  readonly errorsOf: (route: Route) => { readonly media: string; readonly schema: Schema };
  readonly isCsrfForApi: boolean;
  readonly isLimited: boolean;
}
