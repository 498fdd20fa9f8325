/* fw 0.1.0 626e5277580a99fb written by `fw ui`, which replaces it unless it was edited */ /* deno-fmt-ignore-file */
const bare=(node)=>
new Proxy(node,{
get(_,name){
const member=Reflect.get(Reflect.getPrototypeOf(node)??{},name,node);
return typeof member==="function"?member.bind(node):member;
},
set:(_,name,value)=>Reflect.set(Reflect.getPrototypeOf(node)??{},name,value,node),
});
const doc=bare(document);
const page=doc.documentElement;
const byId=(id,content=document)=>bare(content).getElementById(id??"");
const closest=(node,selector)=>bare(node).closest?.(selector);
const holdsMedia=(query)=>matchMedia(query).matches;
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
const pageOf=(url)=>url.split("#")[0];
function targetOf(hash){
try{
return byId(decodeURIComponent(hash.slice(1)));
}catch{
return null;
}
}
const isSpecial=(event)=>
event.button||event.ctrlKey||event.metaKey||event.shiftKey||event.altKey;
const isOurs=(url,target)=>
isWeb(url)&&url.origin===location.origin&&/^(_self)?$/.test(target??"");
const isWeb=(url)=>url.protocol.startsWith("http");
function goTo(url){
if(!isWeb(url))return;
const isHere=pageOf(url.href)===pageOf(location.href);
location.assign(url);
if(isHere&&url.hash)location.reload();
}
const plain=(text)=>text.normalize("NFD").replace(/\p{M}/gu,"").toLowerCase();
function setCommands(dialog){
const input=dialog.querySelector("input");
const list=dialog.querySelector(".ui-command-list");
const items=all(list,".ui-menu-item");
const shown=()=>items.filter((item)=>!item.hidden);
const choose=(chosen)=>{
for(const item of items)item.ariaSelected=item===chosen;
chosen?.scrollIntoView({block:"nearest"});
input.setAttribute("aria-activedescendant",chosen?.id??"");
};
const filter=()=>{
const words=plain(input.value).split(/\s+/);
for(const item of items){
const text=plain(`${item.textContent} ${item.dataset.uiWords??""}`);
item.hidden=!words.every((word)=>text.includes(word));
}
for(const group of all(list,"[role=group]")){
group.hidden=!group.querySelector(".ui-menu-item:not([hidden])");
}
dialog.querySelector(".ui-command-empty").hidden=shown().length>0;
choose(shown()[0]);
};
list.role="listbox";
list.ariaLabel=input.ariaLabel;
for(const[at,item]of items.entries()){
item.role="option";
item.id||=`${list.id}-${at}`;
item.tabIndex=-1;
}
input.oninput=filter;
input.onkeydown=(event)=>{
const entries=shown();
const at=entries.findIndex((item)=>item.ariaSelected==="true");
if(event.key==="Enter")entries[at]?.click();
else if(event.key==="ArrowDown")choose(entries[at+1]??entries[0]);
else if(event.key==="ArrowUp")choose(entries.at(at-1));
else return;
event.preventDefault();
};
list.onclick=({target})=>target.closest(".ui-menu-item")&&dialog.close();
dialog.onclose=()=>{
input.value="";
filter();
};
filter();
}
on("keydown",(event)=>{
if(event.key?.toLowerCase()!=="k"||!(event.ctrlKey||event.metaKey))return;
const dialog=doc.querySelector("dialog[data-ui-command]");
if(!dialog)return;
event.preventDefault();
if(!dialog.open)dialog.showModal();
});
const hasCommands="commandForElement"in HTMLButtonElement.prototype;
const hasClosedBy="closedBy"in HTMLDialogElement.prototype;
function setCommand(button){
if(hasCommands)button.removeAttribute("popovertarget");
}
function ask(element,name,pressed,words){
const say=(part)=>bare(element).getAttribute(name+part)??words[part]??"";
const look=pressed?.matches(".ui-destructive")?" ui-destructive":"";
const no=make(
"button",
{class:"ui-button ui-outline",autofocus:""},
say("-cancel"),
);
const yes=make("button",{class:`ui-button${look}`},say("-ok"));
const dialog=make(
"dialog",
{
class:"ui-dialog",
role:"alertdialog",
closedby:"any",
"aria-labelledby":"ui-ask",
"aria-describedby":"ui-ask-text",
},
make("h2",{id:"ui-ask"},say("")),
make("p",{id:"ui-ask-text",hidden:!say("-text")&&""},say("-text")),
make("div",{class:"ui-actions"},no,yes),
);
no.onclick=()=>dialog.close();
yes.onclick=()=>dialog.close("yes");
doc.body.append(dialog);
dialog.showModal();
return new Promise((resolve)=>
dialog.onclose=()=>{
dialog.remove();
resolve(dialog.returnValue==="yes");
}
);
}
const isConfirmed=(asking,pressed)=>
ask(asking,"data-ui-confirm",pressed,{
"-ok":pressed?.textContent.trim()||"OK",
"-cancel":"Cancel",
});
on("click",(event)=>{
const target=event.target;
if(!hasClosedBy&&bare(target).matches("dialog[closedby=any]")&&isBeside(event)){
target.close();
}
if(hasCommands)return;
const opener=closest(target,"[data-ui-open]");
const closed=closest(target,"[data-ui-close]")?.closest("dialog");
if(!opener&&!closed)return;
event.preventDefault();
closed?.close();
byId(opener?.dataset.uiOpen)?.showModal();
});
function isBeside({target,clientX:x,clientY:y}){
const{left,right,top,bottom}=target.getBoundingClientRect();
return x<left||x>right||y<top||y>bottom;
}
const controls="input, select, textarea, button, fieldset, object";
function hasValue(form,name,value){
return all(form,"input, select, textarea").some((control)=>{
if(control.name!==name||control.matches(":disabled"))return false;
if(control.selectedOptions)return all(control,":checked").some((one)=>one.value===value);
return control.value===value&&(control.checked||!/^(checkbox|radio)$/.test(control.type));
});
}
function showGroups(){
for(const group of all(document,"[data-ui-show-when]")){
const[name,...value]=group.dataset.uiShowWhen.split("=");
const isHidden=!hasValue(group.closest("form")??document,name,value.join("="));
group.hidden=isHidden;
for(const control of all(group,controls)){
if(isHidden&&!control.disabled)control.dataset.uiOff=control.disabled=true;
else if(!isHidden&&control.dataset.uiOff){
control.disabled=false;
delete control.dataset.uiOff;
}
}
}
}
function fillForms(content,ids){
const isShown=ids.map((id)=>`#${CSS.escape(id)} *`);
const selector=`form:not([method=post i]) :is(input, textarea, option):not(${isShown})`;
const values=all(content,selector);
for(const[at,field]of all(document,selector).entries()){
const{localName,name,value,checked,selected}=values[at]??field;
if(localName!==field.localName||name!==field.name)continue;
if(localName==="option")field.selected=selected;
else Object.assign(field,{value,checked});
}
showGroups();
}
on("input",showGroups);
on("change",showGroups);
on("reset",()=>setTimeout(showGroups));
addEventListener("pageshow",showGroups);
function reveal(element){
for(let at=element;at;at=bare(at).parentElement){
if(at.localName==="details")at.open=true;
if(at.role==="tabpanel"&&at.hidden)byId(at.getAttribute("aria-labelledby"))?.click();
}
}
function focusOn(element,options={preventScroll:true}){
const place=bare(element);
place.focus(options);
if(doc.activeElement===element)return;
place.tabIndex=-1;
place.addEventListener("blur",()=>place.removeAttribute("tabindex"),{once:true});
place.focus(options);
}
function refocus(place,lost){
const[same=place]=["id","name","data-ui-key","href"].flatMap((name)=>
all(place,`[${name}="${CSS.escape(lost.getAttribute(name))}"]`)
);
focusOn(same);
if(lost.selectionEnd!==null)same.setSelectionRange?.(lost.selectionStart,lost.selectionEnd);
}
function setTabs(tabs){
const[list]=tabs.children;
const links=[...list.children];
const panelOf=(link)=>byId(link.hash.slice(1));
const select=(chosen)=>{
for(const link of links){
const panel=panelOf(link);
link.role="tab";
link.ariaSelected=link===chosen;
link.tabIndex=link===chosen?0:-1;
panel.role="tabpanel";
panel.tabIndex=0;
panel.hidden=link!==chosen;
}
};
list.role="tablist";
list.onclick=(event)=>{
const link=links.find((each)=>each.contains(event.target));
if(!link||isSpecial(event))return;
event.preventDefault();
select(link);
if(event.isTrusted)history.replaceState(history.state,"",link.hash);
};
list.onkeydown=(event)=>{
const at=links.findIndex((link)=>link===doc.activeElement);
const forward=getComputedStyle(list).direction==="rtl"?-1:1;
const steps={ArrowRight:at+forward,ArrowLeft:at-forward,Home:0,End:-1," ":at};
const step=steps[event.key];
if(step===undefined)return;
event.preventDefault();
const next=links.at(step%links.length);
next.focus();
next.click();
};
const target=targetOf(location.hash);
select(links.find((link)=>target&&panelOf(link).contains(target))??links[0]);
tabs.dataset.uiReady="";
}
addEventListener("hashchange",()=>{
const target=targetOf(location.hash);
if(!target)return;
reveal(target);
target.scrollIntoView();
});
on("invalid",({target})=>reveal(target),{capture:true});
const key="ui-theme";
const system=matchMedia("(prefers-color-scheme: dark)");
function setTheme(button){
button.ariaPressed=page.classList.contains("dark");
}
function applyTheme(theme){
page.classList.toggle("dark",theme?theme==="dark":system.matches);
all(document,"[data-ui-theme]").forEach(setTheme);
}
function tryStorage(run){
try{
return run(localStorage);
}catch{
return null;
}
}
const storedTheme=()=>tryStorage((storage)=>storage.getItem(key));
on("click",({target})=>{
if(!closest(target,"[data-ui-theme]"))return;
const theme=page.classList.contains("dark")?"light":"dark";
applyTheme(theme);
tryStorage((storage)=>storage.setItem(key,theme));
});
system.addEventListener("change",()=>applyTheme(storedTheme()));
addEventListener("storage",(event)=>event.key===key&&applyTheme(storedTheme()));
function leave(element,ms){
setTimeout(()=>{
if(element.matches(":hover, :focus-within"))leave(element,1_000);
else element.remove();
},ms);
}
function toast(kind,text,ms=kind==="error"?0:6_000){
const place=doc.querySelector("[data-ui-toaster]")??
make("div",{class:"ui-toaster","aria-live":"polite","data-ui-toaster":""});
if(!place.isConnected)doc.body.append(place);
const message=make(
"div",
{
class:`ui-toast ui-${kind==="error"?"destructive":kind}`,
"data-ui-toast":"",
role:kind==="error"&&"alert",
},
make("p",{},text),
make("button",{
class:"ui-toast-close",
type:"button",
"data-ui-close":"",
"aria-label":place.dataset.uiCloseLabel??"Close",
},"×"),
);
place.append(message);
if(ms)leave(message,ms);
}
on("click",({target})=>{
const close=closest(target,"[data-ui-toast] [data-ui-close]");
close?.closest("[data-ui-toast]")?.remove();
});
const needs=[
["[data-ui-tabs]",setTabs],
["[data-ui-command]",setCommands],
["[data-ui-theme]",setTheme],
["[commandfor]",setCommand],
["[data-ui-fade]",(element)=>leave(element,element.dataset.uiFade||5_000)],
];
const ready=new WeakSet();
function hydrate(element){
for(const[selector,set]of needs){
for(const found of all(element,selector)){
if(ready.has(found))continue;
ready.add(found);
try{
set(found);
}catch(error){
reportError(error);
}
}
}
showGroups();
}
const replaced=new Set();
let shown=pageOf(location.href);
let scrollTimer=0;
function saveScroll(){
clearTimeout(scrollTimer);
history.replaceState({...history.state,ui:true,y:scrollY},"");
}
function push(url,ids){
for(const id of ids)replaced.add(id);
history.scrollRestoration="manual";
saveScroll();
if(url.href!==location.href)history.pushState({ui:true,y:0},"",url);
shown=pageOf(location.href);
}
function onBack(show){
addEventListener("popstate",({state,hasUAVisualTransition})=>{
clearTimeout(scrollTimer);
const page=pageOf(location.href);
if(page===shown){
if(state?.ui)scrollTo(0,state.y);
else targetOf(location.hash)?.scrollIntoView();
}else if(state?.ui){
shown=page;
show(new URL(location.href),[...replaced],state.y,hasUAVisualTransition);
}
});
}
if(history.state?.ui&&history.scrollRestoration==="manual")scrollTo(0,history.state.y);
addEventListener("scroll",()=>{
clearTimeout(scrollTimer);
if(history.state?.ui)scrollTimer=setTimeout(saveScroll,150);
});
addEventListener("pagehide",()=>{
if(!history.state?.ui)return;
saveScroll();
history.scrollRestoration="auto";
});
addEventListener("pageshow",({persisted})=>{
if(persisted&&replaced.size)history.scrollRestoration="manual";
});
function tellSwap(target,status){
hydrate(target);
bare(target).dispatchEvent(
new CustomEvent("fw:swap",{bubbles:true,detail:{target,status}}),
);
}
function parse(html){
const template=doc.createElement("template");
template.innerHTML=html;
placeParts(template.content);
return template.content;
}
function placeParts(content){
for(const part of all(content,'template[id^="fw-part-"]')){
const id=part.id.replace("part","late");
const place=byId(id,content)??byId(id);
part.remove();
if(!place)continue;
const parent=place.parentNode;
while(place.nextSibling&&place.nextSibling.data!==`/${id}`){
bare(place.nextSibling).remove();
}
place.nextSibling?.remove();
place.replaceWith(part.content);
if(bare(parent).ownerDocument===document&&bare(parent).isConnected)tellSwap(parent,200);
}
}
async function*piecesOf(answer){
const key=answer.headers.get("FW-Late");
if(!key||!answer.body)return yield await answer.text();
const reader=answer.body.pipeThrough(new TextDecoderStream()).getReader();
for(let text="";;){
const{done,value}=await reader.read();
if(done)return yield text;
const pieces=(text+value).split(`<!--${key}-->`);
text=pieces.pop()??"";
yield*pieces;
}
}
const decided=new Map();
function submit(form,pressed,decision){
decided.set(form,decision);
HTMLFormElement.prototype.requestSubmit.call(form,pressed?.isConnected?pressed:null);
decided.delete(form);
}
const selector="[data-ui-tooltip]";
const tip=make("div",{id:"ui-tip",class:"ui-tooltip",role:"tooltip",popover:"manual"});
let owner;
let description="";
let tipTimer=0;
function showTip(element){
if(element===owner)return;
endTip();
owner=element;
description=element.getAttribute("aria-describedby")??"";
tip.textContent=element.title;
element.title="";
element.setAttribute("aria-describedby",`${description} ui-tip`.trim());
(element.closest("dialog")??doc.body).append(tip);
tip.showPopover?.();
const box=element.getBoundingClientRect();
const{offsetWidth:width,offsetHeight:height}=tip;
const left=Math.min(box.left+(box.width-width)/2,page.clientWidth-width-8);
tip.style.left=`${Math.max(8,left)}px`;
tip.style.top=`${box.top>height+12?box.top-height-6:box.bottom+6}px`;
}
function endTip(){
clearTimeout(tipTimer);
if(!owner)return;
owner.title=tip.textContent;
if(description)owner.setAttribute("aria-describedby",description);
else owner.removeAttribute("aria-describedby");
owner=undefined;
tip.remove();
}
function passOn(){
if(!owner?.matches(":focus-visible"))endTip();
}
on("pointerover",(event)=>{
const{target}=event;
const element=closest(target,selector);
clearTimeout(tipTimer);
if(element)tipTimer=setTimeout(showTip,event.pointerType==="mouse"?300:0,element);
else if(!tip.contains(target))tipTimer=setTimeout(passOn,150);
});
page.addEventListener("pointerleave",passOn);
on("focusin",(event)=>{
const target=event.target;
const element=closest(target,selector);
if(element&&target.matches(":focus-visible"))showTip(element);
});
on("focusout",endTip);
on("scroll",endTip,{capture:true});
on("keydown",({key})=>key==="Escape"&&tip.remove());
function upload(url,{method,headers,signal,body},form){
const[bar]=all(form,"[data-ui-upload-bar]");
const request=new XMLHttpRequest();
request.open(method,url);
for(const[name,value]of Object.entries(headers))request.setRequestHeader(name,value);
if(bar){
bar.hidden=false;
request.upload.onprogress=({loaded,total})=>bar.value=loaded/(total||Infinity);
request.upload.onload=()=>bar.removeAttribute("value");
request.onloadend=()=>bar.hidden=true;
}
request.send(body);
return new Promise((resolve,reject)=>{
request.onload=()=>
resolve({
status:request.status,
url:request.responseURL,
headers:{get:(name)=>request.getResponseHeader(name)},
text:()=>request.responseText,
});
request.onerror=request.onabort=reject;
signal.onabort=()=>request.abort();
});
}
function replace(id,content,status){
const old=byId(id);
const next=byId(id,content);
if(!old||!next)return false;
const{activeElement}=doc;
const lost=bare(old).contains(activeElement)&&activeElement;
endTip();
bare(old).replaceWith(next);
tellSwap(next,status);
const[wrong]=status===422?all(next,"[aria-invalid=true]"):[];
if(wrong){
reveal(wrong);
focusOn(wrong,{});
}else if(lost)refocus(next,lost);
return true;
}
function swap(id,html,status=200){
return replace(id,parse(html),status);
}
const flights=new Map();
addEventListener("pagehide",()=>flights.forEach((flight)=>flight.abort()));
const isSending=(form)=>[...flights.values()].some((flight)=>flight.form===form);
async function load(id,asked){
const{url,isPost,body,form}=asked;
const flight=Object.assign(new AbortController(),{form});
flights.get(id)?.abort();
flights.set(id,flight);
const target=byId(id);
if(target)target.ariaBusy="true";
let status=0;
try{
const send=form&&bare(form).getAttribute("data-ui-upload-to")?upload:fetch;
const answer=await send(url,{
method:isPost?"POST":"GET",
headers:{Accept:"text/html","FW-Fragment":id},
signal:flight.signal,
body,
},form);
status=answer.status;
const from=new URL(answer.url||url);
const location=answer.headers.get("FW-Location");
if(location)return goTo(new URL(location,from));
if(isOurs(from)&&status<500&&await show(id,answer,asked))return;
}catch{
if(flight.signal.aborted)return;
}finally{
if(flights.get(id)===flight){
flights.delete(id);
if(target)target.ariaBusy=null;
}
}
await fallBack(asked,status);
}
async function show(id,answer,{url,body,form,isPushed}){
const{status,headers}=answer;
const flashes=JSON.parse(decodeURIComponent(headers.get("FW-Flash")??"[]"));
for(const{kind,text}of flashes)toast(kind,text);
const ids=headers.get("FW-Swap")?.split(" ")??[id];
let isShown=status===204||(status===413&&body instanceof FormData&&flashes[0]);
try{
for await(const piece of piecesOf(answer)){
const content=parse(piece);
if(isShown)continue;
if(isPushed&&byId(id,content))push(new URL(answer.url||url),ids);
for(const each of ids)isShown=replace(each,content,status)||isShown;
if(!isShown)return false;
if(!isPushed)continue;
if(!form)fillForms(content,ids);
const title=content.querySelector("title:not(svg *)");
if(title)doc.title=title.textContent;
}
}catch(error){
if(!isShown)throw error;
}
return isShown;
}
async function fallBack({url,isPost,form,pressed},status){
if(!isPost||(status&&status<400))return goTo(url);
const isAgain=(status&&status<500)||await ask(form,"data-ui-again",pressed,{
"":"Send it again?",
"-text":"There was no answer, but it may have arrived.",
"-ok":"Send again",
"-cancel":"Cancel",
});
if(isAgain)submit(form,pressed,"real");
}
on("submit",async(event)=>{
const form=event.target;
const pressed=event.submitter;
const decision=decided.get(form);
if(event.defaultPrevented||decision==="real")return;
const asking=pressed?.dataset.uiConfirm?pressed:form;
if(bare(asking).getAttribute("data-ui-confirm")&&!decision){
event.preventDefault();
if(await isConfirmed(asking,pressed))submit(form,pressed,"asked");
return;
}
const{getAttribute}=bare(form);
const id=getAttribute("data-ui-swap")??getAttribute("data-ui-upload-to");
const asked=id&&readForm(form,pressed);
if(!asked)return;
event.preventDefault();
if(!asked.isPost||!isSending(form))load(id,asked);
});
function readForm(form,pressed){
const setting=(name)=>pressed?.getAttribute(`form${name}`)??bare(form).getAttribute(name);
const url=new URL(setting("action")||location.href,doc.baseURI);
const method=setting("method")?.toLowerCase();
const type=setting("enctype");
if(method==="dialog"||type==="text/plain"||!isOurs(url,setting("target")))return;
const data=new FormData(form,pressed);
const isPost=method==="post";
const fields=new URLSearchParams([...data].map(writeField));
const body=type==="multipart/form-data"?data:fields;
if(isPost)return{url,isPost,body,form,pressed};
url.search=fields.toString();
return{url,form,isPushed:!closest(form,"[data-ui-no-push]")};
}
function writeField([name,value]){
return[name,(value.name??value).replace(/\r\n?|\n/g,"\r\n")];
}
function closeMenus(node){
for(const menu of all(document,"[data-ui-menu][open]")){
if(!menu.contains(node))closeMenu(menu);
}
}
function closeMenu(menu){
const isInside=menu.contains(doc.activeElement);
menu.open=false;
if(isInside)menu.querySelector("summary").focus();
}
on("pointerdown",({target})=>closeMenus(target));
on("focusin",({target})=>closeMenus(target));
on("click",({target})=>{
if(closest(target,".ui-menu-item"))closeMenus();
});
on("keydown",(event)=>{
const menu=closest(event.target,"[data-ui-menu]");
if(!menu)return;
const items=all(menu,".ui-menu-item:not(:disabled)");
const at=items.findIndex((item)=>item===doc.activeElement);
const steps={ArrowDown:at+1,ArrowUp:at<0?-1:at-1,Home:0,End:-1};
const step=steps[event.key];
if(event.key==="Escape")closeMenu(menu);
else if(step!==undefined&&(menu.open||event.key.startsWith("A"))){
menu.open=true;
items.at(step%items.length)?.focus();
}else return;
event.preventDefault();
});
const pageRequest={headers:{Accept:"text/html"},redirect:"manual"};
const freshMs=10_000;
let ahead;
let aheadTimer=0;
function fetchAhead(href){
if(navigator.connection?.saveData||holdsMedia("(prefers-reduced-data: reduce)"))return;
if(href===location.href||(ahead?.href===href&&Date.now()<ahead.until))return;
const headers={Accept:"text/html",Purpose:"prefetch"};
const answer=fetch(href,{...pageRequest,headers,priority:"low"});
answer.catch(()=>{});
ahead={href,until:Date.now()+freshMs,answer};
}
function takeAhead({href}){
clearTimeout(aheadTimer);
const taken=ahead?.href===href&&Date.now()<ahead.until&&ahead.answer;
ahead=undefined;
return taken;
}
function prefetchLinks(isWanted){
const consider=({target,pointerType})=>{
clearTimeout(aheadTimer);
const link=closest(target,"a[href]");
if(link&&isWanted(link)){
aheadTimer=setTimeout(fetchAhead,pointerType?80:0,link.href);
}
};
on("pointerover",(event)=>event.pointerType==="mouse"&&consider(event));
on("touchstart",consider,{passive:true});
}
let journey;
addEventListener("pagehide",()=>journey?.abort());
async function navigate(url,ids,backTo,isSeen){
journey?.abort();
const{signal}=journey=new AbortController();
const regions=ids.map((id)=>byId(id));
const setBusy=(busy)=>{
for(const region of regions)if(region)region.ariaBusy=busy;
};
let isShown=false;
setBusy("true");
try{
const answer=await(takeAhead(url)||fetch(url,{...pageRequest,signal}));
isShown=signal.aborted||await showAnswer(answer,{url,ids,backTo,isSeen,signal});
}catch{
isShown=signal.aborted;
}finally{
setBusy(null);
}
if(isShown)return;
if(backTo===undefined)goTo(url);
else location.reload();
}
async function showAnswer(answer,{url,ids,backTo,isSeen,signal}){
const isPage=answer.headers.get("Content-Type")?.startsWith("text/html");
if(!isPage||answer.status>=500||!ids.length)return false;
let next;
for await(const piece of piecesOf(answer)){
if(signal.aborted)return true;
if(next){
parse(piece);
continue;
}
next=new DOMParser().parseFromString(piece,"text/html");
placeParts(next);
const isWhole=ids.every((id)=>byId(id,next)&&byId(id));
if(!isWhole||frameOf(next)!==frameOf(document)||lacksLoader(next))return false;
await change(isSeen,()=>{
if(signal.aborted)return;
const isAhead=backTo===undefined;
const isSamePage=isAhead&&url.pathname===location.pathname;
if(isAhead)push(url,ids);
showPage(next,ids,answer.status);
const region=byId(ids[0]);
if(isSamePage&&bare(region).querySelector(":focus"))return;
focusOn(all(region,"[autofocus]")[0]??all(region,"h1")[0]??region);
const target=isAhead&&targetOf(url.hash);
if(target)target.scrollIntoView();
else scrollTo({top:backTo??0,behavior:"instant"});
});
}
return true;
}
const frameOf=(page)=>
all(page,"html, head :is(link[rel=stylesheet], script[src])")
.map((part)=>part.lang||part.href||part.src).join();
const lacksLoader=(page)=>!("fwIslands"in window)&&all(page,"[data-fw-island]").length>0;
async function change(isSeen,run){
if(isSeen||!doc.startViewTransition||holdsMedia("(prefers-reduced-motion: reduce)")){
return run();
}
const{ready,finished,updateCallbackDone}=doc.startViewTransition(run);
ready.catch(()=>{});
finished.catch(()=>{});
await updateCallbackDone;
}
const teller=make("div",{class:"ui-sr-only",role:"status"});
function showPage(next,ids,status){
const isKept=(element)=>!ids.some((id)=>byId(id,next)?.contains(element));
for(const message of all(next,"[data-ui-toast]").filter(isKept)){
doc.querySelector("[data-ui-toaster]")?.append(message);
hydrate(message);
}
markCurrent(next);
closeMenus();
for(const dialog of all(document,"dialog[open]"))dialog.close();
doc.title=bare(next).title;
for(const id of ids)replace(id,next,status);
fillForms(next,ids);
teller.textContent="";
doc.body.append(teller);
setTimeout(()=>teller.textContent=doc.title,100);
}
function markCurrent(next){
for(const link of all(document,"nav a[href]")){
const href=CSS.escape(link.getAttribute("href"));
link.ariaCurrent=all(next,`nav [aria-current][href="${href}"]`)[0]?.ariaCurrent??null;
}
}
onBack(navigate);
const canFollow=(link)=>
isOurs(link,link.target)&&!link.hasAttribute("download")&&
!(link.hash&&pageOf(link.href)===pageOf(location.href));
const swappedBy=(link)=>
link.closest("[data-ui-swap]:not(form), [data-ui-no-navigate], tbody")?.dataset.uiSwap;
function regionOf(link){
if(!canFollow(link)||link.closest("[data-ui-no-navigate]")||swappedBy(link))return;
const id=link.closest("[data-ui-navigate]")?.dataset.uiNavigate;
return byId(id)&&id;
}
on("click",async(event)=>{
const link=closest(event.target,"a[href]");
if(!link||event.defaultPrevented||isSpecial(event))return;
const swapped=canFollow(link)&&swappedBy(link);
const region=regionOf(link);
if(link.dataset.uiConfirm&&!decided.has(link)){
event.preventDefault();
if(!await isConfirmed(link,link))return;
decided.set(link,"asked");
link.click();
decided.delete(link);
}else if(swapped||region){
event.preventDefault();
const url=new URL(link.href);
if(region)navigate(url,[region]);
else load(swapped,{url,isPushed:!link.closest("[data-ui-no-push]")});
}
});
prefetchLinks(regionOf);
const timers=new WeakMap();
function sendLater({type,target}){
const asking=closest(target,`[data-ui-submit-on^=${type}]`);
const{form}=target;
if(!asking||!form)return;
const ms=bare(asking).getAttribute("data-ui-submit-on").split(" ")[1];
const send=()=>bare(form).matches(":valid")&&bare(form).requestSubmit();
clearTimeout(timers.get(form));
timers.set(form,setTimeout(send,ms));
}
on("input",sendLater);
on("change",sendLater);
on("submit",({target})=>clearTimeout(timers.get(target)));
Object.assign(globalThis,{ui:{swap,hydrate,toast}});
hydrate(document);
