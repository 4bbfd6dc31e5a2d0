/** The first page: how to start, the common rules, and links to every operation. */
import type { Scope } from '../../core/account.ts'
import type { AnyOperation } from '../../core/operation.ts'
import { PERMISSIONS } from '../device-page/words.ts'
import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { makeProblemExample } from '../openapi-parts.ts'
import { renderCodeBlock, highlightJson } from './code.ts'
import { EXAMPLES_ACCOUNT, EXAMPLES_TIME } from './example.ts'
import type { ReferencePage } from './layout.ts'
import { breakable } from './operations.ts'
import { listPages } from './page-of.ts'

/** The commands before the examples: the service in one terminal, the rest in another. */
const START = {
  serve: `DRAY_NOW=${EXAMPLES_TIME} dray serve --store reference.db`,
  address: 'export DRAY_BASE_URL=http://127.0.0.1:8080',
  token: `export DRAY_TOKEN=$(dray sandbox account token ${EXAMPLES_ACCOUNT} --store reference.db --query token)`,
}

/** Returns the first page of the reference. */
export function overviewPage(operations: readonly AnyOperation[]): ReferencePage {
  const sections: [id: string, title: string, body: Html][] = [
    ['start', 'Start', start()],
    ['tokens', 'Tokens and scopes', tokens(operations)],
    ['confirm', 'Quote, then confirm', CONFIRM],
    ['idempotency', 'Do it once', ONCE],
    ['lists', 'Lists', LISTS],
    ['values', 'Money, time and places', VALUES],
    ['problems', 'When it fails', problems()],
    ['limits', 'Limits', LIMITS],
    ['sandbox', 'The sandbox', SANDBOX],
    ['operations', 'All operations', allOperations(operations)],
  ]
  return {
    path: '/docs',
    title: 'Overview',
    lead: 'Food, rides, courier deliveries, parcels, home services, tasks and a store: one interface, over HTTP.',
    places: sections.map(([id, title]) => ({ id, title })),
    body: html`${sections.map(
      ([id, title, body]) =>
        html`<section id="${id}" aria-labelledby="${id}-title">
          <h2 id="${id}-title"><a href="#${id}">${title}</a></h2>
          ${body}
        </section>`,
    )}`,
  }
}

function start(): Html {
  return html`<p>
      The examples of this reference were run in the order in which they stand here, on a new sandbox whose
      clock stands still. Start one like it:
    </p>
    ${renderCodeBlock('One terminal', START.serve)}
    <p>
      Then each example gives you the answer that is printed with it, ids and all. Take the lines for curl, or
      those for dray: both would do everything twice.
    </p>
    ${renderCodeBlock('Another terminal', `${START.address}\n${START.token}`)}
    <p>
      Every request is JSON over HTTP under <code>/v1</code>. A body is an object, <code>{}</code> at least;
      members and parameters that an operation does not know are refused, and so are doubled members, integers
      beyond 2<sup>53</sup> and broken text. Every answer names itself in <code>Request-Id</code>, tells the
      clock of the service in <code>Service-Time</code> and whether it is real in <code>Environment</code>.
    </p>`
}

function tokens(operations: readonly AnyOperation[]): Html {
  const scopes = [...new Set(operations.map(({ scope }) => scope))] as Scope[]
  return html`<p>
      Send <code>Authorization: Bearer &lt;token&gt;</code>. People get a token by <code>dray login</code>:
      the device flow of RFC 8628, with <code>POST /oauth/device_authorization</code>, a page at
      <code>/device</code> and <code>POST /oauth/token</code>. Business and carrier accounts exchange a client
      id and secret at the same place. <code>GET /.well-known/oauth-authorization-server</code> has the
      addresses.
    </p>
    <p>Each operation needs one scope:</p>
    <dl class="facts">
      ${scopes.map(
        (scope) =>
          html`<div>
            <dt><code>${scope}</code></dt>
            <dd>
              ${PERMISSIONS[scope].words}${PERMISSIONS[scope].spends === true && html` <strong class="note">spends</strong>`}
            </dd>
          </div>`,
      )}
    </dl>
    <p>
      Some need more of the account itself: a membership to order, a carrier agreement to send parcels, a
      business agreement to keep a store. Without it a call is refused with 403 and the same token will do
      once it is there.
    </p>`
}

