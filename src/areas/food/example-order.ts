import type { ExampleResults, ExampleCall } from '../../core/operation.ts'

/** The calls after which an order is completed, for the example of what its customer does then. */
export function exampleOrder(name: string): ExampleCall[] {
  return [
    { operation: 'quote_food_order', name: `quote_${name}` },
    {
      operation: 'place_food_order',
      name: `order_${name}`,
      input: (done) => ({
        quote_id: done[`quote_${name}`].quote_id,
        payment: { method: 'card', payment_token: 'tok_ok' },
      }),
    },
    ...['accept', 'complete'].map((verb) => ({
      operation: `${verb}_business_order`,
      name: `${verb}_${name}`,
      input: (done: ExampleResults) => ({ order_id: done[`order_${name}`].order_id }),
    })),
  ]
}
