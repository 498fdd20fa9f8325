import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import { noChromium, withPage } from "../browser.ts";
import { withGallery } from "../gallery/site.ts";
import { isMarked, mark, pageRoute, testInBrowser, type Trial, until } from "../kit/site.ts";
import { ui } from "../kit/site.ts";
import { int, list, struct, text } from "../../../mod.ts";

testUnless(noChromium, {
  name: "ui.form: no button of a group looks selected before a choice",
  fn: () =>
    withGallery((url) =>
      withPage(async (page) => {
        await page.goto(`${url}/components/forms`);
        const colourOf = (selector: string): Promise<string> =>
          page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
        assertEquals(
          await colourOf("[name=pace]"),
          await colourOf("[name=languages]:not(:checked)"),
        );
      })
    ),
});

testUnless(noChromium, {
  name: "ui.form: the browser finds the same faults as the server",
  fn: () =>
    withGallery((url) =>
      withPage(async (page) => {
        await page.goto(`${url}/components/forms`);
        const faults: string[] = await page.evaluate(
          "[...document.querySelector('form:has([name=pace])').elements]" +
            ".filter((each) => !each.checkValidity()).map(({ name }) => name)",
        );
        assertEquals([...new Set(faults)], ["starts", "places", "pace", "meetingPoint.street"]);
      })
    ),
});

const Line = struct({ what: text("required"), amount: int() });
const Invoice = struct({ number: text("required"), lines: list(Line, "max=3") });
const fields = { lines: { movable: true } };
const invoice = pageRoute("/", (c) => ui.form(c, Invoice, { fields }), {
  POST: async (c) => {
    const input = await c.tryBind(Invoice);
    if (input.ok) return c.json(200, input.value);
    c.status(422);
    return ui.form(c, Invoice, { fields, values: input });
  },
});

/** Adds and removes rows, and sends the form by Enter. */
async function editRows(
  { page, open }: Trial,
  { hasScript }: { readonly hasScript: boolean },
): Promise<void> {
  await open("/");
  await page.fill("#number", "7");
  if (hasScript) await mark(page);
  for (const [at, what] of ["Rope", "Net", "Rod"].entries()) {
    if (at > 0) await page.getByRole("button", { name: "Add a row" }).click();
    const field = page.getByLabel(`What ${at + 1}`);
    await field.waitFor();
    if (at > 0 && hasScript) {
      await until(page, `document.activeElement.name === 'lines.${at}.what'`);
    }
    await field.fill(what);
  }
  assertEquals(await page.getByRole("button", { name: "Add a row" }).count(), 0);
  await page.getByRole("button", { name: "Remove row 2" }).click();
  await page.getByRole("button", { name: "Add a row" }).waitFor();
  const inputs = await page.locator("[name$=what]").all();
  assertEquals(await Promise.all(inputs.map((each) => each.inputValue())), ["Rope", "Rod"]);
  if (hasScript) {
    assert(await isMarked(page));
    await until(page, "document.activeElement.value === 'lines.2'");
  }
  await page.getByLabel("What 2").press("Enter");
  await page.getByText('"number":"7"').waitFor();
  assertEquals(JSON.parse(await page.innerText("body")).lines.map(whatOf), ["Rope", "Rod"]);
}

/** Removes rows, then saves, while no response has arrived: the browser shows the removed rows until then. */
async function removeQuickly({ page, open }: Trial, rows: readonly number[]): Promise<void> {
  await open("/");
  for (const [at, what] of ["Rope", "Net", "Rod"].entries()) {
    if (at > 0) await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByLabel(`What ${at + 1}`).fill(what);
  }
  await page.fill("#number", "7");
  const held = Promise.withResolvers<void>();
  await page.route("**/*", async (route) => {
    if (/_rows=/.test(route.request().postData() ?? "")) await held.promise;
    await route.continue().catch(() => {});
  });
  for (const row of rows) await page.getByRole("button", { name: `Remove row ${row}` }).click();
  if (rows.length > 1) {
    held.resolve();
    await page.getByLabel("What 2").waitFor({ state: "detached" });
  }
  await page.locator("#number").press("Enter");
  await page.getByText('"number":"7"').waitFor();
  held.resolve();
  const left = ["Rope", "Net", "Rod"].filter((_, at) => !rows.includes(at + 1));
  assertEquals(JSON.parse(await page.innerText("body")).lines.map(whatOf), left);
}

/** Moves rows by keys, and keeps what was typed if the cookie of the token is lost. */
async function moveRows(
  { page, open }: Trial,
  { hasScript }: { hasScript: boolean },
): Promise<void> {
  await open("/");
  for (const [at, what] of ["Rope", "Net", "Rod"].entries()) {
    if (at > 0) await page.getByRole("button", { name: "Add a row" }).click();
    await page.getByLabel(`What ${at + 1}`).fill(what);
  }
  const order = async (): Promise<string> => {
    const inputs = await page.locator("[name$=what]").all();
    return (await Promise.all(inputs.map((each) => each.inputValue()))).join();
  };
  await page.getByRole("button", { name: "Move row 3 up" }).press("Enter");
  await until(page, `document.querySelector("[name='lines.1.what']")?.value === "Rod"`);
  if (hasScript) await until(page, "document.activeElement.value === 'lines.1.up'");
  await page.getByRole("button", { name: "Move row 2 up" }).press("Enter");
  await until(page, `document.querySelector("[name='lines.0.what']")?.value === "Rod"`);
  assertEquals(await order(), "Rod,Rope,Net");
  // The browser keeps a page that it left.
  if (!hasScript) return;
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Move row 1 down" }).click();
  await page.getByRole("alert").waitFor();
  assertEquals(await order(), "Rod,Rope,Net");
}

const whatOf = ({ what }: { readonly what: string }): string => what;

testInBrowser("ui.form: rows are added and removed", [
  ["in place, with the focus in the new row", undefined, [
    invoice,
  ], (trial) => editRows(trial, { hasScript: true })],
  ["and stay removed if the form is sent meanwhile", undefined, [
    invoice,
  ], (trial) => removeQuickly(trial, [1])],
  ["and stay removed if another one is removed meanwhile", undefined, [
    invoice,
  ], (trial) => removeQuickly(trial, [1, 2])],
  ["without a script", undefined, [invoice], (trial) => editRows(trial, { hasScript: false }), {
    hasScript: false,
  }],
  [
    "and moved, with the focus on the button",
    undefined,
    [
      invoice,
    ],
    (trial) => moveRows(trial, { hasScript: true }),
    { expected: ["403 (Forbidden)"] },
  ],
  [
    "and moved without a script",
    undefined,
    [
      invoice,
    ],
    (trial) => moveRows(trial, { hasScript: false }),
    {
      hasScript: false,
    },
  ],
]);
