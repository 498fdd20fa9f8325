import type { Labels } from "./words.ts";

/**
 * The words of the kit in European Portuguese, which requests in that language get where `config.languages`
 * lists it; for `config.labels` of an application in Portuguese alone.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * const app = new App({ labels: { ...ui.labelsPt, nav: "Menu" } });
 * assertEquals(app.config.labels?.["loading"], "A carregar");
 * ```
 */
export const labelsPt: Readonly<Labels> = {
  close: "Fechar",
  ok: "OK",
  cancel: "Cancelar",
  nav: "Principal",
  pagination: "Páginas",
  previous: "Anterior",
  next: "Seguinte",
  page: "Página {page}",
  breadcrumb: "Localização",
  toaster: "Mensagens",
  theme: "Tema escuro",
  find: "Pesquisar",
  command: "Escreva um comando ou pesquise",
  nothingFound: "Nada encontrado.",
  empty: "Ainda não há nada aqui.",
  problems: "Verifique estes campos",
  loading: "A carregar",
  upload: "Envio",
  again: "Enviar novamente?",
  againText: "Não houve resposta, mas o que enviou pode ter chegado.",
  againOk: "Enviar novamente",
  offline: "Sem ligação.",
  retry: "Tentar novamente",
  choose: "Escolha uma opção",
  fileAgain: "Escolha novamente o ficheiro: o navegador não o guardou.",
  save: "Guardar",
  skip: "Saltar para o conteúdo",
  menu: "Menu",
  filter: "Filtrar",
  removeFilter: "Remover filtro: {filter}",
  selected: "{count} selecionados",
  selectedRows: "Linhas selecionadas",
  selectAll: "Selecionar tudo",
  selectNone: "Não selecionar nada",
  select: "Selecionar {row}",
  actions: "Ações de {row}",
  optional: "opcional",
  reveal: "Mostrar caracteres",
  dropFile: "Largue um ficheiro aqui ou {choose}",
  chooseFile: "escolha um ficheiro",
  charCount: "{count} de {max}",
  unsaved: "Alterações por guardar",
  remove: "Remover {tag}",
  copy: "Copiar",
  copied: "Copiado",
  numbers: "Mostrar os números",
  from: "de {value}",
  first: "Primeira",
  last: "Última",
  show: "Mostrar",
  all: "Todos",
  rows: "Linhas",
  columns: "Colunas",
  roomy: "Linhas largas",
  dense: "Linhas baixas",
  edit: "Editar",
  delete: "Eliminar",
  import: "Importar",
  export: "Exportar",
  more: "Mais",
  nothingMatches: "Nada corresponde a “{text}”",
  nothingFits: "Nada corresponde a estes filtros",
  hiddenBy: "Verifique a escrita ou veja sem os filtros.",
  clear: "Limpar pesquisa e filtros",
  upTo: "até {size}",
  newer: "Mais recente",
  older: "Mais antigo",
  history: "Atividade",
  historyAdded: "{who} criou",
  historyChanged: "{who} alterou {what}",
  historyField: "{field} de {from} para {to}",
  historyDeleted: "{who} eliminou",
  historyRestored: "{who} recuperou",
  aUser: "Um utilizador",
  yes: "Sim",
  no: "Não",
  state: "Estado",
  deleted: "Eliminados",
  restore: "Recuperar",
  purge: "Eliminar de vez",
  isDeleted: "Está eliminado.",
  canRestore: "É possível recuperar depois.",
  restoredMany: "Recuperados: {count}",
  taken: "Nada foi recuperado: um valor único já está em uso.",
  needed: "Todos os campos são necessários, salvo os opcionais.",
  forGood: "Não é possível desfazer.",
  deleteMany: "Eliminar {count} selecionados?",
  deletedMany: "Eliminados: {count}",
  changedMany: "Alterados: {count}",
  inUse: "Nada foi eliminado: ainda está em uso.",
  currentFile: "Ficheiro atual: {file}. Um campo vazio mantém-no.",
  csvFile: "Ficheiro CSV",
  preview: "Mostrar apenas o que seria importado",
  importHelp: "A primeira linha do ficheiro tem os nomes das colunas, como a de uma exportação.",
  importable: "Linhas que podem ser importadas: {count}",
  imported: "Importados: {count}",
  faults: "Nada foi importado",
  line: "Linha {line}",
  added: "Novos por semana",
  newest: "{rows}: mais recentes",
  by: "{rows} por {field}",
  newThisWeek: "Novos esta semana: {list}",
  sum: "Soma: {field}",
  average: "Média: {field}",
  seeAll: "Ver todos",
};

/**
 * The words of the kit in Brazilian Portuguese, for `config.labels` of one application;
 * `useLabelsPtBr` switches the whole process.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * const app = new App({ labels: { ...ui.labelsPtBr, nav: "Menu" } });
 * assertEquals(app.config.labels?.["close"], "Fechar");
 * ```
 */
export const labelsPtBr: Readonly<Labels> = {
  ...labelsPt,
  deleted: "Excluídos",
  restore: "Restaurar",
  purge: "Excluir de vez",
  isDeleted: "Está excluído.",
  canRestore: "É possível restaurar depois.",
  restoredMany: "Restaurados: {count}",
  taken: "Nada foi restaurado: um valor único já está em uso.",
  historyDeleted: "{who} excluiu",
  historyRestored: "{who} restaurou",
  aUser: "Um usuário",
  next: "Próxima",
  breadcrumb: "Trilha de navegação",
  command: "Digite um comando ou pesquise",
  problems: "Confira estes campos",
  fileAgain: "Escolha o arquivo de novo: o navegador não o guardou.",
  save: "Salvar",
  loading: "Carregando",
  again: "Enviar de novo?",
  againText: "Não houve resposta. O que você enviou pode ter chegado mesmo assim.",
  againOk: "Enviar de novo",
  offline: "Sem conexão.",
  retry: "Tentar de novo",
  skip: "Ir para o conteúdo",
  dropFile: "Solte um arquivo aqui ou {choose}",
  chooseFile: "escolha um arquivo",
  unsaved: "Alterações não salvas",
  delete: "Excluir",
  hiddenBy: "Confira a escrita ou veja sem os filtros.",
  deleteMany: "Excluir {count} selecionados?",
  deletedMany: "Excluídos: {count}",
  inUse: "Nada foi excluído: ainda está em uso.",
  currentFile: "Arquivo atual: {file}. Um campo vazio o mantém.",
  csvFile: "Arquivo CSV",
  importHelp: "A primeira linha do arquivo tem os nomes das colunas, como a de uma exportação.",
  needed: "Todos os campos são necessários, exceto os opcionais.",
};
