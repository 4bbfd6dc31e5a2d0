import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { haversineMetres, type Point } from '../../../src/core/geometry.ts'
import { readMedia } from '../../../src/gateway/media.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { createTestTask, evidenceOf, finish, advanceToTaskStatus } from '../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

/** RFC 8785 written again: the program must not check itself. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  test('is empty at first', async () => {
    const { task_id } = await createTestTask(world)
    expect(await evidenceOf(world, task_id)).toMatchObject({
      task_id,
      rules_satisfied: false,
      requirements: [
        { requirement_id: 'shelf_photos', required: 2, collected: 0, satisfied: false, problems: [] },
        { requirement_id: 'shelf_check', required: 1, collected: 0, satisfied: false },
      ],
      items: [],
      manifest: { algorithm: 'sha256', root: sha256('[]'), item_count: 0 },
    })
  })

  test('every reader can compute its manifest and its hashes again', async () => {
    const { task_id } = await createTestTask(world)
    await finish(world, task_id)
    const { items, manifest, rules_satisfied } = await evidenceOf(world, task_id)
    expect(rules_satisfied).toBe(true)
    const leaves = items
      .toSorted((a, b) => (a.evidence_id < b.evidence_id ? -1 : 1))
      .map((whole) => {
        const { status: _, ...item } = whole
        return [item.evidence_id, sha256(canonical(item))]
      })
    expect(manifest).toMatchObject({ root: sha256(canonical(leaves)), item_count: 3 })
    for (const { media } of items) {
      if (media === null) continue
      const { bytes, contentType } = await readMedia(world.db, { account: 'member' }, media.media_id, 0)
      expect(sha256(bytes)).toBe(media.sha256)
      expect(bytes).toHaveLength(media.byte_size)
      expect([contentType, [...bytes.subarray(1, 4)]]).toEqual(['image/png', [80, 78, 71]])
      await expect(readMedia(world.db, { account: 'guest' }, media.media_id, 0)).rejects.toThrow('No media')
    }
  })

  test('shows where and when each item was captured, by the device and by the service', async () => {
    const { task_id } = await createTestTask(world)
    const { started_at, completed_at } = await finish(world, task_id)
    const { items } = await evidenceOf(world, task_id)
    for (const item of items) {
      expect(item).toMatchObject({ status: 'accepted', rejection_reason: null })
      const captured = Date.parse(item.captured_at)
      expect(captured).toBeGreaterThanOrEqual(Date.parse(started_at ?? ''))
      expect(captured).toBeLessThanOrEqual(Date.parse(completed_at ?? ''))
      expect(Date.parse(item.received_at)).toBeGreaterThan(captured - 3000)
      if (item.media === null) continue
      expect(item.media.integrity).toMatchObject({
        hash_verified: true,
        within_geofence: true,
        clock_skew_ok: true,
      })
      expect(item.media.integrity.distance_to_target_m).toBeLessThan(40)
    }
  })

  test('claims no distance from a place of which only the street or the district is known', async () => {
    const address = { city: 'London', country_code: 'GB' }
    for (const [line1, postal_code, precision] of [
      ['3 Rood Lane', 'EC3M 8AB', 'district'],
      ['12 Finsbury Square', 'EC2A 1AN', 'street'],
    ]) {
      const over = { place: { address: { ...address, line1, postal_code } } }
      const { task_id, place } = await createTestTask(world, { over })
      expect(place.precision).toBe(precision)
      await finish(world, task_id)
      const taken = (await evidenceOf(world, task_id)).items.flatMap(({ media }) => media ?? [])
      expect(taken.length).toBeGreaterThan(1)
      for (const { integrity } of taken) expect(integrity.distance_to_target_m).toBeNull()
    }
  })

  test('comes from one device, in order of capture, from places along the tasker’s route', async () => {
    const over = { evidence_rules: [{ requirement_id: 'shelf_photos', min_count: 6 }] }
    for (let task = 0; task < 4; task++) {
      const { task_id } = await createTestTask(world, { over })
      const { provider_location: from } = await advanceToTaskStatus(world, task_id, 'en_route')
      const { place } = await finish(world, task_id)
      const { items } = await evidenceOf(world, task_id)
      const devices = items.flatMap(({ media }) => media?.device ?? [])
      expect(devices.length).toBeGreaterThan(5)
      const same = devices.map(({ device_id_hash, platform }) => `${platform} ${device_id_hash}`)
      expect(new Set(same).size).toBe(1)
      const offsets = devices.map(({ clock_offset_ms }) => clock_offset_ms)
      const minutes =
        (Date.parse(items.at(-1)?.received_at ?? '') - Date.parse(items[0]?.received_at ?? '')) / 60_000
      expect(Math.max(...offsets) - Math.min(...offsets)).toBeLessThanOrEqual(Math.ceil((50 * minutes) / 60))

      const times = items.map(({ captured_at }) => captured_at)
      expect(times).toEqual(times.toSorted())
      const [start, target] = [from as Point, place.location as Point]
      for (const { capture_location } of items) {
        const detour =
          haversineMetres(start, capture_location) +
          haversineMetres(capture_location, target) -
          haversineMetres(start, target)
        expect(detour).toBeLessThan(12)
      }
      const left = items.map(({ capture_location }) => haversineMetres(capture_location, target))
      // The tasker moves towards the place; positions are exact to a few metres only.
      for (const [index, metres] of left.entries()) expect(metres).toBeLessThan((left[index - 1] ?? 40) + 8)
    }
  })

  test('gives the items of one requirement or one kind, with a manifest of those', async () => {
    const { task_id } = await createTestTask(world)
    await finish(world, task_id)
    const ask = (input: Record<string, unknown>) =>
      world.ok('get_task_evidence', { task_id, ...input }, { as: 'member' })
    const photos = await ask({ kind: 'photo' })
    expect(photos.items.map(({ requirement_id }) => requirement_id)).toEqual(['shelf_photos', 'shelf_photos'])
    expect(photos).toMatchObject({ manifest: { item_count: 2 }, rules_satisfied: true })
    expect(photos.requirements).toHaveLength(1)
    const check = await ask({ requirement_id: 'shelf_check' })
    expect(check.items).toHaveLength(1)
    expect(check.items[0]?.answers.map(({ question_id }) => question_id)).toEqual([
      'in_stock',
      'facings',
      'price_label',
      'remarks',
    ])
    expect((await ask({ requirement_id: 'nothing' })).items).toEqual([])
  })

  test('has readings, signatures and their pictures', async () => {
    const reading = await createTestTask(world, {
      over: { task_type: 'meter_reading', requirements: { meter: 'gas' } },
    })
    const pickup = await createTestTask(world, {
      over: { task_type: 'item_pickup', requirements: { item: 'A lamp', pickup_name: 'Shah' } },
    })
    await finish(world, reading.task_id)
    const read = (await evidenceOf(world, reading.task_id)).items.find(({ kind }) => kind === 'reading')
    expect(read?.answers[0]).toMatchObject({ question_id: 'value', answer_type: 'number' })
    expect(read?.media).not.toBeNull()
    const signed = (await evidenceOf(world, pickup.task_id)).items.find(({ kind }) => kind === 'signature')
    expect(signed?.media?.content_type).toBe('image/png')
  })

  test('only grows: existing items stay the same, except for their status', async () => {
    const { task_id } = await createTestTask(world, { scenario: 'bad_evidence;kind=blurry' })
    await advanceToTaskStatus(world, task_id, 'under_review')
    const before = (await evidenceOf(world, task_id)).items
    await finish(world, task_id)
    const after = (await evidenceOf(world, task_id)).items
    expect(after.length).toBeGreaterThan(before.length)
    const bare = (item: (typeof before)[number]) => ({ ...item, status: '', rejection_reason: '' })
    expect(after.slice(0, before.length).map(bare)).toEqual(before.map(bare))
  })
})
