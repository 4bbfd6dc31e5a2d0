import type { Gateway } from '../../../gateway/gateway.ts'
import type { GatewayResponse, Credential } from '../../../gateway/request.ts'
/** A manifest, read beside the service: its rows hold a processor for a second. The service makes the calls. */
import { runInWorker } from '../../../workers/pool.ts'
import type { UploadOptions } from './upload-options.ts'

export type ManifestWork = {
  bytes: Uint8Array
  wish: UploadOptions
  /** The account of the page. */
  credential: Credential
  requestId: string
  /** The key of what is confirmed. */
  key: string | undefined
}

/** The response to the page as JSON, or the gateway's error of a call. */
export type ManifestEnd = { told: string } | { refused: GatewayResponse }

/** A call of the work, as its account. */
export type ManifestCall = Pick<Parameters<Gateway['invoke']>[0], 'operation' | 'input' | 'idempotencyKey'>

/** Checks a file, or sends what was confirmed. Throws AppError. */
export async function uploadAside(
  work: ManifestWork,
  gateway: Pick<Gateway, 'invoke'>,
): Promise<ManifestEnd> {
  const { credential, requestId } = work
  return (await runInWorker({
    work: 'manifest',
    input: work,
    caller: JSON.stringify(credential),
    answer: (question) => gateway.invoke({ ...(question as ManifestCall), credential, requestId }),
  })) as ManifestEnd
}
