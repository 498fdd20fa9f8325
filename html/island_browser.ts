import type { Action, ActionContext, Change } from "./island.ts";
import { forgetReader, keepStores, readStores, takeKept } from "./island_store.ts";
import { type Child, childHtml } from "./node.ts";

/** What is used of an element: this folder is compiled without the types of the DOM. */
export interface LiveElement extends EventTarget {
  readonly innerHTML: string;
  ariaBusy: string | null;
  readonly localName: string;
  readonly value?: unknown;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
}

/** What is used of the kit's script. */
interface Kit {
  all(root: unknown, selector: string): LiveElement[];
  closest(node: unknown, selector: string): LiveElement | null | undefined;
  isSpecial(event: Event): boolean;
  loadPart(name: "swap"): Promise<Morph>;
}

/** What is used of the part of that script that morphs. */
interface Morph {
  now(): number;
  rerender(island: LiveElement, html: string, how: Shown): void;
}

/** Of the form that was sent, the fields get what the view says, but for what was typed since. */
interface Shown {
  readonly form?: unknown;
  readonly since?: number;
}

const kitKey: unique symbol = Symbol.for("fw.ui") as typeof kitKey;
const page = globalThis as typeof globalThis & {
  readonly [kitKey]?: Kit;
  readonly document: EventTarget & { readonly readyState: string };
};
const islands = "[data-fw-island]";

/** Waits for the kit's script, which runs when the page has been parsed. */
async function findKit(): Promise<Kit> {
  if (page[kitKey] === undefined && page.document.readyState !== "complete") {
    await new Promise((resolve) => page.addEventListener("load", resolve, { once: true }));
  }
  if (page[kitKey] !== undefined) return page[kitKey];
  throw new TypeError("it needs the kit's script; write ui.head(c) or ui.navigateScript(c)");
}

/** The parts of an island as `live` got them. */
interface Parts<State> {
  readonly view: (state: State) => Child;
  readonly [action: string]: unknown;
}

/** Makes the server's markup of an island live. */
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

/** One living island of a page. */
class LiveView<State extends object> {
  readonly #its: Living<State>;
  readonly #served: string;
  readonly #failed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #heard = new Set<string>();
  /** The calls that have not been replaced, by element and action. */
  readonly #calls = new WeakMap<object, Map<string, AbortController>>();
  #given: object;
  #state: State;
  #planned: Shown | undefined;
  #pending = 0;

  constructor(its: Living<State>) {
    const { el, props, signal } = this.#its = its;
    this.#served = el.innerHTML;
    this.#signal = AbortSignal.any([signal, this.#failed.signal]);
    this.#given = props;
    this.#state = keepState(its, () => this.#state) ?? props;
    signal.addEventListener("abort", () => forgetReader(this.#plan));
  }

  /** Takes the props that the server sends now, where they differ from those it sent before. */
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
    if (this.#signal.aborted) return;
    const html = readStores(this.#plan, () => childHtml(this.#its.parts.view(this.#state)));
    for (const [, name = ""] of html.matchAll(/ data-fw-on-([\w-]+)="/g)) this.#listen(name);
    this.#its.morph.rerender(this.#its.el, html, how);
  }

  #change(change: Partial<State>, how: Shown = {}): void {
    this.#state = { ...this.#state, ...change };
    this.#plan(how);
  }

  /** Shows the state after all that happens now. */
  readonly #plan = (how: Shown = {}): void => {
    if (this.#planned === undefined) queueMicrotask(() => this.#showOrFail());
    this.#planned = { ...this.#planned, ...how };
  };

  /** Goes back to what the server wrote if the view fails. */
  #showOrFail(): void {
    try {
      this.show();
    } catch (error) {
      this.#failed.abort();
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
    const { el, kit } = this.#its;
    const attribute = `data-fw-on-${name}`;
    const hear = (event: Event): void => {
      const from = kit.closest(event.target, `[${attribute}]`);
      // An island inside hears its own events.
      if (!from || kit.closest(from, islands) !== el) return;
      const isLink = name === "click" && from.localName === "a";
      if (isLink && kit.isSpecial(event)) return;
      if (isLink || /^(submit|drop|dragover)$/.test(name)) event.preventDefault();
      const [action = "", ...value] = (from.getAttribute(attribute) ?? "").split(" ");
      void this.#act(action, {
        from,
        event,
        value: value.length > 0 ? value.join(" ") : undefined,
      });
    };
    // The focus and other events that do not bubble are heard on their way down.
    el.addEventListener(name, hear, { capture: true, signal: this.#signal });
  }

  async #act(name: string, heard: Heard): Promise<void> {
    const { kit, morph, el, parts } = this.#its;
    const { event, from } = heard;
    const call = this.#startCall(name, from);
    const signal = AbortSignal.any([this.#signal, call.signal]);
    const form = kit.closest(from, "form");
    const since = morph.now();
    let isSlow = false;
    try {
      const action = parts[name] as Action<State> | undefined;
      if (action === undefined) throw new TypeError(`it has no action "${name}"`);
      let change = action(this.#state, contextOf(heard, { el, form, signal }));
      if (change instanceof Promise) {
        isSlow = true;
        if (this.#pending++ === 0) el.ariaBusy = "true";
        change = await change as Change<State>;
      }
      if (signal.aborted || change === undefined) return;
      const changed = typeof change === "function" ? change(this.#state) : change;
      this.#change(changed as Partial<State>, event.type === "submit" ? { form, since } : {});
    } catch (error) {
      if (!signal.aborted) this.#report(error);
    } finally {
      if (isSlow && --this.#pending === 0) el.ariaBusy = null;
    }
  }

  /** Starts a call, which ends the one before of the same action and element. */
  #startCall(name: string, from: LiveElement): AbortController {
    const calls = this.#calls.get(from) ?? new Map<string, AbortController>();
    calls.get(name)?.abort();
    const call = new AbortController();
    this.#calls.set(from, calls.set(name, call));
    return call;
  }
}

/** An event that has an action. */
interface Heard {
  readonly event: Event;
  /** The element that names the action. */
  readonly from: LiveElement;
  /** What its attribute says after the action. */
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
  // The types of the server's runtime know no form.
  const FormOf = FormData as unknown as new (form?: unknown, submitter?: unknown) => FormData;
  return {
    signal,
    value: value ?? String((typeof detail === "string" ? detail : from.value) ?? ""),
    form: form ? new FormOf(form, submitter) : new FormOf(),
    key: typeof key === "string" ? key : "",
    emit: (name, detail): void =>
      void el.dispatchEvent(new CustomEvent(name, { bubbles: true, detail })),
  };
}

/**
 * Keeps the state over a reload of the development server, and the values of stores: the server's reload script
 * tells it by an event. New props end it.
 *
 * @returns What was kept.
 */
function keepState<State>(
  { el, kit, signal }: Living<State>,
  read: () => State,
): State | undefined {
  const name = (): string =>
    `fw ${location.pathname} ${kit.all(page.document, islands).indexOf(el)}`;
  const props = el.getAttribute("data-fw-props");
  page.addEventListener("fw:reload", () => {
    sessionStorage.setItem(name(), JSON.stringify([props, read()]));
  }, { signal });
  keepStores();
  const [of, state] = (takeKept(name()) ?? []) as [string?, State?];
  return of === props ? state : undefined;
}
