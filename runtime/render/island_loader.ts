/**
 * Mounts the islands of a page, once each: now, and after each `fw:swap` those that came with it. An
 * element is remembered by itself and not by an attribute, which would survive in a copy of the page's
 * HTML that nothing listens to. What fails says so and leaves the fallback. The text is constant, so
 * that a policy can name it by its hash.
 */
export const islandLoader: string = `
(function(w,d){
if(w.fwIslands)return;
w.fwIslands=1;
var a="data-fw-island",seen=new WeakSet,sight=w.IntersectionObserver&&new IntersectionObserver(function(l){
l.forEach(function(i){if(i.isIntersecting){sight.unobserve(i.target);mount(i.target)}})
},{rootMargin:"200px"});
function mount(e){
var u=e.getAttribute(a);
import(u).then(function(m){
if(!e.isConnected)return seen.delete(e);
if(typeof m.default!="function")throw TypeError("its default export is no function");
return Promise.resolve(m.default(e,JSON.parse(e.getAttribute("data-fw-props")))).then(function(){
e.setAttribute(a+"-state","mounted")
})
}).catch(function(x){
e.setAttribute(a+"-state","failed");
console.error("The island "+u+" failed:",x)
})
}
function look(e){
if(seen.has(e))return;
seen.add(e);
var t=e.getAttribute("data-fw-when");
if(t=="visible"&&sight&&getComputedStyle(e).display!="contents")sight.observe(e);
else if(t=="idle"&&w.requestIdleCallback)requestIdleCallback(function(){mount(e)},{timeout:5000});
else mount(e)
}
function scan(){d.querySelectorAll("["+a+"]").forEach(look)}
d.addEventListener("fw:swap",scan);
scan()
})(window,document)`.replaceAll("\n", "");
