/** Policy of the page of reports: only its own style, no script, nothing from elsewhere. */
export const htmlPolicy = "default-src 'none'; style-src 'unsafe-inline'";

/** Style of the page of reports. The colour of a verdict is that of its word, and of the line beside its article. */
export const htmlStyle = `:root{color-scheme:light dark;--line:light-dark(#d5d9de,#3a4048);--soft:light-dark(#5a636e,#9aa4b0);--box:light-dark(#f3f5f7,#22272d);--fail:light-dark(#b3261e,#ff8a80);--warn:light-dark(#8a5a00,#ffc857);--pass:light-dark(#1b6e3c,#7bd88f);--other:light-dark(#355c9a,#8ab4f8)}
html{background:light-dark(#fff,#14181c);color:light-dark(#1b1f24,#e6e9ed)}
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;overflow-wrap:break-word}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem}code,pre{font:13px/1.45 ui-monospace,monospace}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line)}
td:first-child{overflow-wrap:anywhere;min-width:10rem}.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}th.scanner{min-width:5rem;max-width:9rem}td.verdict{white-space:nowrap}
.fail{color:var(--fail);font-weight:600}.warn{color:var(--warn);font-weight:600}.pass{color:var(--pass)}.deviation,.unexpected-pass,.noted{color:var(--other)}.not-tested,.place{color:var(--soft)}
details{margin:.4rem 0}summary{cursor:pointer}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0;padding:.4rem .6rem;background:var(--box);border-radius:4px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.3rem 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
.only{margin:1rem 0;display:flex;gap:.5rem}body:has(#only:checked) .as-expected{display:none}
article{border-left:3px solid var(--other);padding:.1rem 0 .1rem 1rem;margin:1.4rem 0}article:has(h3>.fail){border-color:var(--fail)}article:has(h3>.warn){border-color:var(--warn)}
article h3{font:600 1rem ui-monospace,monospace;margin:.2rem 0;overflow-wrap:anywhere}article p{margin:.3rem 0}article:target{background:var(--box)}`;
