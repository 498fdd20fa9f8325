import type { Application } from "@fw/fw";
import { closeDatabase, openDatabase } from "@/lib/database.ts";
import { openEvents } from "@/lib/events.ts";
import { openProducts } from "@/lib/products.ts";
import { openLoans } from "@/lib/loans.ts";

/** Runs at boot: what throws here stops it. */
export async function Setup(app: Application): Promise<void> {
  await openDatabase(app);
  openEvents(app);
  openProducts(app);
  openLoans(app);
}

/** Runs after the last request. */
export async function Shutdown(app: Application): Promise<void> {
  await closeDatabase(app);
}
