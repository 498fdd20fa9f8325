import { assert, assertEquals } from "@std/assert";
import * as h from "../../html/mod.ts";
import * as ui from "../../ui/mod.ts";
import { cpuMs } from "../cpu_time.ts";

/** The inner HTML of the rendered text. */
function render(text: string): string {
  const html = h.render(ui.markdown(text));
  return html.slice('<div class="ui-markdown">'.length, -"</div>".length);
}

const rel = 'rel="noopener noreferrer nofollow"';

const texts: [name: string, text: string, html: string][] = [
  ["nothing", "", ""],
  ["paragraphs", "a\nb\n\nc", "<p>a\nb</p><p>c</p>"],
  ["a hard line break", "a  \nb", "<p>a<br>b</p>"],
  ["headings, below those of the page", "## a\n### b #\n## c", "<h3>a</h3><h4>b</h4><h3>c</h3>"],
  ["headings that leave a level out", "# a\n###### b\n# c", "<h3>a</h3><h4>b</h4><h3>c</h3>"],
  ["headings that begin low", "#### a\n# b", "<h3>a</h3><h3>b</h3>"],
  ["a heading in a quote", "> # a", "<blockquote><p>a</p></blockquote>"],
  ["a rule", "a\n\n---\n* * *", "<p>a</p><hr><hr>"],
  [
    "emphasis",
    "*a* **b** ***c*** _d_ __e__ ~~f~~",
    "<p><em>a</em> <strong>b</strong> <strong><em>c</em></strong> <em>d</em> <strong>e</strong> <del>f</del></p>",
  ],
  ["emphasis in emphasis", "**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"],
  [
    "signs that mean nothing",
    "2 * 3 * 4, snake_case_name, **open",
    "<p>2 * 3 * 4, snake_case_name, **open</p>",
  ],
  ["escapes", "\\*a\\* \\`b\\` \\a", "<p>*a* `b` \\a</p>"],
  ["code", "`a <b>` and `` c ` d ``", "<p><code>a &lt;b&gt;</code> and <code>c ` d</code></p>"],
  ["nothing in code", "`**a** [b](/c)`", "<p><code>**a** [b](/c)</code></p>"],
  ["a fence", "```ts\n<b>\n\n# a\n```\nb", "<pre><code>&lt;b&gt;\n\n# a</code></pre><p>b</p>"],
  ["a fence that is still coming", "```\na", "<pre><code>a</code></pre>"],
  ["a quote", "> a\n> > b", "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>"],
  ["a list", "- a\n- b", "<ul><li>a</li><li>b</li></ul>"],
  ["a loose list", "- a\n\n- b", "<ul><li>a</li><li>b</li></ul>"],
  ["a numbered list", "3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'],
  [
    "a list in a list",
    "1. a\n   - b\n   - c\n2. d",
    "<ol><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ol>",
  ],
  ["a paragraph in a list", "- a\n\n  b", "<ul><li>a<p>b</p></li></ul>"],
  ["code in a list", "- a\n  ```\n  b\n  ```", "<ul><li>a<pre><code>b</code></pre></li></ul>"],
  ["two kinds of list", "- a\n1. b", "<ul><li>a</li></ul><ol><li>b</li></ol>"],
  ["a list after text", "a:\n- b", "<p>a:</p><ul><li>b</li></ul>"],
  [
    "a table",
    "| a | b |\n|---|:-:|\n| 1 | *2* | 3 |",
    "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><em>2</em></td></tr></tbody></table>",
  ],
  ["a table that is none", "a | b\nc", "<p>a | b\nc</p>"],
  [
    "a link",
    '[*a*](https://b.example/c?d=1&e=(2) "t")',
    `<p><a href="https://b.example/c?d=1&amp;e=(2)" ${rel}><em>a</em></a></p>`,
  ],
  [
    "a link on this site",
    "[a](/b) [c](#d) [e](mailto:f@g.example)",
    `<p><a href="/b" ${rel}>a</a> <a href="#d" ${rel}>c</a> <a href="mailto:f@g.example" ${rel}>e</a></p>`,
  ],
  [
    "a bare link",
    "See https://a.example/b_c.",
    `<p>See <a href="https://a.example/b_c" ${rel}>https://a.example/b_c</a>.</p>`,
  ],
  [
    "an image as a link",
    "![a](https://b.example/c.png)",
    `<p><a href="https://b.example/c.png" ${rel}>a</a></p>`,
  ],
  ["CRLF", "a\r\n\r\nb", "<p>a</p><p>b</p>"],
];

for (const [name, text, html] of texts) {
  Deno.test(`markdown: ${name}`, () => assertEquals(render(text), html));
}

const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](data:text/html,<script>)",
  "[a](vbscript:x)",
  "[a](//evil.example)",
  "[a](/\\evil.example)",
  "[a](\\/evil.example)",
  "[a](\u0001javascript:x)",
  '[a](https://a.example/"onmouseover="alert(1))',
  "[a](<javascript:x>)",
  "![a](javascript:x)",
  "https://a.example/\"onmouseover='x'",
  "```\n</code></pre><script>",
  "`</code><script>`",
  "# <script>",
  "| <script> |\n|---|\n| <img> |",
  "- <script>\n  > <script>",
  "&lt;script&gt; &#60;script&#62;",
];

