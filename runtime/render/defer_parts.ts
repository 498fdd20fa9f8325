import { type Child, childHtml } from "../../html/node.ts";
import type { DeferOptions } from "../base/ctx/streams.ts";
import { type Deadline, dropDeadline, startDeadline } from "../body/deadline.ts";
import { failureFields, type RequestCtx } from "../request/request_ctx.ts";
import { devErrorSlot } from "./dev_error.ts";

interface LatePlace {
  readonly id: string;
  readonly number: number;
}

export interface LatePart extends LatePlace {
  readonly html: string;
}

const errorSlot = '<span role="alert">This part could not be loaded.</span>';

/** The deferred parts of one page, iterated in the order in which they arrive. */
export class LateParts implements AsyncIterable<LatePart> {
  /**
   * The prefix of the ids of this response's parts: a script may insert parts of several responses into one
   * document.
   */
  readonly key: string = crypto.randomUUID().slice(0, 8);
  readonly #c: RequestCtx;
  readonly #waiting: Map<string, LatePlace & { options: DeferOptions }> = new Map();
  readonly #arrived: LatePart[] = [];
  #count = 0;
  link = "Show this page with all its parts";
  #deadline: Deadline | undefined;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(c: RequestCtx) {
    this.#c = c;
  }
  /** Adds a part and handles its rejection. @throws {TypeError} once the page has been sent. */
  add(part: Promise<Child>, options: DeferOptions): string {
    if (this.#isClosed) throw new TypeError("Cannot defer a part: the page has been sent.");
    const number = ++this.#count;
    const id = `${this.key}-${number}`;
    if (options.link !== undefined) this.link = options.link;
    this.#waiting.set(id, { id, number, options });
    Promise.resolve(part).then(
      (child) => this.#arrive(id, () => childHtml(child)),
      (error) => this.#fail(id, error),
    );
    return id;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#arrived.length === 0;
  }

  keep(isWanted: (id: string, early: string) => boolean): void {
    const early = this.#arrived.map(({ html }) => html).join("");
    for (const id of [...this.#waiting.keys()]) {
      if (!isWanted(id, early)) this.#waiting.delete(id);
    }
    const kept = this.#arrived.filter(({ id }) => isWanted(id, early));
    this.#arrived.splice(0, Infinity, ...kept);
  }

  open(): void {
    const { writeMs } = this.#c.app.config.timeouts;
    this.#deadline = startDeadline(performance.now() + writeMs, () => this.#expire(writeMs));
  }

  close(): void {
    this.#isClosed = true;
    if (this.#deadline !== undefined) dropDeadline(this.#deadline);
    this.#wake?.();
  }

  #expire(writeMs: number): void {
    if (!this.#c.hasWriteDeadline) return;
    this.#c.abort(
      new DOMException("The deadline of the deferred parts has passed.", "TimeoutError"),
    );
    const error = new Error(
      `the part did not arrive within ${writeMs} ms (config.timeouts.writeMs)`,
    );
    for (const id of [...this.#waiting.keys()]) this.#fail(id, error);
  }

  #arrive(id: string, html: () => string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    try {
      this.#put(waiting, html());
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: string, error: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    // A client that disconnects aborts the work, which may then throw.
    if (!this.#isClosed) this.#log(error);
    this.#put(waiting, this.#slot(waiting.options, error));
  }

  #log(error: unknown): void {
    this.#c.log.error("late part failed", failureFields(this.#c, error));
  }

  #slot(options: DeferOptions, error: unknown): string {
    if (options.error === undefined) return this.#ownSlot([error]);
    try {
      return childHtml(options.error(error));
    } catch (inner) {
      this.#log(inner);
      return this.#ownSlot([error, inner]);
    }
  }

  /** Handles a failed part. The page has been sent, so in development the part's slot shows the code. */
  #ownSlot(errors: readonly unknown[]): string {
    if (this.#c.env !== "dev") return errorSlot;
    return childHtml(devErrorSlot(this.#c, { errors }));
  }

  #put({ id, number }: LatePlace, html: string): void {
    this.#waiting.delete(id);
    this.#arrived.push({ id, number, html });
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LatePart> {
    while (!this.#isClosed) {
      const part = this.#arrived.shift();
      if (part !== undefined) yield part;
      else if (this.#waiting.size === 0) break;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
    this.close();
  }
}

/**
 * Replaces the content between a part's marks. A missing position is tolerated, since another part may have
 * replaced it. Code that hydrates replaced elements listens to `fw:swap`. Methods are called from their
 * prototypes, because a form field or an image of the same name shadows them.
 */
export const lateScript: string = `
function fwLate(i){
var d=document,q=Document.prototype.getElementById,p=q.call(d,"fw-part-"+i),s=q.call(d,"fw-late-"+i),n,t;
if(p&&s){
t=s.parentNode;
while((n=s.nextSibling)&&!(n.nodeType===8&&n.data==="/fw-late-"+i))Node.prototype.removeChild.call(t,n);
if(n)n.remove();
s.replaceWith(p.content);
EventTarget.prototype.dispatchEvent.call(t,new CustomEvent("fw:swap",{bubbles:true,detail:{target:t,status:200}}))
}
if(p)p.remove();
d.currentScript.remove()
}`.replaceAll("\n", "");
