import { beforeEach, describe, expect, test } from 'vitest'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { QUESTION, quoteTestTask, SHELF, SITE, taskInput } from '../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const refused = (over: Record<string, unknown>) =>
    world.refused('quote_task', taskInput(over), { as: 'member' })

  test('prices the work, and says that a tasker is available', async () => {
    const quote = await quoteTestTask(world)
    expect(quote).toMatchObject({
      quote_id: expect.stringMatching(/^quo_/),
      kind: 'task',
      status: 'open',
      created_at: '2026-11-20T09:00:00.000Z',
      expires_at: '2026-11-20T09:15:00.000Z',
      expires_in_seconds: 900,
      task_type: 'shelf_audit',
      place: SITE,
      window: { starts_at: '2026-11-20T09:00:00.000Z', ends_at: '2026-11-21T09:00:00.000Z' },
      urgency: 'standard',
      requirements: SHELF,
      lines: [{ type: 'base', amount: gbp(1200) }],
      total: gbp(1200),
      tax_included: gbp(200),
      callout_fee: gbp(300),
      provider_available: true,
    })
    expect(quote.qualified_provider_count).toBeGreaterThan(1)
    expect(Date.parse(quote.earliest_start_at)).toBeGreaterThan(await world.now())
  })

  test('prices urgency, time, travel, and evidence beyond the type’s own', async () => {
    const quote = await quoteTestTask(world, {
      place: { location: { latitude: 51.6, longitude: -0.1 } },
      urgency: 'express',
      estimated_minutes: 30,
      evidence_rules: [
        { requirement_id: 'shelf_photos', min_count: 5 },
        { requirement_id: 'shelf_check', extra_checklist: [QUESTION] },
      ],
    })
    const of = (type: string) => quote.lines.find((line) => line.type === type)?.amount.amount
    expect(of('base')).toBe(1200)
    expect(of('duration')).toBe(350)
    expect(of('express')).toBe(360)
    expect(of('extra_evidence')).toBe(3 * 50 + 25)
    expect(of('travel')).toBeGreaterThan(0)
    expect(quote.lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(quote.total.amount)
    expect(quote.callout_fee.amount).toBe((of('travel') ?? 0) + 300)
  })

  test('prices the minutes that the requirements ask for', async () => {
    const hold = (hold_minutes: number, more: Record<string, unknown> = {}) =>
      quoteTestTask(world, {
        task_type: 'queue_hold',
        requirements: { queue_for: 'Returns', hold_minutes },
        ...more,
      })
    expect(await hold(10)).toMatchObject({ total: gbp(1800) })
    expect(await hold(240)).toMatchObject({ total: gbp(8625) })
    expect(await hold(240, { estimated_minutes: 10 })).toMatchObject({ total: gbp(8625) })
    const window = { starts_at: '2026-11-20T09:00:00.000Z', ends_at: '2026-11-20T12:00:00.000Z' }
    expect(await hold(60, { window })).toMatchObject({ window })
    expect(
      await refused({
        task_type: 'queue_hold',
        requirements: { queue_for: 'Returns', hold_minutes: 240 },
        window,
      }),
    ).toMatchObject({ status: 422, code: 'window_invalid' })
  })

  test('takes requirements here or later, but never wrong ones', async () => {
    expect(await quoteTestTask(world, { requirements: undefined })).toMatchObject({ requirements: null })
    const problem = await refused({ requirements: { store_name: '', products: ['a'], price: 1 } })
    expect(problem).toMatchObject({ status: 422, code: 'requirements_invalid' })
    expect(problem.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ pointer: '/requirements/store_name', code: 'required' }),
        expect.objectContaining({ pointer: '/requirements/price', code: 'unknown_member' }),
      ]),
    )
    expect(
      await refused({ task_type: 'meter_reading', requirements: { meter: 'steam', serial_number: 'no' } }),
    ).toMatchObject({
      errors: [
        { pointer: '/requirements/meter', code: 'invalid_enum' },
        { pointer: '/requirements/serial_number', code: 'invalid_format' },
      ],
    })
  })

  test('lets rules be tightened', async () => {
    const { evidence_rules: rules } = await quoteTestTask(world, {
      evidence_rules: [
        { requirement_id: 'shelf_photos', min_count: 4, geofence_radius_m: 50 },
        { requirement_id: 'shelf_check', extra_checklist: [QUESTION] },
      ],
    })
    expect(rules[0]).toMatchObject({ min_count: 4, max_count: 8, geofence_radius_m: 50 })
    expect(rules[1]?.checklist.at(-1)).toEqual(QUESTION)
  })

  test.each([
    ['fewer photos', { requirement_id: 'shelf_photos', min_count: 1 }, '/evidence_rules/0/min_count'],
    [
      'more than there can be',
      { requirement_id: 'shelf_photos', min_count: 9 },
      '/evidence_rules/0/min_count',
    ],
    [
      'a wider fence',
      { requirement_id: 'shelf_photos', geofence_radius_m: 151 },
      '/evidence_rules/0/geofence_radius_m',
    ],
    ['evidence that there is not', { requirement_id: 'smell' }, '/evidence_rules/0/requirement_id'],
    [
      'questions to a photo',
      { requirement_id: 'shelf_photos', extra_checklist: [QUESTION] },
      '/evidence_rules/0/extra_checklist',
    ],
    [
      'a question twice',
      { requirement_id: 'shelf_check', extra_checklist: [{ ...QUESTION, question_id: 'in_stock' }] },
      '/evidence_rules/0/extra_checklist/0/question_id',
    ],
    [
      'a choice of nothing',
      { requirement_id: 'shelf_check', extra_checklist: [{ ...QUESTION, answer_type: 'choice' }] },
      '/evidence_rules/0/extra_checklist/0/choices',
    ],
    [
      'a photo for an answer that cannot be',
      { requirement_id: 'shelf_check', extra_checklist: [{ ...QUESTION, photo_required_if: 'yes' }] },
      '/evidence_rules/0/extra_checklist/0/photo_required_if',
    ],
  ])('refuses %s', async (_, rule, pointer) => {
    expect(await refused({ evidence_rules: [rule] })).toMatchObject({
      status: 422,
      code: 'evidence_rules_invalid',
      errors: [{ pointer }],
    })
  })

  test('rejects the same evidence ruled twice', async () => {
    const rule = { requirement_id: 'shelf_photos', min_count: 3 }
    expect(await refused({ evidence_rules: [rule, rule] })).toMatchObject({ code: 'evidence_rules_invalid' })
  })

  test('rejects an unknown type, and one without a qualified tasker', async () => {
    expect(await refused({ task_type: 'moon_walk' })).toMatchObject({
      status: 404,
      code: 'task_type_not_found',
    })
    const requirements = { recipient_name: 'Ada King', document: 'A summons' }
    expect(await refused({ task_type: 'document_drop', requirements })).toMatchObject({
      status: 409,
      code: 'no_qualified_provider',
      retryable: true,
    })
  })

  test('rejects places outside of London, and places that do not exist', async () => {
    const manchester = { location: { latitude: 53.48, longitude: -2.24 } }
    expect(await refused({ place: manchester })).toMatchObject({ status: 422, code: 'outside_service_area' })
    const nowhere = { line1: '1 No Street', city: 'None', postal_code: 'ZZ9 9ZZ', country_code: 'GB' }
    expect(await refused({ place: { address: nowhere } })).toMatchObject({ code: 'address_unresolvable' })
    expect(await refused({ place: {} })).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ pointer: '/place', code: 'required' }],
    })
  })

  test.each([
    ['backwards', '2026-11-20T12:00:00Z', '2026-11-20T11:00:00Z'],
    ['shorter than half an hour', '2026-11-20T12:00:00Z', '2026-11-20T12:29:59Z'],
    ['past', '2026-11-19T12:00:00Z', '2026-11-19T18:00:00Z'],
    ['nearly past', '2026-11-20T06:00:00Z', '2026-11-20T09:20:00Z'],
    ['a year away', '2027-11-20T12:00:00Z', '2027-11-20T18:00:00Z'],
  ])('refuses a window that is %s', async (_, starts_at, ends_at) => {
    expect(await refused({ window: { starts_at, ends_at } })).toMatchObject({
      status: 422,
      code: 'window_invalid',
      errors: [{ pointer: expect.stringMatching(/^\/window/) }],
    })
  })

  test('rejects a window in which no tasker could finish', async () => {
    const window = { starts_at: '2026-11-20T09:00:00Z', ends_at: '2026-11-20T09:30:00Z' }
    expect(
      await refused({
        window,
        estimated_minutes: 30,
      }),
    ).toMatchObject({ code: 'window_invalid', errors: [{ pointer: '/window', code: 'out_of_range' }] })
  })
})
