import type { PageName } from '../../core/pages.ts'
import type { ConnectionState } from './live.ts'
import { SESSION } from './session.ts'

const WORDS: Readonly<Record<ConnectionState | 'lost', string>> = {
  live: 'Live',
  polling: 'Updating every 5 s',
  lost: 'Offline',
}

/** The quality with which the page hears its service. */
export function ConnectionStatus({ hearing }: { hearing: ConnectionState | 'lost' }) {
  return (
    <p class={`hearing ${hearing}`} role="status">
      {WORDS[hearing]}
    </p>
  )
}

/** In place of the content once the session has ended. */
export function SignedOutNotice({ page }: { page: PageName }) {
  return (
    <div class="card" role="alert">
      <h2>This browser is signed out</h2>
      <p>Its session has expired or was ended. Use a new link to sign in again:</p>
      <p class="command">
        <code>
          dray open {page} --base-url {location.origin}
          {SESSION.byControl && ` --as ${SESSION.account}`}
        </code>
      </p>
      {!SESSION.byControl && (
        <p>
          <a class="button" href={`/pages/${page}`}>
            Sign in again
          </a>
        </p>
      )}
    </div>
  )
}
