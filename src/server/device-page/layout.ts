import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { LOGO } from '../theme.ts'

/** A page: its title and the content of its card. */
export type DevicePage = { status: number; title: string; body: Html; headers?: Record<string, string> }

/** Returns the HTML document of a page. It has no inline script or style, because its policy allows none. */
export function renderDevicePage({ title, body }: DevicePage): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} – dray</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" type="image/svg+xml" href="/device/icon.svg" />
        <link rel="stylesheet" href="/device/style.css" />
      </head>
      <body>
        <header>
          <p class="mark">${LOGO}dray</p>
          <p class="where">Sandbox</p>
        </header>
        <main><div class="card">${body}</div></main>
        <footer>
          <p>This is a sandbox: no real money moves. You are never asked for a password here.</p>
        </footer>
      </body>
    </html> `.markup
}

const SIGNS = {
  done: 'm15 25 7 7 12-14',
  refused: 'm17 17 14 14m0-14-14 14',
  late: 'M24 14v10l7 5',
} as const

/** Returns a page that only shows an outcome. */
export function resultPage(
  status: number,
  sign: keyof typeof SIGNS,
  { title, body }: Pick<DevicePage, 'title' | 'body'>,
): DevicePage {
  return {
    status,
    title,
    body: html`<div class="result ${mood(status, sign)}">
      <svg class="sign" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
        <circle cx="24" cy="24" r="22" fill="none" stroke="currentColor" stroke-width="2.5" />
        <path
          d="${SIGNS[sign]}"
          fill="none"
          stroke="currentColor"
          stroke-width="3"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
      <h1>${title}</h1>
      ${body}
    </div>`,
  }
}

function mood(status: number, sign: keyof typeof SIGNS): string {
  if (status >= 400) return 'bad'
  return sign === 'done' ? 'good' : 'calm'
}
