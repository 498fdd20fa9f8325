/** Templates from a seeded grammar, the same in every run. */
import { type Random, randomFrom } from "../random.ts";

const fields = [".a", ".b", ".c.d", ".list", ".n", ".f", ".missing", "$.a", "$.n", ".html", ".t"];

class Grammar {
  readonly #random: Random;
  #depth = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #many(most: number, make: () => string): string {
    let out = "";
    for (let i = 0; i < 1 + Math.floor(this.#random() * most); i++) out += make();
    return out;
  }

  #operand(): string {
    if (this.#chance(0.7)) return this.#pick(fields);
    return this.#pick(['"x<y"', "12", "-3", "1.25", "true", '`a"b`', "'c'", "(len .list)", "$.b"]);
  }

  #pipe(): string {
    const base = this.#chance(0.6) ? this.#pick(fields) : this.#pick([
      () => `print ${this.#operand()} ${this.#operand()}`,
      () => `printf "%v/%s" ${this.#operand()} ${this.#operand()}`,
      () => `len ${this.#pick([".list", ".a", ".c"])}`,
      () => `eq ${this.#pick([".n 3", ".n 4", ".f 1.5", "3 .n 4", "$.a .b", ".missing .n"])}`,
      () => `lt ${this.#pick([".n 3", "2 .n", ".f 1.75", "$.a .b"])}`,
      () => `and ${this.#operand()} ${this.#operand()}`,
      () => `or ${this.#operand()} ${this.#operand()}`,
      () => `not ${this.#operand()}`,
      () => `index .list ${this.#pick(["0", "1", "9"])}`,
      () => `upper ${this.#pick([".a", '"q"'])}`,
      () => "safe `html` .a",
      () => `(${this.#pipe()})`,
    ])();
    if (this.#chance(0.15)) return `${base} | print`;
    return this.#chance(0.05) ? `${base} | ${this.#pick(["html", "urlquery", "js"])}` : base;
  }

  #action(): string {
    const left = this.#chance(0.1) ? "{{- " : "{{";
    const right = this.#chance(0.1) ? " -}}" : "}}";
    return left + this.#pipe() + right;
  }

  /** Returns the same kind of content in branches and loops. */
  #branched(make: () => string): string {
    if (this.#depth > 2 || this.#chance(0.6)) return make();
    this.#depth++;
    const content = this.#pick([
      () => `{{if ${this.#pipe()}}}${make()}{{end}}`,
      () => `{{if ${this.#pipe()}}}${make()}{{else}}${make()}{{end}}`,
      () =>
        `{{if ${this.#pipe()}}}${make()}{{else if ${this.#pipe()}}}${make()}{{else}}${make()}{{end}}`,
      () => `{{with ${this.#pick([".c", ".a", ".missing"])}}}${make()}{{else}}${make()}{{end}}`,
      () => `{{range ${this.#pick([".list", ".missing", ".c"])}}}${make()}{{else}}${make()}{{end}}`,
      () => `{{range $i, $e := $.list}}${make()}{{if $i}}{{break}}{{end}}{{$e}}{{end}}`,
      () => `{{range $e := .list}}{{if eq $e "y&"}}{{continue}}{{end}}{{$e}}${make()}{{end}}`,
      () => `{{$v := ${this.#pipe()}}}${make()}{{$v}}`,
      () => `{{template "part" ${this.#pick([".a", ".n", "."])}}}${make()}`,
    ])();
    this.#depth--;
    return content;
  }

  #words(): string {
    return this.#pick(["word ", "a & b ", "é ", "x<y ", "1 ", "'q' ", "\n", " "]);
  }

  #value(): string {
    return this.#many(
      2,
      () =>
        this.#branched(() =>
          this.#chance(0.6) ? this.#action() : this.#pick(["a", " b", "é", "-"])
        ),
    );
  }

  #quoted(): string {
    const quote = this.#pick(['"', "'"]);
    const value = this.#value().replaceAll(quote, "");
    // A quote in an action is not a quote of the attribute.
    return quote + (value === "" ? this.#action() : value) + quote;
  }

  #attribute(): string {
    return this.#pick([
      () => ` title=${this.#quoted()}`,
      () => ` class=${this.#quoted()}`,
      () => ` href=${this.#quoted()}`,
      () => ` href="/p/${this.#action()}?q=${this.#action()}"`,
      () => ` src='${this.#action()}'`,
      () => ` srcset="${this.#action()} 2x"`,
      () => ` onclick="f(${this.#action()})"`,
      () => ` onclick="f('${this.#action()}')"`,
      () => ` style="width: ${this.#pick(["{{.n}}", "{{.c.d}}", "{{.f}}"])}px"`,
      () => ` id=i${this.#pick(["{{.n}}", "{{.a}}"])}`,
      () => ` {{if ${this.#pipe()}}}checked{{end}}`,
      () => ` data-x=${this.#quoted()}`,
      () => " hidden",
    ])();
  }

  #element(): string {
    if (this.#depth > 3) return this.#action();
    this.#depth++;
    const attributes = this.#chance(0.6) ? this.#many(3, () => this.#attribute()) : "";
    const name = this.#pick(["p", "b", "a", "div", "x-y", "h2", "td"]);
    const out = this.#pick([
      () => `<${name}${attributes}>${this.#content()}</${name}>`,
      () => `<${name}${attributes}>${this.#content()}</${name}>`,
      () => `<br${attributes}/>`,
      () => `<title>${this.#value()}</title>`,
      () => `<textarea${attributes}>${this.#value()}</textarea>`,
      () => `<script>${this.#many(3, () => this.#branched(() => this.#statement()))}</script>`,
      () => `<style>p { width: ${this.#pick(["{{.n}}", "{{.f}}", "{{.t}}"])} }</style>`,
      () => `<!-- ${this.#action()} -->`,
    ])();
    this.#depth--;
    return out;
  }

  #statement(): string {
    return this.#pick([
      () => `f(${this.#action()});`,
      () => `var x = "${this.#action()}";`,
      () => `y = 'a${this.#action()}';`,
      () => `z = [${this.#action()}, 1];`,
      () => `if (x) { g(${this.#action()}) }`,
      () => `/${this.#pick(["{{.a}}", "{{.n}}"])}/.test(s);`,
      () => `// ${this.#action()}\n`,
      () => `/* ${this.#action()} */ h();`,
      () => `a = b / ${this.#action()};`,
    ])();
  }

  #content(): string {
    return this.#many(
      3,
      () =>
        this.#branched(() =>
          this.#pick([() => this.#action(), () => this.#words(), () => this.#element()])()
        ),
    );
  }

  template(): string {
    this.#depth = 0;
    return this.#content() + '{{define "part"}}[{{.}}]{{end}}';
  }
}

export const randomData: unknown = {
  a: "A <&\"'+> é",
  b: "javascript:x",
  c: { d: "e f" },
  list: ["x", "y&", "z"],
  n: 3,
  f: 1.5,
  t: "10px",
  html: { $safe: "html", text: "<i>h</i>" },
};

export function randomTemplates(seed: number, count: number): readonly string[] {
  const grammar = new Grammar(randomFrom(seed));
  return Array.from({ length: count }, () => grammar.template());
}
