import { type Ctx, type Node, use } from "@fw/fw";
import { Store } from "@/lib/event_store.ts";
import { Description } from "@/lib/page_meta.ts";

/** GET /about, written in JSX: it gives the same nodes as the functions of `@fw/fw/h`. */
export function Page(c: Ctx): Node {
  c.title = "About";
  c.set(Description, "Why Miradouro exists, how events are chosen, and how the site is made.");
  const venues = use(c, Store).summarizeVenues();
  return (
    <article class="about">
      <header class="page-head">
        <p class="kicker">About</p>
        <h1>A terrace, not a feed</h1>
        <p class="lead">
          A miradouro is a place where a city stops to look at itself. This one shows what is on, in
          the order in which it happens, and then lets you go out.
        </p>
      </header>
      <div class="about-body">
        <div class="story">
          <h2>How events get here</h2>
          <p>
            Ten rooms tell us what they have planned. We read every notice, go to as much as we can,
            and write one plain sentence about each. Nobody pays to be higher on a page: the only
            order is the clock.
          </p>
          <h2>What we leave out</h2>
          <p>
            No accounts, no banners, no pop-ups, no counting of visitors. The site works on an old
            telephone, in a text browser and on a train with one bar of signal.
          </p>
          <h2>How it is made</h2>
          <p>
            Each folder below <code>app/</code>{" "}
            is a URL. Pages are functions that return HTML, the data is in one SQLite file, and the
            covers are drawn by forty lines of TypeScript. {!c.isExport && (
              <>
                Every event is also{" "}
                <a href={c.href("/api/events")} data-ui-no-navigate>available as JSON</a>.
              </>
            )}
          </p>
        </div>
        <aside class="venue-list" aria-labelledby="venues">
          <h2 id="venues">The ten rooms</h2>
          <ul>
            {venues.map(({ venue }) => (
              <li>
                <strong>{venue.name}</strong> <span class="meta">{venue.area}</span>
              </li>
            ))}
          </ul>
        </aside>
      </div>
    </article>
  );
}
