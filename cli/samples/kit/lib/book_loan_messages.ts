import type { Ctx, Node } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** The labels of the fields. */
export const bookLoanLabels = catalog({
  en: {
    // each field
    headline: "Headline",
    remark: "Remark",
    story: "Story",
    memo: "Memo",
    contact: "Contact",
    backup: "Backup",
    website: "Website",
    mirror: "Mirror",
    genre: "Genre",
    mood: "Mood",
    seats: "Seats",
    spare: "Spare",
    views: "Views",
    peak: "Peak",
    price: "Price",
    ratio: "Ratio",
    fee: "Fee",
    fine: "Fine",
    lent: "Lent",
    opens: "Opens",
    closes: "Closes",
    begins: "Begins",
    ends: "Ends",
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
    memo: "Apontamento",
    contact: "Contacto",
    backup: "Alternativa",
    website: "Sítio",
    mirror: "Espelho",
    genre: "Género",
    mood: "Ambiente",
    seats: "Lugares",
    spare: "Reserva",
    views: "Visualizações",
    peak: "Máximo",
    price: "Preço",
    ratio: "Rácio",
    fee: "Taxa",
    fine: "Multa",
    lent: "Emprestado",
    opens: "Abre",
    closes: "Fecha",
    begins: "Começa",
    ends: "Fim",
    readerId: "Leitor",
    cover: "Capa",
    scan: "Digitalização",
    // end
  },
});

// if values
/** The values of the fields that offer some. */
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

const valueKeys = [
  // each field
  // each choice
  "genre.novel",
  "genre.essay",
  // end
  // each choice
  "mood.novel",
  "mood.essay",
  // end
  // end
] as const;

/** Returns a value in the language of the request; one without a message as it is stored. */
export function bookLoanValue(c: Ctx, field: string, value: string | null): string {
  const key = valueKeys.find((each) => each === `${field}.${value}`);
  return key === undefined ? value ?? "" : c.t(bookLoanValues, key);
}

/** The looks of values that say how far something is. */
export const bookLoanLooks: Readonly<Record<string, readonly Node[]>> = {
  // each field
  // each choice
  "genre.novel": [ui.hollow],
  "genre.essay": [ui.hollow],
  // end
  // each choice
  "mood.novel": [ui.hollow],
  "mood.essay": [ui.hollow],
  // end
  // end
};

/** Renders a value as a badge. */
export function bookLoanBadge(c: Ctx, field: string, value: string): Node {
  return ui.badge(...bookLoanLooks[`${field}.${value}`] ?? [], bookLoanValue(c, field, value));
}

// end
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
    begin: "The first one takes a minute.",
    count: { one: "1 book loan", other: "{count} book loans" },
    many: "More than {most} book loans",
    editTitle: "Edit book loan",
    needed: "All fields are needed unless they say optional.",
    // if basics
    basics: "Basics",
    basicsHelp: "How people find and recognise the book loan.",
    // end
    // if facts
    facts: "Facts",
    factsHelp: "Lists are filtered and sorted by these values.",
    // end
    // if uploads
    files: "Files",
    filesHelp: "Pictures and documents of the book loan.",
    // end
    delete: "Delete",
    deleteTitle: "Delete “{title}”?",
    deleteSome: { one: "Delete 1 book loan?", other: "Delete {count} book loans?" },
    // if views
    changedSome: { one: "1 book loan was changed.", other: "{count} book loans were changed." },
    // end
    deletedSome: { one: "1 book loan was deleted.", other: "{count} book loans were deleted." },
    deleteText: "The deletion can be taken back.",
    // if audit
    restoredSome: { one: "1 book loan was restored.", other: "{count} book loans were restored." },
    taken: "A value that no two book loans share is in use by now.",
    purgeText: "This cannot be undone.",
    // end
    cancel: "Cancel",
    save: "Save",
    // if uploads
    currentFile: "Current file:",
    keepsFile: "An empty field keeps it.",
    // end
    // if import
    import: "Import",
    importHelp: "The first line of the file names the columns, as that of an export does.",
    importable: { one: "1 book loan can be imported", other: "{count} book loans can be imported" },
    imported: { one: "1 book loan was imported.", other: "{count} book loans were imported." },
    file: "CSV file",
    preview: "Only show what would be imported",
    faults: "Nothing was imported",
    line: "Line {line}",
    // end
    all: "All book loans",
    created: "The book loan was created.",
    changed: "The book loan was changed.",
    deleted: "The book loan was deleted.",
    inUse: "The book loan is still in use.",
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
    begin: "O primeiro leva um minuto.",
    count: { one: "1 registo", other: "{count} registos" },
    many: "Mais de {most} registos",
    editTitle: "Editar registo",
    needed: "Todos os campos são necessários, salvo os opcionais.",
    // if basics
    basics: "Dados principais",
    basicsHelp: "Como se encontra e reconhece o registo.",
    // end
    // if facts
    facts: "Valores",
    factsHelp: "As listas são filtradas e ordenadas por estes valores.",
    // end
    // if uploads
    files: "Ficheiros",
    filesHelp: "Imagens e documentos do registo.",
    // end
    delete: "Eliminar",
    deleteTitle: "Eliminar “{title}”?",
    deleteSome: { one: "Eliminar 1 registo?", other: "Eliminar {count} registos?" },
    // if views
    changedSome: { one: "1 registo foi alterado.", other: "{count} registos foram alterados." },
    // end
    deletedSome: { one: "1 registo foi eliminado.", other: "{count} registos foram eliminados." },
    deleteText: "É possível recuperar depois.",
    // if audit
    restoredSome: {
      one: "1 registo foi recuperado.",
      other: "{count} registos foram recuperados.",
    },
    taken: "Um valor que não se pode repetir já está em uso.",
    purgeText: "Não é possível desfazer.",
    // end
    cancel: "Cancelar",
    save: "Guardar",
    // if uploads
    currentFile: "Ficheiro atual:",
    keepsFile: "Deixe o campo vazio para o manter.",
    // end
    // if import
    import: "Importar",
    importHelp: "A primeira linha do ficheiro tem os nomes das colunas, como a de uma exportação.",
    importable: {
      one: "1 registo pode ser importado",
      other: "{count} registos podem ser importados",
    },
    imported: { one: "1 registo foi importado.", other: "{count} registos foram importados." },
    file: "Ficheiro CSV",
    preview: "Mostrar apenas o que seria importado",
    faults: "Nada foi importado",
    line: "Linha {line}",
    // end
    all: "Voltar à lista",
    created: "O registo foi criado.",
    changed: "O registo foi alterado.",
    deleted: "O registo foi eliminado.",
    inUse: "O registo ainda está em uso.",
    // if bool
    yes: "Sim",
    no: "Não",
    // end
  },
});
