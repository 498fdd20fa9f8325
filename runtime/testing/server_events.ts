/** One Server-Sent Event, as `EventSource` would give it. */
export interface TestEvent {
  /** The name, `message` where none was sent. */
  readonly event: string;
  /** The data, its lines joined by line breaks. */
  readonly data: string;
  /** The id of this event or of the last one that had one. */
  readonly id: string | undefined;
}

/** Reads the events out of a stream, piece by piece (the HTML standard, section 9.2.6). */
export class EventParser {
  /** The events that have come whole. */
  readonly events: TestEvent[] = [];
  #line = "";
  #endsInReturn = false;
  #event = "";
  #data: string[] = [];
  #id: string | undefined;

  /** Takes the next piece of the text, wherever it was cut. */
  push(text: string): void {
    if (text === "") return;
    // The half of a line end that was counted already.
    const piece = this.#endsInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endsInReturn = text.endsWith("\r");
    const lines = (this.#line + piece).split(/\r\n|\n|\r/);
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    if (line === "") return this.#dispatch();
    const [, name, value = ""] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (name === "event") this.#event = value;
    if (name === "data") this.#data.push(value);
    if (name === "id" && !value.includes("\0")) this.#id = value === "" ? undefined : value;
  }

  #dispatch(): void {
    if (this.#data.length > 0) {
      const event = this.#event === "" ? "message" : this.#event;
      this.events.push({ event, data: this.#data.join("\n"), id: this.#id });
    }
    this.#event = "";
    this.#data = [];
  }
}
