import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../tools/skip.ts";
import { inScratch, runCli } from "../cli/support.ts";
import { startMailService } from "../e2e/mail_service.ts";
import { startApp } from "../e2e/running_app.ts";
import { noChromium, type Page, withBrowser } from "./browser.ts";
import { freePort } from "../free_port.ts";

/** Gives a page an authenticator with the user's finger on it. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function readStartTask(cwd: string): Promise<string> {
  return JSON.parse(await Deno.readTextFile(join(cwd, "deno.json"))).tasks.start.command;
}

testUnless(noChromium, {
  name: "generate auth --passkeys, in production: an account by mail, a passkey, and in with it",
  fn: () =>
    inScratch(async (folder) => {
      await runCli(["new", "app"], { cwd: folder });
      const cwd = join(folder, "app");
      const made = await runCli(["generate", "auth", "--passkeys"], { cwd });
      assertEquals(made.code, 0, made.stderr);
      await using mail = startMailService();
      const port = String(freePort());
      const url = `http://localhost:${port}`;
      const env = {
        ...mail.env,
        PORT: port,
        FW_ORIGIN: url,
        FW_SECRET: "s".repeat(32),
      };
      await using app = startApp(await readStartTask(cwd), { cwd, env });
      await app.url();
      await withBrowser(async (browser) => {
        const page = await (await browser.newContext()).newPage();
        await addAuthenticator(page);
        await page.goto(`${url}/signup`);
        await page.getByLabel("Email").fill("ada@example.org");
        await page.getByRole("button", { name: "Send me a link" }).click();
        await page.getByText("We have sent you a mail").waitFor();
        await page.goto(await mail.link("ada@example.org"));
        await page.getByLabel("Password").fill("correct horse battery");
        await page.getByRole("button", { name: "Set the password" }).click();
        await page.waitForURL(`${url}/account`);

        await page.getByRole("button", { name: "Add a passkey" }).click();
        await page.getByRole("button", { name: "Remove" }).waitFor();
        await page.getByRole("button", { name: "Sign out", exact: true }).click();
        await page.waitForURL(`${url}/`);
        await page.goto(`${url}/login`);
        await page.getByRole("button", { name: "Sign in with a passkey" }).click();
        await page.waitForURL(`${url}/account`);
        await page.getByText("Signed in as ada@example.org").waitFor();

        await page.getByRole("button", { name: "Remove" }).click();
        await page.waitForURL(`${url}/account`);
        await page.getByRole("button", { name: "Remove" }).waitFor({ state: "detached" });
      });
    }),
});
