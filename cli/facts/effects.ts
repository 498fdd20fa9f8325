import type ts from "npm:typescript@6.0.3";

export interface SchemaUse {
  readonly expression: ts.Expression;
  readonly type: ts.Type;
}

export type Effect =
  /** `c.json`, `Response.json`, or the declared type of the result. */
  | {
    readonly kind: "json";
    readonly statuses: readonly number[] | undefined;
    readonly type: ts.Type;
    readonly node: ts.Node;
    /** Whether the type is declared, which wins over the types of calls. */
    readonly isDeclared: boolean;
  }
  | {
    readonly kind: "body";
    readonly statuses: readonly number[] | undefined;
    readonly media: string | undefined;
    readonly node: ts.Node;
  }
  | { readonly kind: "empty"; readonly status: number }
  /** `c.status` for a returned node or an empty response. */
  | { readonly kind: "status"; readonly statuses: readonly number[] }
  | { readonly kind: "redirect"; readonly statuses: readonly number[] }
  | { readonly kind: "stream" }
  /** `c.etag` and `c.lastModified`: 304. */
  | { readonly kind: "conditional" }
  /** `c.upgrade`. */
  | { readonly kind: "upgrade" }
  | {
    readonly kind: "error";
    readonly statuses: readonly number[];
    readonly message: string | undefined;
    readonly challenge?: string;
  }
  | {
    readonly kind: "bind";
    readonly from: "json" | "body" | "query";
    /** The handler receives the messages instead of an error. */
    readonly isTried: boolean;
    readonly schema: SchemaUse;
  }
  | { readonly kind: "param"; readonly name: string; readonly schema: SchemaUse | undefined }
  | { readonly kind: "query"; readonly name: string }
  | { readonly kind: "field"; readonly name: string | undefined }
  | {
    readonly kind: "file";
    readonly name: string;
    readonly accept: readonly string[];
    readonly isOptional: boolean;
  }
  | { readonly kind: "header"; readonly name: string; readonly value: string | undefined }
  | { readonly kind: "guard"; readonly hasRole: boolean; readonly cookie: string | undefined }
  | { readonly kind: "token"; readonly hasScope: boolean; readonly scheme: string | undefined }
  | { readonly kind: "limit" };
