import { assertEquals } from "@std/assert";
import { SharedSettings } from "../../../ai/mcp/server/sessions/settings.ts";
import { openSqlite, sqliteStores } from "../../../data/sqlite/mod.ts";
import { App, provideStores } from "../../../mod.ts";

for (
  const [what, isOpen] of [["last as long as a stream is open", true], ["end", false]] as const
) {
  Deno.test(`mcpServer: after an hour without a change the settings of a session ${what}`, async () => {
    const { setInterval } = globalThis;
    const clock = { now: Date.now() };
    let renew = (): void => {};
    globalThis.setInterval = ((run: () => void) => {
      renew = run;
      return setInterval(() => {}, 60_000);
    }) as typeof setInterval;
    try {
      const db = await openSqlite(":memory:");
      const replica = (): SharedSettings => {
        const app = new App({ logRequest: () => false });
        provideStores(app, sqliteStores(db, { now: () => clock.now }));
        return new SharedSettings(app, "s", () => {});
      };
      const settings = replica();
      await settings.write("level", "error");
      const stop = isOpen ? settings.keepAlive() : () => {};
      for (let quarter = 0; quarter < 5; quarter++) {
        clock.now += 15 * 60_000;
        renew();
        // The database runs operations in order, so these reads follow the writes.
        for (let turn = 0; turn < 5; turn++) await replica().read();
      }
      assertEquals([...await replica().read()], isOpen ? [["level", "error"]] : []);
      stop();
      await db.close();
    } finally {
      globalThis.setInterval = setInterval;
    }
  });
}
