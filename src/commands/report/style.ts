import { PALETTE_CSS } from '../../server/theme.ts'

/** The style of a report's page. Columns of now are full, those of the time before are outlines. */
export const PAGE_STYLE = `${PALETTE_CSS.trim()}
* { box-sizing: border-box; margin: 0; }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
.period { color: var(--soft); display: flex; gap: .6rem; align-items: center; }
.period svg { width: 1.75rem; height: 1.75rem; flex: none; }
h1 { font-size: clamp(1.4rem, 1rem + 2vw, 2.1rem); line-height: 1.25; margin: .5rem 0 1.5rem; text-wrap: balance; }
h2 { font-size: 1.05rem; display: inline; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .75rem; margin-bottom: .75rem; }
.figures div, figure, section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; break-inside: avoid; }
figure, section { margin-bottom: .75rem; padding: 1.1rem 1.25rem; overflow-x: auto; }
dt, .before, .key, .note, .top, .axis, summary, footer { color: var(--soft); font-size: .875rem; }
.before b { color: var(--ink); font-weight: 600; }
.value { font-size: 1.45rem; font-weight: 600; font-variant-numeric: tabular-nums; }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .25rem 1rem; }
.key svg { width: .8rem; height: .8rem; margin-left: .75rem; vertical-align: -.05rem; }
.top { margin-top: .5rem; border-bottom: 1px dashed var(--line); }
.plot { display: block; width: 100%; height: 11rem; border-bottom: 1px solid var(--edge); overflow: visible; }
.now { fill: var(--accent); }
.lost { fill: var(--wrong); }
.was { fill: none; stroke: var(--edge); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.axis { display: flex; font-variant-numeric: tabular-nums; }
.axis span { flex: 1 1 0; width: 0; overflow: visible; white-space: nowrap; display: flex; justify-content: center; }
details { margin-top: .5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; font-weight: 400; padding: .3rem .75rem .3rem 0; vertical-align: middle; }
thead th, thead td { border-bottom: 1px solid var(--line); }
tfoot th, tfoot td { border-top: 1px solid var(--edge); font-weight: 600; }
thead .number, thead .word { color: var(--soft); font-size: .875rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding: .3rem 0 .3rem .75rem; }
.word { white-space: nowrap; }
.named { width: 32%; }
.bar { width: 35%; }
.bar svg { display: block; width: 100%; height: .8rem; }
.note { margin-top: .6rem; }
.notes { padding-left: 1.2rem; margin: 1rem 0; }
footer { margin-top: 1.5rem; }
@media (max-width: 34rem) { .figures { grid-template-columns: 1fr 1fr; } .named { width: auto; } .bar { width: 0; padding: 0; } .bar svg { display: none; } figure, section { padding: .9rem .8rem; } th, td { font-size: .875rem; } td.number, th.number { padding-left: .45rem; } }
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --edge: #666; --accent: #0d5c52; }
  @page { margin: 14mm; }
  body { font-size: 11pt; }
  main { max-width: none; padding: 0; }
  figure, section { overflow: visible; }
  section:has(tbody tr:nth-child(13)) { break-inside: auto; }
  thead, tbody tr:nth-child(-n+2) { break-after: avoid; }
  .word { white-space: normal; }
  td.word { overflow-wrap: anywhere; }
  td.word + td.word { min-width: 7.5em; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  details { display: none; }
  .now, .lost { print-color-adjust: exact; }
}
`
