/**
 * Evaluates schemas in a separate process, which has no network, environment or processes and reads
 * only the project. A function for each wanted expression is appended to its module, so that
 * schemas inside handlers are evaluated too.
 */
import { cutText, type JsonObject } from "@fw/fw/addon";
import { FieldSchema, text, toJsonSchema } from "@fw/fw/schema";
import { dirname, resolve } from "@std/path";
import ts from "npm:typescript@6.0.3";
import { compareText, type Place } from "../problem.ts";
import { listOf, memberOf, objectOf, parseJson, textOf, textsOf } from "../project/json.ts";
import { askProgram } from "../project/process/app_program.ts";
import { manifestOf, runForeign } from "../project/process/foreign.ts";
import { nodePlace, unwrap, walk } from "../project/sources/syntax.ts";
import { type Compiler, initializerOf, isOwn } from "./compiler.ts";
import { isReference } from "./reach.ts";
import { schemaProgram } from "./schema_program.ts";

export type AnyFieldSchema = FieldSchema<unknown, boolean>;

type Schema = Record<string, unknown>;

export type SchemaValue =
  | { readonly kind: "field"; readonly schema: AnyFieldSchema }
  | { readonly kind: "json"; readonly schema: Schema }
  | {
    readonly kind: "fault";
    readonly name: string;
    readonly place: Place;
    readonly message: string;
  };

/** An expression that a module of the project evaluates: a constant by its name, anything else by its code. */
interface Wanted {
  /** `undefined` if the value exists only inside a call of its function. */
  readonly code: string | undefined;
  readonly name: string;
  readonly place: Place;
  readonly isConstant: boolean;
}

type Evaluated = Wanted & { readonly code: string };

const timeoutMs = 15_000;

/** Maximum bytes of both outputs: a module may print endlessly. */
const maxBytes = 16_777_216;

