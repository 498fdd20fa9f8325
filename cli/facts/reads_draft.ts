/** The reads of a handler, as the text of types; a part that is not known is absent. */
export interface HandlerReads {
  readonly body?: string;
  readonly form?: string;
  readonly fields?: ReadMembers;
  readonly query?: string;
  readonly values?: ReadMembers;
  readonly hasMoreValues?: true;
}

export type ReadMembers = ReadonlyMap<string, ReadMember>;

export interface ReadMember {
  readonly type: string;
  readonly isOptional: boolean;
}

export class ReadsDraft {
  #body: string | undefined;
  #form: string | undefined;
  #query: string | undefined;
  readonly #fields = new Map<string, ReadMember>();
  readonly #values = new Map<string, ReadMember>();
  #isBodyOpen = false;
  #isQueryOpen = false;
  #isOpen = false;

  openBody(): void {
    this.#isBodyOpen = true;
  }

  openQuery(): void {
    this.#isQueryOpen = true;
  }

  /** Notes that the context goes where the syntax does not follow, so anything may be read there. */
  open(): void {
    this.#isQueryOpen = true;
    this.#isOpen = true;
  }

  /** Adds the schema of a body. One that two calls name is one; two are not known to be one body. */
  addBody(schema: string | undefined, { isForm }: { readonly isForm: boolean }): void {
    if (schema === undefined || (this.#body !== undefined && this.#body !== schema)) {
      return this.openBody();
    }
    this.#body = schema;
    if (isForm) this.#form = schema;
  }

  addQuery(schema: string | undefined): void {
    if (schema === undefined || this.#query !== undefined) this.openQuery();
    else this.#query = schema;
  }

  /** Adds a field that a branch of the handler reads; `undefined` stands for any name. */
  addField(name: string | undefined, member: ReadMember): void {
    if (name === undefined) this.openBody();
    else join(this.#fields, name, member);
  }

  addValue(name: string | undefined, type: string): void {
    if (name === undefined) this.openQuery();
    else join(this.#values, name, { type, isOptional: true });
  }

  /** Sets a value of the query that a comment declares, whatever the code tells of it. */
  declareValue(name: string, member: ReadMember): void {
    this.#values.delete(name);
    this.#values.set(name, member);
  }

  finish(declared: string | undefined): HandlerReads {
    const query = this.#query;
    const values = this.#values;
    const isQueryKnown = query !== undefined || values.size > 0;
    const hasMore = this.#isQueryOpen && isQueryKnown;
    return {
      ...(declared === undefined ? this.#finishBody() : { body: declared }),
      ...(query === undefined ? {} : { query }),
      ...(values.size === 0 && !hasMore ? {} : { values }),
      ...(hasMore ? { hasMoreValues: true } : {}),
    };
  }

  #finishBody(): HandlerReads {
    const body = this.#body;
    const form = this.#form;
    const fields = this.#fields;
    // What is not followed may read more fields than those that are known.
    const hasMore = this.#isOpen && (fields.size > 0 || form !== undefined);
    if (this.#isBodyOpen || hasMore) return {};
    return {
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form }),
      ...(fields.size === 0 ? {} : { fields }),
    };
  }
}

/** Adds a member: what another branch reads as well has both types, and is optional if it is in one. */
function join(members: Map<string, ReadMember>, name: string, added: ReadMember): void {
  const known = members.get(name);
  const types = [added, ...known === undefined ? [] : [known]].flatMap(({ type }) =>
    type.split(" | ")
  );
  members.delete(name);
  members.set(name, {
    type: [...new Set(types)].join(" | "),
    isOptional: added.isOptional || known?.isOptional === true,
  });
}
