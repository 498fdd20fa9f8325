import { assert, assertEquals, assertThrows } from "@std/assert";
import { node, parse, TemplateError, text, trustHtml } from "../../tmpl/mod.ts";
import { cpuMs } from "../cpu_time.ts";

function render(template: string, data: unknown = null): string {
  return node(parse(template, { name: "t.html" }), "t.html", data).render();
}

function limit(run: () => unknown, message: string): void {
  const error = assertThrows(run, TemplateError, message);
  assertEquals(error.code, "ErrLimit");
  assert(error.fix !== "" && /Fix: .+\.$/.test(error.message), error.message);
}

Deno.test("10,000 nested ifs are refused", () => {
  limit(
    () => render("{{if .}}".repeat(10_000) + "{{end}}".repeat(10_000)),
    "nested deeper than 200",
  );
  limit(() => render(`{{${"(".repeat(10_000)}1${")".repeat(10_000)}}}`), "nested deeper than 200");
  limit(() => render("{{if 1}}{{else if 1}}".repeat(10_000)), "nested deeper than 200");
});

Deno.test("150 nested ifs are rendered", () => {
  assertEquals(render("{{if .}}".repeat(150) + "x" + "{{end}}".repeat(150), 1), "x");
});

Deno.test("a template that includes itself is an error with its place", () => {
  limit(
    () => render('a\n {{template "t.html" .}}'),
    'render "t.html:2:13": exceeded maximum template depth',
  );
  const two =
    '{{define "a"}}{{template "b"}}{{end}}{{define "b"}}{{template "a"}}{{end}}{{template "a"}}';
  limit(() => render(two), "exceeded maximum template depth");
  limit(() => text(parse('{{template "t"}}', { name: "t" }), "t", null), "maximum template depth");
});

Deno.test("a template that includes itself is an error on a deep call stack too", () => {
  const set = parse('{{if .}}{{template "t" .}}{{end}}', { name: "t" });
  const deep = (left: number): unknown => left === 0 ? node(set, "t", 1) : deep(left - 1);
  assertThrows(() => deep(6_000), TemplateError);
});

Deno.test("more than 100 MB are refused, and no output is returned", () => {
  const line = "x".repeat(1_000_000);
  limit(() => render("{{range .n}}{{$.line}}{{end}}", { n: 1_000, line }), "longer than 100000000");
  const doubling = Array.from(
    { length: 40 },
    (_, i) => `{{define "d${i}"}}{{template "d${i + 1}" .}}{{template "d${i + 1}" .}}{{end}}`,
  ).join("");
  limit(() => render(`${doubling}{{define "d40"}}{{.}}{{end}}{{template "d0" .}}`, line), "longer");
});

Deno.test("a width or a precision is at most a million characters", () => {
  for (const verb of ["%99999999d", "%099999999d", "%.99999999d"]) {
    assertEquals(render(`{{printf "${verb}" 1}}`).length, 1_000_000, verb);
  }
});

Deno.test("endless loops are refused", () => {
  limit(() => render("{{range .}}{{end}}", 1e12), "more than 10000000 iterations");
  const endless = {
    *[Symbol.iterator](): Generator<number> {
      for (;;) yield 1;
    },
  };
  limit(() => render("{{range .}}{{end}}", endless), "more than 10000000 iterations");
});

Deno.test("the width of printf is limited", () => {
  assertEquals(render('{{len (printf "%1000000d" 1)}}'), "1000000");
  assert(render('{{printf "%999999999d" 1}}').length < 100);
  assertEquals(render('{{len (printf "%*d" 99999999 1)}}'), "13");
});

Deno.test("a hostile template takes time linear in its length", () => {
  const startMs = cpuMs();
  const rows = ["<!--", "<a ", "{{/*", "\"'`", ..."<script> ${ /[ url( {{1}}- & <".split(" ")];
  for (const piece of rows) {
    try {
      render(piece.repeat(10_000));
    } catch (error) {
      assert(error instanceof TemplateError, String(error));
    }
  }
  const tookMs = cpuMs() - startMs;
  assert(tookMs < 10_000, `${tookMs} ms`);
});

function cost(run: () => unknown): number {
  const startMs = cpuMs();
  run();
  return cpuMs() - startMs;
}

const linear: readonly [what: string, run: (n: number) => unknown][] = [
  ["indented code", (n) => render(`<script>${`${" ".repeat(200)}-a\n`.repeat(n)}</script>`)],
  ["spaces in a script", (n) => render(`<script>a${" ".repeat(50 * n)}-1</script>`)],
  ["strings in a script", (n) => render(`<script>${'f("a");'.repeat(10 * n)}</script>`)],
  ["comments in a script", (n) => render(`<script>${"/* a */ b;".repeat(10 * n)}</script>`)],
  ["colours", (n) => render(`<style>${"a{b:rgb(1,2,3)}".repeat(10 * n)}</style>`)],
  ["spaces in a style", (n) => render(`<style>a{b:c${" ".repeat(50 * n)}(d)}</style>`)],
  ["words in srcset", (n) => render('<img srcset="{{.}}">', `${"a".repeat(10 * n)} !`)],
  ["spaces in srcset", (n) => render('<img srcset="{{.}}">', `a${" ".repeat(10 * n)}!`)],
  ["in an attribute", (n) => render('<p title="{{.}}">', trustHtml("<a b='c'>".repeat(4 * n)))],
];

for (const [what, run] of linear) {
  Deno.test(`the time for ${what} is linear in their length`, () => {
    // The least of up to three runs, because other work of the machine slows single ones down.
    let [short, long] = [Infinity, Infinity];
    const isLinear = (): boolean => long < 8 * Math.max(short, 5);
    for (let round = 0; round < 3 && !isLinear(); round++) {
      short = Math.min(short, cost(() => run(400)));
      long = Math.min(long, cost(() => run(1_600)));
    }
    assert(isLinear(), `${short} ms, and ${long} ms for four times as much`);
  });
}

Deno.test("nested loops take time linear in their depth", () => {
  const nested = (depth: number, body: string): string =>
    "{{range .}}".repeat(depth) + body + "{{end}}".repeat(depth);
  const startMs = cpuMs();
  assertEquals(render(nested(60, "{{.}}")), "");
  assertEquals(render(`<script>[${nested(60, "{{.}},")}]</script>`), "<script>[]</script>");
  assertEquals(render(`<script>[${nested(60, "{{.}}")}]</script>`), "<script>[]</script>");
  assert(cpuMs() - startMs < 5_000);
});

Deno.test("an error in a chain of templates is found once", () => {
  const chain = Array.from(
    { length: 60 },
    (_, i) => `{{define "d${i}"}}{{template "d${i + 1}"}}{{end}}`,
  ).join("");
  const error = assertThrows(
    () =>
      render(`${chain}{{define "d60"}}<a href="{{if .}}?{{end}}{{.}}">{{end}}{{template "d0"}}`),
    TemplateError,
  );
  assertEquals(error.code, "ErrAmbigContext");
});
