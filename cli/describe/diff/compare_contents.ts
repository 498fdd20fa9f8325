/**
 * Compares bodies by media type, and the events of streams.
 *
 * @module
 */
import type { DocumentContent } from "../document/operations.ts";
import type { ChangePlace } from "./change.ts";
import type { OperationChanges } from "./changes.ts";
import type { Direction } from "./schema.ts";

/** Compares the media types of two bodies. */
export function compareContents(
  changes: OperationChanges,
  { before, after, direction, placeAt }: {
    readonly before: readonly DocumentContent[];
    readonly after: readonly DocumentContent[];
    readonly direction: Direction;
    readonly placeAt: (mediaType: string, field: string) => ChangePlace;
  },
): void {
  const others = new Map(after.map((each) => [each.mediaType, each]));
  for (const content of before) {
    const { mediaType } = content;
    const other = others.get(mediaType);
    others.delete(mediaType);
    if (other === undefined) {
      changes.add(placeAt(mediaType, ""), {
        kind: "media type removed",
        level: "breaking",
        name: mediaType,
      });
      continue;
    }
    changes.compareSchemas({
      before: content.schema,
      after: other.schema,
      direction,
      placeAt: (field) => placeAt(mediaType, field),
    });
    compareEvents(changes, { before: content, after: other });
  }
  for (const mediaType of others.keys()) {
    changes.add(placeAt(mediaType, ""), {
      kind: "media type added",
      level: "compatible",
      name: mediaType,
    });
  }
}

function compareEvents(
  changes: OperationChanges,
  { before, after }: { readonly before: DocumentContent; readonly after: DocumentContent },
): void {
  const others = new Map(after.events);
  for (const [name, schema] of before.events) {
    if (!others.has(name)) {
      const place: ChangePlace = { part: "event", name, field: "" };
      changes.add(place, { kind: "event removed", level: "breaking" });
      continue;
    }
    changes.compareSchemas({
      before: schema,
      after: others.get(name),
      direction: "response",
      placeAt: (field) => ({ part: "event", name, field }),
    });
    others.delete(name);
  }
  // Clients of a stream pass over the events that they do not know.
  for (const name of others.keys()) {
    const place: ChangePlace = { part: "event", name, field: "" };
    changes.add(place, { kind: "event added", level: "compatible" });
  }
}
