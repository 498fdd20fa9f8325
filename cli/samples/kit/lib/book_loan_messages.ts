import type { Ctx } from "@fw/fw";
import type { FileName } from "@fw/fw/data";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { BookLoanInput, type BookLoanRow } from "./book_loans.ts";

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
    "genre.active": "Active",
    "genre.lost": "Lost",
    // end
    // each choice
    "mood.active": "Active",
    "mood.lost": "Lost",
    // end
    // end
  },
  pt: {
    // each field
    // each choice
    "genre.active": "Active", // translate
    "genre.lost": "Lost", // translate
    // end
    // each choice
    "mood.active": "Active", // translate
    "mood.lost": "Lost", // translate
    // end
    // end
  },
});

// end
// if page
/** The labels, looks and links of the fields. */
export function bookLoanFields(
  c: Ctx,
): ui.FieldTexts<BookLoanInput, /* if upload */ FileName<BookLoanRow> /* end */> {
  return {
    schema: BookLoanInput,
    label: (name) => c.t(bookLoanLabels, name),
    // if values:
    value: (key) => c.t(bookLoanValues, key),
    tones: {
      // each field
      // each tone
      "genre.active": [ui.success, ui.dot],
      "genre.lost": [ui.destructive, ui.dot],
      // end
      // each tone
      "mood.active": [ui.success, ui.dot],
      "mood.lost": [ui.destructive, ui.dot],
      // end
      // end
    },
    links: {
      // each linked
      readerId: (id) => c.href("/book-loans/{id}", { id }),
      // end
    },
  };
}

/** The texts of the pages. */
export const bookLoanMessages = catalog({
  en: {
    title: "Book loans",
    row: "Book loan",
    new: "New book loan",
    // if search:
    search: "Search book loans",
    about: "All book loans, the newest first.",
    empty: "No book loans yet",
    begin: "The first one takes a minute.",
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
    // if audit:
    deleteText: "It disappears from lists. You can restore it later.",
    // if import:
    import: "Import book loans",
    created: "Book loan created.",
    changed: "Book loan saved.",
    deleted: "Book loan deleted.",
    inUse: "This book loan can’t be deleted: other records depend on it.",
  },
  pt: {
    title: "Book loans", // translate
    row: "Book loan", // translate
    new: "Novo registo",
    // if search:
    search: "Pesquisar registos",
    about: "Todos os registos, primeiro os mais recentes.",
    empty: "Ainda não há registos",
    begin: "O primeiro leva um minuto.",
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
    // if audit:
    deleteText: "Deixa de aparecer nas listas. Pode recuperá-lo mais tarde.",
    // if import:
    import: "Importar registos",
    created: "Registo criado.",
    changed: "Registo guardado.",
    deleted: "Registo eliminado.",
    inUse: "Não é possível eliminar este registo: outros dependem dele.",
  },
});
// end
