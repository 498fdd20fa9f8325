import type { ActionNode, TemplateNode, TextNode, Tree } from "../parse/nodes.ts";
import type { Context } from "./context.ts";
import type { StaticText } from "./edit_text.ts";
import type { Plan } from "./escapers.ts";

export interface Escaped {
  /** The trees by name: those of the source and copies for other contexts. */
  readonly trees: ReadonlyMap<string, Tree>;
  readonly actions: ReadonlyMap<ActionNode, Plan>;
  /** The name of the called tree if it differs from the written name. */
  readonly calls: ReadonlyMap<TemplateNode, string>;
  readonly texts: ReadonlyMap<TextNode, StaticText>;
}

/** The findings under one assumption; kept if the assumption holds. */
export class Findings implements Escaped {
  readonly trees: Map<string, Tree>;
  readonly outputs: Map<string, Context>;
  readonly called: Set<string> = new Set();
  readonly actions: Map<ActionNode, Plan> = new Map();
  readonly calls: Map<TemplateNode, string> = new Map();
  readonly texts: Map<TextNode, StaticText> = new Map();

  constructor(from?: Findings) {
    this.trees = new Map(from?.trees);
    this.outputs = new Map(from?.outputs);
  }

  take(other: Findings): void {
    for (const key of other.called) this.called.add(key);
    copyInto(this.trees, other.trees);
    copyInto(this.outputs, other.outputs);
    copyInto(this.actions, other.actions);
    copyInto(this.calls, other.calls);
    copyInto(this.texts, other.texts);
  }
}

function copyInto<K, V>(target: Map<K, V>, from: ReadonlyMap<K, V>): void {
  for (const [key, value] of from) target.set(key, value);
}
