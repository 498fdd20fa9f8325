/**
 * Puts a part in the place of what stands between its marks. It tolerates a place that is gone: another
 * part may have replaced it. What hydrates replaced elements listens to `fw:swap`. The methods are those
 * of the prototypes: a field of a form, or an image, that is named as one hides it.
 */
export const lateScript: string = `
function fwLate(i){
var d=document,q=Document.prototype.getElementById,p=q.call(d,"fw-part-"+i),s=q.call(d,"fw-late-"+i),n,t;
if(p&&s){
t=s.parentNode;
while((n=s.nextSibling)&&!(n.nodeType===8&&n.data==="/fw-late-"+i))Node.prototype.removeChild.call(t,n);
if(n)n.remove();
s.replaceWith(p.content);
EventTarget.prototype.dispatchEvent.call(t,new CustomEvent("fw:swap",{bubbles:true,detail:{target:t,status:200}}))
}
if(p)p.remove();
d.currentScript.remove()
}`.replaceAll("\n", "");
