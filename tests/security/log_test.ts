/** What clients send, on its way to the terminal of whoever reads the log. */
import type { LogFields } from "@fw/fw";
import * as log from "../../runtime/telemetry/log.ts";
import { type HostileRow, testHostile } from "./hostile.ts";

type Log = typeof log;

/** What no line may hold: controls but its break, separators, marks of direction, what nobody sees. */
const raw = /[^\P{Cc}\n]|[\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

function write(
  module: Log,
  format: "json" | "text",
  fields: LogFields,
): string {
  let text = "";
  module.createLogger({ format, write: (lines) => void (text += lines) }).info("m", fields);
  if (raw.test(text)) return "raw";
  const lines = text.split("\n").slice(0, -1);
  return lines.slice(1).every((line) => line.startsWith("    ")) ? "plain" : "split";
}

const hostile: readonly [name: string, text: string][] = [
  ["CSI of C1", "a\u009b2J"],
  ["OSC of C1", "a\u009d0;title\u009c"],
  ["DEL", "a\u007f"],
  ["NEL", "a\u0085INFO fake"],
  ["a line separator", "a\u2028INFO fake"],
  ["text from right to left", "exe.\u202etxt"],
  ["an isolate", "a\u2067b\u2069"],
  ["a space without width", "ad\u200bmin"],
];

function rowsOf(
  guard: string,
  format: "json" | "text",
  fieldsOf: (text: string) => LogFields,
): HostileRow<Log>[] {
  return hostile.map((
    [name, text],
  ) => [`${name}: ${guard}`, guard, "plain", (module) => write(module, format, fieldsOf(text))]);
}

function errorOf(text: string): Error {
  const error = new Error("x");
  error.stack = `Error: ${text}\n    at x`;
  return error;
}

const rows: readonly HostileRow<Log>[] = [
  ...rowsOf("values are escaped", "text", (text) => ({ a: text })),
  ...rowsOf("names are quoted", "text", (text) => ({ [text]: 1 })),
  ...rowsOf("stacks are escaped", "text", (text) => ({ error: errorOf(text) })),
  ...rowsOf("JSON lines are escaped", "json", (text) => ({ [text]: [text], error: errorOf(text) })),
  [
    "a name that writes a line",
    "names are quoted",
    "plain",
    (module) => write(module, "text", { "a=1\n12:00:00.000 INFO  fake b": 1 }),
  ],
  [
    "a message that erases what stands above its stack",
    "stacks are escaped",
    "plain",
    (module) => write(module, "text", { error: errorOf("\u001b[2K\r\u001b[1A") }),
  ],
];

testHostile("a log line", { module: log, rows });
