/** One route of the bench: its pattern in this project's syntax, and its parameter names. */
export interface BenchRoute {
  readonly pattern: string;
  readonly names: readonly string[];
}

// The routes of a typical resource: pages, a form, nested lists, files and an API.
const FAMILY = [
  "/R",
  "/R/new",
  "/R/{id}",
  "/R/{id}/edit",
  "/R/{id}/comments",
  "/R/{id}/comments/{comment}",
  "/R/{id}/files/{path...}",
  "/api/v1/R",
  "/api/v1/R/{id}",
  "/api/v1/R/{id}/history/{version}",
];
const AREAS = ["team", "shop", "plan", "help", "blog", "info", "cost", "task", "mail", "user"];
const THINGS = [
  "items",
  "notes",
  "forms",
  "teams",
  "tasks",
  "rooms",
  "links",
  "dates",
  "rates",
  "logs",
];

/**
 * Returns the routes of an application.
 *
 * @param count The number of routes, a multiple of ten up to 1,000.
 * @returns The routes; a larger count only has more resources, of the same shapes and lengths.
 */
export function benchRoutes(count: number): BenchRoute[] {
  const resources = AREAS.flatMap((area) => THINGS.map((thing) => `${area}-${thing}`));
  // Spread over the list, so that a few resources differ as much as many.
  const step = Math.floor(resources.length / (count / FAMILY.length));
  const picked = resources.filter((_, i) => i % step === 0).slice(0, count / FAMILY.length);
  return picked.flatMap((resource) =>
    FAMILY.map((shape) => {
      const pattern = shape.replace("R", resource);
      return { pattern, names: [...pattern.matchAll(/\{(\w+)/g)].map((found) => found[1] ?? "") };
    })
  );
}

/** Creates paths with new parameter values. */
export class PathSource {
  #next = 1;

  /**
   * Returns paths of the routes, in a scattered order.
   *
   * @param routes The routes.
   * @param count The number of paths.
   * @returns Paths sliced from a URL, as in a server.
   */
  paths(routes: readonly BenchRoute[], count: number): string[] {
    return Array.from({ length: count }, (_, i) => {
      const route = routes[(i * 7919) % routes.length];
      const path = (route?.pattern ?? "/").replaceAll(/\{\w+(\.\.\.)?\}/g, (_, rest) => {
        const id = (this.#next++ * 2_654_435_761 % 2 ** 40).toString(36).padStart(8, "0");
        return rest === undefined ? id : `img/${id}.png`;
      });
      return `http://localhost${path}`.slice("http://localhost".length);
    });
  }
}
