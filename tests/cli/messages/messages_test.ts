import { assert, assertEquals } from "@std/assert";
import { messagesIn } from "../../../cli/messages/catalog.ts";

/** Texts that are equal in both languages: names of the framework. */
const shared = new Set(["routesHeaders"]);

/** Lists every text of a catalogue by its path; functions get the same sample arguments. */
function textsOf(value: unknown, path: string): Map<string, string> {
  const texts = new Map<string, string>();
  if (typeof value === "function") {
    const args = Array.from({ length: 6 }, (_, index) => `‹${index}›`);
    return new Map(textsOf(value(...args), `${path}()`));
  }
  if (typeof value === "string") return texts.set(path, value);
  for (const [key, inner] of Object.entries(value ?? {})) {
    for (const [at, text] of textsOf(inner, `${path}.${key}`)) texts.set(at, text);
  }
  return texts;
}

const english = textsOf(messagesIn("en"), "");
const portuguese = textsOf(messagesIn("pt"), "");

Deno.test("both catalogues have the same texts", () => {
  assert(english.size > 60, `${english.size} texts`);
  assertEquals([...portuguese.keys()].sort(), [...english.keys()].sort());
});

Deno.test("every text is translated and keeps its arguments", () => {
  for (const [path, text] of english) {
    const other = portuguese.get(path) ?? "";
    const holes = (text: string): string[] => [...new Set(text.match(/‹\d›/g) ?? [])].sort();
    assertEquals(holes(other), holes(text), path);
    if (![...shared].some((key) => path.startsWith(`.${key}`)) && /[a-z]{4}/.test(text)) {
      assert(other !== text, `${path} is the same in both: ${text}`);
    }
  }
});

/** Words and forms of Brazilian Portuguese that European Portuguese does not use. */
const brazilian =
  /(?<!\p{L})(?:arquivos?|diretórios?|telas?|usuári[oa]s?|senhas?|vocês?|rod(?:a|am|e|ou|ar)|registr\p{L}+|banco de|bancos de dados|requisiç(?:ão|ões)|contato|aplicativos?|baix(?:e|a|ar|á-lo)|conexões|cadastro|celular|mídia|gerenci\p{L}+|salv(?:ar|e|o)|delet\p{L}+|(?<!\p{L})em uma?|não \p{L}+ mais(?! nada))(?!\p{L})/iu;

Deno.test("the Portuguese is European", () => {
  for (const [path, text] of portuguese) {
    const [found] = brazilian.exec(text) ?? [];
    assertEquals(found, undefined, `${path}: ${text}`);
    const [progressive] = /(?<!\p{L})(?:est(?:á|ão) )\p{L}+ndo(?!\p{L})/u.exec(text) ?? [];
    assertEquals(progressive, undefined, `${path}: ${text}`);
  }
  // A check that never finds anything proves nothing.
  assert(brazilian.test("Você não tem arquivos em uma pasta"));
});
