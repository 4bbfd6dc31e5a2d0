/** The HTML documents of shared links. Their first words need no script. */
import type { SharedView } from '../../core/shared-view.ts'
import { html } from '../html.ts'
import type { PageDocument } from '../pages/layout.ts'

/** Returns the page of a link; its script draws the rest from the same view. */
export function sharedPage(view: SharedView, time: string): PageDocument {
  const { state, title } = view
  return {
    status: 200,
    title: state,
    page: 'track',
    public: true,
    data: { view: JSON.stringify(view), time },
    body: html`<div class="shared">
      <p class="title">${title}</p>
      <h1>${state}</h1>
      <noscript><p>Allow scripts for this address to see it move.</p></noscript>
    </div>`,
  }
}

/** The one page of all links that lead nowhere. */
export function gonePage(): PageDocument {
  return {
    status: 404,
    title: 'This link leads nowhere',
    public: true,
    body: html`<div class="card">
      <h1>This link does not work</h1>
      <p>It may be incomplete, expired or withdrawn. Ask the sender for a new link.</p>
    </div>`,
  }
}

/** Returns the page of an error, which may be gone a minute later. */
export function refusedPage(status: number, title: string, detail: string): PageDocument {
  return {
    status,
    title,
    public: true,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${detail} Load this page again in a minute.</p>
    </div>`,
  }
}
