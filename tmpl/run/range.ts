import { enter, type Frame, type Get, limits, tooLong, type Write } from "./evaluate.ts";
import { Fault, goType, kindOf, sortedEntries } from "./values.ts";

export interface RangeParts {
  readonly get: Get;
  readonly body: Write;
  /** Renders the `else` branch, for no elements. */
  readonly otherwise: Write;
  /** The slot of the variable for the key; `undefined` for none. */
  readonly keySlot: number | undefined;
  /** The slot of the variable for the value; `undefined` for none. */
  readonly valueSlot: number | undefined;
}

export function rangeOver(parts: RangeParts): Write {
  const { get, otherwise } = parts;
  return (dot, frame) => {
    const value = get(dot, frame);
    if (Array.isArray(value)) {
      return value.length === 0 ? otherwise(dot, frame) : overList(value, frame, parts);
    }
    return overOther(value, frame, parts) ?? otherwise(dot, frame);
  };
}

function overList(list: readonly unknown[], frame: Frame, parts: RangeParts): string {
  const { record } = frame;
  // Read once, because a function of the data may extend the list during the loop.
  const { length } = list;
  let out = "";
  let i = 0;
  while (i < length) {
    out += once(i, list[i], frame, parts);
    i++;
    if (out.length > limits.outputChars) throw tooLong();
    if (frame.jump !== 0 && endsLoop(frame)) break;
  }
  frame.record = record;
  count(frame, i);
  return out;
}

function once(key: unknown, item: unknown, frame: Frame, parts: RangeParts): string {
  const { body, keySlot, valueSlot } = parts;
  if (valueSlot !== undefined) frame.variables[valueSlot] = item;
  if (keySlot !== undefined) frame.variables[keySlot] = key;
  enter(item, frame);
  return body(item, frame);
}

/** Resets the jump; returns whether it ends the loop. */
function endsLoop(frame: Frame): boolean {
  const isBreak = frame.jump === 1;
  frame.jump = 0;
  return isBreak;
}

function count({ run }: Frame, iterations: number): void {
  run.iterations += iterations;
  if (run.iterations <= limits.iterations) return;
  throw new Fault(`the loops run more than ${limits.iterations} iterations`, "show less data", {
    isLimit: true,
  });
}

/** Returns the text of all iterations; `undefined` if there are none. */
function overOther(value: unknown, frame: Frame, parts: RangeParts): string | undefined {
  if (parts.keySlot !== undefined && kindOf(value) === "int") {
    throw new Fault(
      `can't use ${String(value)} to iterate over more than one variable`,
      "declare one variable",
    );
  }
  const { record } = frame;
  let out: string | undefined;
  forEachEntry(value, (key, item) => {
    out = (out ?? "") + once(key, item, frame, parts);
    count(frame, 1);
    if (out.length > limits.outputChars) throw tooLong();
    return frame.jump === 0 || !endsLoop(frame);
  });
  frame.record = record;
  return out;
}

/** Calls `step` for each entry until it returns `false`. */
function forEachEntry(value: unknown, step: (key: unknown, item: unknown) => boolean): void {
  switch (kindOf(value)) {
    case "nil":
      return;
    case "int":
      for (let i = 0; i < Number(value); i++) if (!step(i, i)) return;
      return;
    case "list":
    case "iterable": {
      let index = 0;
      for (const item of value as Iterable<unknown>) if (!step(index++, item)) return;
      return;
    }
    case "map":
      for (const [key, item] of sortedEntries(value as object) ?? []) if (!step(key, item)) return;
      return;
    default:
      throw new Fault(
        `range can't iterate over a value of type ${goType(value)}`,
        "pass a list, a map, a whole number or an iterable",
      );
  }
}
