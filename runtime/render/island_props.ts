/** The props of an island as JSON, or why JSON cannot carry them. */
export type IslandData =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly fault: string };

/**
 * Serializes the props of an island as JSON. Values that JSON would drop or change silently are refused: a
 * `Map` becomes `{}`, a function nothing, a `NaN` null, a bigint an error. An object with `toJSON` is
 * replaced by its result, so that a `Date` arrives as its ISO text. A member that is `undefined` is absent.
 */
export function writeProps(props: unknown): IslandData {
  try {
    const fault = findFault(props, []);
    if (fault !== undefined) return { ok: false, fault: `props${fault}` };
    return { ok: true, json: JSON.stringify(props) };
  } catch (error) {
    // A `toJSON` of the application's own, or props that are nested too deep for the engine.
    const reason = error instanceof Error ? error.message : "it threw";
    return { ok: false, fault: `reading the props failed: ${reason}` };
  }
}

/** Finds the first value that cannot be serialized; returns its path and its type. */
function findFault(value: unknown, ancestors: object[]): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : ` is ${value}`;
    case "object":
      return value === null ? undefined : findObjectFault(value, ancestors);
    case "undefined":
      return " is undefined";
    default:
      return ` is a ${typeof value}`;
  }
}

function findObjectFault(value: object, ancestors: object[]): string | undefined {
  if (ancestors.includes(value)) return " refers back to itself";
  ancestors.push(value);
  const fault = findInnerFault(value, ancestors);
  ancestors.pop();
  return fault;
}

function findInnerFault(value: object, ancestors: object[]): string | undefined {
  if ("toJSON" in value && typeof value.toJSON === "function") {
    if (value instanceof Date && Number.isNaN(value.getTime())) return " is an invalid Date";
    return findFault(value.toJSON(""), ancestors);
  }
  if (Array.isArray(value)) return findListFault(value, ancestors);
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== "Object") return ` is a ${tag}`;
  for (const [name, member] of Object.entries(value)) {
    const fault = member === undefined ? undefined : findFault(member, ancestors);
    if (fault !== undefined) return memberPath(name) + fault;
  }
  return undefined;
}

function findListFault(list: readonly unknown[], ancestors: object[]): string | undefined {
  for (let i = 0; i < list.length; i++) {
    const fault = findFault(list[i], ancestors);
    if (fault !== undefined) return `[${i}]${fault}`;
  }
  return undefined;
}

function memberPath(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
