/** The fields of an event besides its data. */
export interface EventFields {
  /** The name; if it is absent or empty, the client sees `message`. */
  readonly event?: string;
  /** Id that a reconnecting client sends as `Last-Event-ID`. */
  readonly id?: string;
}

/**
 * Writes one event in the grammar of the HTML standard, section 9.2.5. Data of several lines becomes several
 * `data` fields, which the client joins again, so no text in it can start a field. The id comes last, so that
 * a client that stores it at once cannot skip an event that was cut off.
 *
 * @throws {TypeError} for a name or an id that holds a line break, which would start another field.
 */
export function eventFrame(data: string, fields: EventFields = {}): string {
  const { event = "", id } = fields;
  const name = event === "" ? "" : `event: ${oneLine(event, "event")}\n`;
  const last = id === undefined ? "" : `id: ${oneLine(id, "id")}\n`;
  return name + prefixLines(data, "data: ") + last + "\n";
}

/** Writes a comment, which clients ignore; each of its lines becomes a comment line. */
export function commentFrame(text: string): string {
  return prefixLines(text, ": ") + "\n";
}

/** The heartbeat sent while a stream is idle: one empty comment. */
export const heartbeatFrame = ":\n\n";

function prefixLines(text: string, prefix: string): string {
  // Most data is a single line of JSON.
  if (!/[\r\n]/.test(text)) return `${prefix}${text}\n`;
  return text.split(/\r\n|\r|\n/).map((line) => `${prefix}${line}\n`).join("");
}

function oneLine(text: string, field: "event" | "id"): string {
  if (typeof text === "string" && !/[\r\n\0]/.test(text)) return text;
  throw new TypeError(
    `Cannot send the ${field} ${JSON.stringify(text)}: a line break or a NUL in it would start ` +
      "another field; put such text into the data.",
  );
}
