import type { Ctx, Node } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

// if page
/** The labels of the fields. */
export const bookLoanLabels = catalog({
  en: {
    // each field
    headline: "Headline",
    remark: "Remark",
    story: "Story",
    contact: "Contact",
    website: "Website",
    genre: "Genre",
    mood: "Mood",
    seats: "Seats",
    views: "Views",
    price: "Price",
    fee: "Fee",
    lent: "Lent",
    opens: "Opens",
    closes: "Closes",
    begins: "Begins",
    readerId: "Reader",
    cover: "Cover",
    scan: "Scan",
    // end
  },
  pt: {
    // each field
    headline: "Título",
    remark: "Observação",
    story: "História",
    contact: "Contacto",
    website: "Sítio",
    genre: "Género",
    mood: "Ambiente",
    seats: "Lugares",
    views: "Visualizações",
    price: "Preço",
    fee: "Taxa",
    lent: "Emprestado",
    opens: "Abre",
    closes: "Fecha",
    begins: "Começa",
    readerId: "Leitor",
    cover: "Capa",
    scan: "Digitalização",
    // end
  },
});

// end
// if values
/** The labels of choices. */
export const bookLoanValues = catalog({
  en: {
    // each field
    // each choice
    "genre.novel": "Novel",
    "genre.essay": "Essay",
    // end
    // each choice
    "mood.novel": "Novel",
    "mood.essay": "Essay",
    // end
    // end
  },
  pt: {
    // each field
    // each choice
    "genre.novel": "Novel",
    "genre.essay": "Essay",
    // end
    // each choice
    "mood.novel": "Novel",
    "mood.essay": "Essay",
    // end
    // end
  },
});

/** The looks of values; a value that names a state has a colour. */
const looks = {
  // each field
  // each choice
  "genre.novel": [],
  "genre.essay": [],
  // end
  // each choice
  "mood.novel": [],
  "mood.essay": [],
  // end
  // end
} satisfies Readonly<Record<string, readonly Node[]>>;

function isValue(key: string): key is keyof typeof looks {
  return Object.hasOwn(looks, key);
}

/** Translates a value into the language of the request; a value without a label stays as it is. */
export function bookLoanValue(c: Ctx, field: string, value: string | null): string {
  const key = `${field}.${value}`;
  return isValue(key) ? c.t(bookLoanValues, key) : value ?? "";
}

/** Renders a value as a badge. */
export function bookLoanBadge(c: Ctx, field: string, value: string): Node {
  const key = `${field}.${value}`;
  return ui.badge(...isValue(key) ? looks[key] : [], bookLoanValue(c, field, value));
}

/** Returns the choices of a field with their labels and looks. */
export function bookLoanChoices(
  c: Ctx,
  field: string,
): { readonly value: string; readonly label: string; readonly tone: readonly Node[] }[] {
  return Object.entries<readonly Node[]>(looks).flatMap(([key, tone]) => {
    const value = key.slice(field.length + 1);
    return key === `${field}.${value}`
      ? { value, label: bookLoanValue(c, field, value), tone }
      : [];
  });
}

// end
// if page
/** The texts of the pages. */
export const bookLoanMessages = catalog({
  en: {
    title: "Book loans",
    row: "Book loan",
    new: "New book loan",
    // if search
    search: "Search book loans",
    // end
    about: "All book loans, the newest first.",
    empty: "No book loans yet",
    begin: "Add the first one by hand, or import a CSV file.",
    count: { one: "{count} book loan", other: "{count} book loans" },
    many: "More than {most} book loans",
    editTitle: "Edit book loan",
    save: "Save book loan",
    // if basic
    basics: "Basics",
    basicsHelp: "What identifies the book loan in lists.",
    // end
    // if fact
    facts: "Details",
    factsHelp: "Used to sort and filter the list.",
    // end
    // if upload
    files: "Files",
    filesHelp: "Images and documents for the book loan.",
    // end
    delete: "Delete book loan",
    // if audit
    deleteText: "It disappears from lists. You can restore it later.",
    // end
    // if import
    import: "Import book loans",
    // end
    created: "Book loan created.",
    changed: "Book loan saved.",
    deleted: "Book loan deleted.",
    inUse: "This book loan can’t be deleted: other records depend on it.",
    // if emptyDates
    noDate: "No date",
    // end
    // if bool
    yes: "Yes",
    no: "No",
    // end
  },
  pt: {
    title: "Book loans",
    row: "Book loan",
    new: "Novo registo",
    // if search
    search: "Pesquisar registos",
    // end
    about: "Todos os registos, primeiro os mais recentes.",
    empty: "Ainda não há registos",
    begin: "Adicione o primeiro à mão, ou importe um ficheiro CSV.",
    count: { one: "{count} registo", other: "{count} registos" },
    many: "Mais de {most} registos",
    editTitle: "Editar registo",
    save: "Guardar registo",
    // if basic
    basics: "Dados principais",
    basicsHelp: "O que identifica o registo nas listas.",
    // end
    // if fact
    facts: "Detalhes",
    factsHelp: "Servem para ordenar e filtrar a lista.",
    // end
    // if upload
    files: "Ficheiros",
    filesHelp: "Imagens e documentos do registo.",
    // end
    delete: "Eliminar registo",
    // if audit
    deleteText: "Deixa de aparecer nas listas. Pode recuperá-lo mais tarde.",
    // end
    // if import
    import: "Importar registos",
    // end
    created: "Registo criado.",
    changed: "Registo guardado.",
    deleted: "Registo eliminado.",
    inUse: "Não é possível eliminar este registo: outros dependem dele.",
    // if emptyDates
    noDate: "Sem data",
    // end
    // if bool
    yes: "Sim",
    no: "Não",
    // end
  },
});
// end
