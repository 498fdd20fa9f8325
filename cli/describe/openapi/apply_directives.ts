import { STATUS_TEXT } from "@std/http/status";
import { namedSchema } from "./directives.ts";
import type { Directive } from "../../facts/doc_comment.ts";
import {
  mediaTypes,
  type Operation,
  type Parameter,
  type ResponseObject,
  type Schema,
} from "./document.ts";
import type { Compiler } from "../../facts/compiler.ts";
import type { ApiHandler } from "../../facts/handlers.ts";
import type { InputSchemas } from "./schemas/input_schemas.ts";
import type { Reporter } from "./reporter.ts";
import { contentSchema } from "./responses.ts";
import type { TypeSchemas } from "./schemas/type_schema.ts";

export interface DirectiveContext {
  readonly handler: ApiHandler;
  readonly compiler: Compiler;
  readonly types: TypeSchemas;
  readonly inputs: InputSchemas;
  readonly reporter: Reporter;
  readonly errors: ResponseObject["content"];
}

export class DirectiveReader {
  readonly #context: DirectiveContext;

  constructor(context: DirectiveContext) {
    this.#context = context;
  }

  #label(): string {
    const { method, route } = this.#context.handler;
    return `${method} ${route.pattern}`;
  }

  apply(operation: Operation): void {
    const tags: string[] = [];
    for (const directive of this.#context.handler.comment.directives) {
      switch (directive.name) {
        case "tag":
          if (directive.text !== "") tags.push(directive.text);
          break;
        case "response":
          this.#addResponse(operation, directive);
          break;
        case "body":
          this.#addBody(operation, directive);
          break;
        case "query":
          this.#addQuery(operation, directive);
          break;
        default:
          this.#report(directive, "name");
      }
    }
    if (tags.length > 0) operation.tags = tags;
  }

  #addResponse(operation: Operation, directive: Directive): void {
    const [, status = "", type = ""] = /^([1-5]\d\d)(?:\s+(.+))?$/.exec(directive.text) ?? [];
    if (status === "") return this.#report(directive, "response");
    const title = STATUS_TEXT[Number(status)] ?? `Status ${status}`;
    const known = operation.responses[status];
    const hasNoBody = type === "" && Number(status) < 400;
    const content = hasNoBody
      ? undefined
      : type === ""
      ? this.#context.errors
      : this.#contentOf(type, directive);
    operation.responses[status] = {
      ...(known ?? { description: title }),
      ...(content === undefined ? {} : { content: { ...withoutAny(known?.content), ...content } }),
    };
  }

  /** A media type stands for itself, any other type for JSON. */
  #contentOf(type: string, directive: Directive): ResponseObject["content"] {
    if (/^[\w.+*-]+\/[\w.+*-]+$/.test(type)) return { [type]: { schema: contentSchema(type) } };
    const schema = this.#typeSchema(type, directive);
    return schema === undefined ? {} : { [mediaTypes.json]: { schema } };
  }

  #addBody(operation: Operation, directive: Directive): void {
    const content = this.#contentOf(directive.text, directive);
    if (directive.text === "" || content === undefined) return this.#report(directive, "body");
    operation.requestBody = {
      required: true,
      content: { ...operation.requestBody?.content, ...content },
    };
  }

  #addQuery(operation: Operation, directive: Directive): void {
    const [, name = "", type = "", description = ""] =
      /^(\S+)\s+((?:"[^"]*"(?:\s*\|\s*)?)+|\S+(?:\s*\|\s*\S+)*)(?:\s+(.+))?$/.exec(
        directive.text,
      ) ?? [];
    if (name === "") return this.#report(directive, "query");
    const schema = this.#typeSchema(type, directive);
    if (schema === undefined) return;
    const parameter: Parameter = {
      name: name.replace(/!$/, ""),
      in: "query",
      ...(description === "" ? {} : { description }),
      ...(name.endsWith("!") ? { required: true } : {}),
      schema,
    };
    const others = (operation.parameters ?? []).filter((each) =>
      each.in !== "query" || each.name !== parameter.name
    );
    operation.parameters = [...others, parameter];
  }

  #typeSchema(text: string, directive: Directive): Schema | undefined {
    const { compiler, handler } = this.#context;
    const scope = compiler.program.getSourceFile(handler.route.file.path);
    const reportType = (name: string): void => this.#reportType(name, directive);
    return scope && namedSchema(text, { ...this.#context, scope, reportType });
  }

  #reportType(type: string, { line }: Directive): void {
    const { reporter } = this.#context;
    const { path: file } = this.#context.handler.route.file;
    const text = reporter.texts.directiveType(this.#label(), file, type);
    reporter.error("E_OPENAPI_TYPE", { file, line }, text);
  }

  #report({ name, text, line }: Directive, like: keyof typeof directiveExamples): void {
    const { reporter } = this.#context;
    const { path: file } = this.#context.handler.route.file;
    const shown = `openapi:${name} ${text}`.trim();
    const problem = reporter.texts.directive(shown, directiveExamples[like]);
    reporter.error("E_OPENAPI_DIRECTIVE", { file, line }, problem);
  }
}

/** A directive names the type that the code left open. */
function withoutAny(content: ResponseObject["content"] = {}): ResponseObject["content"] {
  return Object.fromEntries(Object.entries(content).filter(([media]) => media !== mediaTypes.any));
}

const directiveExamples = {
  name: "openapi:response 200 Event",
  response: "openapi:response 201 Event",
  body: "openapi:body Event",
  query: "openapi:query page integer The number of the page",
} as const;
