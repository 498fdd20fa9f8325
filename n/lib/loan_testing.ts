/**
 * Rows that the tests of loans refer to.
 *
 * @module
 */
import type { Db } from "@fw/fw/data";

/** Adds the rows that the samples of the tests refer to. */
export async function addReferenced(db: Db): Promise<void> {
  await db
    .run`insert into "events" ("id", "title") values (1, 'Title 1'), (2, 'Title 2')`;
}
