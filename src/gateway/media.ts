import { findMedia } from '../areas/proofs/queries.ts'
import type { Scope } from '../core/account.ts'
import type { Db } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { authenticate, resolveCaller } from './credential.ts'
import type { Credential } from './request.ts'

/** The scopes that show the resources with pictures: those of an account, and those of a carrier agreement. */
const OF_ACCOUNT: readonly Scope[] = ['food.read', 'delivery.read', 'services.read', 'tasks.read']
const OF_AGREEMENT: readonly Scope[] = ['shipments.read']

/**
 * Returns the bytes of a picture to the owner of its resource. Throws the same not-found error for any other caller, also for
 * a token whose scopes show no such resource.
 */
export async function readMedia(
  db: Db,
  credential: Credential | undefined,
  mediaId: string,
  realNow: number,
): Promise<{ contentType: string; bytes: Uint8Array }> {
  return db.read(async (tx) => {
    const { account, scopes } = authenticate(credential, await resolveCaller(tx, credential, realNow))
    const media = await findMedia(tx, mediaId)
    const needed =
      media?.owner_id === account.account_id
        ? OF_ACCOUNT
        : media?.owner_id === account.carrierAgreement?.agreement_id
          ? OF_AGREEMENT
          : []
    if (media === undefined || !needed.some((scope) => scopes.includes(scope))) {
      throw new AppError('media_not_found', `No media ${mediaId.slice(0, 60)}.`)
    }
    return { contentType: media.content_type, bytes: media.bytes }
  })
}
