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

export function objectOf(value: unknown): ApiObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as ApiObject
    : undefined;
}

/** Returns an own member of an object, `undefined` for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  const object = objectOf(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function textOf(value: unknown, name: string): string | undefined {
  const found = memberOf(value, name);
  return typeof found === "string" && found !== "" ? found : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(objectOf(value) ?? {});
}

/** Follows references inside the document, at most 16 of them. */
export function follow(document: unknown, value: unknown): unknown {
  let found = value;
  for (let step = 0; step < 16; step++) {
    const ref = textOf(found, "$ref");
    if (ref === undefined) return found;
    found = findReference(document, ref);
  }
  return undefined;
}

function findReference(document: unknown, ref: string): unknown {
  if (!ref.startsWith("#/")) return undefined;
  return ref.slice(2).split("/").reduce<unknown>((found, part) => {
    const name = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    return Array.isArray(found) ? found[Number(name)] : memberOf(found, name);
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
  return entriesOf(memberOf(document, "paths")).flatMap(([path, value]) => {
    const item = follow(document, value);
    return methods.flatMap((method) => {
      const source = objectOf(memberOf(item, method));
      if (source === undefined || !path.startsWith("/")) return [];
      const [tag] = listOf(memberOf(source, "tags"));
      const parameters = [
        ...listOf(memberOf(item, "parameters")),
        ...listOf(memberOf(source, "parameters")),
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
    const parameter = objectOf(follow(document, value));
    const [name, place] = [textOf(parameter, "name"), textOf(parameter, "in")];
    if (parameter !== undefined && name !== undefined && place !== undefined) {
      parameters.set(`${place} ${name}`, parameter);
    }
  }
  return [...parameters.values()];
}
