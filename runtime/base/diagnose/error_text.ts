/** The placeholder for a value that cannot be read. */
export const unreadable = "(unreadable)";

/** The maximum number of causes of an error to write. */
const maxCauses = 8;

/** `instanceof`, which throws for a revoked proxy. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

/** A part of an error as text: handlers throw anything, getters that throw included. */
export function partOf(error: Error, name: "name" | "message" | "stack"): string | undefined {
  try {
    const value: unknown = error[name];
    return value === undefined || typeof value === "string" ? value : String(value);
  } catch {
    return unreadable;
  }
}

/** The cause of an error. */
export function causeOf(error: Error): unknown {
  try {
    return error.cause;
  } catch {
    return unreadable;
  }
}

/** An error as fields of a JSON line, causes included. */
export function errorFields(error: Error, depth = 0): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    name: partOf(error, "name"),
    message: partOf(error, "message"),
    stack: partOf(error, "stack"),
  };
  const cause = causeOf(error);
  if (cause === undefined) return fields;
  fields["cause"] = isError(cause) && depth < maxCauses
    ? errorFields(cause, depth + 1)
    : plainText(cause);
  return fields;
}

function plainText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return unreadable;
  }
}

/** An error for people: its stack, then those of its causes. */
export function errorText(error: Error, depth = 0): string {
  const text = partOf(error, "stack") ?? `${partOf(error, "name")}: ${partOf(error, "message")}`;
  const cause = causeOf(error);
  if (!isError(cause) || depth >= maxCauses) return text;
  return `${text}\ncaused by ${errorText(cause, depth + 1)}`;
}