export class SchemaValues {
  readonly #compiler: Compiler;
  readonly #wanted = new Map<string, Evaluated>();
  readonly #values = new Map<string, SchemaValue>();
  readonly #names = new Map<object, string>();

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  /** Requests the value of a schema; returns `undefined` before the next {@linkcode load}. */
  read(expression: ts.Expression): SchemaValue | undefined {
    if (!isOwn(expression)) return undefined;
    const { code, ...wanted } = this.#find(expression);
    if (code === undefined) return { kind: "fault", ...wanted, message: "" };
    const key = `${wanted.place.file}\n${code}`;
    if (!this.#wanted.has(key)) this.#want(key, { ...wanted, code }, expression);
    return this.#values.get(key);
  }

  nameOf(value: object): string | undefined {
    return this.#names.get(value);
  }

  async load(root: string): Promise<void> {
    const wanted = [...this.#wanted].sort(([, a], [, b]) =>
      compareText(a.place.file, b.place.file)
    );
    if (wanted.length === 0) return;
    const found = await evaluate(root, wanted.map(([, each]) => each));
    const known = new Map<unknown, object>();
    wanted.forEach(([key, { name, place, isConstant }], index) => {
      const value = toValue(found[index], { name, place, known });
      this.#values.set(key, value);
      if (!isConstant || value.kind === "fault") return;
      const held = value.kind === "field" ? value.schema.def : value.schema;
      if (!this.#names.has(held)) this.#names.set(held, name);
    });
  }

  #find(expression: ts.Expression, followed = new Set<ts.Node>()): Wanted {
    const at = unwrap(expression);
    const symbol = this.#compiler.namedSymbol(at);
    const constant = topLevelConstant(symbol);
    if (constant !== undefined) {
      const name = constant.name.getText();
      return { code: name, name, place: nodePlace(constant), isConstant: true };
    }
    const declared = symbol?.valueDeclaration;
    const isLet = declared && ts.isVariableDeclaration(declared) && !isConstant(declared);
    const next = isLet ? undefined : initializerOf(symbol);
    // Constants may refer to each other in a circle.
    if (next !== undefined && isOwn(next) && !followed.has(next)) {
      return this.#find(next, followed.add(next));
    }
    const name = cutText(at.getText().replaceAll(/\s+/g, " "), maxNameChars);
    return { code: this.#codeOf(at), name, place: nodePlace(at), isConstant: false };
  }

  /** Returns code for the end of the module; `undefined` if local names may mean something else there. */
  #codeOf(expression: ts.Expression): string | undefined {
    const constants = new Map<ts.Declaration, string>();
    if (!this.#addConstants(expression, constants)) return undefined;
    const names = [...constants.keys()].map((each) => ts.getNameOfDeclaration(each)?.getText());
    // Two blocks may declare the same name.
    if (new Set(names).size < names.length) return undefined;
    const code = expression.getText();
    const lines = [...constants.values()].map((each) => `const ${each};`);
    return lines.length === 0 ? code : `(() => { ${lines.join("\n")}\nreturn (${code}); })()`;
  }

  /** Adds an expression's local constants. @returns `false` if it uses other local names. */
  #addConstants(expression: ts.Expression, constants: Map<ts.Declaration, string>): boolean {
    let isWhole = true;
    walk(expression, (node) => {
      if (!isWhole || ts.isTypeNode(node)) return false;
      if (isBound(node, expression)) isWhole = false;
      if (!ts.isIdentifier(node) || !isReference(node)) return undefined;
      const declaration = this.#compiler.symbolOf(node)?.declarations?.[0];
      if (declaration !== undefined && isLocal(declaration, expression)) {
        isWhole = this.#addConstant(declaration, constants);
      }
      return undefined;
    });
    return isWhole;
  }

  #addConstant(declaration: ts.Declaration, constants: Map<ts.Declaration, string>): boolean {
    if (constants.has(declaration)) return true;
    if (!ts.isVariableDeclaration(declaration) || !isConstant(declaration)) return false;
    const { initializer } = declaration;
    constants.set(declaration, "");
    if (initializer === undefined || !this.#addConstants(initializer, constants)) return false;
    // Moved behind the constants that it uses.
    constants.delete(declaration);
    constants.set(declaration, declaration.getText());
    return true;
  }

  /** Also requests the constants inside a schema, so that nested structs keep their names. */
  #want(key: string, wanted: Evaluated, expression: ts.Expression): void {
    this.#wanted.set(key, wanted);
    const seen = new Set<ts.Node>();
    const look = (node: ts.Node): void => {
      if (!ts.isIdentifier(node) || !isReference(node)) return;
      const { initializer } = topLevelConstant(this.#compiler.symbolOf(node)) ?? {};
      if (initializer === undefined || seen.has(initializer)) return;
      seen.add(initializer);
      const type = this.#compiler.checker.getTypeAtLocation(node);
      if (type.getProperty("~output") !== undefined) this.read(node);
      // An object of fields that several structs share.
      else if (ts.isObjectLiteralExpression(unwrap(initializer))) walk(initializer, look);
    };
    walk(this.#compiler.constantOf(expression), look);
  }
}

function topLevelConstant(symbol: ts.Symbol | undefined): ts.VariableDeclaration | undefined {
  const declaration = symbol?.valueDeclaration;
  const isTopLevel = declaration !== undefined && ts.isVariableDeclaration(declaration) &&
    isOwn(declaration) && ts.isSourceFile(declaration.parent.parent.parent);
  return isTopLevel ? declaration : undefined;
}

function isConstant(declaration: ts.VariableDeclaration): boolean {
  return (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
}

/** Reports whether a name is declared in a function or a block, outside of the expression. */
function isLocal(declaration: ts.Declaration, expression: ts.Expression): boolean {
  if (declaration.getSourceFile() !== expression.getSourceFile()) return false;
  if (ts.findAncestor(declaration, (node) => node === expression) !== undefined) return false;
  return ts.findAncestor(declaration.parent, opensScope) !== undefined;
}

function opensScope(node: ts.Node): boolean {
  return ts.isFunctionLike(node) || ts.isBlock(node) || ts.isCaseBlock(node) ||
    ts.isModuleBlock(node) || ts.isCatchClause(node) || ts.isForStatement(node) ||
    ts.isForOfStatement(node) || ts.isForInStatement(node);
}

/** Reports whether a part of an expression is invalid at the end of its file. */
function isBound(node: ts.Node, expression: ts.Expression): boolean {
  if (ts.isAwaitExpression(node)) {
    const owner = ts.findAncestor(node, (at) => ts.isFunctionLike(at) || at === expression);
    return owner === undefined || !ts.isFunctionLike(owner);
  }
  const { ThisKeyword, SuperKeyword, YieldExpression } = ts.SyntaxKind;
  return node.kind === ThisKeyword || node.kind === SuperKeyword || node.kind === YieldExpression ||
    ts.isJsxOpeningLikeElement(node) || ts.isJsxFragment(node);
}

const maxNameChars = 60;

async function evaluate(root: string, wanted: readonly Evaluated[]): Promise<readonly unknown[]> {
  const [folders, { stdout }] = await Promise.all([
    linkedFolders(root),
    runForeign(["info", "--json"], { cwd: root }),
  ]);
  const npmCache = textOf(memberOf(parseJson(stdout), "npmCache")) ?? root;
  // A comma separates the paths of a list; a doubled one is part of a path.
  const read = `--allow-read=${root.replaceAll(",", ",,")}`;
  const { said, code, stderr } = await askProgram(
    (say) => schemaProgram(say, { root, npmCache, folders, wanted }),
    ["--no-check", "--cached-only", "--ignore-env", read],
    { cwd: root, timeoutMs, maxBytes },
  );
  const fault = stderr.split("\n").find((line) => line.startsWith("error: "))?.slice(7) ??
    `a module ends the process with exit code ${code}`;
  return said === undefined ? wanted.map(() => ({ fault })) : listOf(said);
}

/** Returns the packages that `deno.json` links, and the workspace. */
async function linkedFolders(root: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const link of textsOf((await manifestOf(root))["links"])) {
    const folder = resolve(root, link);
    const { name, exports } = await manifestOf(folder);
    // A clone may name any folder.
    if (name !== undefined && exports !== undefined) folders.push(folder);
  }
  for (let at = dirname(root); dirname(at) !== at; at = dirname(at)) {
    if ("workspace" in await manifestOf(at)) folders.push(at);
  }
  return folders;
}

/** Parses the process's reply, which the project's code can forge. */
function toValue(
  found: unknown,
  { name, place, known }: Pick<Wanted, "name" | "place"> & { readonly known: Map<unknown, object> },
): SchemaValue {
  const schema = objectOf(memberOf(found, "schema"));
  if (schema !== undefined) {
    const once = known.getOrInsertComputed(memberOf(found, "id"), () => schema);
    return { kind: "json", schema: once as Schema };
  }
  const def = objectOf(memberOf(found, "def"));
  const field = def && toField(() => revive(def, known));
  if (field !== undefined) return { kind: "field", schema: field };
  return { kind: "fault", name, place, message: textOf(memberOf(found, "fault")) ?? "" };
}

function toField(read: () => object): AnyFieldSchema | undefined {
  try {
    const field = new FieldSchema(read() as ConstructorParameters<typeof FieldSchema>[0]);
    const schema: unknown = toJsonSchema(field);
    return schema === undefined ? undefined : field;
  } catch {
    return undefined;
  }
}

const maxDepth = 100;
const maxRules = 100;

/**
 * Revives the definition of a field, each id once. A struct's fields arrive as entries.
 *
 * @throws {RangeError} if it is nested too deeply.
 */
function revive(given: JsonObject, known: Map<unknown, object>, depth = 0): object {
  if (depth > maxDepth) throw new RangeError("The definition is nested too deeply.");
  // By the whole text: an id alone could stand for a definition that grows with each level.
  return known.getOrInsertComputed(JSON.stringify(given), () => {
    const { id: _, ...def } = given;
    const { fields, item, rules } = def;
    const names = objectOf(def["names"]) ?? {};
    const inner = (value: unknown): object => revive(objectOf(value) ?? {}, known, depth + 1);
    const entries = listOf(fields).map(listOf).map(([name, each]) =>
      [String(name), inner(each)] as const
    );
    // Rules defined in the application's setup are unknown here.
    const bare = { ...def, names, fields: new Map(), item: text().def };
    const kept = (textOf(rules) ?? "").split(",", maxRules)
      .filter((rule) => rule !== "" && toField(() => ({ ...bare, rules: rule })) !== undefined);
    return {
      ...def,
      names,
      ...(fields === undefined ? {} : { fields: new Map(entries) }),
      ...(item === undefined ? {} : { item: inner(item) }),
      rules: kept.join(","),
    };
  });
}
