import { findMedia } from '../areas/proofs/store.ts'
import type { Db } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { authenticate, seekCaller } from './credential.ts'
import type { Credential } from './request.ts'

/** Returns the bytes of a picture to the owner of its resource. Throws the same not-found error for anybody else. */
export async function readMedia(
  db: Db,
  credential: Credential | undefined,
  mediaId: string,
  realNow: number,
): Promise<{ contentType: string; bytes: Uint8Array }> {
  return db.read(async (tx) => {
    const { account } = authenticate(credential, await seekCaller(tx, credential, realNow))
    const owners = [
      account.account_id,
      account.carrierAgreement?.agreement_id,
      account.businessAgreement?.agreement_id,
    ]
    const media = await findMedia(tx, mediaId)
    if (media === undefined || !owners.includes(media.owner_id)) {
      throw new AppError('media_not_found', `There is no media ${mediaId.slice(0, 60)}.`)
    }
    return { contentType: media.content_type, bytes: media.bytes }
  })
}
