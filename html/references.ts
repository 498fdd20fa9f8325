/** Decodes HTML's character references. */

const named: Readonly<Record<string, string>> = {
  AMP: "&",
  amp: "&",
  apos: "'",
  GT: ">",
  gt: ">",
  LT: "<",
  lt: "<",
  nbsp: "\u00a0",
  QUOT: '"',
  quot: '"',
};

/** Names that need their semicolon, each after its character, which has a meaning in URLs and code. */
const punctuation =
  "!excl #num $dollar %percnt (lpar )rpar *ast *midast +plus ,comma .period /sol :colon " +
  ";semi =equals ?quest @commat [lsqb [lbrack \\bsol ]rsqb ]rbrack ^Hat _lowbar _UnderBar `grave " +
  "`DiacriticalGrave {lcub {lbrace |verbar |vert |VerticalLine }rcub }rbrace";

interface References {
  readonly characters: Readonly<Record<string, string>>;
  readonly pattern: RegExp;
}

/** Read on first use, which few applications have (`bench/start`). */
let references: References | undefined;

/**
 * Without a semicolon only legacy names count, and in an attribute only if no letter, digit or `=`
 * follows: `?a=1&lt=2` contains no reference.
 */
function readReferences(): References {
  const pairs = punctuation.split(" ").map((pair) => [pair.slice(1), pair.charAt(0)]);
  const others = Object.fromEntries([["Tab", "\t"], ["NewLine", "\n"], ...pairs]);
  const [old, semicolon] = [named, others].map((names) => Object.keys(names).join("|"));
  const source = `&(?:#(\\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(${old}|(?:${semicolon})(?=;)))(;?)`;
  return { characters: { ...named, ...others }, pattern: new RegExp(source, "g") };
}

/**
 * Decodes the character references of an attribute's value: numbers, the names used for escaping,
 * and the names of ASCII punctuation. Other names stay as written, so a URL may contain a bare `&`.
 */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  const { characters, pattern } = references ??= readReferences();
  return text.replace(pattern, (whole, decimal, hex, name, semicolon, at: number) => {
    if (name !== undefined) {
      const next = text[at + whole.length] ?? "";
      const isName = semicolon === ";" || (name !== "apos" && !/[A-Za-z0-9=]/.test(next));
      return isName ? characters[name] ?? whole : whole;
    }
    return fromCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

function fromCode(code: number): string {
  const isText = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : "\ufffd";
}
