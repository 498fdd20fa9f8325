import { type Ctx, type Node, use } from "@fw/fw";
import { Store } from "@/lib/events/store.ts";
import { Description } from "@/lib/page_meta.ts";
import { pageWords } from "@/lib/page_words.ts";

/** GET /about, written in JSX, which creates the same nodes as the functions of `@fw/fw/h`. */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(pageWords, "about");
  c.set(Description, c.t(pageWords, "aboutDescription"));
  const venues = await use(c, Store).summarizeVenues();
  return (
    <article class="about">
      <header class="page-head">
        <p class="kicker">{c.t(pageWords, "about")}</p>
        <h1>{c.t(pageWords, "aboutTitle")}</h1>
        <p class="lead">{c.t(pageWords, "aboutLead")}</p>
      </header>
      <div class="about-body">
        <div class="story">
          <h2>{c.t(pageWords, "howTitle")}</h2>
          <p>{c.t(pageWords, "how")}</p>
          <h2>{c.t(pageWords, "outTitle")}</h2>
          <p>{c.t(pageWords, "out")}</p>
          <h2>{c.t(pageWords, "madeTitle")}</h2>
          <p>
            {c.t(pageWords, "madeFolder")}
            <code>app/</code>
            {c.t(pageWords, "madeRest")}
            {!c.isExport && (
              <>
                {c.t(pageWords, "madeJson")}
                <a href={c.href("/api/events")} data-ui-no-navigate>
                  {c.t(pageWords, "madeLink")}
                </a>.
              </>
            )}
          </p>
        </div>
        <aside class="venue-list" aria-labelledby="venues">
          <h2 id="venues">{c.t(pageWords, "rooms")}</h2>
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
