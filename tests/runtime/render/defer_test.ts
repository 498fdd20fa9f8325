import type { AppParts, Ctx, Result, Route, Settings } from "../../../mod.ts";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { newSite, routeOf, type Site, throwing } from "../app/support.ts";

type Page = (c: Ctx) => Result | Promise<Result>;

function pageSite(
  page: Page,
  options: { config?: Settings; parts?: AppParts; route?: Partial<Route> } = {},
): Site {
  const { route, ...rest } = options;
  return newSite([{ pattern: "/", page, ...route }], rest);
}

const ask = (site: Site, path = "/", init: RequestInit = {}): Promise<Response> =>
  site.app.fetch(new Request(`http://localhost${path}`, init));

const turn = (ms = 2): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const later = async <T>(value: T, ms: number): Promise<T> => {
  await turn(ms);
  return value;
};

/** Returns the late parts of a page in the order of arrival. */
function partsOf(html: string): string[] {
  return [...html.matchAll(/<template id="fw-part-[0-9a-f]{8}-\d+">(.*?)<\/template><script/gs)]
    .map(([, part = ""]) => part);
}

/** Returns the HTML with a fixed text in place of the response's key. */
function unkeyed(html: string, response: Response): string {
  return html.replaceAll(response.headers.get("fw-late") ?? "no key", "KEY");
}

Deno.test("c.defer: the page is sent immediately with the fallback, and the part when it resolves", async () => {
  const part = Promise.withResolvers<h.Node>();
  const response = await ask(pageSite((c) => h.main(c.defer(part.promise, h.p("wait")))));
  assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(response.headers.get("x-accel-buffering"), "no");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = unkeyed((await reader?.read())?.value ?? "", response);
  assertStringIncludes(
    first,
    '<main><template id="fw-late-KEY-1"></template><p>wait</p><!--/fw-late-KEY-1--></main>' +
      '<noscript><p><a href="?fw_late=wait">Show this page with all its parts</a></p></noscript>',
  );
  assert(!first.includes("</body>"));
  assert(first.endsWith("<!--KEY-->"));
  part.resolve(h.p("there"));
  const want = "<p>there</p></template><script nonce=";
  assertStringIncludes((await reader?.read())?.value ?? "", want);
  assertEquals((await reader?.read())?.value, "</body></html>");
  assert((await reader?.read())?.done);
});

Deno.test("c.defer: parts are sent in the order in which they resolve", async () => {
  const fast = later(h.b("fast"), 1);
  const middle = fast.then(() => later(h.b("middle"), 1));
  const slow = middle.then(() => later(h.b("slow"), 1));
  const site = pageSite((c) => h.main([slow, fast, middle].map((part) => c.defer(part, "wait"))));
  const found = partsOf(await (await ask(site)).text());
  assertEquals(found, ["<b>fast</b>", "<b>middle</b>", "<b>slow</b>"]);
});

Deno.test("c.defer: every script carries the nonce of the policy", async () => {
  const response = await ask(pageSite((c) => h.main(c.defer(later("x", 1), "wait"))));
  const [, nonce] = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ??
    [];
  const html = await response.text();
  assertEquals(html.split("<script").length - 1, 2);
  assertEquals(html.split(`<script nonce="${nonce}">`).length - 1, 2);
});

Deno.test("c.defer: escapes text", async () => {
  const site = pageSite((c) => h.main(c.defer(later("</template><script>", 1), "<b>")));
  const html = await (await ask(site)).text();
  assertEquals(partsOf(html), ["&lt;/template&gt;&lt;script&gt;"]);
  assertStringIncludes(html, "</template>&lt;b&gt;<!--");
});

const failing: readonly (readonly [name: string, part: () => Promise<h.Child>, want: string])[] = [
  ["a rejection", () => Promise.reject(new Error("secret")), "This part could not be loaded."],
  ["a rejection with null", () => Promise.reject(null), "This part could not be loaded."],
  [
    "a late rejection",
    async () => {
      await turn();
      throw new Error("secret");
    },
    "This part could not be loaded.",
  ],
  [
    "what is not a child",
    // deno-lint-ignore no-explicit-any -- what a program without types may give
    () => Promise.resolve({} as any),
    "This part could not be loaded.",
  ],
  ["an attribute", () => Promise.resolve(h.id("x")), "This part could not be loaded."],
];

