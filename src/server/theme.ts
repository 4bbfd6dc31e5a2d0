/** The style that all pages of the service share. */
import type { Html } from './html.ts'

/** Colours. Each pair is readable (WCAG AA) in both colour schemes. */
export const PALETTE_CSS = `:root {
  color-scheme: light dark;
  --paper: #f5f3ee;
  --card: #ffffff;
  --ink: #1f1d1a;
  --soft: #5d584f;
  --line: #e2ded5;
  --edge: #8a8478;
  --accent: #0d5c52;
  --accent-strong: #094840;
  --on-accent: #ffffff;
  --wash: #eaf3f0;
  --spend: #7a4300;
  --spend-wash: #fbf0dd;
  --wrong: #a1242b;
  --wrong-wash: #fdf0ef;
  --focus: #1257c9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161614;
    --card: #1f1f1c;
    --ink: #f1efe9;
    --soft: #b5b0a5;
    --line: #35342f;
    --edge: #85817a;
    --accent: #7fd0c0;
    --accent-strong: #a3e0d4;
    --on-accent: #08211d;
    --wash: #1d2f2b;
    --spend: #f3c98b;
    --spend-wash: #372a17;
    --wrong: #ffaaa5;
    --wrong-wash: #3a2020;
    --focus: #9cc2ff;
  }
}
`

/**
 * A dray: a flat cart, its load and its shaft. It is also the icon of the browser's tab, so it contains its own
 * colours.
 */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" rx="7" fill="#0d5c52"/><g fill="none" stroke="#ffffff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M5 17.5h15.500l3-4"/><path d="M8 14V8h9v6"/></g><circle cx="9" cy="21" r="2" fill="#ffffff"/><circle cx="17" cy="21" r="2" fill="#ffffff"/></svg>`

/** The icon beside a page's name, in the colours of the scheme. */
export const LOGO: Html = { markup: ICON.replace('<svg', '<svg aria-hidden="true" focusable="false"') }
