/**
 * Describes the methods of a client: the types of their input and of their responses, and the data by
 * which the client sends a request.
 *
 * @module
 */
import type {
  DocumentContent,
  DocumentOperation,
  DocumentParameter,
  DocumentResponse,
} from "../document/operations.ts";
import { memberOf } from "../../project/json.ts";
import { followReferences } from "../document/values.ts";
import { literalSource } from "../../gen/source_text.ts";
import { fallbackName, methodName, type Names, upperFirst } from "./names.ts";
import { commentOf, type TypeMaker } from "./types.ts";
import { intersectionOf, type MemberNode, nameType, type TypeNode, unionOf } from "./type_text.ts";

/** A method of the client. */
export interface ClientMethod {
  readonly operation: DocumentOperation;
  readonly name: string;
  /** The declared types by the role they have. */
  readonly types: readonly {
    readonly name: string;
    readonly type: TypeNode;
    readonly comment: string;
  }[];
  readonly inputName: string;
  readonly valueName: string;
  readonly resultName: string;
  /** Whether it can be called without input. */
  readonly isInputOptional: boolean;
  readonly parameters: readonly DocumentParameter[];
  readonly bodies: readonly string[];
  readonly accept: string;
  readonly statuses: readonly string[];
  readonly jsonEvents: readonly string[];
}

/** What describes operations needs. */
export interface MethodTools {
  readonly document: unknown;
  readonly types: TypeMaker;
  readonly typeNames: Names;
  readonly methodNames: Names;
}

/** Describes the method of one operation. */
export function describeMethod(operation: DocumentOperation, tools: MethodTools): ClientMethod {
  const wanted = operation.id ?? fallbackName(operation.method, operation.path);
  const name = tools.methodNames.take(methodName(wanted));
  const base = upperFirst(name);
  const [inputName, valueName, resultName, errorName] = ["Input", "Value", "Result", "Error"]
    .map((suffix) => tools.typeNames.take(base + suffix)) as [string, string, string, string];
  const parameters = parametersOf(operation);
  const input = inputType(operation, parameters, tools);
  const { results, value, error } = responseTypes(operation, tools);
  return {
    operation,
    name,
    types: [
      { name: inputName, type: input.type, comment: `What \`${name}\` takes.` },
      { name: valueName, type: value, comment: `What \`${name}\` returns.` },
      { name: resultName, type: results, comment: `The responses of \`${name}\`.` },
      { name: errorName, type: error, comment: `What \`${name}\` throws.` },
    ],
    inputName,
    valueName,
    resultName,
    isInputOptional: input.isOptional,
    parameters,
    bodies: operation.body?.contents.map(({ mediaType }) => mediaType) ?? [],
    accept: acceptOf(operation),
    statuses: operation.responses.map(({ status }) => status),
    jsonEvents: jsonEventsOf(operation, tools.document),
  };
}

/** Returns the parameters that a client sends, and those of the path that the document forgot. */
function parametersOf(operation: DocumentOperation): DocumentParameter[] {
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const inPath = [...new Set(names)].map((name) =>
    operation.parameters.find((each) => each.place === "path" && each.name === name) ??
      pathParameter(name)
  );
  // Browsers send their own cookies and let no script set others.
  const others = operation.parameters.filter(({ place }) =>
    place === "query" || place === "header"
  );
  return [...inPath, ...others];
}

function pathParameter(name: string): DocumentParameter {
  return {
    name,
    place: "path",
    isRequired: true,
    isDeprecated: false,
    description: undefined,
    schema: { type: "string" },
    style: "simple",
    explode: false,
    mediaType: undefined,
    isCatchAll: false,
  };
}

function inputType(
  operation: DocumentOperation,
  parameters: readonly DocumentParameter[],
  tools: MethodTools,
): { readonly type: TypeNode; readonly isOptional: boolean } {
  const members: MemberNode[] = [];
  for (const [name, place] of inputGroups) {
    const group = parameters.filter((each) => each.place === place);
    if (group.length === 0) continue;
    const isOptional = !group.some(({ isRequired }) => isRequired);
    const type: TypeNode = {
      kind: "object",
      members: group.map((each) => parameterMember(each, tools.types)),
      isOpen: false,
    };
    members.push({ name, type: orUndefined(type, isOptional), isOptional, comment: [] });
  }
  const bodies = bodyTypes(operation, tools);
  if (bodies.length === 0 && members.length === 0) {
    return {
      type: { kind: "record", item: nameType("never") },
      isOptional: true,
    };
  }
  const isBodyOptional = operation.body?.isRequired !== true;
  const isOptional = members.every((each) => each.isOptional) &&
    (bodies.length === 0 || isBodyOptional);
  const rest: TypeNode = { kind: "object", members, isOpen: false };
  if (bodies.length === 0) return { type: rest, isOptional };
  const body = unionOf(bodies.map(({ mediaType, type }, at) =>
    bodyType(mediaType, type, {
      isDefault: at === 0,
      isOnly: bodies.length === 1,
      isOptional: isBodyOptional,
      before: bodies.length === 1 ? members : [],
    })
  ));
  const isApart = bodies.length > 1 && members.length > 0;
  return { type: isApart ? intersectionOf([rest, body]) : body, isOptional };
}

const inputGroups = [["path", "path"], ["query", "query"], ["headers", "header"]] as const;

