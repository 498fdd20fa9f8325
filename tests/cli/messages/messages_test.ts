import { assert, assertEquals } from "@std/assert";
import { en } from "../../../cli/messages/en.ts";
import { pt } from "../../../cli/messages/pt.ts";

/** Texts that are the same in both languages: words of the framework. */
const shared = new Set(["routesHeaders"]);

/** Every text of a catalogue by its path; functions get the same made-up arguments. */
function textsOf(value: unknown, path: string): Map<string, string> {
  const texts = new Map<string, string>();
  if (typeof value === "function") {
    const args = Array.from({ length: value.length }, (_, index) => `‹${index}›`);
    return new Map(textsOf(value(...args), `${path}()`));
  }
  if (typeof value === "string") return texts.set(path, value);
  for (const [key, inner] of Object.entries(value ?? {})) {
    for (const [at, text] of textsOf(inner, `${path}.${key}`)) texts.set(at, text);
  }
  return texts;
}

const english = textsOf(en, "");
const portuguese = textsOf(pt, "");

Deno.test("both catalogues have the same texts", () => {
  assert(english.size > 60, `${english.size} texts`);
  assertEquals([...portuguese.keys()].sort(), [...english.keys()].sort());
});

Deno.test("no text was left in English, and none lost an argument", () => {
  for (const [path, text] of english) {
    const other = portuguese.get(path) ?? "";
    const holes = (text: string): string[] => [...new Set(text.match(/‹\d›/g) ?? [])].sort();
    assertEquals(holes(other), holes(text), path);
    if (![...shared].some((key) => path.startsWith(`.${key}`)) && /[a-z]{4}/.test(text)) {
      assert(other !== text, `${path} is the same in both: ${text}`);
    }
  }
});
