/** The upload of a manifest by a page: its file is checked, shown, and sent once it is confirmed. */
import { AppError } from '../../../core/errors.ts'
import { MOST_UPLOAD_BYTES } from '../../../core/pages.ts'
import { jsonAnswer } from '../../json-answer.ts'
import type { Route, RouteDeps } from '../../route.ts'
import { assertOwnPage, noteCaller, requireSession } from '../session.ts'
import { readWish } from './wish.ts'

const SCOPE = 'shipments.create'

/** The parcels are created by the same operation as those of `dray carrier upload`, under the key of the page. */
export function uploadRoute({
  gateway,
  pages,
  serviceTime,
}: Pick<RouteDeps, 'gateway' | 'pages' | 'serviceTime'>): Route {
  return {
    name: 'page_upload',
    method: 'POST',
    path: '/pages/upload',
    async answer({ raw, requestId, readBody }, note) {
      assertOwnPage(raw)
      const session = await requireSession(pages, raw, 'parcels')
      noteCaller(note, session)
      const { account, scopes } = session
      if (!scopes.includes(SCOPE))
        throw new AppError('insufficient_scope', `An upload needs the scope ${SCOPE}.`, {
          extra: { required_scope: SCOPE },
        })
      const wish = readWish(raw)
      const key = raw.headers['idempotency-key']
      if (wish.plan !== undefined && key === undefined)
        throw new AppError('idempotency_key_required', 'What was confirmed is sent with an Idempotency-Key.')
      const bytes = await readBody(MOST_UPLOAD_BYTES)
      // Only an upload needs what reads files of rows.
      const { Refused, uploadManifest } = await import('./manifest.ts')
      const credential = { account: account.account_id, scopes }
      try {
        const calls = { gateway, credential, requestId, key: key && String(key) }
        const told = await uploadManifest(bytes, wish, calls)
        return jsonAnswer(requestId, await serviceTime(), JSON.stringify(told))
      } catch (error) {
        if (error instanceof Refused) return error.answer
        throw error
      }
    },
  }
}
