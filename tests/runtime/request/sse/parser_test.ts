import { assertEquals, assertThrows } from "@std/assert";
import { ServerEventParser } from "../../../../runtime/addon.ts";

/** Parses the text as one chunk and split at every position, with equal results. */
function parseEveryWay(text: string): [event: string, data: string, id: string | undefined][][] {
  const ways = [[text], [...text], ...cuts(text)];
  return ways.map((pieces) => {
    const parser = new ServerEventParser();
    const events = pieces.flatMap((piece) => parser.push(piece));
    return events.map(({ event, data, id }) => [event, data, id]);
  });
}

function cuts(text: string): string[][] {
  return Array.from({ length: text.length }, (_, at) => [text.slice(0, at), text.slice(at)]);
}

type Event = [event: string, data: string, id?: string | undefined];

const messages = (...data: string[]): Event[] => data.map((each) => ["message", each]);

const streams: [name: string, text: string, events: Event[]][] = [
  ["an empty stream", "", []],
  ["one event", "data: a\n\n", messages("a")],
  ["a byte order mark left by the decoder", "\ufeffdata: a\n\ndata: b\n\n", messages("b")],
  ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", messages("a", "b")],
  ["CR alone", "data: a\r\rdata: b\r\r", messages("a", "b")],
  ["mixed line ends", "data: a\ndata: b\r\ndata: c\r\n\n", messages("a\nb\nc")],
  ["comments", ": hi\ndata: a\n:\n\n:\n\n", messages("a")],
  ["no space, and two, of which one is dropped", "data:a\ndata:  b\n\n", messages("a\n b")],
  ["a name", "event: x\ndata: a\n\ndata: b\n\n", [["x", "a"], ["message", "b"]]],
  ["a name without data", "event: x\n\ndata: b\n\n", messages("b")],
  ["empty data", "data\n\ndata:\n\n", messages("", "")],
  ["a lasting id", "id: 1\ndata: a\n\ndata: b\n\n", [["message", "a", "1"], ["message", "b", "1"]]],
  ["an empty id", "id: 1\ndata: a\n\nid\ndata: b\n\n", [["message", "a", "1"], ["message", "b"]]],
  ["an id with NUL", "id: 1\nid: \0\ndata: a\n\n", [["message", "a", "1"]]],
  ["a long id", `id: 1\nid: ${"x".repeat(4_097)}\ndata: a\n\n`, [["message", "a", "1"]]],
  ["unknown fields", "foo: 1\nDATA: x\n data: y\ndata: a\n\n", messages("a")],
  ["a colon in the data", 'data: {"a":1}\n\n', messages('{"a":1}')],
  ["a last event without its blank line", "data: a\n\ndata: b\n", messages("a")],
  // WPT, eventsource/format-*.any.js.
  ["WPT bom-2", "\ufeffdata:1\n\ndata:2\n\ndata:3\n\n", messages("2", "3")],
  [
    "WPT comments",
    "data:1\r:\0\n:\r\ndata:2\n:x\rdata:3\n:data:fail\r:x\ndata:4\n\n",
    messages("1\n2\n3\n4"),
  ],
  [
    "WPT field-parsing",
    "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
    messages("\0\n 2\n1\n3\n\n4"),
  ],
  ["WPT field-data", "data:\n\ndata\ndata\n\ndata:test\n\n", messages("", "\n", "test")],
  ["WPT field-event", "event:test\ndata:x\n\ndata:x\n\n", [["test", "x"], ["message", "x"]]],
  ["WPT field-event-empty", "event: \ndata:data\n\n", messages("data")],
  [
    "WPT field-unknown",
    "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
    messages("test\n\ntest"),
  ],
  ["WPT leading-space", "data:\ttest\rdata: \ndata:test\n\n", messages("\ttest\n\ntest")],
  ["WPT newlines", "data:test\r\ndata\ndata:test\r\n\r", messages("test\n\ntest")],
  ["WPT null-character", "data:\0\n\n\n\n", messages("\0")],
  ["prototype names", "__proto__: 1\nevent: constructor\ndata: a\n\n", [["constructor", "a"]]],
];

for (const [name, text, wanted] of streams) {
  Deno.test(`ServerEventParser.push: ${name}, split at any position`, () => {
    const expected = wanted.map(([event, data, id]) => [event, data, id]);
    for (const events of parseEveryWay(text)) assertEquals(events, expected as typeof events);
  });
}

Deno.test("ServerEventParser.end returns the event without its final blank line", () => {
  for (const rest of ["data: b", "data: b\n", "data: b\r"]) {
    const parser = new ServerEventParser();
    parser.push(`data: a\n\n${rest}`);
    assertEquals(parser.end(), [{ event: "message", data: "b", id: undefined }]);
    assertEquals(parser.end(), []);
  }
});

Deno.test("ServerEventParser keeps the last id and a numeric retry", () => {
  const parser = new ServerEventParser();
  parser.push("retry: 250\nid: 7\ndata: a\n\nretry: 1e9\nretry: -1\nretry: 99999999999\n\n");
  assertEquals([parser.retryMs, parser.lastEventId], [250, "7"]);
});

const cutIds: [name: string, text: string, end: boolean, id: string | undefined][] = [
  ["after the id", "data: a\nid: 4\n\nid: 5\n", false, "4"],
  ["after id and data", "data: a\nid: 4\n\nid: 5\ndata: b\n", false, "4"],
  ["at the end of the stream", "data: a\nid: 4\n\ndata: b\nid: 5\n", true, "4"],
  ["after the blank line", "data: a\nid: 4\n\ndata: b\nid: 5\n\n", true, "5"],
  ["after an id without data", "data: a\nid: 4\n\nid: 5\n\n", true, "5"],
];

for (const [name, text, isEnd, id] of cutIds) {
  Deno.test(`ServerEventParser.lastEventId of a truncated stream ${name}`, () => {
    const parser = new ServerEventParser();
    parser.push(text);
    if (isEnd) parser.end();
    assertEquals(parser.lastEventId, id);
  });
}

const floods: [name: string, pieces: (count: number) => string, part: string][] = [
  ["an endless line", () => "x".repeat(100), "line"],
  ["a line's late end", (count) => (count < 9 ? "x".repeat(100) : "x".repeat(200) + "\n"), "line"],
  ["an event of many lines", () => "data: 0123456789\n", "event"],
  ["an event of empty lines", () => "data\n", "event"],
  ["a CRLF event of many lines", () => "data: 0123456789\r\n", "event"],
];

for (const [name, piece, part] of floods) {
  Deno.test(`ServerEventParser.push refuses ${name}`, () => {
    const parser = new ServerEventParser({ maxLineChars: 1000, maxEventChars: 1000 });
    const error = assertThrows(() => {
      for (let count = 0; count < 2000; count++) parser.push(piece(count));
    }, RangeError);
    assertEquals(error.message, `Cannot read the event stream: a ${part} is over 1000 characters.`);
  });
}
