/** Reads an OpenAPI document, which may come from anywhere: own members only, references with an end. */

/** A JSON object. */
export type ApiObject = Readonly<Record<string, unknown>>;

/** An operation as it is shown. */
export interface ApiOperation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  /** The operation itself. */
  readonly source: ApiObject;
  readonly parameters: readonly ApiObject[];
  /** The name of the group. */
  readonly tag: string;
}

const methods = ["get", "post", "put", "patch", "delete", "options", "head", "trace"];

export function apiObject(value: unknown): ApiObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as ApiObject
    : undefined;
}

/** Returns an own member of an object, `undefined` for anything else. */
export function apiMember(value: unknown, name: string): unknown {
  const object = apiObject(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function apiText(value: unknown, name: string): string | undefined {
  const found = apiMember(value, name);
  return typeof found === "string" && found !== "" ? found : undefined;
}

export function apiList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function apiEntries(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(apiObject(value) ?? {});
}

/** Follows references inside the document, at most 16 of them. */
export function follow(document: unknown, value: unknown): unknown {
  let found = value;
  for (let step = 0; step < 16; step++) {
    const ref = apiText(found, "$ref");
    if (ref === undefined) return found;
    found = findReference(document, ref);
  }
  return undefined;
}

function findReference(document: unknown, ref: string): unknown {
  if (!ref.startsWith("#/")) return undefined;
  return ref.slice(2).split("/").reduce<unknown>((found, part) => {
    const name = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    return Array.isArray(found) ? found[Number(name)] : apiMember(found, name);
  }, document);
}

/** Returns the name of the schema that a reference points to; `undefined` for other references. */
export function schemaName(ref: string): string | undefined {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(ref)?.[1];
  return name === undefined ? undefined : decode(name).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Lists the operations of a document in its order. */
export function listOperations(document: unknown): ApiOperation[] {
  return apiEntries(apiMember(document, "paths")).flatMap(([path, value]) => {
    const item = follow(document, value);
    return methods.flatMap((method) => {
      const source = apiObject(apiMember(item, method));
      if (source === undefined || !path.startsWith("/")) return [];
      const [tag] = apiList(apiMember(source, "tags"));
      const parameters = [
        ...apiList(apiMember(item, "parameters")),
        ...apiList(apiMember(source, "parameters")),
      ];
      return [{
        method: method.toUpperCase(),
        path,
        source,
        parameters: readParameters(document, parameters),
        tag: typeof tag === "string" ? tag : "",
      }];
    });
  });
}

/** Returns the parameters by place and name: those of the operation replace those of the path. */
function readParameters(document: unknown, values: readonly unknown[]): readonly ApiObject[] {
  const parameters = new Map<string, ApiObject>();
  for (const value of values) {
    const parameter = apiObject(follow(document, value));
    const [name, place] = [apiText(parameter, "name"), apiText(parameter, "in")];
    if (parameter !== undefined && name !== undefined && place !== undefined) {
      parameters.set(`${place} ${name}`, parameter);
    }
  }
  return [...parameters.values()];
}
