import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { Buffer } from "node:buffer";
import { testUnless } from "../../tools/skip.ts";
import { inScratch, runCli } from "../cli/support.ts";
import { startMailService } from "../e2e/mail_service.ts";
import { readStartTask, startApp } from "../e2e/running_app.ts";
import { addAuthenticator, noChromium, type Page, withBrowser } from "./browser.ts";
import { freePort } from "../free_port.ts";
import { findFaults, overflow, recolor, settle } from "./page_faults.ts";

const resource = "generate resource products name:text,required state:oneof=draft/active " +
  "price:money=EUR note:long,optional --guard";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** A word wider than a phone. */
const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

/**
 * Faults of each form: a missing submit button, a password without \`autocomplete\`, two empty
 * choices.
 */
const formFaults = `[...document.forms].flatMap((form) => [
  [...form.elements].some(({ type }) => type === "submit") || form.querySelector("noscript") ? [] : "no button: " + form.outerHTML,
  ...[...form.querySelectorAll("[type=password]:not([autocomplete])")].map((one) => one.outerHTML),
  ...[...form.querySelectorAll("select")].filter((one) =>
    [...one.options].filter(({ text }) => /^[\\s–]*$/.test(text)).length > 1).map((one) => one.outerHTML),
].flat()).concat([...document.querySelectorAll("h3")].filter((one) =>
  ![...document.querySelectorAll("h2")].some((two) => two.compareDocumentPosition(one) & 4))
  .map((one) => "above any h2: " + one.outerHTML),
  document.querySelector("meta[name=description][content]") ? [] : "no description")`;

/** Faults of a page, light and dark, on desktop and phone, in both directions. */
async function faultsOf(page: Page): Promise<string[]> {
  const found: string[] = await page.evaluate(formFaults);
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 840 });
    for (const scheme of ["light", "dark"] as const) {
      await recolor(page, scheme);
      // Half of the looks are right to left.
      const dir = (width > 600) === (scheme === "dark") ? "rtl" : "ltr";
      await page.evaluate(`document.documentElement.dir = "${dir}"`);
      await settle(page);
      const faults = await findFaults(page, { isRecolored: scheme === "dark" });
      const more = await overflow(page);
      found.push(...faults, ...more > 0 ? [`too wide by ${more} px`] : []);
      found.splice(
        0,
        found.length,
        ...found.map((each) =>
          each.startsWith("[")
            ? each
            : `[${new URL(page.url()).pathname} ${width} ${scheme}] ${each}`
        ),
      );
    }
  }
  return found;
}

