import type { catalogTextsEn, typeTextsEn } from "../en/check.ts";

/** O que `check` diz sobre catálogos de mensagens. */
export const catalogTextsPt: typeof catalogTextsEn = {
  missing: (key, tag, other, text) => ({
    message: `Falta em "${tag}" a mensagem "${key}"`,
    fix: `Acrescente ${key} a "${tag}"; em "${other}" ela é ${text}.`,
  }),
  parameters: (key, tag, other) =>
    `A mensagem "${key}" tem em "${tag}" parâmetros diferentes dos de "${other}"`,
  addParameters: (names) => `Acrescente ${names} ao texto.`,
  removeParameters: (names, other) => `Retire ${names} do texto, ou acrescente em "${other}".`,
  lackingForms: (key, tag, forms) => ({
    message: `Faltam na mensagem "${key}" formas de plural de que "${tag}" precisa: ${forms}`,
    fix: `Acrescente ${forms} às formas de "${key}".`,
  }),
  surplusForms: (key, tag, forms) => ({
    message: `A mensagem "${key}" tem formas de plural que "${tag}" nunca usa: ${forms}`,
    fix: `Retire ${forms} das formas de "${key}".`,
  }),
  unused: (key) => ({
    message: `Nenhum ficheiro usa a mensagem "${key}"`,
    fix: `Retire "${key}" de todas as línguas deste catálogo, ou use a mensagem.`,
  }),
  noLanguage: (tag, first) => ({
    message: `A aplicação fala "${tag}", mas este catálogo não: ele responde em "${first}"`,
    fix: `Acrescente "${tag}" ao catálogo, ou retire-o de config.languages.`,
  }),
};

/** O que fazer com um erro do compilador. */
export const typeTextsPt: typeof typeTextsEn = {
  replace: (name, nearest) => `Troque "${name}" por "${nearest}".`,
  property: (name, type) => `Use uma propriedade que ${type} tem, ou declare "${name}" nesse tipo.`,
  surplus: (name, type) => `Retire a propriedade "${name}", ou declare-a em ${type}.`,
  addProperties: (names) => `Acrescente ao objeto o que falta: ${names}.`,
  argument: (given, wanted) => `Passe aqui um valor do tipo ${wanted} em vez de ${given}.`,
  assign: (given, wanted) =>
    `Escreva aqui um valor do tipo ${wanted} em vez de ${given}, ou mude o tipo declarado.`,
  importName: (statement) => `Acrescente \`${statement}\` no início do ficheiro.`,
  declare: (name) => `Declare "${name}", ou importe o nome do módulo que o tem.`,
  noExport: (name, module) => `Exporte "${name}" de ${module}, ou importe um nome que ele exporta.`,
  noModule: (module) =>
    `Corrija o caminho ${module}, crie o ficheiro, ou acrescente o pacote aos imports de deno.json.`,
  unusedImport: (name) => `Retire "${name}" do import.`,
  unused: (name) => `Retire "${name}", ou use o nome.`,
  typeImport: (name) => `Escreva \`type ${name}\` no import.`,
  count: (wanted, given) =>
    `Passe ${wanted} ${wanted === "1" ? "argumento" : "argumentos"} em vez de ${given}.`,
  noMessage: (key) =>
    `Escreva a chave de uma mensagem que o catálogo tenha, ou acrescente "${key}" às suas línguas.`,
  parameters: (subject, names) =>
    `Passe os parâmetros de "${subject}" como mais um argumento: { ${names} }.`,
  absent: (name) =>
    `Trate antes o caso em que ${name} falta: \`if (${name} === undefined) …\`, ou \`?.\`.`,
  annotate: (name, type) => `Escreva o tipo: \`${name}: ${type}\`.`,
  pattern: (given) =>
    `Escreva o padrão de uma rota, como os de \`deno task routes\`, em vez de ${given}.`,
};
