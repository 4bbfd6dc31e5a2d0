import type { ExampleCall } from '../../core/operation.ts'

/** The calls after which a driver comes a quarter of an hour late, for the example of what the rider does then. */
export function exampleLateRide(name: string): ExampleCall[] {
  return [
    { operation: 'quote_ride', name: `fares_${name}` },
    {
      operation: 'request_ride',
      name: `ride_${name}`,
      scenario: 'driver_late;minutes=15',
      input: (done) => ({
        quote_id: done[`fares_${name}`].quote_id,
        tier: 'economy',
        payment: { method: 'card', payment_token: 'tok_ok' },
      }),
    },
  ]
}
