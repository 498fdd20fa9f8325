import { type Job, PermanentError } from "./job.ts";

/** Serializes a value. @throws {TypeError} if the schema refuses it or it is too long. */
export function writePayload<T>(job: Job<T>, value: unknown): string {
  const text = JSON.stringify(value, function (this: unknown, key, item: unknown): unknown {
    // JSON would hold null for it.
    const isLost = typeof item === "number"
      ? !Number.isFinite(item)
      : item === null && Reflect.get(Object(this), key) !== null;
    if (isLost) {
      throw new TypeError(`Cannot enqueue "${job.name}": ${key} is not a valid number or date.`);
    }
    return typeof item === "bigint" ? String(item) : item;
  });
  const { maxValueChars } = job.options;
  if (text === undefined || text.length > maxValueChars) {
    const fault = text === undefined
      ? "is not JSON"
      : `has more than ${maxValueChars} characters; store it and enqueue its id, or raise maxValueChars`;
    throw new TypeError(`Cannot enqueue "${job.name}": its value ${fault}.`);
  }
  const checked = job.schema["~standard"].validate(JSON.parse(text));
  if (!(checked instanceof Promise) && checked.issues === undefined) return text;
  throw new TypeError(`Cannot enqueue "${job.name}": ${issueText(checked)}`);
}

export async function readPayload<T>(job: Job<T>, payload: string): Promise<T> {
  const value = await Promise.try(() => JSON.parse(payload)).catch(() => {
    throw new PermanentError("the stored value is not JSON");
  });
  const checked = await job.schema["~standard"].validate(value);
  if (checked.issues === undefined) return checked.value;
  // The schema has changed since, so a retry cannot succeed.
  throw new PermanentError(`the stored value does not fit the job: ${issueText(checked)}`);
}

function issueText(checked: unknown): string {
  const issues: readonly { readonly message: string; readonly path?: readonly unknown[] }[] =
    Object(checked).issues ?? [];
  return issues.map(({ message, path = [] }) => `${path.join(".")}: ${message}`).join("; ");
}
