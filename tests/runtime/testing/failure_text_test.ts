import { assert, assertEquals, AssertionError, assertRejects } from "@std/assert";
import { type PendingResponse, testPage, testRoute } from "../../../runtime/testing/mod.ts";
import { routeOf } from "../app/support.ts";

async function messageOf(pending: () => PendingResponse): Promise<string> {
  return (await assertRejects(async () => await pending(), AssertionError)).message;
}

function ask(body: string, type = "text/html; charset=utf-8"): PendingResponse {
  const GET = (): Response => new Response(body, { headers: { "content-type": type } });
  return testRoute(routeOf("GET", "/x", GET), "GET", "/x");
}

const layout = `<nav>${'<a class="flex">Menu</a>'.repeat(300)}</nav>`;
const signIn =
  `<!doctype html><html><head><title>Sign in &amp; go</title><style>a{}</style></head>` +
  `<body>${layout}<main class="x"><script>evil()</script><h1>Wrong&#39;s &lt;key&gt;</h1>\n\n` +
  `<p>Try <b>again</b>.</p></main></body></html>`;
const marked = `<title>T</title>${layout}<main id="m"><b>Hello</b></main><footer></footer>`;
const words = `<title>T</title><body>${"<p>word</p>".repeat(1_000)}</body>`;
const problem = '{"detail":"<b>no</b>"}';

const rows: readonly [name: string, check: () => PendingResponse, shown: string][] = [
  [
    "wantStatus of a page prints its title and the text of main, not its layout",
    () => ask(signIn).wantStatus(303),
    ": want status 303, got 200 (status 200)\nSign in & go\nWrong's <key> Try again.",
  ],
  [
    "wantStatus of a page without main prints the text of its body, shortened",
    () => ask(words).wantStatus(303),
    `\nT\n${"word ".repeat(80)}…`,
  ],
  ["wantHeader of a page prints the same", () => ask(marked).wantHeader("x", "y"), "\nT\nHello"],
  [
    "wantContains of a page prints the HTML of main",
    () => ask(marked).wantContains("<i>"),
    '\nT\n<main id="m"><b>Hello</b></main>',
  ],
  [
    "wantContains of a page without main prints the whole document",
    () => ask("<title>T</title><nav>Menu</nav>").wantContains("<i>"),
    "\nT\n<title>T</title><nav>Menu</nav>",
  ],
  ["a fragment of HTML is printed", () => ask("<p>Saved</p>").wantStatus(1), "\nSaved"],
  ["an empty page is printed", () => ask("").wantStatus(1), "\n(no body)"],
  ["a page without text is printed", () => ask("<p></p>").wantStatus(1), "\n<p></p>"],
  ...["application/json", "application/problem+json", "text/plain"].flatMap((type) =>
    [
      [`${type} is shown as it is`, () => ask(problem, type).wantStatus(1), `\n${problem}`],
      [
        `${type} is shortened`,
        () => ask("a".repeat(50_000), type).wantStatus(1),
        `\n${"a".repeat(2_000)}…`,
      ],
    ] as const
  ).map(([...row]): [string, () => PendingResponse, string] => row),
];

for (const [name, check, shown] of rows) {
  Deno.test(`a failed check: ${name}`, async () => {
    const message = await messageOf(check);
    assertEquals(message.slice(-shown.length), shown);
    assert(message.length < shown.length + 80, message);
  });
}

Deno.test("a failed check: wantStatus of a development page names the error", async () => {
  const page = (): never => {
    throw new Error("the till is empty");
  };
  const message = await messageOf(() => testPage({ page }, "/x").wantStatus(200));
  assert(message.includes("the till is empty"), message);
  assert(!/<(?:main|div|p|pre)\b/.test(message), message);
  assert(message.length < 900, `${message.length}`);
});
