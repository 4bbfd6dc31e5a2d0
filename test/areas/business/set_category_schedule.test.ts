/** A category that is on sale on some days and at some times only. */
import { describe, expect, test } from 'vitest'
import { EVENING, LUNCH, openSandboxWithItem } from '../../support/schedules.ts'
import { ENGINES } from '../../support/stores.ts'

describe.each(ENGINES)('the schedule of a category on $name', (engine) => {
  test('holds together with that of an item; two that never meet have no time', async () => {
    const { set, setCategory, see } = await openSandboxWithItem(engine)
    const category = await setCategory(EVENING)
    expect(category).toMatchObject({ name: 'Soups', schedule: EVENING, on_sale: false })
    expect(await see()).toMatchObject({
      available: false,
      from: '2026-11-20T18:00:00.000Z',
      item: { schedule: null, category_schedule: EVENING },
    })
    await set([...LUNCH, { day: 'fri', opens: '20:00', closes: '23:00' }])
    expect(await see()).toMatchObject({ available: false, from: '2026-11-20T20:00:00.000Z' })
    await set(LUNCH)
    expect(await see()).toMatchObject({ available: false, from: null })
    await setCategory(null)
    expect(await see()).toMatchObject({ available: true, from: null, item: { category_schedule: null } })
  })

  test('of another store is not there', async () => {
    const { world, category_id } = await openSandboxWithItem(engine)
    const input = { category_id, spans: null }
    expect(await world.refused('set_category_schedule', input, { as: 'owner' })).toMatchObject({
      status: 404,
      code: 'category_not_found',
    })
  })
})
