import { beforeEach, describe, expect, test } from 'vitest'
import { CARD, newKey } from '../../support/food.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { QUESTION, quoteTestTask, SHELF } from '../../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const create = (quote_id: string, over: Record<string, unknown> = {}, options = {}) =>
    world.ok('create_task', { quote_id, payment: CARD, ...over }, { as: 'member', key: newKey(), ...options })
  const refused = (quote_id: string, over: Record<string, unknown> = {}, options = {}) =>
    world.refused(
      'create_task',
      { quote_id, payment: CARD, ...over },
      { as: 'member', key: newKey(), ...options },
    )

  test('does the quoted work at the quoted price', async () => {
    const quote = await quoteTestTask(world)
    const answer = await world.call(
      'create_task',
      {
        quote_id: quote.quote_id,
        payment: CARD,
        instructions: 'The third aisle.',
        contact: { name: 'Priya', phone: '+447700900123' },
        expected_total: quote.total,
      },
      { as: 'member', key: newKey() },
    )
    expect(answer.status).toBe(201)
    expect(answer.headers['Location']).toBe(`/v1/tasks/${String(answer.body['task_id'])}`)
    expect(answer.body).toMatchObject({
      task_id: expect.stringMatching(/^tsk_/),
      quote_id: quote.quote_id,
      status: 'created',
      requirements: SHELF,
      evidence_rules: quote.evidence_rules,
      instructions: 'The third aisle.',
      contact: { name: 'Priya' },
      price: quote.total,
      tax_included: quote.tax_included,
      payment: { method: 'card', status: 'paid', amount: quote.total },
      refund: null,
      provider: null,
      evidence: [],
      evidence_summary: { required: 3, collected: 0, accepted: 0, rules_satisfied: false, items_count: 0 },
      result: null,
      cancellable: true,
      status_history: [{ status: 'created', at: '2026-11-20T09:00:00.000Z', by: 'customer', reason: null }],
    })
  })

  test('takes the requirements that the quote has not, and only good ones', async () => {
    const { quote_id } = await quoteTestTask(world, { requirements: undefined })
    expect(await refused(quote_id)).toMatchObject({
      status: 422,
      code: 'requirements_invalid',
      errors: [{ pointer: '/requirements', code: 'required' }],
    })
    expect(await refused(quote_id, { requirements: { store_name: 'Spar' } })).toMatchObject({
      code: 'requirements_invalid',
      errors: [{ pointer: '/requirements/products', code: 'required' }],
    })
    expect(await create(quote_id, { requirements: SHELF })).toMatchObject({ requirements: SHELF })
  })

  test('takes no more minutes than were quoted', async () => {
    const quote = () => quoteTestTask(world, { task_type: 'queue_hold', requirements: undefined })
    const hold = (hold_minutes: number) => ({ requirements: { queue_for: 'Returns', hold_minutes } })
    const { quote_id } = await quote()
    expect(await refused(quote_id, hold(240))).toMatchObject({
      status: 422,
      code: 'quote_mismatch',
      errors: [{ pointer: '/requirements', detail: 'requirements ask for 240 minutes; 45 were quoted' }],
    })
    expect(await create((await quote()).quote_id, hold(45))).toMatchObject({ price: gbp(1800) })
  })

  test('takes the quoted requirements again, in any order, and no others', async () => {
    const { quote_id } = await quoteTestTask(world)
    expect(await refused(quote_id, { requirements: { ...SHELF, store_name: 'Spar' } })).toMatchObject({
      status: 422,
      code: 'quote_mismatch',
      errors: [{ pointer: '/requirements' }],
    })
    const again = { products: SHELF.products, store_name: SHELF.store_name }
    expect(await create(quote_id, { requirements: again })).toMatchObject({ requirements: SHELF })
  })

  test('lets rules be tightened for no more work than was priced', async () => {
    const photos = (min_count: number) => ({
      evidence_rules: [{ requirement_id: 'shelf_photos', min_count }],
    })
    const { quote_id } = await quoteTestTask(world, photos(4))
    expect(await refused(quote_id, photos(5))).toMatchObject({ status: 422, code: 'quote_mismatch' })
    expect(await refused(quote_id, photos(1))).toMatchObject({ status: 422, code: 'evidence_rules_invalid' })
    expect(
      await refused(quote_id, {
        evidence_rules: [{ requirement_id: 'shelf_check', extra_checklist: [QUESTION] }],
      }),
    ).toMatchObject({ code: 'quote_mismatch' })
    const task = await create(quote_id, {
      evidence_rules: [{ requirement_id: 'shelf_photos', min_count: 3, geofence_radius_m: 30 }],
    })
    expect(task.evidence_rules[0]).toMatchObject({ min_count: 3, geofence_radius_m: 30 })
  })

  test('checks again that a tasker is available, and leaves the quote open', async () => {
    const { quote_id } = await quoteTestTask(world)
    const doc = await world.db.write(async (tx) => {
      const row = await tx.get('select doc from task_types where task_type = $1', 'shelf_audit')
      const type = { ...(JSON.parse(String(row?.['doc'])) as object), qualifications: ['astronaut'] }
      await tx.run('update task_types set doc = $1 where task_type = $2', JSON.stringify(type), 'shelf_audit')
      return String(row?.['doc'])
    })
    const key = newKey()
    expect(await refused(quote_id, {}, { key })).toMatchObject({
      status: 409,
      code: 'no_qualified_provider',
      retryable: true,
    })
    await world.db.write((tx) =>
      tx.run('update task_types set doc = $1 where task_type = $2', doc, 'shelf_audit'),
    )
    expect(await create(quote_id, {}, { key })).toMatchObject({ status: 'created' })
  })

  test('rejects another price, another’s quote, another kind, a used one and a stale one', async () => {
    const { quote_id } = await quoteTestTask(world)
    expect(await refused(quote_id, { expected_total: gbp(1) })).toMatchObject({ code: 'quote_mismatch' })
    expect(await refused(quote_id, {}, { as: 'everything' })).toMatchObject({ code: 'quote_not_found' })
    const { task_id } = await create(quote_id)
    expect(await refused(quote_id)).toMatchObject({ code: 'quote_already_used', task_id })
    const stale = await quoteTestTask(world)
    await world.advanceTo(stale.expires_at)
    expect(await refused(stale.quote_id)).toMatchObject({
      code: 'quote_expired',
      quote_operation: 'quote_task',
    })
  })

  test('is paid by card or wallet', async () => {
    const { quote_id } = await quoteTestTask(world)
    expect(await refused(quote_id, { payment: { method: 'cash' } })).toMatchObject({
      code: 'payment_method_not_accepted',
      accepted_methods: ['card', 'wallet'],
    })
    expect(await refused(quote_id, { payment: { ...CARD, payment_token: 'tok_declined' } })).toMatchObject({
      status: 402,
      code: 'payment_declined',
    })
    expect(await refused(quote_id, { payment: { method: 'card' } })).toMatchObject({
      status: 400,
      errors: [{ pointer: '/payment/payment_token', code: 'required' }],
    })
    expect(await create(quote_id, { payment: { method: 'wallet' } })).toMatchObject({
      payment: { method: 'wallet', status: 'paid', amount: gbp(1200) },
    })
  })

  test('rejects a wallet with too little money', async () => {
    const dear = { task_type: 'property_photo', requirements: { views: ['front'] }, estimated_minutes: 240 }
    const { quote_id } = await quoteTestTask(world, dear)
    expect(await refused(quote_id, { payment: { method: 'wallet' } })).toMatchObject({
      status: 402,
      code: 'insufficient_funds',
      retryable: true,
    })
  })

  test('needs a membership, and plays only the scenarios that it knows', async () => {
    const { quote_id } = await quoteTestTask(world, {}, 'guest')
    expect(await refused(quote_id, {}, { as: 'guest' })).toMatchObject({ code: 'membership_required' })
    const own = await quoteTestTask(world)
    for (const scenario of [
      'lost',
      'bad_evidence;kind=ugly',
      'task_fails;why=rain',
      'bad_evidence;times=3',
    ]) {
      expect(await refused(own.quote_id, {}, { scenario })).toMatchObject({ code: 'scenario_not_allowed' })
    }
  })
})
