/** An input with its faults: each once, and at the place where the caller wrote it. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/core/operation.ts'
import { type InputValidator, locateFieldErrors, validateInput } from '../../src/gateway/validation.ts'
import { load } from '../../src/generated/registry.ts'
import { makeParcel } from '../support/parcel.ts'

type CheckedOperation = { operation: AnyOperation; check: InputValidator }
let create: CheckedOperation
let list: CheckedOperation
let cancel: CheckedOperation
let search: CheckedOperation

beforeAll(async () => {
  const find = async (name: string): Promise<CheckedOperation> => {
    const loaded = await load(name)
    if (loaded === undefined) throw new Error(`no operation ${name}`)
    return loaded
  }
  create = await find('create_shipment')
  list = await find('list_shipments')
  cancel = await find('cancel_shipment')
  search = await find('search_restaurants')
})

/** Returns the places of the faults, with their codes. */
const faultsOf = async (loaded: CheckedOperation, input: Record<string, unknown>): Promise<string[]> =>
  (await validateInput(loaded, input)).errors.map(({ pointer, code }) => `${pointer} ${code}`)

describe('an input', () => {
  test('that is valid has no fault, and its countries as alpha-2', async () => {
    const { input, errors } = await validateInput(create, makeParcel({}, { country_code: 'united kingdom' }))
    expect(errors).toEqual([])
    expect(input).toMatchObject({ recipient: { address: { country_code: 'GB' } } })
  })

  test('names all its faults: of the form, of a country, and of characters that nobody sees', async () => {
    const places = { line1: 'Friar\u202eStreet', country_code: 'Atlantis' }
    expect(await faultsOf(create, makeParcel({}, places))).toEqual([
      '/recipient/address/country_code invalid_format',
      '/recipient/address/line1 hidden_characters',
    ])
    expect(await faultsOf(create, makeParcel({ service_level: 'never' }, places))).toEqual([
      '/service_level invalid_enum',
      '/recipient/address/country_code invalid_format',
      '/recipient/address/line1 hidden_characters',
    ])
  })

  test('names one place once', async () => {
    const line1 = `${'x'.repeat(500)}\u202e`
    expect(await faultsOf(create, makeParcel({}, { line1 }))).toEqual(['/recipient/address/line1 too_long'])
  })

  test('names a hundred characters that nobody sees at most', async () => {
    const texts = { type: 'array', items: { type: 'string' } }
    const operation = {
      method: 'POST',
      input: { type: 'object', properties: { texts } },
    } as unknown as AnyOperation
    const input = { texts: Array.from({ length: 101 }, () => 'a\u202e') }
    const faults = await faultsOf({ operation, check: () => true }, input)
    expect([faults.length, faults.at(-1)]).toEqual([100, '/texts/99 hidden_characters'])
  })

  test('of a read may hold any characters: nobody else sees them', async () => {
    const text = 'Laksa\u202egnp'
    expect(await faultsOf(search, { q: text, latitude: 51.5, longitude: -0.1 })).toEqual([])
    // The same text would be one that others read.
    const { operation } = search
    const changing: CheckedOperation = {
      ...search,
      operation: { ...operation, method: 'POST' } as AnyOperation,
    }
    expect(await faultsOf(changing, { q: text, latitude: 51.5, longitude: -0.1 })).toEqual([
      '/q hidden_characters',
    ])
  })
})

test('a fault of a path or a query is named as a parameter, one of a body as a pointer', () => {
  const error = (pointer?: string) =>
    ({ ...(pointer !== undefined && { pointer }), code: 'required', detail: 'd' }) as const
  const rest = { code: 'required', detail: 'd' }
  expect(locateFieldErrors(list.operation, [error('/limit'), error()])).toEqual([
    { parameter: 'limit', ...rest },
    { parameter: '', ...rest },
  ])
  expect(
    locateFieldErrors(cancel.operation, [error('/tracking_number'), error('/note/text'), error('')]),
  ).toEqual([
    { parameter: 'tracking_number', ...rest },
    { pointer: '/note/text', ...rest },
    { pointer: '', ...rest },
  ])
})
