/**
 * The English texts of `fw openapi --against`.
 *
 * @module
 */

/** Texts of the form `subject, name, from, to`: what differs, and how. */
export const diffEn = {
  parts: {
    document: "the document",
    parameter: (place: string, name: string): string => `${place} parameter "${name}"`,
    field: (field: string, owner: string): string => `field "${field}" of the ${owner}`,
    request: "request body",
    requestField: (field: string): string => `request field "${field}"`,
    response: (status: string): string => `response ${status}`,
    responseField: (status: string, field: string): string => `response ${status} field "${field}"`,
    header: (status: string, name: string): string => `response ${status} header "${name}"`,
    event: (name: string): string => `event "${name}"`,
    webhook: (name: string): string => `webhook "${name}"`,
    callback: (name: string): string => `callback "${name}"`,
  },
  kinds: {
    "operation removed": (): string => "the operation was removed",
    "operation added": (): string => "the operation is new",
    "operation id": (_subject: string, _name: string, from: string, to: string): string =>
      `the operationId changed from "${from}" to "${to}", which renames the method of the client`,
    "deprecated": (subject: string): string => `${subject} is deprecated now`,
    "not deprecated": (subject: string): string => `${subject} is no longer deprecated`,
    "removed": (subject: string): string => `${subject} was removed`,
    "added": (subject: string): string => `${subject} is new`,
    "added required": (subject: string): string => `${subject} is new and required`,
    "became required": (subject: string): string => `${subject} became required`,
    "became optional": (subject: string): string => `${subject} became optional`,
    "serialization": (subject: string, _name: string, from: string, to: string): string =>
      `${subject} is written in another way: ${from} became ${to}`,
    "media type removed": (subject: string, name: string): string =>
      `${subject}: media type ${name} was removed`,
    "media type added": (subject: string, name: string): string =>
      `${subject}: media type ${name} is new`,
    "status removed": (subject: string): string => `${subject} was removed`,
    "status added": (subject: string): string => `${subject} is new`,
    "header removed": (subject: string): string => `${subject} was removed`,
    "header added": (subject: string): string => `${subject} is new`,
    "event removed": (subject: string): string => `${subject} was removed`,
    "event added": (subject: string): string => `${subject} is new`,
    "security added": (_subject: string, _name: string, from: string, to: string): string =>
      `security became stricter: ${from} became ${to}`,
    "security removed": (_subject: string, _name: string, from: string, to: string): string =>
      `security became looser: ${from} became ${to}`,
    "scheme changed": (_subject: string, name: string, from: string, to: string): string =>
      `security scheme "${name}" changed from ${from} to ${to}`,
    "scheme removed": (_subject: string, name: string): string =>
      `security scheme "${name}" was removed`,
    "server removed": (_subject: string, name: string): string => `server ${name} was removed`,
    "renamed": (subject: string, _name: string, from: string): string =>
      `${subject} was called "${from}", which renames it in the client`,
    "type": (subject: string, _name: string, from: string, to: string): string =>
      `${subject} changed its type from ${from} to ${to}`,
    "null added": (subject: string): string => `${subject} may be null now`,
    "null removed": (subject: string): string => `${subject} may no longer be null`,
    "value removed": (subject: string, name: string): string => `${subject} lost the value ${name}`,
    "value added": (subject: string, name: string): string =>
      `${subject} has the new value ${name}`,
    "values limited": (subject: string, _name: string, _from: string, to: string): string =>
      `${subject} is limited to the values ${to}`,
    "values unlimited": (subject: string, _name: string, from: string): string =>
      `${subject} is no longer limited to the values ${from}`,
    "limit": (subject: string, name: string, from: string, to: string): string =>
      `${subject} changed ${name} from ${from} to ${to}`,
    "limit added": (subject: string, name: string, _from: string, to: string): string =>
      `${subject} got ${name} ${to}`,
    "limit removed": (subject: string, name: string, from: string): string =>
      `${subject} lost ${name} ${from}`,
    "constraint": (subject: string, name: string, from: string, to: string): string =>
      `${subject} changed ${name} from ${from} to ${to}`,
    "constraint added": (subject: string, name: string, _from: string, to: string): string =>
      `${subject} got ${name} ${to}`.trimEnd(),
    "constraint removed": (subject: string, name: string, from: string): string =>
      `${subject} lost ${name} ${from}`.trimEnd(),
    "choice removed": (subject: string, name: string): string =>
      `${subject} lost the alternative ${name}`,
    "choice added": (subject: string, name: string): string =>
      `${subject} has the new alternative ${name}`,
    "members closed": (subject: string): string => `${subject} takes no other members any more`,
    "members opened": (subject: string): string => `${subject} may have other members now`,
    "default": (subject: string, _name: string, from: string, to: string): string =>
      `${subject} changed its default from ${from || "none"} to ${to || "none"}`,
    "not compared": (subject: string): string =>
      `${subject} changed; webhooks and callbacks are not compared in detail`,
    "too large": (subject: string): string =>
      `${subject} is too large or nested too deep to compare`,
  },
  levels: { breaking: "breaking", compatible: "compatible", notice: "notice" },
  fix: {
    breaking: "Keep the older form beside the new one, or publish it under a new path or version.",
    notice: "Tell the authors of clients.",
  },
  none: (against: string): string => `No difference from ${against}.`,
  summary: (breaking: string, notices: string, compatible: string): string =>
    `Breaking: ${breaking}. Notices: ${notices}. Compatible: ${compatible}.`,
  noRef: "there is no such file, and it is no git ref",
  noGit: "there is no such file, and git is not installed",
  unreadable: (against: string, detail: string): string =>
    `Cannot compare with "${against}": ${detail}. Fix: name a file, or a git ref such as main or v1.2.0.`,
  tooLarge: (against: string, bytes: string): string =>
    `Cannot compare with "${against}": it is larger than ${bytes} bytes.`,
  notDocument: (against: string, detail: string): string =>
    `Cannot compare with "${against}": it is no OpenAPI 3.1 document, as ${detail}.`,
};