const CONFIRM = html`<p>
    What is paid at once is quoted first. A quote changes nothing, holds nothing, and locks its price until
    <code>expires_at</code>. Show it, then confirm with its <code>quote_id</code>: the confirming call charges
    what was quoted, whatever has changed since, and checks again only whether it can still be done. Send
    <code>expected_total</code> to be sure that the price is the one that was seen.
  </p>
  <ul>
    <li>
      Parcels have no quote: they go on the invoice of the carrier agreement, at its contracted rates.
      <code>create_shipments_batch</code> with <code>price_only</code> says what they would cost.
    </li>
    <li>An expired or used quote is refused with 409; a used one tells what was made of it.</li>
    <li>A refused confirm leaves the quote open.</li>
  </ul>`

const ONCE = html`<p>
  Calls that change something take an <code>Idempotency-Key</code> of 1 to 255 visible ASCII characters; the
  five that buy require one. The same key with the same content is done once and answered with the same bytes
  for 24 hours, with <code>Idempotent-Replayed: true</code>. So after a lost answer, send the same call again.
  The same key with other content is refused with 422.
</p>`

const LISTS = html`<p>
  A list is a page: <code>data</code>, <code>has_more</code> and <code>next_cursor</code>. Send
  <code>next_cursor</code> as <code>cursor</code>, with the same filters, for the next one.
  <code>limit</code> is 1 to 100, 25 without it. What is added while you read neither repeats nor shifts.
</p>`

const VALUES = html`<dl class="facts">
  <div>
    <dt>Money</dt>
    <dd><code>{"amount": 1299, "currency": "GBP"}</code>: whole minor units, £12.99.</dd>
  </div>
  <div>
    <dt>Instants</dt>
    <dd>RFC 3339 with an offset; answered in UTC, <code>2026-11-20T09:00:00.000Z</code>.</dd>
  </div>
  <div>
    <dt>Dates</dt>
    <dd>In the time zone of the place that they are about, <code>2026-11-21</code>.</dd>
  </div>
  <div>
    <dt>Points</dt>
    <dd>Degrees north and east (WGS 84).</dd>
  </div>
  <div>
    <dt>Ids</dt>
    <dd>
      Three letters for the kind, then 26 characters: <code>ord_…</code>. Parcels have a tracking number.
    </dd>
  </div>
</dl>`

function problems(): Html {
  return html`<p>
      A refusal is a problem document (RFC 9457). Decide by <code>code</code>; show <code>detail</code> and
      <code>hint</code>; look into <code>errors</code> for every field that is wrong, all at once. What is
      <code>retryable</code> may succeed later unchanged. <a href="/docs/errors">All codes.</a>
    </p>
    ${renderCodeBlock('application/problem+json', html`${highlightJson(makeProblemExample('quote_expired')['value'])}`)}`
}

const LIMITS = html`<p>
  Where limits are on, answers carry <code>RateLimit-Policy</code> and <code>RateLimit</code>: how many
  requests of an account fit in a window, what is left and for how long. Beyond it a call is refused with 429
  and <code>Retry-After</code>. A body may be 1 MiB, of a manifest or an import 5 MiB.
</p>`

const SANDBOX = html`<p>
  <code>dray serve</code> is a sandbox: no real money moves, and couriers, drivers and stores are simulated by
  its own clock, which <code>dray sandbox clock</code> moves. <code>Sandbox-Scenario</code> says how the world
  treats what a call creates, such as <code>lost</code> for a parcel; each operation lists those it knows.
  Cards are <code>tok_ok</code>, <code>tok_pending</code>, <code>tok_store</code> and
  <code>tok_declined</code>.
</p>`

function allOperations(operations: readonly AnyOperation[]): Html {
  return html`${listPages(operations).map(
    (page) =>
      html`<h3>${page.title}</h3>
        <ul class="index">
          ${page.operations.map(
            ({ name, method, path, summary }) =>
              html`<li>
                <a href="${page.path}#${name}"><code>${name}</code></a>
                <span>${summary}</span>
                <span class="request"
                  ><span class="method ${method.toLowerCase()}">${method}</span>
                  <code>${breakable(path)}</code></span
                >
              </li>`,
          )}
        </ul>`,
  )}`
}
