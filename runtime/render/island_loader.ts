/**
 * Mounts the islands of a page, once each: now, and after each `fw:swap` the new ones. Mounted elements are
 * remembered by identity and not by an attribute, which would survive in a copy of the page's HTML that has
 * no listeners. A failure is logged and leaves the fallback. One that a swap removed is ended; the function under
 * the symbol keeps one that can be updated through a morph. The text is constant, so that a policy can name
 * it by its hash.
 *
 * A click or a submission that an island is to hear waits while its module is loaded.
 *
 * `import` passes on the nonce of this script: without a check of the URL, an attribute in foreign HTML would
 * load what the policy refuses. Only URLs as `c.island` writes them are followed, and only on its `div`,
 * whose members no form field can hide; document members that an image may hide are not read, and the flag is a
 * symbol, which no `id` can be.
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
if(x.protocol!=l.protocol||x.host!=l.host||!/\.m?js$/i.test(x.pathname)||!/^(\?v=[^&]*)?$/.test(x.search))throw TypeError("it is no module of the site");
return x.href
}
function mount(e){
var u=e.getAttribute(a);
coming.set(e,[]);
new Promise(function(f){f(import(own(u)))}).then(function(m){
if(!e.isConnected)return coming.delete(e),seen.delete(e);
if(typeof m.default!="function")throw TypeError("its default export is no function");
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
