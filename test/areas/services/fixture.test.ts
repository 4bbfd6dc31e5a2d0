import { describe, expect, test } from 'vitest'
import { seedProviders } from '../../../src/areas/services/fixture.ts'
import { durationFault } from '../../../src/areas/services/rules.ts'
import { SERVICE_CATEGORIES } from '../../../src/areas/services/states.ts'
import {
  listProviderCandidates,
  listProvidersBySeq,
  type ProviderRecord,
} from '../../../src/areas/services/store/providers.ts'
import { makeSlotCalendar } from '../../../src/core/slots.ts'
import { growLondon } from '../../../src/sandbox/fixtures.ts'
import { SCHEMA_VERSION } from '../../../src/store/version.ts'
import { ENGINES } from '../../support/stores.ts'
import { openWorld, type TestWorld } from '../../support/world.ts'

const LONDON = { south: 51, north: 52, west: -1, east: 1 }

const providersOf = ({ db }: TestWorld): Promise<ProviderRecord[]> =>
  db.read(async (tx) => {
    const found = await listProviderCandidates(tx, LONDON, {})
    return listProvidersBySeq(
      tx,
      found.map(({ seq }) => seq),
    )
  })

describe.each(ENGINES)('the providers of a new world on $name', (engine) => {
  test('are ten, of every kind, with names of their own', async () => {
    const providers = await providersOf(await openWorld({ engine }))
    expect(providers).toHaveLength(10)
    expect(new Set(providers.map(({ name }) => name)).size).toBe(10)
    const kinds = new Set(providers.flatMap(({ doc }) => doc.categories))
    expect([...kinds].toSorted()).toEqual([...SERVICE_CATEGORIES].toSorted())
  })

  test('offer services that fit into a working day, at a price', async () => {
    const providers = await providersOf(await openWorld({ engine }))
    for (const { name, doc, time } of providers) {
      expect(doc.services.length, name).toBeGreaterThan(0)
      for (const offer of doc.services) {
        expect(durationFault(offer, offer.default_duration_minutes), offer.service_code).toBeUndefined()
        expect(offer.pricing.price.amount).toBeGreaterThan(0)
        const grid = makeSlotCalendar().grid(time, '2026-11-25', 7)
        const cells = Math.ceil((offer.default_duration_minutes + offer.buffer_minutes) / 30)
        expect(
          grid.starts.some((at) => (grid.runs.get(at) ?? 0) >= cells),
          offer.service_code,
        ).toBe(true)
      }
    }
  })

  test('stand where everybody sees them, travel no farther than a search looks, and can be rung up', async () => {
    const providers = await providersOf(await openWorld({ engine }))
    for (const { location, doc } of providers) {
      for (const degrees of [location.latitude, location.longitude])
        expect(Math.round(degrees * 1000) / 1000).toBe(degrees)
      expect(doc.travel.radius_m).toBeLessThanOrEqual(20_000)
      expect(doc.phone).toMatch(/^\+4420794602\d\d$/)
    }
  })

  test('come to an older store with its next start, once', async () => {
    const world = await openWorld({ engine })
    const before = await providersOf(world)
    await world.write(async (tx, { world: stored }, now) => {
      await tx.run('delete from providers')
      await seedProviders(tx, stored, now)
    })
    const names = (all: readonly ProviderRecord[]) => all.map(({ name }) => name).toSorted()
    expect(names(await providersOf(world))).toEqual(names(before))
    await world.write((tx, { world: stored }, now) => growLondon(tx, stored, now, SCHEMA_VERSION))
    expect(await providersOf(world)).toHaveLength(10)
  })
})

test('the same seed makes the same providers, another one other ids', async () => {
  const ids = async (seed?: string) =>
    (await providersOf(await openWorld(seed === undefined ? {} : { seed }))).map(
      ({ provider_id }) => provider_id,
    )
  expect(await ids()).toEqual(await ids())
  expect(await ids('1')).not.toEqual(await ids())
})
