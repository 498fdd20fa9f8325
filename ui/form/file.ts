import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";
import type { FileRules } from "../../mod.ts";
import {
  describeBytes,
  describeTypes,
  fileSizeMessage,
  requestLanguage,
} from "../../runtime/addon.ts";
import { fileInput } from "../controls.ts";
import { alert } from "../display.ts";
import { field as fieldOf, optional } from "../field.ts";
import { word } from "../labels.ts";
import { nameField } from "../parts.ts";
import { warning } from "../variants.ts";
import { type FieldAbout, notesOf } from "./control.ts";
import type { FormFile } from "./options.ts";
import { dropzone } from "./section.ts";

/** Renders the field of an upload, and says that a submitted file must be chosen again. */
export function fileNode(rules: FormFile, about: FieldAbout, isLost: boolean): Node {
  const { id, name, label, options } = about;
  const make = options.type === "dropzone" ? dropzone.bind(undefined, kindsOf(rules)) : fileInput;
  const file = make(
    h.name(name),
    h.accept(acceptOf(rules)),
    h.multiple(rules.multiple ?? false),
    h.required(rules.optional !== true),
    h.data("ui-max", limitOf(label, rules)),
    options.attributes,
  );
  const mark = rules.optional === true && optional();
  const field = fieldOf(id, label, file, mark, ...notesOf(about));
  return isLost ? h.fragment(field, alert(undefined, warning, word("fileAgain"))) : field;
}

/** Returns the size limit of a file and the message that the kit's script shows for a larger one. */
function limitOf(label: string, { maxSizeBytes = Infinity }: FileRules): string | undefined {
  if (!Number.isFinite(maxSizeBytes)) return undefined;
  return `${maxSizeBytes}=${nameField(label, fileSizeMessage(maxSizeBytes))}`;
}

function acceptOf({ accept = [] }: FileRules): string | undefined {
  return accept.length === 0 || accept.includes("*/*") ? undefined : accept.join(",");
}

function kindsOf({ accept = [], maxSizeBytes = Infinity }: FileRules): string {
  const language = requestLanguage() ?? "en";
  const kinds = accept.length === 0 ? [] : [describeTypes(accept, language)];
  if (!Number.isFinite(maxSizeBytes)) return kinds.join("");
  const size = word("upTo").replace("{size}", describeBytes(maxSizeBytes));
  return [...kinds, size].join(", ");
}
