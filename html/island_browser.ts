import { renderHeard } from "./helpers.ts";
import { storeEvent } from "./island_store.ts";
import type { Child } from "./node.ts";

/** The second argument of an action. */
export interface ActionContext {
  /**
   * Aborts when the island is removed, or when the same element starts the same action again; the
   * result of the earlier call is then ignored.
   */
  readonly signal: AbortSignal;
  /** The third argument of `h.on`, else the detail of an island's event, else the control's value. */
  readonly value: string;
  /** The fields of the enclosing form; empty without a form. */
  readonly form: FormData;
  /** The key of a keyboard event, such as `Enter`; empty for other events. */
  readonly key: string;
  /** Dispatches an event on the island's element; it bubbles to the enclosing islands. */
  readonly emit: (name: string, detail?: unknown) => void;
}

/**
 * The changed members of the state; nothing if the state stays the same. A function receives the
 * current state, which other actions may have changed meanwhile.
 */
export type Change<State> = Partial<State> | ((state: State) => Partial<State>) | void;

/** An event handler: a function from the state to its changes. */
export type Action<State> = (
  state: State,
  context: ActionContext,
) => Change<State> | Promise<Change<State>>;

/** The members of an element that islands use: this folder is compiled without the DOM types. */
export interface LiveElement extends EventTarget {
  readonly innerHTML: string;
  ariaBusy: string | null;
  readonly localName: string;
  readonly value?: unknown;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
}

interface Kit {
  closest(node: unknown, selector: string): LiveElement | null | undefined;
  isSpecial(event: Event): boolean;
  loadPart(name: "swap"): Promise<Morph>;
}

interface Morph {
  now(): number;
  /**
   * Updates an island or its marked rows; returns `false` if the HTML has another count of rows.
   */
  rerender(island: LiveElement, html: string, how: Shown & { readonly rows?: number }): boolean;
}

/** The submitted form: its fields are reset to the view's values, except those edited since. */
interface Shown {
  readonly form?: unknown;
  readonly since?: number;
}

const kitKey: unique symbol = Symbol.for("fw.ui") as typeof kitKey;
const keepKey: unique symbol = Symbol.for("fw.keep") as typeof keepKey;
const page = globalThis as typeof globalThis & {
  readonly [kitKey]?: Kit;
  /** Keeps the state across a reload by the development server, and returns the kept state. */
  readonly [keepKey]?: (el: LiveElement, read: () => unknown) => unknown;
  readonly document: EventTarget & { readonly readyState: string };
};
const islands = "[data-fw-island]";

/** Waits for the kit's script, which runs when the page has been parsed. */
async function findKit(): Promise<Kit> {
  if (!page[kitKey] && page.document.readyState !== "complete") {
    await new Promise((resolve) => page.addEventListener("load", resolve, { once: true }));
  }
  if (page[kitKey]) return page[kitKey];
  throw new TypeError("it needs ui.js: write ui.head(c)");
}

interface Parts<State> {
  readonly view: (state: State) => Child;
  readonly [action: string]: unknown;
}

/** Connects the server's markup of an island to its view and actions. */
export async function startIsland<State extends object>(
  parts: object,
  el: LiveElement,
  { props, signal }: { readonly props: State; readonly signal: AbortSignal },
): Promise<{ readonly update: (props: State) => void }> {
  const kit = await findKit();
  const morph = await kit.loadPart("swap");
  const island = new LiveView({ parts: parts as Parts<State>, el, props, signal, kit, morph });
  island.show();
  return { update: (next) => island.update(next) };
}

interface Living<State> {
  readonly parts: Parts<State>;
  readonly el: LiveElement;
  readonly props: State;
  readonly signal: AbortSignal;
  readonly kit: Kit;
  readonly morph: Morph;
}

class LiveView<State extends object> {
  readonly #its: Living<State>;
  readonly #served: string;
  #hasFailed = false;
  readonly #heard = new Set<string>();
  /** The latest call by element and action. */
  readonly #calls = new WeakMap<object, Record<string, AbortController>>();
  #given: object;
  #state: State;
  #planned: Shown | undefined;
  #shown: Listed | undefined;
  #pending = 0;

