import { describe, expect, test } from 'vitest'
import { inCommands } from '../../src/commands/operation-words.ts'
import { AppError } from '../../src/core/errors.ts'

describe('the operations that an error names', () => {
  test('people read as commands, in the message, the hint and the fields', async () => {
    const error = new AppError('membership_required', 'place_food_order needs an active membership.', {
      errors: [
        { pointer: '/starts_at', code: 'required', detail: 'choose one of get_provider_availability' },
      ],
      extra: { operations: ['place_food_order', 'get_membership_status', 'get_provider_availability'] },
    })
    expect(await inCommands(error)).toMatchObject({
      code: 'membership_required',
      message: '`dray food order` needs an active membership.',
      hint: 'Check `dray account membership`; start a membership and try again.',
      errors: [{ detail: 'choose one of `dray services slots`' }],
    })
  })

  test('of a rejected caller people read as the command that they typed', async () => {
    const error = new AppError('insufficient_scope', 'list_business_orders needs the scope orders.read.', {
      extra: { operations: ['list_business_orders'] },
    })
    expect(await inCommands(error, 'business report')).toMatchObject({
      message: '`dray business report` needs the scope orders.read.',
    })
  })

  test('people read as the command that asks for it, where it takes more than the operation', async () => {
    const error = new AppError('quote_expired', 'Expired.', {
      extra: { operations: ['quote_ride'] },
      hint: 'Call quote_ride again and show the new price.',
    })
    expect(await inCommands(error)).toMatchObject({
      hint: 'Call `dray rides quote` again and show the new price.',
    })
  })

  test('and all other words stay as they are, among them those that a user typed', async () => {
    const error = new AppError('merchant_not_found', 'No store get_ride.', {
      extra: { operations: ['search_restaurants', 'order_id', 7] },
      hint: 'search_restaurants finds the stores near a point.',
    })
    expect(await inCommands(error)).toMatchObject({
      message: 'No store get_ride.',
      hint: '`dray food search` finds the stores near a point.',
    })
    const plain = new AppError('usage', 'get_ride is no field; `dray api quote_food_order` is raw.')
    expect(await inCommands(plain)).toBe(plain)
  })
})
