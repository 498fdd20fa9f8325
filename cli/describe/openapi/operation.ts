import type ts from "npm:typescript@6.0.3";
import type { Components } from "./schemas/components.ts";
import { mediaTypes, type Operation, type ResponseObject, type Schema } from "./document.ts";
import { applyDirectives } from "./apply_directives.ts";
import { type Compiler, nodePlace } from "../../facts/compiler.ts";
import type { ApiHandler } from "../../facts/handlers.ts";
import type { InputSchemas } from "./schemas/input_schemas.ts";
import { pathParameters, queryParameters, requestBody } from "./parameters.ts";
import type { Reporter } from "./reporter.ts";
import { buildResponses } from "./responses.ts";
import type { SecuritySchemes } from "./security.ts";
import type { TypeSchemas } from "./schemas/type_schema.ts";
import { isWriteMethod } from "../../project/routes/convention_file.ts";

export interface OperationOptions {
  readonly compiler: Compiler;
  readonly components: Components;
  readonly types: TypeSchemas;
  readonly inputs: InputSchemas;
  readonly security: SecuritySchemes;
  readonly reporter: Reporter;
  readonly problem: Schema;
  /** Routes check the CSRF token whatever their kind. */
  readonly isCsrfForApi: boolean;
  readonly isLimited: boolean;
  readonly uniqueId: (wanted: string) => string;
}

export function buildOperation(handler: ApiHandler, options: OperationOptions): Operation {
  return new OperationBuilder(handler, options).build();
}

class OperationBuilder {
  readonly #handler: ApiHandler;
  readonly #options: OperationOptions;
  readonly #label: string;

  constructor(handler: ApiHandler, options: OperationOptions) {
    this.#handler = handler;
    this.#options = options;
    this.#label = `${handler.method} ${handler.route.pattern}`;
  }

  build(): Operation {
    const { route, method, comment, effects, outer } = this.#handler;
    const { inputs, security, uniqueId } = this.#options;
    const checksCsrf = this.#checksCsrf();
    const parameters = [
      ...pathParameters(this.#handler, inputs),
      ...queryParameters([...outer, ...effects], inputs),
    ];
    const responses = this.#responses(checksCsrf);
    const body = requestBody(this.#handler, inputs);
    const operation: Operation = {
      operationId: uniqueId(operationIdOf(method, route.pattern)),
      // Without a comment the summary is the route, as lists of operations need a string.
      summary: comment.summary === "" ? this.#label : comment.summary,
      ...(comment.description === "" ? {} : { description: comment.description }),
      ...(comment.isDeprecated ? { deprecated: true as const } : {}),
      tags: [defaultTag(route.pattern)],
      security: security.requirementsOf([...outer, ...effects]),
      ...(checksCsrf ? { "x-csrf": true as const } : {}),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: body }),
      responses,
    };
    applyDirectives(operation, {
      handler: this.#handler,
      ...this.#options,
      errors: this.#errorContent(),
    });
    this.#applyExamples(operation);
    this.#checkKnown(operation);
    operation.responses = withDefault(operation.responses, this.#errorContent());
    return operation;
  }

  #checksCsrf(): boolean {
    const { route, method } = this.#handler;
    return route.checksCsrf && isWriteMethod(method) &&
      (route.kind === "page" || this.#options.isCsrfForApi);
  }

  #responses(checksCsrf: boolean): Record<string, ResponseObject> {
    const { route, method, effects, outer } = this.#handler;
    const { problem, isLimited, reporter } = this.#options;
    return buildResponses({
      effects,
      outer,
      isPage: route.kind === "page",
      isRead: !isWriteMethod(method),
      checksCsrf,
      hasBody: isWriteMethod(method) && method !== "DELETE",
      hasParams: route.params.length > 0,
      isLimited,
      problem,
      describe: (type, { node, label }) => this.#describe(type, { node, label }),
      reportStatus: (node) =>
        reporter.error(
          "E_OPENAPI_STATUS",
          nodePlace(node),
          reporter.texts.status(this.#label, this.#handler.route.file.path),
        ),
    });
  }

  #describe(type: ts.Type, at: { readonly node: ts.Node; readonly label: string }): Schema {
    const { types, reporter } = this.#options;
    return types.schemaOf(type, ({ path, type: written }) => {
      const { path: file } = this.#handler.route.file;
      const text = reporter.texts.undeclared(this.#label, file, written, at.label, path);
      reporter.error("E_OPENAPI_TYPE", nodePlace(at.node), text);
    });
  }

  #errorContent(): ResponseObject["content"] {
    return this.#handler.route.kind === "page"
      ? { [mediaTypes.html]: { schema: { type: "string" } } }
      : { [mediaTypes.problem]: { schema: this.#options.problem } };
  }

  #applyExamples(operation: Operation): void {
    for (const { label, text } of this.#handler.comment.examples) {
      const value = parseExample(text);
      if (value === undefined) continue;
      const media = label === "request"
        ? operation.requestBody?.content[mediaTypes.json]
        : responseMedia(operation, label);
      if (media !== undefined) media.example = value.value;
    }
  }

  /** A handler of a package, or a response of unknown make, tells nothing by itself. */
  #checkKnown({ responses }: Operation): void {
    // The redirect of a guard says nothing about the handler.
    const isGuard = this.#handler.outer.some(({ kind }) => kind === "guard");
    const own = Object.keys(responses).map(Number).filter((status) =>
      status < 400 && !(isGuard && (status === 302 || status === 303))
    );
    if (own.length > 0) return;
    const { reporter } = this.#options;
    const { place, route } = this.#handler;
    reporter.warn(
      "E_OPENAPI_RESPONSE",
      place,
      reporter.texts.noResponse(this.#label, route.file.path),
    );
  }
}

function withDefault(
  responses: Record<string, ResponseObject>,
  content: ResponseObject["content"],
): Record<string, ResponseObject> {
  const sorted = Object.entries(responses).sort(([a], [b]) => Number(a) - Number(b));
  return {
    ...Object.fromEntries(sorted),
    default: {
      description: "Any other error.",
      ...(content === undefined ? {} : { content }),
    },
  };
}

function responseMedia({ responses }: Operation, label: string): { example?: unknown } | undefined {
  const status = label !== ""
    ? label
    : Object.keys(responses).find((each) => responses[each]?.content?.[mediaTypes.json]);
  const content = responses[status ?? ""]?.content;
  return content?.[mediaTypes.json] ?? content?.[mediaTypes.problem];
}

function parseExample(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // An example of code, such as a call of the API.
    return undefined;
  }
}

/** `GET /api/events/{slug}` is `getApiEventsBySlug`. */
function operationIdOf(method: string, pattern: string): string {
  const words = pattern.split("/").filter((part) => part !== "").map((part) => {
    const name = /^\{(\w+)(?:\.\.\.)?\}$/.exec(part)?.[1];
    const word = (name ?? part).split(/[^\p{L}\p{N}]+/u).map(capitalized).join("");
    return name === undefined ? word : `By${word}`;
  });
  const id = method.toLowerCase() + words.join("");
  return id.replace(/[^A-Za-z0-9]/g, "") || method.toLowerCase();
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function defaultTag(pattern: string): string {
  const fixed = pattern.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  return fixed.at(-1) ?? "default";
}
