/**
 * The texts of a resource, in the languages that the generators know.
 *
 * @module
 */
import { memberName } from "../../gen/source_text.ts";
import {
  catalogModule,
  catalogSource,
  GeneratedTexts,
  wordedLanguages,
  type Wording,
} from "../texts/generated_texts.ts";
import type { Field } from "./fields.ts";
import { capital, isInitialism, labelOf, type ResourceNames } from "./names.ts";

/**
 * The texts of the pages. Portuguese speaks of a "registo": the gender of the resource's own name is not
 * known.
 */
const wordings = {
  title: { en: "{Many}", pt: "{Many}" },
  row: { en: "{One}", pt: "{One}" },
  new: { en: "New {one}", pt: "Novo registo" },
  search: { en: "Search", pt: "Pesquisar" },
  searchAll: { en: "Search {many}", pt: "Pesquisar na lista" },
  none: { en: "No {many} found.", pt: "Nenhum registo encontrado." },
  previous: { en: "Previous", pt: "Anterior" },
  page: { en: "Page {page} of {pages}", pt: "Página {page} de {pages}" },
  next: { en: "Next", pt: "Seguinte" },
  edit: { en: "Edit", pt: "Editar" },
  editTitle: { en: "Edit {one}", pt: "Editar registo" },
  delete: { en: "Delete", pt: "Eliminar" },
  deleteTitle: { en: "Delete {title}?", pt: "Eliminar {title}?" },
  deleteForGood: {
    en: "The {one} is deleted for good.",
    pt: "O registo é eliminado definitivamente.",
  },
  cancel: { en: "Cancel", pt: "Cancelar" },
  save: { en: "Save", pt: "Guardar" },
  choose: { en: "Choose one", pt: "Escolha uma opção" },
  currentFile: { en: "Current file:", pt: "Ficheiro atual:" },
  keepsFile: { en: "An empty field keeps it.", pt: "Deixe o campo vazio para o manter." },
  all: { en: "All {many}", pt: "Voltar à lista" },
  created: { en: "The {one} was created.", pt: "O registo foi criado." },
  changed: { en: "The {one} was changed.", pt: "O registo foi alterado." },
  deleted: { en: "The {one} was deleted.", pt: "O registo foi eliminado." },
  yes: { en: "Yes", pt: "Sim" },
  no: { en: "No", pt: "Não" },
} as const satisfies Readonly<Record<string, Wording>>;

/** The key of a text of the pages. */
export type ResourceTextKey = keyof typeof wordings;

/** Fills the names of the resource in; they are the same in every language until they are translated. */
function fillNames({ words: [one, many] }: ResourceNames): Readonly<Record<string, Wording>> {
  const words: Readonly<Record<string, string>> = {
    one,
    many,
    One: capital(one),
    Many: capital(many),
  };
  const fill = (text: string): string =>
    text.replaceAll(/\{(one|many|One|Many)\}/g, (_, name: string) => words[name] ?? name);
  return Object.fromEntries(
    Object.entries(wordings).map(([key, { en, pt }]) => [key, { en: fill(en), pt: fill(pt) }]),
  );
}

/** Portuguese labels of fields that many resources have. */
const portugueseLabels: Readonly<Record<string, string>> = {
  active: "Ativo",
  address: "Morada",
  amount: "Quantia",
  author: "Autor",
  category: "Categoria",
  city: "Localidade",
  code: "Código",
  comment: "Comentário",
  country: "País",
  cover: "Capa",
  date: "Data",
  day: "Dia",
  description: "Descrição",
  email: "Email",
  "end date": "Data de fim",
  ends: "Fim",
  file: "Ficheiro",
  "first name": "Nome próprio",
  image: "Imagem",
  kind: "Tipo",
  "last name": "Apelido",
  name: "Nome",
  note: "Nota",
  notes: "Notas",
  pages: "Páginas",
  phone: "Telefone",
  photo: "Fotografia",
  picture: "Imagem",
  place: "Local",
  price: "Preço",
  quantity: "Quantidade",
  seats: "Lugares",
  "start date": "Data de início",
  starts: "Início",
  status: "Estado",
  subject: "Assunto",
  summary: "Resumo",
  text: "Texto",
  time: "Hora",
  title: "Título",
  type: "Tipo",
  url: "Endereço",
  vat: "IVA",
  year: "Ano",
};

function labelWording({ name }: Named): Wording {
  const en = labelOf(name);
  return { en, pt: portugueseLabels[en.toLowerCase()] ?? en };
}

/** A field or an upload. */
type Named = Pick<Field, "name">;

/** Reports whether the values of a field are words that people read in their language. */
export function hasWords({ builder, choices, rules }: Field): boolean {
  return builder === "text" && choices.length > 0 && !rules.has("email") && !rules.has("url");
}

function valueWording(value: string): Wording {
  const words = capital(value.replaceAll(/[-_]+/g, " "));
  return { en: words, pt: words };
}

