import { fieldError } from "../../base/errors/field_errors.ts";
import type { FileRules, Upload } from "../../base/ctx/input.ts";
import type { RequestBody } from "../body.ts";
import { readForm } from "../form/form.ts";
import { describeTypes, fileSizeMessage } from "../format.ts";
import { acceptType, isKnownType } from "./accept.ts";
import { safeFileName, saveUpload } from "./name.ts";
import { messageLanguage, validationMessage } from "../../schema/messages.ts";

export async function readUpload(
  body: RequestBody,
  field: string,
  rules: FileRules,
): Promise<Upload | undefined> {
  checkRules(rules);
  const file = (await readForm(body)).file(field);
  if (file === undefined) {
    if (rules.optional === true) return undefined;
    throw fieldError(field, validationMessage("required"));
  }
  const { maxSizeBytes, accept = [] } = rules;
  if (maxSizeBytes !== undefined && file.size > maxSizeBytes) {
    throw fieldError(field, fileSizeMessage(maxSizeBytes));
  }
  const type = acceptType(file, accept);
  if (type === undefined) {
    throw fieldError(
      field,
      validationMessage("filetype", { param: describeTypes(accept, messageLanguage()) }),
    );
  }
  const name = safeFileName(file.name);
  return {
    name,
    ...type,
    size: file.size,
    stream: () => file.stream(),
    bytes: () => file.bytes(),
    save: (dir) => saveUpload(file, dir, name),
    close: () => file.remove(),
  };
}

function checkRules(rules: FileRules): void {
  const { maxSizeBytes, accept = [] } = rules;
  if (maxSizeBytes !== undefined && !(maxSizeBytes >= 0)) {
    throw new RangeError(
      `Cannot set maxSizeBytes to "${maxSizeBytes}": use a number of bytes from 0 up.`,
    );
  }
  for (const range of accept) {
    if (!/^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/.test(range)) {
      throw new TypeError(
        `Cannot accept "${range}": use media types such as "image/png" or "image/*", not extensions.`,
      );
    }
    if (!range.endsWith("/*") && !isKnownType(range)) {
      throw new TypeError(
        `Cannot accept "${range}": neither the bytes nor the ending of a file show that type; accept ` +
          "a type that they show, or no type and check the file yourself.",
      );
    }
  }
}
