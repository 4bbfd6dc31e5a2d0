/** A tool gives as much of a response as the call asks for, or else the usual part of it, and 64 kB at most. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { cut } from '../../src/mcp/response-size.ts'
import { parseSpendLimit } from '../../src/mcp/spend.ts'
import { type Agent, openHome, startAgent } from '../support/agent.ts'
import type { Home } from '../support/home.ts'
import { gbp } from '../support/money.ts'
import { makeRows } from '../support/parcel.ts'

const MAX_RESULT_BYTES = 64_000
/** The price of one of the parcels. */
const EACH = 612

type Item = { item_id: string; description: string | null }
type Page<R> = { data: R[]; has_more: boolean; next_cursor: string | null }
type Batch = { batch_id: string; counts: Record<string, number>; results: { row: number }[] }
type Menu = { categories: { name: string; items: Record<string, unknown>[] }[] }

let home: Home
let service: Client
let agent: Agent

beforeAll(async () => {
  ;({ home, service } = await openHome())
  agent = await startAgent(home, { service })
})

/** Calls a tool, and returns its value and texts, each of which is at most 64 kB. */
async function ask<V>(name: string, args: Record<string, unknown>): Promise<{ value: V; notes: string[] }> {
  const { structuredContent, content, isError } = await agent.client.callTool({ name, arguments: args })
  const [text = '', ...notes] = (content as { text: string }[]).map((each) => each.text)
  expect(isError, text).toBeUndefined()
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES)
  // Older programs know only the text.
  expect(JSON.parse(text)).toEqual(structuredContent)
  return { value: structuredContent as V, notes }
}

async function read<V>(name: string, input: Record<string, unknown>): Promise<V> {
  return (await service.call(name, input)).value as V
}

/** Returns the value with each local time as HTTP tells it. */
function inUtc<V>(value: V): V {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' && /T\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(member)
      ? new Date(member).toISOString()
      : member,
  ) as V
}

async function aStore(): Promise<string> {
  const { data } = await read<Page<{ merchant_id: string }>>('search_restaurants', { near: 'kings-cross' })
  return data[0]?.merchant_id ?? ''
}

describe('menus and searches', () => {
  test('are short unless the call asks for all, and give what choosing and ordering need', async () => {
    const merchant_id = await aStore()
    const brief = await ask<Menu>('get_restaurant_menu', { merchant_id })
    const all = await ask<Menu>('get_restaurant_menu', { merchant_id, fields: 'all' })
    expect(all.value).toEqual(await read('get_restaurant_menu', { merchant_id }))
    const [item] = brief.value.categories[0]?.items ?? []
    expect(Object.keys(item ?? {})).toEqual([
      'item_id',
      'name',
      'price',
      'available',
      'dietary_tags',
      'allergens',
      'modifier_groups',
    ])
    for (const [name, args] of [
      ['search_restaurants', { near: 'kings-cross' }],
      ['search_service_providers', { near: 'kings-cross' }],
      ['search_ride_options', { near: 'kings-cross' }],
      ['list_task_types', {}],
    ] as const) {
      const short = await ask<Page<object>>(name, args)
      const whole = await ask<Page<object>>(name, { ...args, fields: 'all' })
      expect(short.value.data).toHaveLength(whole.value.data.length)
      expect(JSON.stringify(short.value).length).toBeLessThan(0.75 * JSON.stringify(whole.value).length)
      // Everything that is told is told as it is, times in another zone.
      expect(whole.value).toMatchObject(inUtc(short.value))
    }
  })

  test('and every other read give the requested fields, and no unknown ones', async () => {
    const merchant_id = await aStore()
    const { value } = await ask<Page<object>>('search_restaurants', {
      near: 'kings-cross',
      limit: 1,
      fields: 'merchant_id, address.city',
    })
    expect(value.data).toEqual([{ merchant_id, address: { city: 'London' } }])
    const { problem } = await agent.call('get_restaurant_menu', { merchant_id, fields: 'categories.nmae' })
    expect(problem).toMatchObject({
      code: 'unknown_field',
      status: 422,
      alternatives: ['categories.name'],
      hint: 'Did you mean categories.name?',
    })
  })

  test('say why a list is empty, whichever fields the call requests', async () => {
    const empty = { reason: 'no_match', detail: 'No stores within 5000 m of that point match.', next: null }
    for (const fields of [{}, { fields: 'name' }, { fields: 'all' }])
      expect((await ask('search_restaurants', { near: 'bank', q: 'xyzzy', ...fields })).value).toEqual({
        data: [],
        has_more: false,
        next_cursor: null,
        empty,
      })
  })

  test('leave a quote whole for the machine that has to show its price', async () => {
    const trip = { pickup: { name: 'kings-cross' }, dropoff: { name: 'london-bridge' } }
    const { value } = await ask<{ quote_id: string }>('quote_ride', { ...trip, fields: 'quote_id' })
    expect(Object.keys(value)).toEqual(['quote_id'])
    const { problem } = await agent.call('request_ride', {
      quote_id: value.quote_id,
      tier: 'economy',
      payment: { method: 'card', payment_token: 'tok_ok' },
    })
    expect(problem).toBeUndefined()
  })
})

