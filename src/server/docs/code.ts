/** Code blocks of the reference: commands and responses. */
import { html } from '../html.ts'
import type { Html } from '../html.ts'

/** Returns a block that scrolls by itself, also by keyboard. `name` distinguishes it from the page's other blocks. */
export function renderCodeBlock(label: string, code: Html | string, name = label): Html {
  return html`<figure class="code">
    <figcaption>${label}</figcaption>
    <pre tabindex="0" role="region" aria-label="${name}"><code>${code}</code></pre>
  </figure>`
}

/** Returns JSON with markup for names, texts and other values. */
export function highlightJson(value: unknown): Html[] {
  const text = JSON.stringify(value, null, 2)
  return text.split(/("(?:[^"\\]|\\.)*"(?:: )?)/).map((part) => {
    if (!part.startsWith('"')) return html`${part}`
    return part.endsWith(': ')
      ? html`<span class="j-name">${part.slice(0, -2)}</span>: `
      : html`<span class="j-text">${part}</span>`
  })
}
