import { expect } from 'vitest'
import type { Shipment, Shipments } from '../support/answers.ts'
import { createCommand, makeManifestCsv } from '../support/clerk.ts'
import { acceptanceTest } from '../support/story.ts'

type Status = {
  seed: string
  clock: { now: string; mode: string }
  counts: { shipments: number; shipments_by_status: Record<string, number> }
}
type Events = {
  data: { seq: number; type: string; from: string | null; to: string; resource_id: string }[]
  next_after: number
}

acceptanceTest('the sandbox is moved by hand: scans, steps and the clock', async (told) => {
  await told.dray(createCommand('A-1', '--json'))
  const status = (await told.dray('sandbox status --json --fields seed,clock,counts')).json<Status>()
  expect(status).toMatchObject({
    seed: '20261120',
    clock: { now: '2026-11-20T09:00:00.000Z', mode: 'frozen' },
    counts: { shipments: 1, shipments_by_status: { pre_transit: 1 } },
  })
  await told.dray('sandbox scan ZC968043370GB collected --json')
  await told.dray('sandbox step ZC968043370GB --json')
  await told.dray('sandbox scan ZC968043370GB out_for_delivery --json')
  await told.dray(
    'sandbox scan ZC968043370GB delivery_attempted --reason access_denied --detail "Gate locked" --json',
  )
  const shown = (await told.dray('carrier show ZC968043370GB --json')).json<Shipment>()
  expect(shown).toMatchObject({ status: 'delivery_attempted', attempts: 1 })
  expect(shown.scan_history.at(-1)?.reason).toEqual({ code: 'access_denied', detail: 'Gate locked' })
  await told.dray('sandbox scan ZC968043370GB collected --json', { exit: 7 })
  await told.dray('sandbox scan ZC968043370GB out_for_lunch --json', { exit: 2 })

  const { data } = (await told.dray('sandbox events --json')).json<Events>()
  expect(data.map(({ type, from, to }) => [type, from, to])).toEqual([
    ['shipment.created', null, 'pre_transit'],
    ['shipment.collected', 'pre_transit', 'in_transit'],
    ['shipment.out_for_delivery', 'in_transit', 'out_for_delivery'],
    ['shipment.delivery_attempted', 'out_for_delivery', 'delivery_attempted'],
  ])

  await told.dray('sandbox clock advance --to "tomorrow 18:00" --json')
  expect((await told.dray('sandbox clock show --json')).json<{ now: string }>().now).toBe(
    '2026-11-21T18:00:00.000Z',
  )
  await told.dray('sandbox clock set 2026-11-20T09:00:00Z --json', { exit: 7 })
})

acceptanceTest('a reset forgets everything, and the same seed plays the same again', async (told) => {
  told.write('m.csv', makeManifestCsv(40))
  // Uses the account by its name, because a reset deletes tokens too.
  const play = async (seed: string): Promise<string> => {
    await told.dray(`sandbox reset --seed ${seed} --at 2026-11-20T09:00:00Z --confirm sandbox --json`)
    await told.dray('carrier upload m.csv --as everything --yes --json --results none')
    await told.advance('9d')
    return (await told.dray('carrier list --as everything --all --json')).stdout
  }
  const first = await play('42')
  expect((JSON.parse(first) as Shipments).data).toHaveLength(40)
  expect(await play('43')).not.toBe(first)
  expect(await play('42')).toBe(first)
})
