import { assertEquals } from "@std/assert";
import { type Ctx, date, float, int, int64, struct, type StructSchema, text } from "../../mod.ts";
import * as h from "../../html/mod.ts";
import { testPage } from "../../runtime/testing/mod.ts";
import * as ui from "../../ui/mod.ts";

type Attributes = ReadonlyMap<string, string>;

const c = {
  zone: "UTC",
  app: { config: { csrf: {} } },
  csrfToken: () => "token",
} as unknown as Ctx;

function controlOf(schema: StructSchema<{ a: unknown }>): Attributes {
  const html = h.render(ui.form(c, schema, { method: "get" }));
  const [, tag = "", written = ""] = /<(input|textarea|select)((?:"[^"]*"|[^">])*)>/.exec(html) ??
    [];
  const attributes = new Map([["tag", tag]]);
  for (const [, name = "", value] of written.matchAll(/ ([\w-]+)(?:="([^"]*)")?/g)) {
    attributes.set(name, value ?? "");
  }
  if (tag === "select") {
    attributes.set(
      "options",
      [...html.matchAll(/<option value="([^"]*)"/g)].map(([, v]) => v).join("|"),
    );
  }
  return attributes;
}

/** Returns HTML's constraint validation of a typed text (HTML, 4.10.5.3 and 4.10.21). */
function isRefusedByBrowser(attributes: Attributes, value: string): boolean {
  const get = (name: string): string | undefined => attributes.get(name);
  if (value === "") return get("required") !== undefined;
  const options = get("options");
  if (options !== undefined) return !options.split("|").includes(value);
  const length = value.replace(/\r\n/g, "\n").length;
  if (length < Number(get("minlength") ?? 0)) return true;
  if (length > Number(get("maxlength") ?? Infinity)) return true;
  const pattern = get("pattern");
  if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, "v").test(value)) return true;
  switch (get("type")) {
    case "email":
      return !/^[\w.!#$%&'*+/=?^`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/
        .test(value.trim());
    case "url":
      return !URL.canParse(value.trim());
    case "number":
      return isOutside(
        attributes,
        /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value) ? Number(value) : NaN,
      );
    case "date":
      return isOutside(
        attributes,
        /^\d{4,}-\d\d-\d\d$/.test(value) ? Date.parse(longYear(value)) : NaN,
      );
    case "datetime-local":
      return isOutside(
        attributes,
        /^\d{4,}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? Date.parse(longYear(value) + "Z") : NaN,
      );
    default:
      return false;
  }
}

function longYear(value: string): string {
  return /^\d{5}/.test(value)
    ? `+${value.replace(/^\d{5,6}/, (year) => year.padStart(6, "0"))}`
    : value;
}

function isOutside(attributes: Attributes, value: number): boolean {
  const bound = (name: string): number | undefined => {
    const text = attributes.get(name);
    if (text === undefined) return undefined;
    return /^\d{4}-/.test(text) ? Date.parse(text.length > 10 ? `${text}Z` : text) : Number(text);
  };
  const [min, max, step] = [bound("min"), bound("max"), bound("step")];
  if (Number.isNaN(value)) return true;
  if (value < (min ?? -Infinity) || value > (max ?? Infinity)) return true;
  return step !== undefined && !Number.isNaN(step) && (value - (min ?? 0)) % step !== 0;
}

async function isRefusedByServer(
  schema: StructSchema<{ a: unknown }>,
  value: string,
): Promise<boolean> {
  const page = async (c: Ctx): Promise<h.Node> => {
    const bound = await c.tryBind(schema);
    return h.p(bound.ok ? "accepted" : "refused");
  };
  const response = await testPage({ page }, `/?${new URLSearchParams({ a: value })}`);
  return response.body.includes("refused");
}

