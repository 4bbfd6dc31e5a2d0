import { PALETTE_CSS } from '../theme.ts'

/** The style of the approval page: one column that fits a phone. */
export const APPROVAL_STYLE = `${PALETTE_CSS}*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  font-kerning: normal;
  overflow-wrap: break-word;
}
header, main, footer { width: 100%; max-width: 40rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; align-items: center; justify-content: space-between; padding-block: 1.75rem 1.25rem; }
.mark { display: flex; align-items: center; gap: 0.6rem; margin: 0; font-weight: 650; font-size: 1.125rem; letter-spacing: -0.01em; }
.mark svg { width: 1.75rem; height: 1.75rem; }
.mark rect { fill: var(--accent); }
/* On the page the icon follows the colour scheme. */
.mark g { stroke: var(--on-accent); }
.mark circle { fill: var(--on-accent); }
.where { margin: 0; padding: 0.125rem 0.625rem; border: 1px solid var(--line); border-radius: 99rem; color: var(--soft); font-size: 0.8125rem; }
main { flex: 1; }
.card { padding: 2rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 12px 32px -16px rgb(0 0 0 / 12%); }
footer { padding-block: 1.5rem 2.5rem; color: var(--soft); font-size: 0.875rem; }
footer p { margin: 0; }
h1 { margin: 0 0 0.75rem; font-size: 1.75rem; line-height: 1.2; font-weight: 680; letter-spacing: -0.02em; text-wrap: balance; }
h2, legend { margin: 0; padding: 0; font-size: 1.0625rem; line-height: 1.35; font-weight: 650; letter-spacing: -0.005em; }
h3 { margin: 0 0 0.25rem; font-size: 0.9375rem; font-weight: 650; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-strong); }
code, .code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { padding: 0.1em 0.35em; border-radius: 0.3em; background: rgb(128 128 128 / 14%); font-size: 0.9375em; white-space: nowrap; }
.command code { white-space: normal; overflow-wrap: anywhere; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.step { margin: 0 0 0.5rem; color: var(--soft); font-size: 0.875rem; }
.soft { color: var(--soft); }
.guard { margin: 0 0 1.5rem; padding: 0.75rem 1rem; border-left: 0.25rem solid var(--accent); border-radius: 0.25rem 0.5rem 0.5rem 0.25rem; background: var(--wash); }
.guard :last-child { margin-bottom: 0; }
.error { margin: 0 0 1.5rem; padding: 0.875rem 1rem; border: 1px solid var(--wrong); border-left-width: 0.25rem; border-radius: 0.5rem; background: var(--wrong-wash); }
.error h2 { color: var(--wrong); }
.error p { margin: 0.25rem 0 0; }
.error a { color: var(--wrong); }
label { display: block; font-weight: 600; }
.hint { margin: 0.125rem 0 0.5rem; color: var(--soft); font-size: 0.9375rem; }
.hint.wrong { color: var(--wrong); font-weight: 600; }
.typed { display: block; width: 100%; max-width: 20rem; margin-bottom: 1.5rem; padding: 0.625rem 0.875rem; border: 2px solid var(--edge); border-radius: 0.625rem; background: var(--card); color: var(--ink); font-size: 1.5rem; line-height: 1.4; letter-spacing: 0.12em; text-transform: uppercase; }
.typed[aria-invalid] { border-color: var(--wrong); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 2rem; }
button, .button { display: inline-block; min-height: 3rem; padding: 0.625rem 1.5rem; border: 2px solid var(--accent); border-radius: 0.625rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; text-align: center; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { border-color: var(--accent-strong); background: var(--accent-strong); color: var(--on-accent); }
button.quiet { border-color: var(--edge); background: transparent; color: var(--ink); }
button.quiet:hover { border-color: var(--ink); background: transparent; color: var(--ink); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
h1 + .facts { margin-top: 1.25rem; }
.facts { margin: 0 0 1.75rem; border-block: 1px solid var(--line); }
.facts div { display: grid; grid-template-columns: 9rem 1fr; gap: 0.125rem 1rem; padding-block: 0.625rem; }
.facts div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); }
dd { grid-column: 2; margin: 0; overflow-wrap: anywhere; }
dd.code { font-size: 1.125rem; font-weight: 600; letter-spacing: 0.1em; }
fieldset { min-width: 0; margin: 0 0 2rem; padding: 0; border: 0; }
.choices { display: grid; gap: 0.5rem; margin-top: 0.75rem; }
.choice { position: relative; display: grid; grid-template-columns: auto 1fr; gap: 0 0.875rem; align-items: start; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.625rem; }
.choice:has(:checked) { border-color: var(--accent); background: var(--wash); box-shadow: inset 0 0 0 1px var(--accent); }
.choice:has(:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
.choice input { position: relative; z-index: 1; width: 1.25rem; height: 1.25rem; margin: 0.15rem 0 0; accent-color: var(--accent); }
.choice input:focus-visible { outline: 0; }
.choice label::after { content: ""; position: absolute; inset: 0; border-radius: inherit; cursor: pointer; }
.choice p { margin: 0; color: var(--soft); font-size: 0.9375rem; grid-column: 2; }
.choice p span { display: inline-block; }
.choice .handle { color: var(--soft); font-weight: 400; }
.choice.unable label, .choice.unable .handle { color: var(--soft); }
.choice.unable label::after { cursor: not-allowed; }
.spend { display: inline-block; padding: 0 0.5rem; border-radius: 99rem; background: var(--spend-wash); color: var(--spend); font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.result svg.sign { display: block; width: 3rem; height: 3rem; margin-bottom: 1.25rem; color: var(--accent); }
.result.calm svg.sign { color: var(--soft); }
.result.bad svg.sign { color: var(--wrong); }
.result :last-child { margin-bottom: 0; }
@media (max-width: 34rem) {
  header { padding-block: 1.25rem 1rem; }
  header, main, footer { padding-inline: 1rem; }
  .card { padding: 1.375rem 1.125rem; border-radius: 0.875rem; }
  h1 { font-size: 1.5rem; }
    .facts div { grid-template-columns: 1fr; }
  dd { grid-column: 1; }
  .actions > * { flex: 1 1 100%; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .button, .choice { transition: background-color 120ms ease-out, border-color 120ms ease-out; }
}
@media (prefers-contrast: more) {
  :root { --line: var(--edge); --soft: var(--ink); }
}
@media (forced-colors: active) {
  .card, .guard, .spend, button, .button { border: 1px solid; }
  .choice:has(:checked) { outline: 2px solid Highlight; }
}
`
