import { describe, expect, test } from 'vitest'
import { inCommands } from '../../src/commands/operation-words.ts'
import { AppError } from '../../src/core/errors.ts'

describe('operation names in errors', () => {
  test('people read as commands, in the message and in the hint', async () => {
    const error = new AppError('membership_required', 'place_food_order needs an active membership.')
    expect(await inCommands(error)).toMatchObject({
      code: 'membership_required',
      message: '`dray food order` needs an active membership.',
      hint: 'Check `dray account membership`; start a membership and try again.',
    })
  })

  test('of a refused caller people read as the command that they typed', async () => {
    const error = new AppError('insufficient_scope', 'list_business_orders needs the scope orders.read.')
    expect(await inCommands(error, 'business report')).toMatchObject({
      message: '`dray business report` needs the scope orders.read.',
    })
  })

  test('people read as the command that asks for it, where it takes more than the operation', async () => {
    const error = new AppError('quote_expired', 'Expired.', {
      hint: 'Call quote_ride again and show the new price.',
    })
    expect(await inCommands(error)).toMatchObject({
      hint: 'Call `dray rides quote` again and show the new price.',
    })
  })

  test('and other words stay as they are', async () => {
    const error = new AppError('usage', 'order_id is no operation; `dray api quote_food_order` is raw.')
    expect(await inCommands(error)).toBe(error)
  })
})
