import { describe, expect, test } from 'vitest'
import { pickOperationFlags, readInputFromFlags } from '../../src/cli/fields.ts'
import { spec as quoteDelivery } from '../../src/generated/specs/quote_delivery.ts'
import { spec as requestDelivery } from '../../src/generated/specs/request_delivery.ts'

const FLAGS = pickOperationFlags(quoteDelivery, {
  size: 'parcel.size',
  weight: { field: 'parcel.weight_grams', value: '1.2kg', description: 'weight' },
  vehicle: 'vehicle_type',
})

describe('flags that fill fields of an operation', () => {
  test('have the kind, the choices and the text of the schema, in lower case as help has it', () => {
    const [size, weight, vehicle] = FLAGS
    expect(size).toEqual({
      flag: 'size',
      field: 'parcel.size',
      kind: 'enum',
      choices: ['small', 'medium', 'large', 'xl'],
      description: expect.stringMatching(/^size/),
    })
    expect(weight).toEqual({
      flag: 'weight',
      field: 'parcel.weight_grams',
      kind: 'weight',
      value: '1.2kg',
      description: 'weight',
    })
    expect(vehicle?.kind).toBe('enum')
  })

  test('are never required, because the command asks', () => {
    expect(quoteDelivery.flags.find(({ flag }) => flag === 'parcel-size')).toMatchObject({ required: true })
    expect(FLAGS.map((flag) => 'required' in flag)).toEqual([false, false, false])
  })

  test('of a field that the operation does not have are refused when the command is loaded', () => {
    // @ts-expect-error the compiler rejects it, too
    expect(() => pickOperationFlags(requestDelivery, { tier: 'tier' })).toThrow(
      'delivery request has no flag for tier',
    )
  })

  test('give the part of the input that they fill', async () => {
    const cli = undefined as never
    expect(await readInputFromFlags(cli, FLAGS, { weight: '1.2kg', size: 'large', from: 'bank' })).toEqual({
      parcel: { size: 'large', weight_grams: 1200 },
    })
    await expect(readInputFromFlags(cli, FLAGS, { weight: 'heavy' })).rejects.toThrow('--weight')
  })
})
