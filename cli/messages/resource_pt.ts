/**
 * The texts of `generate resource` in Portuguese.
 *
 * @module
 */
import type { resourceEn } from "./resource_en.ts";

export const resourcePt: typeof resourceEn = {
  argument: "um plural e seus campos, como events title:text,required seats:int,min=1",
  name: {
    syntax: (name) =>
      `Não é possível gerar o recurso "${name}": escreva um nome de letras minúsculas, dígitos, "-" e "_", ` +
      "como book-loans.",
    reserved: (name) =>
      `Não é possível gerar o recurso "${name}": o sistema, o SQLite ou o fw usa este nome. Escolha outro.`,
    singular: (name) =>
      `Não é possível gerar o recurso "${name}": escreva o plural, como ${name}s, ou diga o singular com ` +
      "--singular, como em `fw generate resource people --singular person`.",
  },
  field: (fault, types) => {
    const all = `Tipos: ${types.join(", ")}.`;
    switch (fault.kind) {
      case "none":
        return `Um recurso precisa de campos, como title:text,required. ${all}`;
      case "many":
        return `Um recurso pode ter aqui ${fault.max} campos; escreva os demais à mão.`;
      case "syntax":
        return `Não é possível ler o campo "${fault.field}": escreva nome:tipo, como ${fault.field}:text. ${all}`;
      case "name":
        return `Não é possível usar o nome de campo "${fault.field}": comece com uma letra minúscula e siga ` +
          "com letras, dígitos e um _ por vez, como first_name.";
      case "reserved":
        return `Não é possível usar o nome de campo "${fault.field}": linhas, formulários ou todos os objetos ` +
          `já o têm. Escolha outro, como ${fault.field}_value.`;
      case "twice":
        return `O campo "${fault.field}" aparece duas vezes; colunas não diferem só em maiúsculas. Renomeie um.`;
      case "choices":
        return `O campo "${fault.field}" não tem valores: escreva oneof=a|b|c depois de enum.`;
      case "type":
        return `O campo "${fault.field}" tem o tipo desconhecido "${fault.type}".` +
          `${fault.nearest === undefined ? "" : ` Você quis dizer "${fault.nearest}"?`} ${all}`;
      case "rule":
        return `O campo "${fault.field}" não pode ter a regra "${fault.rule}".` +
          `${fault.nearest === undefined ? "" : ` Você quis dizer "${fault.nearest}"?`} ` +
          `Regras do tipo: ${fault.allowed.join(", ")}, cada uma uma vez.`;
      case "param":
        return `A regra "${fault.rule}" do campo "${fault.field}" está incompleta ou errada: escreva, por ` +
          `exemplo, ${fault.example}.`;
    }
  },
  contradiction:
    "Nenhum valor passa em todas as regras dos campos: procure um min acima do max, ou um " +
    "email ou url com poucos caracteres.",
  folder: (folder) =>
    `${folder} já existe; nada foi escrito. Escolha outro nome, ou remova a pasta.`,
  route: (file, url) => `${file} já responde a ${url}; nada foi escrito. Escolha outro nome.`,
  foreign: (file) =>
    `${file} não é o que \`generate\` escreve, então nada foi escrito. Deixe-o na forma de ` +
    "docs/database.md, ou tire-o do lugar.",
  table: (file, table) =>
    `${file} já cria uma tabela "${table}"; nada foi escrito. Escolha outro nome.`,
  link: (code) => `Ponha no layout um link para a lista: ${code}`,
};