  constructor(its: Living<State>) {
    const { el, props, signal } = this.#its = its;
    this.#served = el.innerHTML;
    this.#given = props;
    this.#state = page[keepKey]?.(el, () => this.#state) as State | undefined ?? props;
    page.addEventListener(storeEvent, () => this.#plan(), { signal });
  }

  /** Applies the server's new props where they differ from its previous ones. */
  update(next: State): void {
    const before = this.#given as Readonly<Record<string, unknown>>;
    const changed = Object.entries(next).filter(([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(before[name])
    );
    this.#given = next;
    this.#change(Object.fromEntries(changed) as Partial<State>);
  }

  /** Renders the view, listens for the events that it names, and morphs the island. */
  show(): void {
    const how = this.#planned ?? {};
    this.#planned = undefined;
    const { parts, el, morph, signal } = this.#its;
    if (signal.aborted || this.#hasFailed) return;
    const lists: (readonly string[])[] = [];
    const html = renderHeard(() => parts.view(this.#state), (list) => lists.push(list));
    if (html === this.#shown?.html && !how.form) return;
    for (const [, name = ""] of html.matchAll(/ data-fw-on-([\w-]+)="/g)) this.#listen(name);
    const shown = { html, lists };
    const rows = !how.form && narrow(this.#shown, shown);
    this.#shown = shown;
    if (rows && morph.rerender(el, rows.join(""), { rows: rows.length })) return;
    morph.rerender(el, html, how);
  }

  #change(change: Partial<State>, how: Shown = {}): void {
    this.#state = { ...this.#state, ...change };
    this.#plan(how);
  }

  /** Schedules a render after the current task. */
  #plan(how: Shown = {}): void {
    if (!this.#planned) queueMicrotask(() => this.#showOrFail());
    this.#planned = { ...this.#planned, ...how };
  }

  /** Renders the view, or restores the server's markup if the view fails. */
  #showOrFail(): void {
    try {
      this.show();
    } catch (error) {
      this.#hasFailed = true;
      this.#report(error);
      const { el, morph } = this.#its;
      morph.rerender(el, this.#served, {});
      el.setAttribute("data-fw-island-state", "failed");
    }
  }

  #report(error: unknown): void {
    console.error(`The island ${this.#its.el.getAttribute("data-fw-island")} failed:`, error);
  }

  #listen(name: string): void {
    if (this.#heard.has(name)) return;
    this.#heard.add(name);
    const { el, kit, signal } = this.#its;
    const attribute = `data-fw-on-${name}`;
    const hear = (event: Event): void => {
      const from = kit.closest(event.target, `[${attribute}]`);
      // A nested island handles its own events.
      if (!from || kit.closest(from, islands) !== el || this.#hasFailed) return;
      const isLink = name === "click" && from.localName === "a";
      if (isLink && kit.isSpecial(event)) return;
      if (isLink || /^(submit|drop|dragover)$/.test(name)) event.preventDefault();
      const [, action = "", value] =
        /^(\S+)(?: (.*))?$/s.exec(from.getAttribute(attribute) ?? "") ??
          [];
      void this.#act(action, { from, event, value });
    };
    // Events that do not bubble, such as focus, are caught in the capture phase.
    el.addEventListener(name, hear, { capture: true, signal });
  }

  async #act(name: string, heard: Heard): Promise<void> {
    const { kit, morph, el, parts } = this.#its;
    // The attribute may come from untrusted HTML, which must not reach inherited members.
    if (name === "view" || !Object.hasOwn(parts, name)) {
      return this.#report(`it has no action "${name}"`);
    }
    const { event, from } = heard;
    const signal = this.#startCall(name, from);
    const form = kit.closest(from, "form") ?? undefined;
    const since = morph.now();
    const action = parts[name] as Action<State>;
    let isSlow = false;
    try {
      let change = action(this.#state, contextOf(heard, { el, form, signal }));
      if (change instanceof Promise) {
        isSlow = true;
        if (this.#pending++ === 0) el.ariaBusy = "true";
        change = await change as Change<State>;
      }
      if (signal.aborted || !change) return;
      const changed = typeof change === "function" ? change(this.#state) : change;
      this.#change(changed as Partial<State>, event.type === "submit" ? { form, since } : {});
    } catch (error) {
      if (!signal.aborted) this.#report(error);
    } finally {
      if (isSlow && --this.#pending === 0) el.ariaBusy = null;
    }
  }

  /** Starts a call and aborts the previous call of the same action and element. */
  #startCall(name: string, from: LiveElement): AbortSignal {
    const calls = this.#calls.get(from) ?? {};
    calls[name]?.abort();
    this.#calls.set(from, calls);
    const call = calls[name] = new AbortController();
    return AbortSignal.any([this.#its.signal, call.signal]);
  }
}

interface Heard {
  readonly event: Event;
  readonly from: LiveElement;
  /** The value that follows the action in the attribute. */
  readonly value: string | undefined;
}

function contextOf(
  { event, from, value }: Heard,
  { el, form, signal }: {
    readonly el: LiveElement;
    readonly form: unknown;
    readonly signal: AbortSignal;
  },
): ActionContext {
  const { detail, key, submitter } = event as Event & Readonly<Record<string, unknown>>;
  // The server's types declare no form parameter.
  const FormOf = FormData as unknown as new (form?: unknown, submitter?: unknown) => FormData;
  return {
    signal,
    value: value ?? String((typeof detail === "string" ? detail : from.value) ?? ""),
    form: new FormOf(form, submitter),
    key: String(key ?? ""),
    emit: (name, detail): void =>
      void el.dispatchEvent(new CustomEvent(name, { bubbles: true, detail })),
  };
}

/** A rendered view: the HTML, and the items of its lists, inner lists first. */
interface Listed {
  readonly html: string;
  readonly lists: readonly (readonly string[])[];
}

/**
 * Finds the changed rows if only one list of rows with ids differs, and by one kind of change:
 * added, removed or changed rows. Parsing a whole long list would be the slowest step.
 *
 * @returns The rows with their places, as in the parts of a response; `undefined` if all must be compared.
 */
export function narrow(before: Listed | undefined, after: Listed): readonly string[] | undefined {
  // Top-level lists come last.
  for (const at of [-1, -2, -3]) {
    const [old, next] = [before?.lists.at(at), after.lists.at(at)];
    if (!old || !next) break;
    const [was, is] = [old.join(""), next.join("")];
    if (after.html.replace(is, () => was) === before?.html) return rowsOf(old, next);
  }
  return undefined;
}

/** If more rows than this change, the whole island is compared. */
const mostRows = 32;

function rowsOf(old: readonly string[], next: readonly string[]): readonly string[] | undefined {
  const fewer = old.length - next.length;
  const differs = next.findIndex((row, at) => row !== old[at]);
  const first = differs < 0 ? next.length : differs;
  const alike = next.findLastIndex((row, at) => row !== old[at + fewer]) + 1;
  const end = Math.max(alike, first, first - fewer);
  const gone = old.slice(first, end + fewer).map(idOf);
  const come = next.slice(first, end);
  const ids = come.map(idOf);
  // The rows before and after the new ones.
  const [prior, later] = [idOf(next[first - 1]), idOf(next[end])];
  const isSame = gone.join(" ") === ids.join(" ");
  if ([...gone, ...ids].includes("") || gone.length + ids.length > mostRows) return undefined;
  if (ids.length === 0) return gone.map((id) => `<i id="${id}" data-fw-place="remove"></i>`);
  if (!isSame && (gone.length > 0 || prior + later === "")) return undefined;
  return come.map((row, at) => {
    const place = isSame ? "morph" : later ? `before ${later}` : `after ${ids[at - 1] ?? prior}`;
    return row.replace(/^<[\w-]+/, `$& data-fw-place="${place}"`);
  });
}

/** Returns the id of a row; empty if it has none or its id needs escaping. */
function idOf(row = ""): string {
  return /^<[^>]* id="([\w.:-]+)"/.exec(row)?.[1] ?? "";
}
