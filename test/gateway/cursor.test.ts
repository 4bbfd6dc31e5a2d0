/** A cursor continues one listing of one caller, and nothing else. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { PageRequest } from '../../src/core/context.ts'
import { hmacHex } from '../../src/core/hash.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { makeCursor } from '../../src/gateway/cursor.ts'
import { load } from '../../src/generated/registry.ts'

let parcels: AnyOperation
let hubs: AnyOperation

beforeAll(async () => {
  const find = async (name: string): Promise<AnyOperation> => {
    const loaded = await load(name)
    if (loaded === undefined) throw new Error(`no operation ${name}`)
    return loaded.operation
  }
  parcels = await find('list_shipments')
  hubs = await find('list_hubs')
})

const KEY = 'k'.repeat(64)
type Listing = {
  input?: Record<string, unknown>
  account?: string
  key?: string
  generation?: string
  operation?: AnyOperation
}

const cursorOf = ({
  input = {},
  account = 'acc_1',
  key = KEY,
  generation = 'g1',
  operation = parcels,
}: Listing): PageRequest => makeCursor(operation, input, account, { cursorKey: key, generation })

const show = (rows: number[], listing: Listing = {}, scannedTo?: number[]) =>
  cursorOf(listing).page(
    rows,
    (row) => [row],
    (row) => `row ${row}`,
    scannedTo,
  )

/** Returns the cursor after the second of three rows. */
const made = (input: Record<string, unknown> = {}): string =>
  show([1, 2, 3], { input: { limit: 2, ...input } }).next_cursor ?? ''

describe('a page', () => {
  test('shows as many rows as asked for, and continues after the last of them', () => {
    const { next_cursor, ...page } = show([1, 2, 3], { input: { limit: 2 } })
    expect(page).toEqual({ data: ['row 1', 'row 2'], has_more: true })
    expect(cursorOf({ input: { cursor: next_cursor } }).after).toEqual([2])
    const three = show([1, 2, 3, 4], { input: { limit: 3 } })
    expect(cursorOf({ input: { cursor: three.next_cursor } }).after).toEqual([3])
    expect(show([1, 2], { input: { limit: 2 } })).toEqual({
      data: ['row 1', 'row 2'],
      has_more: false,
      next_cursor: null,
    })
    expect(show([])).toEqual({ data: [], has_more: false, next_cursor: null })
  })

  test('without a limit has that of its listing, and begins at the first row', () => {
    expect(cursorOf({})).toMatchObject({
      limit: parcels.input.properties['limit']?.default,
      after: undefined,
    })
    expect(cursorOf({ input: { limit: 7 } }).limit).toBe(7)
    const bare = { ...parcels, input: { ...parcels.input, properties: {} } } as AnyOperation
    expect(cursorOf({ operation: bare }).limit).toBe(25)
  })

  test('that was not filled when its scan ended continues where the scan ended', () => {
    const { data, has_more, next_cursor } = show([1], { input: { limit: 2 } }, [9])
    expect([data, has_more]).toEqual([['row 1'], true])
    expect(cursorOf({ input: { cursor: next_cursor } }).after).toEqual([9])
    // A full one continues after its last row.
    const full = show([1, 2, 3], { input: { limit: 2 } }, [9])
    expect(cursorOf({ input: { cursor: full.next_cursor } }).after).toEqual([2])
  })
})

describe('a cursor', () => {
  test('is good for other limits and other parts of the answer', () => {
    const cursor = made({ reference: 'A', fields: 'status' })
    expect(cursorOf({ input: { cursor, limit: 50, reference: 'A' } }).after).toEqual([2])
  })

  test.each<[string, () => Listing, RegExp]>([
    ['other filters', () => ({ input: { cursor: made(), reference: 'B' } }), /other filters or by somebody/],
    [
      'another caller',
      () => ({ input: { cursor: made() }, account: 'acc_2' }),
      /other filters or by somebody/,
    ],
    [
      'another operation',
      () => ({ input: { cursor: made() }, operation: hubs }),
      /another operation than list_hubs/,
    ],
    ['another service', () => ({ input: { cursor: made() }, key: 'x'.repeat(64) }), /altered/],
    ['no service', () => ({ input: { cursor: 'abc' } }), /altered/],
    ['nobody', () => ({ input: { cursor: '' } }), /altered/],
  ])('is refused where it belongs to %s', (_, listing, why) => {
    expect(() => cursorOf(listing())).toThrow(why)
  })

  test('keeps its form from release to release, and one of another form is refused', () => {
    const payload = JSON.stringify({ v: 1, op: 'list_shipments', last: [2], fh: 'e05a75ca4a261e03' })
    const sealed = (text: string): string =>
      Buffer.from(hmacHex(`${KEY} g1`, text).slice(0, 32) + text).toString('base64url')
    expect(made()).toBe(sealed(payload))
    const newer = sealed(payload.replace('"v":1', '"v":2'))
    expect(() => cursorOf({ input: { cursor: newer } })).toThrow(/another operation than list_shipments/)
  })

  test('is refused once its store was reset, loaded or restored', () => {
    const cursor = made()
    expect(cursorOf({ input: { cursor } }).after).toEqual([2])
    expect(() => cursorOf({ input: { cursor }, generation: 'g2' })).toThrow(
      expect.objectContaining({
        code: 'invalid_cursor',
        message: expect.stringContaining('older than a reset or restore of its store') as string,
      }) as Error,
    )
  })

  test('is refused when a character of it is another, or one is added', () => {
    const cursor = made()
    const altered = Array.from(
      cursor,
      (each, at) => `${cursor.slice(0, at)}${each === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`,
    )
    for (const other of [...altered, `${cursor}=`, ` ${cursor}`, `${cursor.slice(0, 4)}!${cursor.slice(4)}`])
      expect(() => cursorOf({ input: { cursor: other } })).toThrow(
        expect.objectContaining({
          code: 'invalid_cursor',
          errors: [expect.objectContaining({ parameter: 'cursor', code: 'invalid_format' })],
        }) as Error,
      )
  })
})
