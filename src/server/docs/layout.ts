import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { LOGO } from '../theme.ts'

/** One page of the reference, and the sections on it. */
export type ReferencePage = {
  path: string
  title: string
  lead: string
  places: readonly { id: string; title: string }[]
  body: Html
}

/** Returns the HTML document of a page. It has no inline script or style, because its policy allows none. */
export function renderReferencePage(
  page: ReferencePage,
  pages: readonly Pick<ReferencePage, 'path' | 'title'>[],
  version: string,
): string {
  const { title, lead, places, body } = page
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} – dray API reference</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${lead}" />
        <link rel="icon" type="image/svg+xml" href="/docs/icon.svg" />
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        <a class="skip" href="#content">To the content</a>
        <header>
          <p class="mark"><a href="/docs">${LOGO}dray</a></p>
          <p class="where">API reference, ${version}</p>
        </header>
        <div class="columns">
          <nav aria-label="Reference">
            <ul class="pages">
              ${pages.map(
                (one) =>
                  html`<li>
                    <a href="${one.path}" ${one.path === page.path && CURRENT}>${one.title}</a>
                  </li>`,
              )}
            </ul>
            <p class="soft">On this page</p>
            <ul class="places">
              ${places.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}
            </ul>
          </nav>
          <main id="content" tabindex="-1">
            <h1>${title}</h1>
            <p class="lead">${lead}</p>
            ${body}
          </main>
        </div>
        <footer>
          <p>
            Made from the registry of this very service. <a href="/openapi.json">OpenAPI 3.1</a>, or
            <code>dray openapi</code>.
          </p>
        </footer>
      </body>
    </html> `.markup
}

const CURRENT: Html = { markup: 'aria-current="page"' }
