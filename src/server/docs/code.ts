/** What is typed, and what is answered. */
import { html } from '../html.ts'
import type { Html } from '../html.ts'

/** A block that scrolls by itself, also by keyboard; `name` tells it from the others of the page. */
export function block(label: string, code: Html | string, name = label): Html {
  return html`<figure class="code">
    <figcaption>${label}</figcaption>
    <pre tabindex="0" role="region" aria-label="${name}"><code>${code}</code></pre>
  </figure>`
}

/** JSON with its names, texts and other values told apart. */
export function json(value: unknown): Html[] {
  const text = JSON.stringify(value, null, 2)
  return text.split(/("(?:[^"\\]|\\.)*"(?:: )?)/).map((part) => {
    if (!part.startsWith('"')) return html`${part}`
    return part.endsWith(': ')
      ? html`<span class="j-name">${part.slice(0, -2)}</span>: `
      : html`<span class="j-text">${part}</span>`
  })
}
