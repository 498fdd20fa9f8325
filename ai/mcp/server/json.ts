/**
 * Writes a value as JSON for a model.
 *
 * @throws {TypeError} for a value that JSON cannot hold, such as a circle.
 */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
