/** The upload of a manifest by a page: its file is checked, shown, and sent once it is confirmed. */
import { AppError } from '../../../core/errors.ts'
import { MAX_UPLOAD_BYTES } from '../../../core/pages.ts'
import { jsonAnswer } from '../../json-response.ts'
import type { Route, RouteDeps } from '../../route.ts'
import { assertOwnPage, recordSessionCaller, requireSession } from '../session.ts'
import { uploadAside } from './aside.ts'
import { parseUploadOptions } from './upload-options.ts'

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
      recordSessionCaller(note, session)
      const { account, scopes } = session
      if (!scopes.includes(SCOPE))
        throw new AppError('insufficient_scope', `An upload needs the scope ${SCOPE}.`, {
          extra: { required_scope: SCOPE },
        })
      const wish = parseUploadOptions(raw)
      const key = raw.headers['idempotency-key']
      if (wish.plan !== undefined && key === undefined)
        throw new AppError('idempotency_key_required', 'A confirmed upload needs an Idempotency-Key.')
      const bytes = await readBody(MAX_UPLOAD_BYTES)
      const credential = { account: account.account_id, scopes }
      const work = { bytes, wish, credential, requestId, key: key && String(key) }
      const ended = await uploadAside(work, gateway)
      return 'refused' in ended ? ended.refused : jsonAnswer(requestId, await serviceTime(), ended.told)
    },
  }
}
