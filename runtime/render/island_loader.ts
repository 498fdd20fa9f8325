/**
 * Mounts the islands of a page, once each: at load, and the new ones after each `fw:swap`. Mounted elements
 * are remembered by identity and not by an attribute, which would survive in a copy of the page's HTML that
 * has no listeners. A failure is logged and leaves the fallback. An island that a swap removed is ended; the
 * function under the symbol keeps an updatable one through a morph. The script is constant, so that a policy
 * can allow it by hash.
 *
 * A click or a submission for an island waits until its module has loaded.
 *
 * `import` passes on the nonce of this script: without a check of the URL, an attribute in foreign HTML would
 * load what the policy refuses. Only URLs as `c.island` writes them are loaded, and only from its `div`,
 * whose members no form field can shadow; document members that an image may shadow are not read, and the
 * flag is a symbol, which no `id` can be.
 */
export const islandLoader: string = String.raw`
(function(w,d){
var k=Symbol.for("fw.islands"),a="data-fw-island",b="data-fw-props",seen=new WeakSet,coming=new Map,live=new Map,sight=typeof w.IntersectionObserver=="function"&&new IntersectionObserver(function(l){
l.forEach(function(i){if(i.isIntersecting){sight.unobserve(i.target);mount(i.target)}})
},{rootMargin:"200px"});
if(w[k])return;
w[k]=function(e,n){
var c=live.get(e),p=n.getAttribute(b);
if(!c||!c.update||e.getAttribute(a)!=n.getAttribute(a))return false;
if(e.getAttribute(b)!=p){
e.setAttribute(b,p);
new Promise(function(f){f(c.update(JSON.parse(p)))}).catch(function(x){fail(e,x)})
}
return true
};
function settle(e,s){
var l=coming.get(e)||[];
coming.delete(e);
e.setAttribute(a+"-state",s);
l.forEach(function(g){g()})
}
["click","submit"].forEach(function(n){
EventTarget.prototype.addEventListener.call(d,n,function(v){
var up=Element.prototype.closest,t=v.target instanceof Element&&up.call(v.target,"[data-fw-on-"+n+"]"),l=t&&coming.get(up.call(t,"div["+a+"]"));
if(!l||v.button||v.ctrlKey||v.metaKey||v.shiftKey||v.altKey)return;
v.preventDefault();
v.stopImmediatePropagation();
l.push(function(){n=="click"?t.click():HTMLFormElement.prototype.requestSubmit.call(v.target,v.submitter)})
},true)
});
function fail(e,x){
settle(e,"failed");
console.error("The island "+e.getAttribute(a)+" failed:",x)
}
function end(c,e){
if(e.isConnected)return;
live.delete(e);
seen.delete(e);
c.own.abort();
try{c.unmount&&c.unmount()}catch(x){fail(e,x)}
}
function own(u){
var l=w.location,x=new URL(u,l);
if(x.protocol!=l.protocol||x.host!=l.host||!/\.m?js$/i.test(x.pathname)||!/^(\?v=[^&]*)?$/.test(x.search))throw TypeError("it is not a module of the site");
return x.href
}
function mount(e){
var u=e.getAttribute(a);
coming.set(e,[]);
new Promise(function(f){f(import(own(u)))}).then(function(m){
if(!e.isConnected)return coming.delete(e),seen.delete(e);
if(typeof m.default!="function")throw TypeError("its default export is not a function");
var c={own:new AbortController},p=e.getAttribute(b);
live.set(e,c);
return Promise.resolve(m.default(e,JSON.parse(p),{signal:c.own.signal})).then(function(r){
if(r){c.update=r.update;c.unmount=r.unmount}
settle(e,"mounted");
end(c,e)
})
}).catch(function(x){fail(e,x)})
}
function look(e){
if(seen.has(e))return;
seen.add(e);
var t=e.getAttribute("data-fw-when");
if(t=="visible"&&sight&&getComputedStyle(e).display!="contents")sight.observe(e);
else if(t=="idle"&&typeof w.requestIdleCallback=="function")requestIdleCallback(function(){mount(e)},{timeout:5000});
else if(/[(]/.test(t))media(matchMedia(t),e);
else mount(e)
}
function media(q,e){
if(q.matches)mount(e);
else q.addEventListener("change",function(){if(e.isConnected)media(q,e)},{once:true})
}
function scan(){live.forEach(end);Document.prototype.querySelectorAll.call(d,"div["+a+"]").forEach(look)}
EventTarget.prototype.addEventListener.call(d,"fw:swap",scan);
scan()
})(window,document)`.replaceAll("\n", "");

/** The props of an island as JSON, or the reason why they cannot be serialized. */
type IslandData =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly fault: string };

/**
 * Serializes the props of an island as JSON. An object with `toJSON` is replaced by its result, so that a `Date`
 * arrives as its ISO text. A member that is `undefined` is omitted.
 */
export function writeProps(props: unknown): IslandData {
  try {
    return { ok: true, json: JSON.stringify(props, refuseLossy) };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : "it threw" };
  }
}

/** Throws for a value that JSON would drop or change silently, such as a `Map`, a function or a `NaN`. */
function refuseLossy(this: object, name: string, value: unknown): unknown {
  const isAbsent = value === undefined && name !== "" && !Array.isArray(this);
  const isNoDate = value === null && Reflect.get(this, name) instanceof Date;
  const tag = isNoDate ? "invalid Date" : Object.prototype.toString.call(value).slice(8, -1);
  if (isAbsent || Number.isFinite(value)) return value;
  if (/^(?:Array|Boolean|Null|Object|String)$/.test(tag)) return value;
  const shown = tag === "Number" ? String(value) : tag;
  throw new TypeError(`${name === "" ? "props" : `the prop "${name}"`} is ${shown}`);
}