const dates = [
  "",
  "2025-12-31",
  "2026-01-01",
  "2026-12-31",
  "2027-01-01",
  "275760-01-01",
  "2026-13-01",
];
const times = [
  "2026-01-01T09:29",
  "2026-01-01T09:30",
  "2026-12-31T23:59",
  "2027-01-01T00:00",
  "12026-01-01T00:00",
];
const numbers = ["", "0", "1", "9", "10", "-1", "1.5", "1e1", "abc", ".5", "99999999999999999999"];
const lengths = ["", "a", "ab", "abc", "abcd", "a\r\nb", "  "];

/** A rule, its field, the resulting attributes, and values of which some are refused. */
const rows: [string, field: Parameters<typeof struct>[0][string], want: string, string[]][] = [
  ["required", text("required"), 'required=""', lengths],
  ["min", text("min=2"), 'minlength="2"', lengths],
  ["max", text("max=3"), 'maxlength="3"', lengths],
  ["len", text("len=3"), 'minlength="3" maxlength="3"', lengths],
  ["min of 1", text("min=1"), "", lengths],
  ["long text", text("max=300"), 'maxlength="300"', ["a".repeat(300), "a".repeat(301)]],
  ["email", text("email"), 'type="email"', [
    "",
    "ada",
    "ada@",
    "@a.pt",
    "a b@c.pt",
    "ada@b",
    "ada@b.pt",
    "a@b@c.pt",
  ]],
  ["url", text("url"), 'type="url"', [
    "",
    "example.org",
    "//a.pt",
    "http://",
    "https://a.pt/x",
    "ftp://a.pt",
  ]],
  ["oneof", text("oneof=x y"), 'options="|x|y"', ["", "x", "y", "z", "X"]],
  ["oneof, required", text("required,oneof=x y"), 'required="" options="|x|y"', ["", "x", "z"]],
  ["oneof of numbers", int("oneof=1 2"), 'options="|1|2"', ["", "1", "3"]],
  ["int", int(), 'type="number" step="1"', numbers],
  ["int, required", int("required"), 'type="number" required="" step="1"', numbers],
  ["int, min and max", int("min=1,max=9"), 'type="number" step="1" min="1" max="9"', numbers],
  ["int, optional", int("required,min=0").optional(), 'required="" step="1" min="0"', numbers],
  ["float", float("min=0.5,max=9.5"), 'type="number" step="any" min="0.5" max="9.5"', numbers],
  ["int64", int64("min=1"), 'inputmode="numeric" pattern="\\s*[+\\-]?\\d+\\s*"', [
    ...numbers,
    " 5 ",
    "+5",
    "9007199254740993",
  ]],
  ["date", date("required"), 'type="date" required="" max="9999-12-31"', dates],
  ["date min", date("min=2026-01-01,max=2026-12-31"), 'min="2026-01-01" max="2026-12-31"', dates],
  [
    "time, min and max",
    date("min=2026-01-01T09:30,max=2026-12-31"),
    'type="datetime-local" min="2026-01-01T09:30" max="2026-12-31T23:59"',
    times,
  ],
];

for (const [rule, field, want, values] of rows) {
  Deno.test(`form: ${rule} is ${want || "no attribute"}, and the server refuses the same values`, async () => {
    const schema: StructSchema<{ a: unknown }> = struct({ a: field });
    const attributes = controlOf(schema);
    const written = [...attributes].map(([name, value]) => `${name}="${value}"`);
    const wanted = want === "" ? [] : want.split(/ (?=[a-z]+=)/);
    const others = written.filter((each) => !/^(?:tag|id|class|name|type)=/.test(each));
    assertEquals(new Set([...others, ...wanted]), new Set(wanted));
    assertEquals(wanted.filter((each) => !written.includes(each)), []);
    const refused = values.filter((value) => isRefusedByBrowser(attributes, value));
    assertEquals(refused.length > 0, want !== "", "the row must show a refusal");
    const accepted: string[] = [];
    for (const value of refused) {
      if (!await isRefusedByServer(schema, value)) accepted.push(value);
    }
    assertEquals(accepted, []);
  });
}
