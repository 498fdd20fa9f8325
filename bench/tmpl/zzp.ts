import { parse,node } from "../../tmpl/mod.ts";
const small = Deno.readTextFileSync(new URL("./pages/small.gohtml.tmpl", import.meta.url));
const text = small.padEnd(2_048, "<p>{{.title}}</p>").slice(0,2040).replace(/\{\{[^}]*$|<[^>]*$/, "");
for(let r=0;r<8;r++){
const texts = Array.from({ length: 1_000 }, (_, i) => `{{/* ${i+r*1000} */}}${text}`);
const a=performance.now();
for(const [i,s] of texts.entries()){const set=parse(s,{name:`${i}.html`});try{node(set,`${i}.html`,null)}catch{}}
console.log((performance.now()-a).toFixed(0),"ms",text.length);
}
