import {
  type FunctionType,
  hasTag,
  type LiteralValue,
  type MappedType,
  type MemberDef,
  type MembersDef,
  type MethodDef,
  type ParamNode,
  type SignatureDef,
  type TypeNode,
  type TypeParam,
  type TypePredicate,
} from "./doc_json.ts";

/** Writes a type; an absent one is `?`, which the slow-types check of publishing refuses anyway. */
export function typeText(type: TypeNode | undefined): string {
  if (type === undefined) return "?";
  switch (type.kind) {
    case "keyword":
      return type.value;
    case "literal":
      return literalText(type.value, type.repr);
    case "typeRef":
      return type.value.typeName + typeArgumentsText(type.value.typeParams);
    case "union":
      return joined(type.value, typeText, " | ");
    case "intersection":
      return joined(type.value, typeText, " & ");
    case "tuple":
      return `[${joined(type.value, typeText)}]`;
    case "array":
      return arrayText(type.value);
    case "parenthesized":
      return `(${typeText(type.value)})`;
    case "optional":
      return `${typeText(type.value)}?`;
    case "rest":
      return `...${typeText(type.value)}`;
    case "typeOperator":
      return `${type.value.operator} ${typeText(type.value.tsType)}`;
    case "indexedAccess":
      return `${typeText(type.value.objType)}[${typeText(type.value.indexType)}]`;
    case "typeQuery":
      return `typeof ${typeof type.value === "string" ? type.value : type.repr}`;
    case "this":
      return "this";
    case "infer":
      return `infer ${typeParamText(type.value.typeParam)}`;
    case "importType": {
      const { specifier, qualifier, typeParams } = type.value;
      const member = qualifier === undefined ? "" : `.${qualifier}`;
      return `import(${JSON.stringify(specifier)})${member}${typeArgumentsText(typeParams)}`;
    }
    case "conditional": {
      const { checkType, extendsType, trueType, falseType } = type.value;
      const condition = `${typeText(checkType)} extends ${typeText(extendsType)}`;
      return `${condition} ? ${typeText(trueType)} : ${typeText(falseType)}`;
    }
    case "fnOrConstructor":
      return functionTypeText(type.value);
    case "typePredicate":
      return predicateText(type.value);
    case "mapped":
      return mappedText(type.value);
    case "typeLiteral": {
      const members = memberTexts(type.value, "");
      return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
    }
  }
}

/** Writes type parameters with their brackets, or nothing when there are none. */
export function typeParamsText(params: TypeParam[] | undefined): string {
  return params === undefined || params.length === 0 ? "" : `<${joined(params, typeParamText)}>`;
}

/** Writes type arguments with their brackets, or nothing when there are none. */
export function typeArgumentsText(types: TypeNode[] | undefined): string {
  return types === undefined || types.length === 0 ? "" : `<${joined(types, typeText)}>`;
}

/** Writes a signature from its type parameters to its return type. */
export function signatureText(def: SignatureDef): string {
  const result = def.returnType === undefined ? "" : `: ${typeText(def.returnType)}`;
  return `${typeParamsText(def.typeParams)}(${joined(def.params, paramText)})${result}`;
}

/**
 * Writes one line a member; private and `@internal` members are left out.
 *
 * @param owner What each name is prefixed with, or `""` inside a type literal.
 */
export function memberTexts(def: MembersDef, owner: string): string[] {
  const prefix = owner === "" ? "" : `${owner}.`;
  const lines: string[] = [];
  for (const made of (def.constructors ?? []).filter(isPublic)) {
    lines.push(`new ${owner}${signatureText(made)}`);
  }
  for (const call of (def.callSignatures ?? []).filter(isPublic)) {
    const { tsType } = call;
    lines.push(
      owner + signatureText(tsType === undefined ? call : { ...call, returnType: tsType }),
    );
  }
  for (const { readonly, params, tsType } of def.indexSignatures ?? []) {
    const key = `${owner}[${joined(params, paramText)}]`;
    lines.push(`${readonly ? "readonly " : ""}${key}: ${typeText(tsType)}`);
  }
  for (const property of (def.properties ?? []).filter(isPublic)) {
    const name = memberName(property, prefix);
    lines.push(`${modifiersText(property)}${name}: ${typeText(property.tsType)}`);
  }
  for (const method of (def.methods ?? []).filter(isPublic)) {
    lines.push(methodText(method, prefix));
  }
  return lines;
}

