/* fw 0.1.0 bc5425f54715a186 written by `fw ui`, which replaces it unless it was edited */ /* deno-fmt-ignore-file */
const maxDepth=6;
const fence=/^ {0,3}(`{3,}|~{3,})/;
const heading=/^ {0,3}(#{1,6}) +(?! )/;
const rule=/^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const quote=/^ {0,3}> ?/;
const item=/^( {0,3})([-*+]|\d{1,9}[.)])(?: {1,4}(?! )|$)/;
const delimiters=/^\|?(?: *:?-{1,99}:? *\|)+(?: *:?-{1,99}:?)?$/;
function parseMarkdown(text){
const blocks=blocksOf(text.replace(/\t/g,"    ").split(/\r\n?|\n/),0);
const headings=blocks.filter(isHeading);
const highest=headings.reduce((least,each)=>Math.min(least,levelOf(each)),6);
let before=2;
for(const each of headings){
before=Math.min(3+levelOf(each)-highest,before+1,6);
each.tag=`h${before}`;
}
return blocks;
}
const isHeading=(piece)=>typeof piece==="object"&&/^h\d$/.test(piece.tag);
const levelOf=({tag})=>Number(tag[1]);
function blocksOf(lines,depth){
const blocks=[];
for(let at=0;at<lines.length;){
const line=lines[at]??"";
const[found,end]=!line.trim()
?[undefined,at+1]
:codeAt(lines,at)??headingAt(line,at,depth)??quoteAt(lines,at,depth)??
listAt(lines,at,depth)??tableAt(lines,at)??paragraphAt(lines,at);
if(found)blocks.push(found);
at=end;
}
return blocks;
}
function codeAt(lines,at){
const[,mark]=fence.exec(lines[at]??"")??[];
if(!mark)return;
const closing=new RegExp(`^ {0,3}${mark[0]}{${mark.length},} *$`);
let end=at+1;
while(end<lines.length&&!closing.test(lines[end]??""))end++;
const code={tag:"code",children:[lines.slice(at+1,end).join("\n")]};
return[{tag:"pre",children:[code]},end+1];
}
function headingAt(line,at,depth){
if(rule.test(line))return[{tag:"hr",children:[]},at+1];
const[start,marks]=heading.exec(line)??[];
if(!start||!marks)return;
const tag=depth>0?"p":`h${marks.length}`;
const text=withoutEnd(line.slice(start.length).trimEnd(),"#").trimEnd();
return[{tag,children:inline(text,0)},at+1];
}
function withoutEnd(text,characters){
let end=text.length;
while(end>0&&characters.includes(text[end-1]??""))end--;
return text.slice(0,end);
}
function quoteAt(lines,at,depth){
if(depth>=maxDepth||!quote.test(lines[at]??""))return;
let end=at;
while(end<lines.length&&quote.test(lines[end]??""))end++;
const inner=lines.slice(at,end).map((line)=>line.replace(quote,""));
return[{tag:"blockquote",children:blocksOf(inner,depth+1)},end];
}
function listAt(lines,at,depth){
const[,,first=""]=item.exec(lines[at]??"")??[];
if(depth>=maxDepth||!first)return;
const kind=first.slice(-1);
const items=[];
let end=at;
while(end<lines.length){
const[mark="",,sign=""]=item.exec(lines[end]??"")??[];
if(sign.slice(-1)!==kind||rule.test(lines[end]??""))break;
const inner=[(lines[end]??"").slice(mark.length)];
const indent=new RegExp(`^ {1,${Math.max(2,mark.length)}}`);
for(end++;end<lines.length;end++){
const line=lines[end]??"";
const isInside=/^ {2,}\S/.test(line)||
(!line.trim()&&/^ {2,}\S/.test(lines[end+1]??""));
if(!isInside)break;
inner.push(line.replace(indent,""));
}
items.push({tag:"li",children:tight(blocksOf(inner,depth+1))});
if(!lines[end]?.trim()&&item.exec(lines[end+1]??"")?.[2]?.slice(-1)===kind)end++;
}
const start=Number.parseInt(first);
if(!Number.isInteger(start))return[{tag:"ul",children:items},end];
return[{tag:"ol",...(start===1?{}:{start}),children:items},end];
}
function tight(blocks){
const[first,...rest]=blocks;
return typeof first==="object"&&first.tag==="p"?[...first.children,...rest]:blocks;
}
function tableAt(lines,at){
const head=lines[at]??"";
if(!head.includes("|")||!delimiters.test((lines[at+1]??"").trim()))return;
let end=at+2;
while(lines[end]?.includes("|"))end++;
const columns=cellsOf(head).length;
const row=(line,tag)=>({
tag:"tr",
children:cellsOf(line).slice(0,columns).map((text)=>({tag,children:inline(text,0)})),
});
const body=lines.slice(at+2,end).map((line)=>row(line,"td"));
return[{
tag:"table",
children:[
{tag:"thead",children:[row(head,"th")]},
{tag:"tbody",children:body},
],
},end];
}
const cellsOf=(line)=>line.trim().replace(/^\||\|$/g,"").split("|").map((text)=>text.trim());
function paragraphAt(lines,at){
let end=at+1;
while(end<lines.length&&lines[end]?.trim()&&!startsBlock(lines[end]??""))end++;
const text=lines.slice(at,end).map((line)=>line.trimStart()).join("\n").trimEnd();
return[{tag:"p",children:inline(text,0)},end];
}
const startsBlock=(line)=>
[fence,heading,rule,quote,item].some((pattern)=>pattern.test(line));
const code=/(`{1,8})(?!`)/y;
const link=
/!?\[([^[\]\n]{0,1000})\]\(<?((?:[^()\s<>]|\([^()\s<>]{0,200}\)){1,2000})>?(?: "[^"\n]{0,500}")?\)/y;
const bareLink=/https?:\/\/[^\s<>"'`)\]]{1,2000}/y;
const emphasis=/\*\*\*|\*\*|__|~~|\*|_/y;
const emphasisTags={"***":"em","**":"strong",__:"strong","~~":"del","*":"em",_:"em"};
const special=/[\\`![*_~h\n]/g;
function inline(text,depth){
const pieces=[];
const endless=new Set();
let plain="";
const add=(piece)=>{
if(plain)pieces.push(plain);
plain="";
pieces.push(piece);
};
for(let at=0;at<text.length;){
special.lastIndex=at;
const next=special.exec(text)?.index??text.length;
plain+=text.slice(at,next);
at=next;
if(at>=text.length)break;
const found=depth<maxDepth&&spanAt(text,at,{depth,endless});
if(found){
add(found[0]);
at=found[1];
}else if(text[at]==="\\"&&/[!-/:-@[-`{-~]/.test(text[at+1]??"")){
plain+=text[at+1];
at+=2;
}else if(text[at]==="\n"&&plain.endsWith("  ")){
plain=plain.trimEnd();
add({tag:"br",children:[]});
at++;
}else{
plain+=text[at];
at++;
}
}
if(plain)pieces.push(plain);
return pieces;
}
function spanAt(text,at,state){
switch(text[at]){
case"`":
return codeSpan(text,at,state.endless);
case"!":
case"[":
return linkAt(text,at,state.depth);
case"h":
return bareLinkAt(text,at);
case"*":
case"_":
case"~":
return emphasisAt(text,at,state);
}
}
function match(pattern,text,at){
pattern.lastIndex=at;
return pattern.exec(text);
}
function codeSpan(text,at,endless){
const mark=match(code,text,at)?.[1];
if(!mark||text[at-1]==="`"||endless.has(mark))return;
let end=text.indexOf(mark,at+mark.length);
while(end>=0&&(text[end+mark.length]==="`"||text[end-1]==="`")){
end=text.indexOf(mark,end+1);
}
if(end<0){
endless.add(mark);
return;
}
const inner=text.slice(at+mark.length,end).replace(/\n/g," ");
const isPadded=inner.startsWith(" ")&&inner.endsWith(" ")&&inner.trim()!=="";
const bare=isPadded?inner.slice(1,-1):inner;
return[{tag:"code",children:[bare]},end+mark.length];
}
function linkAt(text,at,depth){
const[whole,label="",url=""]=match(link,text,at)??[];
if(!whole||!isSafe(url))return;
return[{tag:"a",href:url,children:inline(label||url,depth+1)},at+whole.length];
}
const isSafe=(url)=>/^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i.test(url);
function bareLinkAt(text,at){
if(/\w/.test(text[at-1]??""))return;
const url=withoutEnd(match(bareLink,text,at)?.[0]??"",".,;:!?*_~");
return url&&/:\/\/./.test(url)
?[{tag:"a",href:url,children:[url]},at+url.length]
:undefined;
}
function emphasisAt(text,at,{depth,endless}){
const mark=match(emphasis,text,at)?.[0];
const tag=mark&&emphasisTags[mark];
const start=at+(mark?.length??0);
if(!tag||endless.has(mark)||!/\S/.test(text[start]??""))return;
const isWord=mark.startsWith("_");
if(isWord&&/\w/.test(text[at-1]??""))return;
for(let end=text.indexOf(mark,start+1);end>=0;end=text.indexOf(mark,end+1)){
const after=text[end+mark.length]??"";
const isDouble=mark.length===1&&(after===mark||text[end-1]===mark);
const isInside=isWord&&/\w/.test(after);
if(!/\S/.test(text[end-1]??"")||isDouble||isInside)continue;
const inner={tag,children:inline(text.slice(start,end),depth+1)};
const piece=mark==="***"?{tag:"strong",children:[inner]}:inner;
return[piece,end+mark.length];
}
endless.add(mark);
}
const deceptive=/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
function shownJson(value){
return(JSON.stringify(value,null,2)??"").replace(
deceptive,
(char)=>char==="\n"?char:`\\u{${char.codePointAt(0)?.toString(16)}}`,
);
}
const bare=(node)=>
new Proxy(node,{
get(_,name){
const member=Reflect.get(Reflect.getPrototypeOf(node)??{},name,node);
return typeof member==="function"?member.bind(node):member;
},
set:(_,name,value)=>Reflect.set(Reflect.getPrototypeOf(node)??{},name,value,node),
});
const doc=bare(document);
const closest=(node,selector)=>bare(node).closest?.(selector);
const on=doc.addEventListener;
const all=(element,selector)=>[
...(bare(element).matches?.(selector)?[element]:[]),
...bare(element).querySelectorAll(selector),
];
function make(tag,attributes,...children){
const element=doc.createElement(tag);
for(const[name,value]of Object.entries(attributes)){
if(value!==false)element.setAttribute(name,value);
}
element.append(...children);
return element;
}
const running=new WeakMap();
const paintMs=50;
on("submit",(event)=>{
const form=event.target;
const chat=closest(form,"[data-ui-chat]");
if(!chat||event.defaultPrevented)return;
event.preventDefault();
if(!running.has(chat))send(chat,form,event.submitter);
});
on("click",({target})=>{
const button=closest(target,".ui-chat-form button[type=button]");
if(button)running.get(button.closest("[data-ui-chat]"))?.abort();
});
on("keydown",(event)=>{
const{key,shiftKey,isComposing,target}=event;
if(key!=="Enter"||shiftKey||isComposing||!closest(target,".ui-chat textarea"))return;
event.preventDefault();
if(target.value.trim())target.form.requestSubmit();
});
async function send(chat,form,pressed){
const body=new URLSearchParams(new FormData(form,pressed));
const words=JSON.parse(chat.dataset.uiChat);
const log=chat.querySelector(".ui-chat-log");
const field=form.querySelector("textarea");
const text=body.has("decision")?"":field.value.trim();
const controller=new AbortController();
running.set(chat,controller);
setBusy(chat,"true");
const asked=text&&turn(words.you,"user",make("p",{},text));
const answer=new Answer(words);
log.append(...(asked?[asked]:[]),answer.element);
log.scrollTop=log.scrollHeight;
if(text)field.value="";
try{
const response=await fetch(form.action,{
method:"POST",
body,
headers:{Accept:"text/event-stream"},
signal:controller.signal,
});
if(!response.headers.get("Content-Type")?.startsWith("text/event-stream"))throw new Error();
for await(const{event,data}of eventsOf(response)){
follow(log,()=>answer.take(event,data));
if(event==="done")finish(form,words,data);
}
if(!answer.isOver)throw new Error();
}catch{
const isStopped=controller.signal.aborted;
answer.note(isStopped?words.stopped:words.failed);
if(isStopped)keep(form,text,answer.text);
else if(!answer.text&&text&&!field.value)field.value=text;
}finally{
controller.abort();
running.delete(chat);
setBusy(chat);
follow(log,()=>answer.paint());
if(doc.activeElement===doc.body||form.contains(doc.activeElement))field.focus();
}
}
function setBusy(chat,busy){
chat.querySelector(".ui-chat-log").ariaBusy=busy??null;
for(const button of all(chat,".ui-chat-form button")){
if(button.type==="button")button.hidden=!busy;
else button.disabled=!!busy;
}
}
function follow(log,change){
const isAtEnd=log.scrollHeight-log.scrollTop-log.clientHeight<40;
change();
if(isAtEnd)log.scrollTop=log.scrollHeight;
}
function turn(name,side,...children){
return make(
"article",
{class:`ui-chat-message ui-chat-${side}`},
make("p",{class:"ui-sr-only"},name),
...children,
);
}
class Answer{
constructor(words){
this.element=turn(words.assistant??"","assistant");
this.text="";
this.isOver=false;
this.part="";
this.body=undefined;
this.shown=[];
this.steps=new Map();
this.timer=0;
}
take(event,data){
if(event==="text"){
this.text+=data.text;
this.part+=data.text;
this.timer||=setTimeout(()=>follow(this.element.parentNode,()=>this.paint()),paintMs);
}else if(event==="tool_call"){
this.paint();
const json=shownJson(data.arguments);
const step=make(
"details",
{class:"ui-chat-step","aria-busy":"true"},
make("summary",{},data.tool),
make("pre",{},json),
);
this.steps.set(data.callId,step);
this.element.append(step);
this.body=undefined;
}else if(event==="tool_result"){
const step=this.steps.get(data.callId);
step?.append(make("pre",{},data.output));
step?.removeAttribute("aria-busy");
step?.classList.toggle("ui-chat-error",data.isError);
}else if(event==="error"){
this.isOver=true;
this.note(data.message);
}else if(event==="done"){
this.isOver=true;
if(!this.text&&data.status==="done")this.part=data.output;
}
}
paint(){
clearTimeout(this.timer);
this.timer=0;
if(!this.part)return;
if(!this.body){
this.element.append(this.body=make("div",{class:"ui-markdown"}));
this.shown=[];
}
const blocks=parseMarkdown(this.part);
const texts=blocks.map((block)=>JSON.stringify(block));
const same=texts.findIndex((text,at)=>text!==this.shown[at]);
const from=same<0?texts.length:same;
while(this.body.childNodes.length>from)this.body.lastChild.remove();
this.body.append(...blocks.slice(from).map(nodeOf));
this.shown=texts;
}
note(text){
this.paint();
this.element.append(make("p",{class:"ui-chat-note",role:"status"},text??""));
}
}
function nodeOf(piece){
if(typeof piece==="string")return piece;
const{tag,href=false,start=false,children}=piece;
const rel=href&&"noopener noreferrer nofollow";
return make(tag,{href,rel,start},...children.map(nodeOf));
}
function finish(form,words,{history,pending}){
keepHistory(form,history);
const button=(verb,id,look="")=>
make(
"button",
{class:`ui-button ${look}`,name:"decision",value:`${verb} ${id}`,formnovalidate:""},
words[verb]??"",
);
form.querySelector(".ui-chat-pending").replaceChildren(
...pending.map((call)=>
make(
"fieldset",
{class:"ui-chat-call"},
make("legend",{},(words.question??"").replace("{tool}",()=>call.tool)),
make("pre",{},shownJson(call.arguments)),
make(
"div",
{class:"ui-actions"},
button("approve",call.callId),
button("reject",call.callId,"ui-outline"),
),
)
),
);
}
function keep(form,text,answer){
if(!text)return;
const history=JSON.parse(form.elements.namedItem("history")?.value||"[]");
keepHistory(form,[
...history,
{role:"user",content:text},
...(answer?[{role:"assistant",content:answer}]:[]),
]);
}
function keepHistory(form,history){
let field=form.elements.namedItem("history");
if(!field)form.append(field=make("input",{type:"hidden",name:"history"}));
field.value=JSON.stringify(history);
}
async function*eventsOf({body}){
const reader=body?.pipeThrough(new TextDecoderStream()).getReader();
for(let text="";;){
const{done,value}=await reader?.read()??{done:true};
if(done)return;
const frames=(text+value).split("\n\n");
text=frames.pop()??"";
for(const frame of frames){
let event="";
let data="";
for(const line of frame.split("\n")){
if(line.startsWith("event: "))event=line.slice(7);
else if(line.startsWith("data: "))data+=line.slice(6);
}
if(data)yield{event,data:JSON.parse(data)};
}
}
}