/** The texts of a resource being written. */
export interface ResourceTexts {
  /** Whether they are in catalogs. */
  readonly hasCatalog: boolean;
  /** The constant with the labels of the fields. */
  readonly labelsName: string;
  /** The constant with the texts of the pages. */
  readonly textsName: string;
  /** Returns the expression of a text, with the expressions of its parameters. */
  text(key: ResourceTextKey, params?: Readonly<Record<string, string>>): string;
  /** The function that words a value; `undefined` where values are shown as they are stored. */
  readonly valueName: string | undefined;
  /** Returns the expression of a field's label. */
  label(field: Named): string;
  /** Returns the expression that shows the value of an expression. */
  value(field: Field, expression: string): string;
  /** Returns the text of the module with the catalogs, once everything else is written. */
  source(): string;
  /** Returns the words of the developer that stand untranslated in the Portuguese catalog. */
  untranslated(): readonly string[];
  /** Returns the keys of the Portuguese texts that call a row "registo". */
  generic(): readonly string[];
}

/** Prepares the texts of a resource. */
export function resourceTexts(
  { names, fields, uploads, languages }: {
    readonly names: ResourceNames;
    readonly fields: readonly Field[];
    readonly uploads: readonly Named[];
    readonly languages: readonly string[];
  },
): ResourceTexts {
  const filled = fillNames(names);
  const textsName = `${names.one}Messages`;
  const labelsName = `${names.one}Labels`;
  const labels = new Map(
    [...fields, ...uploads].map((field) => [field.name, labelWording(field)]),
  );
  const texts = new GeneratedTexts(filled, { languages, name: textsName });
  const labelTexts = new GeneratedTexts(Object.fromEntries(labels), {
    languages,
    name: labelsName,
  });
  const tags = wordedLanguages(languages);
  const hasPortuguese = texts.hasCatalog && tags.some(({ language }) => language === "pt");
  const used = new Set<ResourceTextKey>();
  const worded = texts.hasCatalog ? fields.filter(hasWords) : [];
  const values = new Map(
    worded.flatMap(({ name, choices }) =>
      choices.map((choice) => [`${name}.${choice}`, valueWording(choice)] as const)
    ),
  );
  const valueName = worded.length === 0 ? undefined : `${names.one}Value`;
  return {
    valueName,
    value: (field, expression) =>
      worded.includes(field)
        ? `${valueName}(c, ${JSON.stringify(field.name)}, ${expression})`
        : expression,
    hasCatalog: texts.hasCatalog,
    labelsName,
    textsName,
    text: (key, params) => {
      used.add(key);
      return texts.text(key, params);
    },
    label: ({ name }) => labelTexts.text(name),
    // The form has the label of every field.
    source: () => {
      const catalogOf = (name: string, wordings: ReadonlyMap<string, Wording>): string =>
        catalogSource(
          name,
          tags.map(({ tag, language }) => ({
            tag,
            messages: [...wordings].map(([key, wording]) => [key, wording[language]] as const),
          })),
        );
      const valuesName = `${names.one}Values`;
      const module = catalogModule([
        { comment: "The labels of the fields.", catalog: catalogOf(labelsName, labels) },
        ...valueName === undefined ? [] : [{
          comment: "The values of the fields that offer some.",
          catalog: catalogOf(valuesName, values),
        }],
        { comment: "The texts of the pages.", catalog: texts.catalog() },
      ]);
      return valueName === undefined
        ? module
        : `import type { Ctx } from "@fw/fw";\n${module}${
          valueSource(worded, { valueName, valuesName })
        }`;
    },
    generic: () =>
      hasPortuguese ? [...used].filter((key) => /registo/i.test(filled[key]?.pt ?? "")) : [],
    untranslated: () => {
      if (!hasPortuguese) return [];
      const all = [
        ...[...used].flatMap((key) => filled[key] ?? []),
        ...labels.values(),
        ...[...values.values()].filter(({ en }) => /\p{L}/u.test(en)),
      ];
      // Some words are the same in both languages.
      const same = new Set(["Email"]);
      return [
        ...new Set(
          all.filter(({ en, pt }) => en === pt && !same.has(en) && !isInitialism(en)).map((
            { en },
          ) => en),
        ),
      ];
    },
  };
}

/** Returns the source of the function that words the values of these fields. */
function valueSource(
  fields: readonly Field[],
  { valueName, valuesName }: { readonly valueName: string; readonly valuesName: string },
): string {
  const members = fields.map(({ name, choices }) => {
    const keys = choices.map((choice) =>
      `${memberName(choice)}: ${JSON.stringify(`${name}.${choice}`)}`
    );
    return `  ${name}: { ${keys.join(", ")} },\n`;
  });
  return `
/** The messages of the values, by field. */
const valueKeys = {
${members.join("")}} as const;

/** Returns a value in the language of the request; one without a message as it is stored. */
export function ${valueName}(
  c: Ctx,
  field: keyof typeof valueKeys,
  value: string | null,
): string {
  const key = Object.entries(valueKeys[field]).find(([each]) => each === value)?.[1];
  return key === undefined ? value ?? "" : c.t(${valuesName}, key);
}
`;
}