testUnless(noChromium, {
  name: "generate auth --passkeys, in production: an account by mail, a passkey, and in with it; " +
    "with a resource, no page has a fault of access or width",
  fn: () =>
    inScratch(async (folder) => {
      await runCli(["new", "app"], { cwd: folder });
      const cwd = join(folder, "app");
      const made = await runCli(["generate", "auth", "--passkeys"], { cwd });
      assertEquals(made.code, 0, made.stderr);
      const rows = await runCli(resource.split(" "), { cwd });
      assertEquals(rows.code, 0, rows.stderr);
      await using mail = startMailService();
      const port = String(freePort());
      const url = `http://localhost:${port}`;
      const env = { ...mail.env, PORT: port, FW_ORIGIN: url, FW_SECRET: "s".repeat(32) };
      await using app = startApp(await readStartTask(cwd), { cwd, env });
      await app.url();
      await withBrowser(async (browser) => {
        const page = await (await browser.newContext()).newPage();
        const faults: string[] = [];
        for (const path of ["/login", "/reset", "/signup"]) {
          await page.goto(`${url}${path}`);
          assertEquals(await page.locator(".ui-side, .ui-topbar").count(), 0);
          faults.push(...await faultsOf(page));
        }
        await page.getByLabel("Email").fill("ada@example.org");
        await page.getByRole("button", { name: "Email me a link" }).click();
        await page.getByText("Check your inbox").waitFor();
        await page.goto(await mail.link("ada@example.org"));
        faults.push(...await faultsOf(page));
        // axe ends a session of the browser's tools, and with it every virtual authenticator.
        await addAuthenticator(page);
        await page.getByLabel("Password").fill("correct horse battery");
        await page.getByRole("button", { name: "Save password" }).click();
        await page.waitForURL(`${url}/`);
        await page.goto(`${url}/account`);

        await page.getByLabel("Name").fill(" Ada\tLovelace ");
        await page.getByLabel("Picture").setInputFiles({
          name: "me.png",
          mimeType: "image/png",
          buffer: Buffer.from(png, "base64"),
        });
        await page.getByRole("button", { name: "Save profile" }).click();
        await page.getByText("Profile saved.").waitFor();
        await page.locator(".ui-user-name").getByText("Ada Lovelace").waitFor({
          state: "attached",
        });
        const widths = "Promise.all([...document.querySelectorAll('img.ui-avatar')]" +
          ".map((one) => one.decode().then(() => one.naturalWidth)))";
        assertEquals(await page.evaluate(widths), [1, 1]);

        await page.getByRole("button", { name: "Add a passkey" }).click();
        await page.getByRole("button", { name: "Remove", exact: true }).waitFor();
        await page.getByRole("button", { name: "Sign out", exact: true }).click();
        await page.waitForURL(`${url}/login`);
        await page.goto(`${url}/login`);
        await page.getByRole("button", { name: "Sign in with a passkey" }).click();
        await page.waitForURL(`${url}/`);
        await page.goto(`${url}/account`);
        await page.getByText("Signed in as ada@example.org").waitFor();
        faults.push(...await faultsOf(page));
        await page.goto(`${url}/account/email`);
        faults.push(...await faultsOf(page));
        await page.goto(`${url}/account`);

        await page.getByRole("button", { name: "Remove", exact: true }).click();
        await page.waitForURL(`${url}/account`);
        await page.getByRole("button", { name: "Remove", exact: true }).waitFor({
          state: "detached",
        });

        await page.goto(`${url}/products/new`);
        faults.push(...await faultsOf(page));
        await page.getByLabel("Name").fill(word);
        await page.getByText("Active", { exact: true }).click();
        await page.getByLabel("Price").fill("12.50");
        await page.locator("main form [type=submit], main form button:not([type])").last().click();
        await page.waitForURL(`${url}/products/1`);
        for (const path of ["/products/1", "/products/1/delete", "/products", "/"]) {
          await page.goto(`${url}${path}`);
          faults.push(...await faultsOf(page));
        }
        await page.setViewportSize({ width: 1_280, height: 840 });
        await page.goto(`${url}/products?view=dense&hide=1`);
        await page.getByRole("checkbox", { name: `Select ${word}` }).check();
        await page.getByText("1 selected").waitFor();
        faults.push(...await faultsOf(page));
        await page.goto(`${url}/products?q=none+such`);
        faults.push(...await faultsOf(page));
        assertEquals(faults, []);

        await page.setViewportSize({ width: 320, height: 840 });
        for (const path of ["/", "/products", "/products/1", "/products/1/edit", "/account"]) {
          await page.goto(`${url}${path}`);
          assertEquals(await overflow(page), 0, `${path} at 320 px`);
          await page.evaluate("document.documentElement.dir = 'rtl'");
          assertEquals(await overflow(page), 0, `${path} from right to left`);
          await page.emulateMedia({ media: "print" });
          const shown = await page.locator(".ui-button, .ui-toolbar, .ui-save, .ui-side")
            .filter({ visible: true }).count();
          assertEquals(shown, 0, `${path} on paper`);
          await page.emulateMedia({ media: "screen" });
        }
        await page.setViewportSize({ width: 1_280, height: 840 });
        await page.goto(`${url}/products?state=active`);
        await page.getByRole("checkbox", { name: "Select all" }).check();
        await page.getByRole("button", { name: "Delete" }).click();
        await page.getByRole("heading", { name: "Delete 1 product?" }).waitFor();
        assertEquals(await findFaults(page), []);
        await page.getByRole("link", { name: "Cancel" }).click();
        await page.waitForURL(`${url}/products?state=active`);
        await page.getByText("Active").first().waitFor();

        await page.setViewportSize({ width: 1_280, height: 840 });
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox").fill("prod");
        await page.keyboard.press("Enter");
        await page.waitForURL(`${url}/products`);
      });
    }),
});