function parameterMember(parameter: DocumentParameter, types: TypeMaker): MemberNode {
  const { name, schema, isRequired, isDeprecated, description } = parameter;
  return {
    name,
    type: orUndefined(types.typeOf(schema ?? { type: "string" }, { side: "request" }), !isRequired),
    isOptional: !isRequired,
    comment: [
      description,
      ...(description === undefined ? commentOf(schema) : []),
      isDeprecated ? "Deprecated." : undefined,
    ],
  };
}

/** Lets an optional member be there and `undefined`, as values from elsewhere often are. */
function orUndefined(type: TypeNode, isOptional: boolean): TypeNode {
  return isOptional ? unionOf([type, nameType("undefined")]) : type;
}

function bodyTypes(
  { body }: DocumentOperation,
  { types, document }: MethodTools,
): { readonly mediaType: string; readonly type: TypeNode }[] {
  return (body?.contents ?? []).map(({ mediaType, schema }) => ({
    mediaType,
    type: requestType(mediaType, schema),
  }));

  function requestType(mediaType: string, schema: unknown): TypeNode {
    const side = "request";
    if (isJson(mediaType)) return types.typeOf(schema, { side });
    if (mediaType === "multipart/form-data") {
      // Inlined: the same schema in a JSON body has texts where a form has files.
      return types.typeOf(followReferences(document, schema), { isMultipart: true, side });
    }
    if (mediaType === "application/x-www-form-urlencoded") return types.typeOf(schema, { side });
    const bytes = ["Blob", "ArrayBuffer", "Uint8Array<ArrayBuffer>"].map(nameType);
    return unionOf([nameType("string"), ...mediaType.startsWith("text/") ? [] : bytes]);
  }
}

function bodyType(
  mediaType: string,
  type: TypeNode,
  options: {
    readonly isDefault: boolean;
    readonly isOnly: boolean;
    readonly isOptional: boolean;
    readonly before: readonly MemberNode[];
  },
): TypeNode {
  const { isDefault, isOnly, isOptional, before } = options;
  const contentType: MemberNode = {
    name: "contentType",
    type: nameType(literalSource(mediaType)),
    isOptional: isDefault,
    comment: [],
  };
  const body: MemberNode = {
    name: "body",
    type: orUndefined(type, isOptional),
    isOptional,
    comment: [],
  };
  return {
    kind: "object",
    members: [...before, ...(isOnly ? [] : [contentType]), body],
    isOpen: false,
  };
}

function responseTypes(
  operation: DocumentOperation,
  tools: MethodTools,
): { readonly results: TypeNode; readonly value: TypeNode; readonly error: TypeNode } {
  const all = operation.responses.map((response) => ({
    status: response.status,
    statusType: statusType(response.status),
    body: bodyOf(response, tools),
  }));
  const results = all.map(({ status, statusType, body }) =>
    generic("ApiResult", [nameType(literalSource(status)), statusType, body])
  );
  const listed = all.filter(({ status }) => /^[123]/.test(status));
  const values = listed.length > 0 ? listed : all.filter(({ status }) => status === "default");
  const errors = all.filter(({ status }) => /^[45]/.test(status) || status === "default");
  return {
    results: results.length === 0 ? nameType("ApiResult") : unionOf(results),
    value: values.length === 0 ? nameType("unknown") : unionOf(values.map(({ body }) => body)),
    error: errors.length === 0 ? nameType("ApiError") : unionOf(
      errors.map(({ statusType, body }) => generic("ApiError", [statusType, body])),
    ),
  };
}

/** A generic type; its arguments are printed by the writer of the type. */
function generic(name: string, args: readonly TypeNode[]): TypeNode {
  return { kind: "generic", name, args };
}

function statusType(status: string): TypeNode {
  return nameType(/^\d+$/.test(status) ? status : "number");
}

function bodyOf(response: DocumentResponse, tools: MethodTools): TypeNode {
  const { contents } = response;
  if (contents.length === 0) return nameType("undefined");
  return unionOf(contents.map((content) => responseType(content, tools)));
}

function responseType(content: DocumentContent, tools: MethodTools): TypeNode {
  const { mediaType, schema } = content;
  const side = "response";
  if (isJson(mediaType)) return tools.types.typeOf(schema, { side });
  if (mediaType === "text/event-stream") {
    const events = content.events.map(([name, data]) =>
      generic("ServerEvent", [nameType(literalSource(name)), tools.types.typeOf(data, { side })])
    );
    const event = events.length === 0 ? nameType("ServerEvent") : unionOf(events);
    return generic("AsyncIterable", [event]);
  }
  return nameType(mediaType.startsWith("text/") ? "string" : "Blob");
}

/** Returns the events whose data is not a string. */
function jsonEventsOf(operation: DocumentOperation, document: unknown): string[] {
  const events = operation.responses.flatMap(({ contents }) => contents)
    .flatMap((content) => content.events);
  const json = events.filter(([, schema]) =>
    memberOf(followReferences(document, schema), "type") !== "string"
  );
  return [...new Set(json.map(([name]) => name))];
}

function acceptOf(operation: DocumentOperation): string {
  const types = operation.responses.flatMap(({ contents }) => contents)
    .map(({ mediaType }) => mediaType).filter((type) => /^[\w.+*-]+\/[\w.+*-]+$/.test(type));
  return types.length === 0 ? "*/*" : [...new Set(types)].join(", ");
}

function isJson(mediaType: string): boolean {
  return /^[\w.+-]+\/(?:[\w.-]+\+)?json(?:;|$)/.test(mediaType);
}
