/** The sites that external tools check: a generated app, the events example and the gallery. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { withSite } from "../browser/events/site.ts";
import { paths as galleryPaths, withGallery } from "../browser/gallery/site.ts";
import { withBrowser } from "../browser/browser.ts";
import { inScratch, runCli } from "../cli/support.ts";
import { type MailService, startMailService } from "../e2e/mail_service.ts";
import { startApp } from "../e2e/running_app.ts";
import { freePort } from "../free_port.ts";
import { runProgram } from "./run_program.ts";

export interface Site {
  readonly url: string;
  readonly pages: readonly (readonly [cookie: string, paths: readonly string[]])[];
}

/** Functions that serve a site while its pages are checked. */
export type ServeSite = (run: (site: Site) => Promise<void>) => Promise<void>;

const strangers = `
  / /events /events?q=zeppelin /events?when=week&category=music&price=free
  /events/fado-without-a-microphone /about /login /nowhere`;
const organisers = `
  /organize /organize/venues /organize/events/new /organize/account
  /organize/events/fado-without-a-microphone/guests /organize/events/fado-without-a-microphone/edit
  /organize/events/fado-without-a-microphone/delete`;
const signIn = "/ /login /signup /signup?sent=1 /reset /reset?sent=1";
const generated = `
  / /nowhere /broken
  /products /products?q=nothing+such /products?view=dense /products/new /products/1
  /products/1/edit /products/1/delete /products/import /products/mugs
  /orders /orders?deleted=yes /orders/new /orders/1 /orders/1/edit /orders/1/delete
  /account /account/email /account/delete`;

export const sites: readonly (readonly [name: string, serve: ServeSite])[] = [
  ["a generated app", withGenerated],
  [
    "the demo",
    (run) =>
      withSite((url) => run({ url, pages: [["", listed(strangers)]] }), { isSignedIn: false }),
  ],
  [
    "the organisers' part of the example",
    (run) => withSite((url) => run({ url, pages: [["", listed(organisers)]] })),
  ],
  ["the gallery", (run) => withGallery((url) => run({ url, pages: [["", galleryPaths]] }))],
];

function listed(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const commands = [
  "generate auth --passwords --passkeys",
  "generate resource products name:text,required,max=80 price:money=EUR released:day " +
  "status:oneof=draft/active,optional photo:image,optional note:long,optional " +
  "--csv --seed 50 --public",
  "generate resource orders number:text,required,max=20 product:ref=products total:money=EUR " +
  "paid:bool --audit --guard --seed 12",
];

/** Serves a generated application with rows and a signed-in user, in production. */
async function withGenerated(run: (site: Site) => Promise<void>): Promise<void> {
  await inScratch(async (folder) => {
    const cwd = join(folder, "app");
    await runCli(["new", "app", "--kit"], { cwd: folder });
    await Deno.mkdir(join(cwd, "app/broken"));
    const broken = 'export function Page(): never {\n  throw new Error("broken");\n}\n';
    await Deno.writeTextFile(join(cwd, "app/broken/page.ts"), broken);
    for (const command of commands) {
      const { code, stderr } = await runCli(command.split(" "), { cwd });
      assertEquals(code, 0, stderr);
    }
    for (const name of ["products", "orders"]) {
      await runProgram(Deno.execPath(), ["run", "-A", `seeds/${name}.ts`], { cwd });
    }
    const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
    const port = String(freePort());
    const url = `http://localhost:${port}`;
    await using mail = startMailService();
    const env = { ...mail.env, PORT: port, FW_ORIGIN: url, FW_SECRET: "s".repeat(32) };
    await using app = startApp(tasks.start.command, { cwd, env });
    await app.url();
    const { cookie, links } = await signUp(url, mail);
    await run({ url, pages: [["", listed(signIn)], [cookie, [...listed(generated), ...links]]] });
  });
}

/** Creates an account, and requests links for a new password and a new address. */
async function signUp(
  url: string,
  mail: MailService,
): Promise<{ readonly cookie: string; readonly links: readonly string[] }> {
  const email = "ada@example.org";
  const links: string[] = [];
  let cookie = "";
  await withBrowser(async (browser) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const ask = async (path: string, label: string, address: string): Promise<string> => {
      await page.goto(url + path);
      await page.getByLabel(label).fill(address);
      await page.getByRole("button", { name: "Email me a link" }).click();
      return await mail.link(address);
    };
    await page.goto(await ask("/signup", "Email", email));
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Save password" }).click();
    await page.waitForURL(`${url}/`);
    links.push(
      await ask("/account/email", "New email", "ada@example.com"),
      await ask("/reset", "Email", email),
    );
    cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  });
  return { cookie, links: links.map((link) => new URL(link).pathname) };
}
