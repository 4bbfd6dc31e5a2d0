/** A picture is shown to the owner of its resource, with a scope that shows the resource. */
import { beforeAll, expect, test } from 'vitest'
import { loadAccount } from '../../src/areas/account/queries/accounts.ts'
import { insertMedia } from '../../src/areas/proofs/queries.ts'
import { type Scope, SCOPES } from '../../src/core/account.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { readMedia } from '../../src/gateway/media.ts'
import type { Credential } from '../../src/gateway/request.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
  await world.write(async (tx) => {
    const { account_id, carrierAgreement } = await loadAccount(tx, 'everything')
    for (const [media_id, owner_id] of [
      ['med_account', account_id],
      ['med_agreement', carrierAgreement?.agreement_id ?? ''],
    ] as const)
      await insertMedia(tx, {
        media_id,
        owner_id,
        content_type: 'image/png',
        sha256: sha256Hex(media_id),
        bytes: new TextEncoder().encode(media_id),
      })
  })
})

/** Returns the picture as text, or the code of the error. */
const look = (media: string, credential: Credential | undefined): Promise<unknown> =>
  readMedia(world.db, credential, media, 0).then(
    ({ bytes, contentType }) => `${contentType} ${Buffer.from(bytes).toString()}`,
    (error: { code: unknown }) => error.code,
  )

const session = (...scopes: Scope[]): Credential => ({ account: 'everything', scopes })
const [ACCOUNT, AGREEMENT, NONE] = ['image/png med_account', 'image/png med_agreement', 'media_not_found']

test.each<[Scope, string, string]>([
  ['food.read', ACCOUNT, NONE],
  ['delivery.read', ACCOUNT, NONE],
  ['services.read', ACCOUNT, NONE],
  ['tasks.read', ACCOUNT, NONE],
  ['shipments.read', NONE, AGREEMENT],
  ['profile.read', NONE, NONE],
])(
  'with the scope %s the owner sees of the account %s, and of the carrier agreement %s',
  async (scope, ...seen) => {
    const shown = [await look('med_account', session(scope)), await look('med_agreement', session(scope))]
    expect(shown).toEqual(seen)
  },
)

test('one of several scopes is enough', async () => {
  expect(await look('med_account', session('profile.read', 'tasks.read'))).toBe(ACCOUNT)
})

test('nobody else sees it, and a picture that does not exist looks the same', async () => {
  const scopes = SCOPES.join(' ')
  await world.write((tx) => tx.run(`update accounts set scopes = $1 where handle = 'guest'`, scopes))
  for (const handle of ['guest', 'shipper2'])
    for (const media of ['med_account', 'med_agreement', 'med_none'])
      expect([handle, await look(media, { account: handle })]).toEqual([handle, NONE])
  expect(await look('med_account', undefined)).toBe('missing_token')
  const named = `med_${'x'.repeat(100)}`
  await expect(readMedia(world.db, { account: 'guest' }, named, 0)).rejects.toThrow(
    `No media ${named.slice(0, 60)}.`,
  )
})