for (const [name, part, want] of failing) {
  Deno.test(`c.defer: ${name} shows the error slot, is logged and does not end the response`, async () => {
    const site = pageSite((c) => h.main(c.defer(part(), "1"), c.defer(later("good", 5), "2")));
    const response = await ask(site);
    const html = await response.text();
    assertEquals(response.status, 200);
    assertEquals(partsOf(html), [`<span role="alert">${want}</span>`, "good"]);
    assert(!html.includes("secret"));
    assertEquals(site.logged("late part failed").length, 1);
    assertEquals(site.logged("late part failed")[0]?.["route"], "/");
  });
}

Deno.test("c.defer: the application's error slot receives the error", async () => {
  const site = pageSite((c) =>
    h.main(c.defer(Promise.reject(new Error("no seats")), "1", {
      error: (error) => h.em(error instanceof Error ? error.message : "?"),
    }))
  );
  assertEquals(partsOf(await (await ask(site)).text()), ["<em>no seats</em>"]);
});

Deno.test("c.defer: the framework's error slot replaces a failing one", async () => {
  const site = pageSite((c) =>
    h.main(c.defer(Promise.reject(new Error("one")), "1", { error: throwing(new Error("two")) }))
  );
  assertStringIncludes(partsOf(await (await ask(site)).text())[0] ?? "", "could not be loaded");
  assertEquals(site.logged("late part failed").length, 2);
});

Deno.test("c.defer: a page that fails afterwards is an error page without the parts", async () => {
  const site = pageSite((c) => {
    c.defer(Promise.reject(new Error("late")), "1");
    c.defer(new Promise(() => {}), "2");
    throw new Error("early");
  }, { parts: { error: () => h.p("the error page") } });
  const response = await ask(site);
  assertEquals([response.status, response.headers.get("fw-late")], [500, null]);
  const html = await response.text();
  assert(html.includes("the error page") && !html.includes("fw-late"));
});

Deno.test("c.defer: a layout that fails afterwards is an error page", async () => {
  const site = pageSite((c) => h.p(c.defer(new Promise(() => {}), "1")), {
    route: { layouts: [throwing(new Error("layout"))] },
  });
  assertEquals((await ask(site)).status, 500);
});

Deno.test("c.defer: a part inside another part is sent too", async () => {
  const site = pageSite((c) =>
    h.main(c.defer(
      (async () => {
        await turn();
        return h.div(c.defer(later(h.i("inner"), 3), "inner wait"));
      })(),
      "outer wait",
    ))
  );
  assertEquals(partsOf(await (await ask(site)).text()).length, 2);
  const whole = await (await ask(site, "/?fw_late=wait")).text();
  assertStringIncludes(whole, "<main><div><i>inner</i></div></main>");
});

const wholes: readonly (readonly [name: string, path: string, init: RequestInit])[] = [
  ["requested by the link without JavaScript", "/?q=1&fw_late=wait", {}],
  ["of a fragment request that waits", "/?fw_late=wait", { headers: { "fw-fragment": "x" } }],
];

for (const [name, path, init] of wholes) {
  Deno.test(`c.defer: the page ${name} waits for its parts`, async () => {
    const site = pageSite((c) =>
      h.ul(c.defer(later(h.li("b"), 4), "1"), c.defer(later(h.li("c"), 1), "2"))
    );
    const response = await ask(site, path, init);
    assertEquals(response.headers.get("fw-late"), null);
    assertEquals(response.headers.get("x-accel-buffering"), null);
    const html = await response.text();
    assertStringIncludes(html, "<ul><li>b</li><li>c</li></ul>");
    assert(!html.includes("<script"));
    assert(!html.includes("<noscript"));
  });
}