for (const text of hostile) {
  Deno.test(`markdown: nothing in ${JSON.stringify(text)} becomes HTML`, () => {
    const html = render(text);
    const allowed =
      /^<\/?(?:p|a|pre|code|h3|table|thead|tbody|tr|th|td|ul|li|blockquote)(?: href="(?:https:\/\/|\/(?!\/))[^"<>]*" rel="[a-z ]+")?>/;
    for (const [tag] of html.matchAll(/<[^]*?>/g)) assert(allowed.test(tag), tag);
    assert(!/href="(?!https:)/.test(html), html);
  });
}

const long: [name: string, text: string][] = [
  ["stars", "*".repeat(100_000)],
  ["openings of emphasis", "**a ".repeat(50_000)],
  ["brackets", "[".repeat(100_000)],
  ["openings of links", "[a](b".repeat(30_000)],
  ["backticks of every length", "`a``b```c".repeat(20_000)],
  ["quotes in quotes", "> ".repeat(50_000)],
  ["lists in lists", "- ".repeat(50_000)],
  [
    "deeper and deeper lists",
    Array.from({ length: 400 }, (_, at) => " ".repeat(at * 2) + "- a").join("\n"),
  ],
  ["columns", "|".repeat(50_000) + "\n|" + "-|".repeat(50_000)],
  ["blank lines", "\n".repeat(200_000)],
  ["spaces in a heading", `# a${" ".repeat(200_000)}b`],
  ["signs at the end of a heading", `# a${"#".repeat(200_000)}b`],
  ["both, again and again", `# a${" #".repeat(100_000)}b`],
  ["spaces in code", `\` ${"a ".repeat(100_000)}b\``],
  ["letters in code", `\` ${"a".repeat(200_000)}b\``],
  ["spaces below a table's head", `a|b\n${" ".repeat(200_000)}x`],
  ["spaces after a table's line", `a|b\n|-|${" ".repeat(200_000)}x`],
  ["stops behind links", `https://a${".".repeat(1_900)}a `.repeat(100)],
  ["headings", "# a\n".repeat(130_000)],
  ["signs of a rule", `${"- ".repeat(100_000)}x`],
  ["short lines", "a\n".repeat(200_000)],
  ["indented lines", `- a\n${"  \n".repeat(100_000)}  b`],
];

for (const [name, text] of long) {
  Deno.test(`markdown: the time for many ${name} grows with the length alone`, () => {
    const startedMs = cpuMs();
    render(text);
    // A quadratic parser needs minutes.
    assert(cpuMs() - startedMs < 3000);
  });
}
