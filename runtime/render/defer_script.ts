/**
 * Puts a part in the place of what stands between its marks. It tolerates a place that is gone: another
 * part may have replaced it. What hydrates replaced elements listens to `fw:swap`.
 */
export const lateScript: string = `
function fwLate(i){
var d=document,p=d.getElementById("fw-part-"+i),s=d.getElementById("fw-late-"+i),n,t;
if(p&&s){
t=s.parentNode;
while((n=s.nextSibling)&&!(n.nodeType===8&&n.data==="/fw-late-"+i))n.remove();
if(n)n.remove();
s.replaceWith(p.content);
t.dispatchEvent(new CustomEvent("fw:swap",{bubbles:true,detail:{target:t,status:200}}))
}
if(p)p.remove();
d.currentScript.remove()
}`.replaceAll("\n", "");