Deno.test("c.defer: the response to a form waits for its parts", async () => {
  const site = newSite([
    routeOf("POST", "/", (c) => c.render(422, h.p(c.defer(later("late", 2), "wait")))),
  ]);
  const response = await ask(site, "/", { method: "POST" });
  assertEquals(response.status, 422);
  assertStringIncludes(await response.text(), "<p>late</p>");
});

const cases = [
  ["/", "?fw_late=wait"],
  ["/?a=1&b=%22%3Cx%3E", "?a=1&amp;b=%22%3Cx%3E&amp;fw_late=wait"],
] as const;
for (const [path, href] of cases) {
  Deno.test(`c.defer: without JavaScript ${path} links to the complete page`, async () => {
    const site = pageSite((c) => h.main(c.defer(later("x", 1), "wait", { link: "All & more" })));
    const html = await (await ask(site, path)).text();
    const link = `<a href="${href}">All &amp; more</a>`;
    assertStringIncludes(html, `</main><noscript><p>${link}</p></noscript><script`);
  });
}

Deno.test("c.defer: HEAD does not wait for parts, and aborts their work", async () => {
  let signal: AbortSignal | undefined;
  const page: Page = (c) => {
    signal = c.signal;
    return h.main(c.defer(new Promise(() => {}), "wait"));
  };
  const site = pageSite(page, { config: { timeouts: { writeMs: 50 } } });
  const response = await ask(site, "/", { method: "HEAD" });
  assertEquals([response.status, await response.text()], [200, ""]);
  assert(signal?.aborted);
  assertEquals(site.logged("late part failed"), []);
});

Deno.test("c.defer: works in a document of c.html with a status and staged headers", async () => {
  const site = newSite([routeOf("GET", "/", (c) => {
    c.header("x-staged", "1");
    return c.html(203, h.html(h.body(c.defer(later("late", 1), "wait"))));
  })]);
  const response = await ask(site);
  assertEquals([response.status, response.headers.get("x-staged")], [203, "1"]);
  const html = await response.text();
  assertEquals(partsOf(html), ["late"]);
  assert(html.endsWith("</body></html>"));
});

Deno.test("c.defer: a disconnect aborts c.signal and logs nothing", async () => {
  let isAborted = false;
  const part = Promise.withResolvers<string>();
  const site = pageSite((c) => {
    c.signal.addEventListener("abort", () => isAborted = true);
    return h.main(c.defer(part.promise, "wait"));
  });
  const reader = (await ask(site)).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  part.reject(new Error("stopped"));
  await turn();
  assert(isAborted);
  assertEquals(site.logged("late part failed"), []);
});

Deno.test("c.defer: a part that never resolves shows its error slot after timeouts.writeMs", async () => {
  let reason: unknown;
  const site = pageSite((c) => {
    c.signal.addEventListener("abort", () => reason = c.signal.reason);
    return h.main(c.defer(new Promise(() => {}), "wait"));
  }, { config: { timeouts: { writeMs: 20 } } });
  for (const path of ["/?fw_late=wait", "/"]) {
    const html = await (await ask(site, path)).text();
    assertStringIncludes(html, "could not be loaded");
    assert(html.endsWith("</body></html>"));
  }
  assertStringIncludes(JSON.stringify(site.logged("late part failed")), "writeMs");
  assertEquals(reason instanceof DOMException && reason.name, "TimeoutError");
});

Deno.test("c.defer: c.noWriteDeadline lifts the deadline of the parts too", async () => {
  const site = pageSite((c) => {
    c.noWriteDeadline();
    return h.main(c.defer(later("late", 600), "wait"));
  }, { config: { timeouts: { writeMs: 20 } } });
  assertEquals(partsOf(await (await ask(site)).text()), ["late"]);
});

Deno.test("c.defer: throws after the page is sent", async () => {
  const { promise, resolve } = Promise.withResolvers<Ctx>();
  await (await ask(pageSite((c) => (resolve(c), h.main(c.defer(later("y", 1), "")))))).text();
  const c = await promise;
  const message = "Cannot defer a part: the page has been sent.";
  assertThrows(() => c.defer(Promise.resolve("x"), ""), Error, message);
});