describe('an answer of more than 64 kB', () => {
  test('is a shorter page of a list, and the next pages give every other row once', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      name: `Dish ${index}`,
      category: 'Long',
      description: `Ñ${'x'.repeat(900)}`,
      price: gbp(500 + index),
    }))
    const { counts } = (await service.call('import_catalog_items', { items })).value
    expect(counts.created).toBe(100)
    const whole = await read<Page<Item>>('list_catalog_items', { category: 'Long', limit: 100 })
    expect(whole.has_more).toBe(false)
    const rows: Item[] = []
    let cursor: string | null = null
    do {
      const args: Record<string, unknown> = { category: 'Long', limit: 100, cursor }
      const { value, notes } = await ask<Page<Item>>('list_catalog_items', args)
      rows.push(...value.data)
      cursor = value.next_cursor
      expect(value.has_more).toBe(cursor !== null)
      expect(notes.map((note) => /page has \d+ rows: next_cursor gives/.test(note))).toEqual(
        value.has_more ? [true] : [],
      )
    } while (cursor !== null)
    expect(rows).toHaveLength(100)
    expect(whole.data).toMatchObject(rows)
    const { value, notes } = await ask<Page<Item>>('list_catalog_items', {
      category: 'Long',
      limit: 100,
      fields: 'item_id,price',
    })
    expect(value.data).toHaveLength(100)
    expect(notes).toEqual([])
  })

  test('is by days for the availability of two weeks, with every start as local time', async () => {
    // A plumber who comes at any hour. The clocks of London go forward within these days.
    const { data } = await read<Page<{ provider_id: string }>>('search_service_providers', {
      near: 'kings-cross',
      q: 'Thames Pipe',
    })
    const provider_id = data[0]?.provider_id
    const asked = { provider_id, duration_minutes: 15, date: '2027-03-21', days: 14 }
    const starts = await read<Page<{ local_start: string }>>('get_provider_availability', asked)
    expect(Buffer.byteLength(JSON.stringify(starts))).toBeGreaterThan(MAX_RESULT_BYTES)
    type Days = Page<{ date: string; utc_offset: string; starts: string[] }>
    const { value, notes } = await ask<Days>('get_provider_availability', asked)
    expect(notes).toEqual([expect.stringMatching(/view is days: fewer days with view: starts give each/)])
    expect(value).toEqual(await read('get_provider_availability', { ...asked, view: 'days' }))
    expect(
      value.data.flatMap((row) => row.starts.map((time) => `${row.date}T${time}:00${row.utc_offset}`)),
    ).toEqual(starts.data.map(({ local_start }) => local_start))
    const changing = value.data.filter(({ date }) => date === '2027-03-28')
    expect(changing.map(({ utc_offset }) => utc_offset)).toEqual(['+00:00', '+01:00'])
    const one = await ask<Page<object>>('get_provider_availability', { ...asked, days: 1 })
    expect(one).toEqual({ value: await read('get_provider_availability', { ...asked, days: 1 }), notes: [] })
  })

  test('is the rejected rows of a batch, with the counts and the price of all rows', async () => {
    const limits = [parseSpendLimit('10000GBP')]
    const buyer = await startAgent(home, { service, limits, purse: { service: 'here', account: 'batch' } })
    const shipments = [...makeRows(499, 'A-reference-of-forty-characters-or-so-'), { reference: 'B500' }]
    const { value, text } = await buyer.call<Batch>('create_shipments_batch', { shipments })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_RESULT_BYTES + 1000)
    expect(value.counts).toEqual({ total: 500, created: 499, duplicate: 0, rejected: 1 })
    expect(value.results.map(({ row }) => row)).toEqual([500])
    expect(text).toContain('results is problems: list_shipments with batch_id lists the parcels')
    const listed = await read<Page<object>>('list_shipments', { batch_id: value.batch_id, limit: 100 })
    expect(listed.data).toHaveLength(100)
    const more = { shipments: makeRows(2, 'MORE'), results: 'problems' }
    const few = await startAgent(home, {
      service,
      limits: [parseSpendLimit(`${(2 * EACH - 1) / 100}GBP`)],
      purse: { service: 'here', account: 'few' },
    })
    expect((await few.call('create_shipments_batch', more)).problem).toMatchObject({
      code: 'spend_limit_reached',
    })
  })

  test('is rejected for a read of which no part would be right, and says how to ask for less', async () => {
    const items = Array.from({ length: 400 }, (_, index) => ({
      name: `Plate ${index} ${'y'.repeat(90)}`,
      category: 'Many',
      price: gbp(500),
    }))
    await service.call('import_catalog_items', { items })
    const [own] = (await read<Page<{ merchant_id: string }>>('list_catalog_items', { limit: 1 })).data
    const { problem } = await agent.call('get_restaurant_menu', { merchant_id: own?.merchant_id })
    expect(problem).toMatchObject({
      code: 'answer_too_large',
      hint: expect.stringContaining('category returns one category'),
    })
    const names = await ask<Menu>('get_restaurant_menu', {
      merchant_id: own?.merchant_id,
      fields: 'categories.name',
    })
    expect(names.value.categories).toContainEqual({ name: 'Many' })
    const section = await ask<Menu>('get_restaurant_menu', {
      merchant_id: own?.merchant_id,
      category: 'Long',
    })
    expect(section.value.categories[0]?.items).toHaveLength(100)
  })

  test('of a change or an error has its longest lists cut, and nothing else', () => {
    const short = { counts: { total: 900 }, results: [{ row: 1 }], code: 'x' }
    expect(cut(short)).toEqual(short)
    const long = {
      ...short,
      results: Array.from({ length: 900 }, (_, row) => ({ row, errors: ['z'.repeat(200)] })),
    }
    const { results, ...rest } = cut(long)
    expect(rest).toEqual({ counts: { total: 900 }, code: 'x' })
    expect(results).toEqual(long.results.slice(0, results.length))
    expect(results.length).toBeGreaterThan(200)
    expect(Buffer.byteLength(JSON.stringify(cut(long)))).toBeLessThanOrEqual(MAX_RESULT_BYTES)
  })
})

describe('a batch', () => {
  test('shows the rejected rows or all, of the same call, which is done once', async () => {
    const shipments = [...makeRows(2, 'TWICE'), { reference: 'TWICE3' }]
    const problems = await ask<Batch>('create_shipments_batch', { shipments, results: 'problems' })
    expect(problems.value.results.map(({ row }) => row)).toEqual([3])
    const all = await ask<Batch>('create_shipments_batch', { shipments, results: 'all' })
    expect(all.value.batch_id).toBe(problems.value.batch_id)
    expect(all.value.results.map(({ row }) => row)).toEqual([1, 2, 3])
    const { problem } = await agent.call('create_shipments_batch', { shipments, results: 'some' })
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/results' }] })
  })
})
