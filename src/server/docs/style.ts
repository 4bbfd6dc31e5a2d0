import { PALETTE_CSS } from '../theme.ts'

/** The style of the reference: the palette of the approval page, and two columns where they fit. */
export const REFERENCE_STYLE = `${PALETTE_CSS}:root { --get: #1c5fa8; --post: #0d5c52; --put: #7a4300; --delete: #a1242b; --well: #efece5; }
@media (prefers-color-scheme: dark) {
  :root { --get: #9cc2ff; --post: #7fd0c0; --put: #f3c98b; --delete: #ffaaa5; --well: #10100f; }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  overflow-wrap: break-word;
}
header, .columns, footer { width: 100%; max-width: 78rem; margin: 0 auto; padding-inline: 1.5rem; }
header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding-block: 1.5rem 1rem; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; padding: 0.5rem 1rem; border-radius: 0.5rem; background: var(--card); }
.mark { margin: 0; font-weight: 650; font-size: 1.125rem; letter-spacing: -0.01em; }
.mark a { display: flex; align-items: center; gap: 0.6rem; color: var(--ink); text-decoration: none; }
.mark svg { width: 1.75rem; height: 1.75rem; }
.mark rect { fill: var(--accent); }
.mark g { stroke: var(--on-accent); }
.mark circle { fill: var(--on-accent); }
.where { margin: 0; color: var(--soft); font-size: 0.875rem; }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding-block: 0.5rem 2rem; font-size: 0.9375rem; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav p { margin: 1.25rem 0 0.25rem; padding-inline: 0.625rem; font-size: 0.8125rem; }
nav a { display: block; padding: 0.2rem 0.625rem; border-radius: 0.375rem; color: var(--ink); text-decoration: none; }
nav .places a { color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; }
nav a:hover { background: var(--wash); color: var(--accent); }
nav a[aria-current] { background: var(--wash); color: var(--accent); font-weight: 650; }
main { min-width: 0; padding-block: 0.25rem 3rem; }
main:focus { outline: 0; }
footer { padding-block: 1.5rem 3rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.875rem; }
h1 { margin: 0 0 0.25rem; font-size: 2rem; line-height: 1.2; font-weight: 680; letter-spacing: -0.02em; }
h2 { margin: 0 0 0.25rem; font-size: 1.375rem; line-height: 1.3; font-weight: 660; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; text-underline-offset: 0.2em; }
h3 { margin: 1.75rem 0 0.5rem; font-size: 1rem; font-weight: 650; }
p { margin: 0 0 0.875rem; max-width: 46rem; }
main > .lead { margin-bottom: 2rem; color: var(--soft); font-size: 1.125rem; }
section .lead { margin-bottom: 0.75rem; color: var(--soft); }
section { margin-bottom: 1.5rem; padding: 1.5rem 1.75rem; border: 1px solid var(--line); border-radius: 0.875rem; background: var(--card); }
section > :last-child { margin-bottom: 0; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-strong); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
:target { scroll-margin-top: 1rem; }
section:target, .errors > :target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.soft { color: var(--soft); font-size: 0.9375rem; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: 0.9em; }
p code, dd code, li > code { padding: 0.1em 0.3em; border-radius: 0.3em; background: rgb(128 128 128 / 12%); }
.request { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.625rem; }
p.request { padding: 0.5rem 0.75rem; border-radius: 0.5rem; background: var(--well); }
.request code { padding: 0; background: none; overflow-wrap: anywhere; }
.method { font-weight: 700; font-size: 0.8125rem; letter-spacing: 0.03em; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
.facts { margin: 0 0 1rem; border-block: 1px solid var(--line); font-size: 0.9375rem; }
.facts > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 0.125rem 1rem; padding-block: 0.4rem; }
.facts > div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.fields { margin: 0 0 1rem; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.fields li { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.fields .fields { margin: 0.5rem 0 0 0.25rem; padding-left: 1rem; border-top: 0; border-left: 2px solid var(--line); }
.fields .fields li:last-child { border-bottom: 0; padding-bottom: 0; }
.field { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.625rem; margin: 0; max-width: none; }
.field code { padding: 0; background: none; }
.field .name { font-weight: 650; font-size: 0.9375rem; overflow-wrap: anywhere; }
.type, .mark-in, .bounds { color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; }
.meaning { margin: 0; font-size: 0.9375rem; }
.bounds::before { content: "· "; }
nav p.soft { font-size: 0.8125rem; }
.note { padding: 0 0.5rem; border-radius: 99rem; background: var(--spend-wash); color: var(--spend); font-size: 0.75rem; font-weight: 600; white-space: nowrap; }
.note.quiet { background: rgb(128 128 128 / 14%); color: var(--soft); }
.codes { display: flex; flex-wrap: wrap; gap: 0.375rem 0.75rem; margin: 0 0 0.5rem; padding: 0; list-style: none; }
.errors { margin: 0; }
.errors > div { padding: 0.75rem 0.75rem; border-radius: 0.5rem; }
.errors > div + div { border-top: 1px solid var(--line); border-radius: 0; }
.errors dt { color: var(--ink); font-weight: 650; overflow-wrap: anywhere; }
.errors p { margin: 0; }
.index { margin: 0; padding: 0; list-style: none; }
.index li { display: grid; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr); gap: 0 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); font-size: 0.9375rem; }
.index a { overflow-wrap: anywhere; }
.index a code { padding: 0; background: none; }
.index .request { grid-column: 2; color: var(--soft); font-size: 0.875rem; }
.code { margin: 0 0 0.875rem; }
figcaption { color: var(--soft); font-size: 0.8125rem; margin-bottom: 0.25rem; }
pre { margin: 0; padding: 0.875rem 1rem; max-height: 30rem; overflow: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--well); font-size: 0.875rem; line-height: 1.5; tab-size: 2; }
pre code { font-size: inherit; }
.j-name { color: var(--get); } .j-text { color: var(--post); }
details { margin-bottom: 0.875rem; }
summary { cursor: pointer; color: var(--soft); font-size: 0.9375rem; margin-bottom: 0.5rem; }
@media (max-width: 56rem) {
  header, .columns, footer { padding-inline: 1rem; }
  .columns { grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  nav { position: static; max-height: none; padding-bottom: 0; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0.125rem 0.25rem; }
  nav p { margin-top: 0.75rem; }
  h1 { font-size: 1.625rem; }
  section { padding: 1.125rem 1rem; border-radius: 0.75rem; }
  .facts > div, .index li { grid-template-columns: minmax(0, 1fr); }
  .index .request { grid-column: 1; }
}
@media (prefers-contrast: more) {
  :root { --line: var(--edge); --soft: var(--ink); }
}
@media (forced-colors: active) {
  nav a[aria-current] { outline: 2px solid Highlight; }
  .note { border: 1px solid; }
}
@media print {
  nav, header, .skip { display: none; }
  .columns { display: block; }
  pre { max-height: none; white-space: pre-wrap; }
}
`
