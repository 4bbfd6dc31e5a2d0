/** The HTML documents of the pages. What moves on them is drawn by their scripts. */
import { PAGE_NAMES, type PageName, PAGES } from '../../core/pages.ts'
import { WEB } from '../../generated/web.ts'
import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { LOGO } from '../theme.ts'
import type { BrowserSession } from './backend.ts'

/** A browser that is signed in, and the pages that it may open. */
export type SignedInSession = BrowserSession & { opens: readonly PageName[] }

/** A document: its status, title and content. */
export type PageDocument = {
  status: number
  title: string
  body: Html
  /** Its script and style; `track` is that of shared links. */
  page?: PageName | 'track'
  /** True if it is for people without an account: nothing leads to the pages of accounts. */
  public?: boolean
  /** The data that its script begins with. */
  data?: Readonly<Record<string, string>>
  headers?: Record<string, string>
}

/** Returns the document of a page for a browser that is signed in; of another without a session. */
export function renderPageDocument(shown: PageDocument, session: SignedInSession | undefined): string {
  const { title, body, page, data = {} } = shown
  const { script, style } = WEB[page ?? 'start']
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} – dray</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="/device/icon.svg" />
        <link rel="stylesheet" href="/pages/files/${style}" />
        ${page !== undefined && html`<script type="module" src="/pages/files/${script}"></script>`}
      </head>
      <body
        class="${page ?? 'start'}"
        ${page !== undefined && html` data-build="${script}"`}${session !== undefined && html` data-account="${session.account.handle}" data-name="${session.account.name}" data-scopes="${session.scopes.join(' ')}" data-page="${page ?? ''}"`}${session?.byControl === true && html` data-by-control`}${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}
      >
        <a class="skip" href="#page">To the content</a>
        <header class="top">
          ${shown.public === true ? html`<p class="mark">${LOGO}<span>dray</span></p>` : html`<a class="mark" href="/pages" aria-label="dray, all pages">${LOGO}<span>dray</span></a>`}
          ${session !== undefined && navigation(session, page)}
          <p class="where">Sandbox</p>
          <div id="state"></div>
          ${session !== undefined && signOut(session)}
        </header>
        <main id="page" tabindex="-1">${body}</main>
        <div id="print"></div>
      </body>
    </html> `.markup
}

function navigation({ opens }: SignedInSession, page: PageDocument['page']): Html {
  return html`<nav aria-label="Pages">
    ${opens.map(
      (name) =>
        html`<a href="/pages/${name}" ${name === page && html` aria-current="page"`}
          >${PAGES[name].title}</a
        >`,
    )}
  </nav>`
}

function signOut({ account }: BrowserSession): Html {
  return html`<form class="leave" method="post" action="/pages/sign-out">
    <p class="who"><bdi>${account.name}</bdi> <span>${account.handle}</span></p>
    <button type="submit" class="quiet">Sign out</button>
  </form>`
}

/** Returns a page, which its script draws. */
export function appPage(page: PageName): PageDocument {
  const { title } = PAGES[page]
  return {
    status: 200,
    title,
    page,
    body: html`<div class="waiting" role="status">
        <h1>${title}</h1>
        <p>Loading …</p>
      </div>
      <noscript
        ><p class="card">This page is drawn by a script: allow scripts for this address.</p></noscript
      >`,
  }
}

/** Returns the list of the pages, for a browser that may open some. */
export function startPage(
  { account }: BrowserSession,
  opened: ReadonlyMap<PageName, BrowserSession>,
): PageDocument {
  return {
    status: 200,
    title: 'Pages',
    body: html`<div class="card">
      <h1>Pages for <bdi>${account.name}</bdi></h1>
      <ul class="choices">
        ${PAGE_NAMES.map((name) => {
          const { title, summary, need } = PAGES[name]
          const as = opened.get(name)?.account
          return as !== undefined
            ? html`<li class="choice">
                <a href="/pages/${name}">${title}</a>
                <p>${summary}${as.handle !== account.handle && html` As ${as.handle}.`}</p>
              </li>`
            : html`<li class="choice unable">
                <strong>${title}</strong>
                <p>
                  ${summary}
                  ${need === 'control' ? 'On the machine that runs the server, this command opens it:' : account.scopes.includes(need) ? 'This command opens it:' : html`${account.handle} has no ${need}.`}
                  ${(need === 'control' || account.scopes.includes(need)) && html`<code>dray open ${name} --as ${account.handle}</code>`}
                </p>
              </li>`
        })}
      </ul>
      <p class="soft">All requests, with examples: <a href="/docs">the API reference</a>.</p>
    </div>`,
  }
}

/** Returns the page for a session that may see nothing on the page that it opened. */
export function lackingPage(page: PageName, { account }: BrowserSession): PageDocument {
  const { title, need } = PAGES[page]
  if (need === 'control')
    return {
      status: 403,
      title: `${title} is for the sandbox administrator`,
      body: html`<div class="card">
        <h1>${title} is for the sandbox administrator</h1>
        <p>
          It shows every account and turns the clock, so it opens only by a link for this page that the
          control token of the sandbox made. On the machine that serves this sandbox:
        </p>
        <p class="command"><code>dray open ${page} --as ${account.handle}</code></p>
        <p><a class="button" href="/pages">All pages</a></p>
      </div>`,
    }
  return {
    status: 403,
    title: `${title} is not for this account`,
    body: html`<div class="card">
      <h1>${title} is not for this account</h1>
      <p>
        <bdi>${account.name}</bdi> (${account.handle}) has no permission <code>${need}</code>, which this page
        needs.
      </p>
      <p>A link for another account signs this browser in as that one:</p>
      <p class="command"><code>dray open ${page} --as NAME</code></p>
      <p><a class="button" href="/pages">All pages</a></p>
    </div>`,
  }
}

/** Returns the page for a browser that is not signed in, or has a void link. */
export function signInPage({
  page,
  origin,
  spent,
  byCode,
}: {
  page: PageName | undefined
  origin: string
  spent: boolean
  /** True if a person can approve this browser by a code. */
  byCode: boolean
}): PageDocument {
  const title = spent ? 'This link is no longer valid' : 'Sign in'
  const name = page === undefined ? '' : ` ${page}`
  return {
    status: spent ? 403 : 401,
    title,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>
        ${spent ? 'A link works once and for ten minutes. This one was used, or its time is over.' : 'A link signs this browser in to one page. It works once, and acts for one account.'}
      </p>
      <p>Where <code>dray</code> is logged in to this service, this command makes a link and opens it:</p>
      <p class="command"><code>dray open${name} --base-url ${origin}</code></p>
      <p class="soft">
        For a browser on another device add <code>--no-browser</code>, and type the link there. Not logged in
        yet? First: <code>dray login --base-url ${origin}</code>
      </p>
      ${
        byCode &&
        (page === undefined || PAGES[page].need !== 'control') &&
        html`<h2>Without dray on this device</h2>
          <p>
            This browser shows a code, and the person who runs the service approves it, like a login of dray.
          </p>
          ${signInForm(page, 'Sign in with a code')}`
      }
    </div>`,
  }
}

/** Returns the form that gives this browser a code. */
export function signInForm(page: PageName | undefined, label: string): Html {
  return html`<form method="post" action="/pages/sign-in">
    ${page !== undefined && html`<input type="hidden" name="page" value="${page}" />`}
    <button type="submit">${label}</button>
  </form>`
}

/** Returns the page of an error, with the words of its problem document. */
export function toProblemDocument(problem: { status: number; title: string; detail: string }): PageDocument {
  const { status, title, detail } = problem
  return {
    status,
    title,
    body: html`<div class="card">
      <h1>${title}</h1>
      <p>${detail}</p>
      <p><a class="button" href="/pages">All pages</a></p>
    </div>`,
  }
}