function methodText(method: MethodDef, prefix: string): string {
  const accessor = method.kind === "getter" ? "get " : method.kind === "setter" ? "set " : "";
  const signature = signatureText(method.functionDef ?? method);
  return modifiersText(method) + accessor + memberName(method, prefix) + signature;
}

function isPublic(member: { accessibility?: string } & Pick<MemberDef, "jsDoc">): boolean {
  return member.accessibility !== "private" && !hasTag(member.jsDoc, "internal");
}

function memberName(member: MemberDef, prefix: string): string {
  const name = member.computed ? `[${member.name}]` : member.name;
  return prefix + name + (member.optional ? "?" : "");
}

function modifiersText(member: MemberDef): string {
  const words = [
    member.isAbstract && "abstract ",
    member.accessibility === "protected" && "protected ",
    member.isStatic && "static ",
    member.readonly && "readonly ",
  ];
  return words.filter((word) => typeof word === "string").join("");
}

function literalText(value: LiteralValue, repr: string | undefined): string {
  switch (value.kind) {
    case "string":
      return JSON.stringify(value.string);
    case "bigInt":
      return `${value.string}n`;
    case "template":
      return `\`${joined(value.tsTypes, templatePartText, "")}\``;
    default:
      return repr ?? value.kind;
  }
}

function templatePartText(part: TypeNode): string {
  if (part.kind === "literal" && part.value.kind === "string") return part.value.string;
  return `\${${typeText(part)}}`;
}

const needsParentheses = /^(union|intersection|fnOrConstructor|typeOperator|conditional|infer)$/;

function arrayText(element: TypeNode): string {
  const text = typeText(element);
  return needsParentheses.test(element.kind) ? `(${text})[]` : `${text}[]`;
}

function functionTypeText(value: FunctionType): string {
  const keyword = value.constructor ? "new " : "";
  const params = joined(value.params, paramText);
  return `${keyword}${typeParamsText(value.typeParams)}(${params}) => ${typeText(value.tsType)}`;
}

function predicateText(value: TypePredicate): string {
  const subject = value.param.type === "this" ? "this" : value.param.name;
  const claim = value.type === undefined ? "" : ` is ${typeText(value.type)}`;
  return `${value.asserts ? "asserts " : ""}${subject}${claim}`;
}

function mappedText(value: MappedType): string {
  const { typeParam, nameType } = value;
  const readonly = value.readonly ? `${modifierSign(value.readonly)}readonly ` : "";
  const optional = value.optional ? `${modifierSign(value.optional)}?` : "";
  const renamed = nameType === undefined ? "" : ` as ${typeText(nameType)}`;
  const key = `[${typeParam.name} in ${typeText(typeParam.constraint)}${renamed}]`;
  return `{ ${readonly}${key}${optional}: ${typeText(value.tsType)} }`;
}

function modifierSign(modifier: boolean | string): string {
  return typeof modifier === "string" ? modifier : "";
}

function typeParamText(param: TypeParam): string {
  const bound = param.constraint === undefined ? "" : ` extends ${typeText(param.constraint)}`;
  return param.name + bound + (param.default === undefined ? "" : ` = ${typeText(param.default)}`);
}

function paramText(param: ParamNode): string {
  switch (param.kind) {
    case "identifier":
      return `${param.name}${param.optional ? "?" : ""}: ${typeText(param.tsType)}`;
    case "object":
    case "array": {
      // The names inside a pattern are no API; only its shape is.
      const pattern = param.kind === "object" ? "{}" : "[]";
      return `${pattern}${param.optional ? "?" : ""}: ${typeText(param.tsType)}`;
    }
    case "rest":
      return `...${paramName(param.arg)}: ${typeText(param.tsType)}`;
    case "assign": {
      const tsType = param.left.tsType ?? param.tsType;
      const name = paramName(param.left);
      return `${name}?: ${typeText(tsType)}`;
    }
  }
}

function paramName(param: ParamNode): string {
  if (param.kind === "identifier") return param.name;
  return param.kind === "object" ? "{}" : "[]";
}

function joined<T>(items: T[] | undefined, write: (item: T) => string, separator = ", "): string {
  return (items ?? []).map((item) => write(item)).join(separator);
}
