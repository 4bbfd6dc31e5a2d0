import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Io } from '../../../src/cli/io.ts'
import { printError } from '../../../src/cli/output/errors.ts'
import { printValue } from '../../../src/cli/output/print.ts'
import { startProgressBar } from '../../../src/cli/output/progress.ts'
import type { PrintOptions } from '../../../src/cli/output/view.ts'
import { AppError } from '../../../src/core/errors.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { memoryIo } from '../../support/memory-io.ts'

/** Puts hostile text wherever a response can contain any: values, keys, codes, cursors. */
function parcel(text: string): Record<string, unknown> {
  return {
    tracking_number: 'ZC968043370GB',
    reference: text,
    status: text,
    recipient: {
      contact: { name: text },
      address: { line1: text, line2: text, city: text, country_code: text },
      company: text,
    },
    place: { name: text, address: { line1: text, city: text } },
    price: { amount: 612, currency: text },
    notes: [text, text],
    events: [{ code: text, [text]: 1, reason: { code: 'other', detail: text } }, { code: 'x' }],
    created_at: '2026-11-20T12:00:00.000Z',
    [text]: text,
  }
}

const COLUMNS = [
  'tracking_number',
  'reference',
  'status',
  'recipient.contact.name',
  'recipient.address',
  'price',
  'notes',
].map((field) => ({ field }))

const page = (text: string) => ({ data: [parcel(text), parcel('plain')], has_more: true, next_cursor: text })

const cases: [string, { tty: boolean; columns?: number }, Omit<PrintOptions, 'format'>][] = [
  ['on a terminal', { tty: true, columns: 120 }, {}],
  ['on a narrow terminal', { tty: true, columns: 30 }, {}],
  ['for a screen reader', { tty: true, columns: 80 }, { accessible: true }],
  ['in a pipe', { tty: false }, {}],
]

describe.each(HOSTILE.map((text) => [JSON.stringify(text).slice(0, 60), text]))('%s', (_, text) => {
  test.each(cases)('stays quiet in every text form %s', async (_name, streams, more) => {
    const printed = async (value: unknown, view: PrintOptions): Promise<void> => {
      const io = memoryIo(streams)
      await printValue(io, value, {
        timezone: 'Europe/London',
        done: 'Sent {reference}.',
        next: 'dray show {reference}',
        ...more,
        ...view,
      })
      expect(io.out() + io.err()).not.toMatch(FORBIDDEN)
    }
    for (const format of ['table', 'csv'] as const) {
      await printed(page(text), { format, columns: COLUMNS, color: 'never' })
      await printed(page(text), { format, color: 'never' })
      await printed(page(text), { format, fields: 'reference,events.code', color: 'never' })
      await printed(parcel(text), { format, color: 'never' })
      await printed(page(text), { format, query: 'data[].[reference, status]', color: 'never' })
      await printed(page(text), { format, query: 'data[0].reference', color: 'never' })
      await printed(page(text), { format, fields: 'help', color: 'never' })
    }
    const io = memoryIo(streams)
    await printError(io, refusal(text), { errorId: 'err_1', color: 'never' })
    expect(io.err()).not.toMatch(FORBIDDEN)
    const drawn = bar(memoryIo({ tty: true, columns: 60 }), text)
    expect(drawn.replaceAll('\r', '').replaceAll('\x1b[K', '')).not.toMatch(FORBIDDEN)
  })

  test('is complete and escaped in JSON, ndjson and YAML', async () => {
    const value = page(text)
    const printed = async (format: 'json' | 'ndjson' | 'yaml'): Promise<string> => {
      const io = memoryIo({ tty: true })
      await printValue(io, value, { format })
      expect(io.out()).not.toMatch(FORBIDDEN)
      return io.out()
    }
    expect(JSON.parse(await printed('json'))).toEqual(value)
    expect(parse(await printed('yaml'))).toEqual(value)
    const lines = (await printed('ndjson')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(value.data)
  })

  test('is complete in a JSON error', async () => {
    const io = memoryIo({ tty: true })
    await printError(io, refusal(text), { errorId: 'err_1', json: true })
    expect(io.out()).not.toMatch(FORBIDDEN)
    expect(JSON.parse(io.out())).toMatchObject({ detail: text, hint: text })
    expect(io.err()).toBe('')
  })
})

function refusal(text: string): AppError {
  return new AppError('invalid_request', text, {
    hint: text,
    errors: [
      { pointer: `/recipient/${text}`, code: 'required', detail: text },
      { parameter: text, code: 'required', detail: text },
      { header: text, code: 'required', detail: text },
    ],
    extra: { request_id: text },
  })
}

function bar(io: Io & { err(): string }, label: string): string {
  let time = 0
  const progress = startProgressBar({ io, label, total: 10, now: () => (time += 2000) })
  progress.update(5)
  progress.stop()
  return io.err()
}
