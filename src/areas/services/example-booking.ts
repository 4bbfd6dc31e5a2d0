import type { ExampleCall } from '../../core/operation.ts'
import { addDays } from '../../core/time.ts'

/**
 * The calls after which a visit is booked a number of days ahead, at a start of its own, for the example of what its customer does then.
 */
export function exampleBooking(
  name: string,
  { daysAhead, scenario }: { daysAhead: number; scenario?: string },
): ExampleCall[] {
  return [
    {
      operation: 'get_provider_availability',
      name: `starts_${name}`,
      input: (done) => ({
        provider_id: done['search_service_providers'].data[0].provider_id,
        service_code: 'regular_clean',
        date: addDays(done['get_provider_availability'].date, daysAhead),
      }),
    },
    {
      operation: 'quote_service',
      name: `job_${name}`,
      input: (done) => ({
        provider_id: done['search_service_providers'].data[0].provider_id,
        service_code: 'regular_clean',
        place: { location: { latitude: 51.5188, longitude: -0.0814 }, name: 'Home' },
        starts_at: done[`starts_${name}`].data[0].starts_at,
      }),
    },
    {
      operation: 'book_service',
      name: `booking_${name}`,
      ...(scenario !== undefined && { scenario }),
      input: (done) => ({
        quote_id: done[`job_${name}`].quote_id,
        contact: { name: 'Ana Moreau', phone: '+442079460123' },
        payment: { method: 'card', payment_token: 'tok_ok' },
      }),
    },
  ]
}
