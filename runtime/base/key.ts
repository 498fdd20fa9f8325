/** A name with a type, for values that an application or a request carries. */
export interface Key<T> {
  /** The name, for messages. */
  readonly name: string;
  /** Never set: it ties the type to the key. */
  readonly type?: T;
}
