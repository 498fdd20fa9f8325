import process from "node:process";
import { loadEngines } from "./peers.ts";
const {contenders}=await loadEngines();
const cs=contenders.filter(c=>/functions|templates|eta|EJS|h.html/.test(c.name));
const enc=new TextEncoder(),buf=new Uint8Array(1<<20);
const cpu=()=>{const {user,system}=process.cpuUsage();return user+system};
for (const p of ["large","small"] as const){
 const best:any={};
 for(let r=0;r<80;r++)for(const c of cs){const n=p==="large"?10:600;const a=performance.now();for(let i=0;i<n;i++)enc.encodeInto(c[p]() as string,buf);const t=(performance.now()-a)/n*1000;if(r>10)best[c.name]=Math.min(best[c.name]??1e9,t)}
 console.log(p,Object.entries(best).map(([k,v]:any)=>k+" "+(v/best.eta).toFixed(2)).join("  "),best.eta.toFixed(1));
}
