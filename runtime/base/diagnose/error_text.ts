/** How many causes of an error are written: a chain may lead back to itself. */
const maxCauses = 8;

/** Returns a part of an error as text: some libraries assign a message that is none. */
export function partOf(error: Error, name: "name" | "message" | "stack"): string | undefined {
  const value: unknown = error[name];
  return value === undefined || typeof value === "string" ? value : String(value);
}

/** Returns an error as fields of a JSON line, causes included. */
export function errorFields(error: Error, depth = 0): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    name: partOf(error, "name"),
    message: partOf(error, "message"),
    stack: partOf(error, "stack"),
  };
  const { cause } = error;
  if (cause === undefined) return fields;
  fields["cause"] = cause instanceof Error && depth < maxCauses
    ? errorFields(cause, depth + 1)
    : String(cause);
  return fields;
}

/** Returns an error for people: its stack, then those of its causes. */
export function errorText(error: Error, depth = 0): string {
  const text = partOf(error, "stack") ?? `${partOf(error, "name")}: ${partOf(error, "message")}`;
  const { cause } = error;
  if (!(cause instanceof Error) || depth >= maxCauses) return text;
  return `${text}\ncaused by ${errorText(cause, depth + 1)}`;
}
