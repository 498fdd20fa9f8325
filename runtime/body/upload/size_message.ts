import { validationMessage } from "../../schema/messages.ts";
import { describeBytes } from "../format.ts";

/**
 * Returns the message for a file that is too large, in the language of the request, as `c.file` and `c.bind`
 * report it.
 *
 * @param maxSizeBytes The rule of the file.
 * @returns A text that follows the name of the field, unless the application words it otherwise.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fileSizeMessage } from "@fw/fw/addon";
 *
 * assertEquals(fileSizeMessage(2 * 1024 * 1024), "must be at most 2 MiB");
 * ```
 */
export function fileSizeMessage(maxSizeBytes: number): string {
  return validationMessage("filemax", { param: describeBytes(maxSizeBytes) });
}
