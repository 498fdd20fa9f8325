import type { Messages } from "../messages/catalog.ts";
import type { RouteEntry } from "../gen/generator.ts";
import type { ProductionSettings } from "../project/settings/production.ts";

/** A project that is about to become an executable. */
export interface BuildProject {
  /** The project's folder, absolute. */
  readonly root: string;
  /** Its routes. */
  readonly routes: readonly RouteEntry[];
  /** Its settings in production. */
  readonly settings: ProductionSettings;
  /** The catalogue in which problems are worded. */
  readonly messages: Messages;
}
