import type ts from "npm:typescript@6.0.3";
import type { Sources } from "../project/sources/sources.ts";
import type { ImportedName } from "./file_names.ts";

/** A function, class or constant at the top level of a file, or a member of an object or a class. */
export interface Declaration {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  readonly name: string;
  readonly node: ts.Node;
}

/** Looks names up. */
export interface NameLookup {
  readonly sources: Sources;
  /** Returns the declaration behind a name that a file declares or imports. */
  local(file: string, name: string): Declaration | undefined;
  /** Returns the package's name for a name that a file imports from a package, with its specifier. */
  packageName(file: string, name: string): ImportedName | undefined;
}
