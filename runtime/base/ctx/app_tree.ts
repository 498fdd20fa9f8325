import type { Application } from "./application.ts";
import type { Config } from "./config.ts";
import type { ErrorHandler, Handler, LayoutHandler, ProblemsHandler, Route } from "./route.ts";

/** The contents of the folder tree, as the generated file passes them to `boot`. */
export interface AppTree {
  /** The version of the command line that wrote the file. */
  readonly version?: string;
  /** The folder of the application; `undefined` where it was loaded over the network. */
  readonly dir?: string | undefined;
  /** Every route. */
  readonly routes: readonly Route[];
  /** The default exports of living islands, by the path for `c.island`. */
  readonly islands?: Readonly<Record<string, unknown>>;
  /** The root `layout.ts`, for pages without a route, such as error pages. */
  readonly layout?: LayoutHandler;
  /** The root `not_found.ts`. */
  readonly notFound?: Handler;
  /** The root `error.ts`. */
  readonly error?: ErrorHandler;
  /**
   * Every `Problems` by the pattern of its folder, for paths without a route. The first pattern that matches
   * the start of a path applies.
   */
  readonly problems?: Readonly<Record<string, ProblemsHandler>>;
  /** The root `setup.ts`. */
  readonly setup?: SetupModule;
}

/** The exports of the root `setup.ts`. */
export interface SetupModule {
  /** Changes the configuration before the application is created; an error stops the boot. */
  readonly Config?: (config: Config) => void | Promise<void>;
  // Methods, so that functions whose parameter is the class `App` fit too: they receive an `App`.
  /** Runs before the first request: opens what the application needs. */
  Setup?(app: Application): void | Promise<void>;
  /** Runs after the last request: closes what `Setup` opened. */
  Shutdown?(app: Application): void | Promise<void>;
}
