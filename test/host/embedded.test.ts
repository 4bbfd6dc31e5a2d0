import { describe, expect, test } from 'vitest'
import type { AnyCall } from '../../src/client/client.ts'
import type { OperationOutput } from '../../src/client/operations.ts'
import { openEmbedded } from '../../src/host/embedded.ts'
import { makeParcel } from '../support/parcel.ts'
import { ENGINES } from '../support/stores.ts'

const DAY = 86_400_000
const TODAY = Date.parse('2026-11-20T13:00:00Z')

const partsAt = (now: number): Parameters<typeof openEmbedded>[1] => ({
  now: () => now,
  random: (count) => new Uint8Array(count),
  weakRandomBytes: (count) => new Uint8Array(count),
  env: {},
  firstRun() {},
  debug() {},
})

test('a caller with a token of their own is shown their own pictures, and none of who runs the service', async () => {
  const client = await openEmbedded(
    { kind: 'embedded', store: ':memory:', account: 'everything' },
    partsAt(TODAY),
  )
  const call: AnyCall = client.call
  const { value } = await call('create_shipment', makeParcel(), { idempotencyKey: 'one' })
  await client.control('advance_clock', { by: '5d' })
  const { tracking_number } = value as OperationOutput<'create_shipment'>
  const shipment = (await call('get_shipment', { tracking_number })).value as OperationOutput<'get_shipment'>
  const picture = shipment.proof_of_delivery?.media[0]?.media_id ?? ''
  expect(await client.media(picture)).toMatchObject({ contentType: 'image/png' })
  const { token } = (await client.control('mint_token', { account: 'shipper' })) as { token: string }
  await expect(client.media(picture, token)).rejects.toMatchObject({ code: 'media_not_found' })
  await client.close()
})

describe.each(ENGINES)('a machine clock that jumped 400 days ahead and came back, on $name', (engine) => {
  test.each(['offset', 'real', 'scaled'])(
    'is told of with mode %s, and one command mends it',
    async (mode) => {
      const store = await engine.locate()
      const open = async (now: number) => {
        const warnings: string[] = []
        const client = await openEmbedded(
          { kind: 'embedded', store, account: 'everything' },
          { ...partsAt(now), warn: (line) => void warnings.push(line) },
        )
        return { client, warnings }
      }
      const time = async (now: number): Promise<[shown: number, warnings: string[]]> => {
        const { client, warnings } = await open(now)
        const { now: shown } = await client.serviceTime()
        await client.close()
        return [shown, warnings]
      }

      const first = await open(TODAY)
      await first.client.control('set_clock', mode === 'scaled' ? { mode, factor: 2 } : { mode: 'offset' })
      await first.client.close()
      const ahead = await open(TODAY + 400 * DAY)
      if (mode === 'real') await ahead.client.control('set_clock', { mode })
      const call: AnyCall = ahead.client.call
      await call('create_shipment', makeParcel({ reference: 'A-1' }), {
        idempotencyKey: 'ahead',
      })
      await ahead.client.close()
      expect([...first.warnings, ...ahead.warnings]).toEqual([])

      const [stuck, warnings] = await time(TODAY + DAY)
      expect(warnings).toEqual([
        expect.stringContaining('`dray sandbox clock run` starts it again.') as string,
      ])
      expect((await time(TODAY + 2 * DAY))[0]).toBe(stuck)

      const mending = await open(TODAY + 2 * DAY)
      await mending.client.control('set_clock', { mode: 'offset' })
      await mending.client.close()
      expect(await time(TODAY + 3 * DAY)).toEqual([stuck + DAY, []])
    },
  )
})
