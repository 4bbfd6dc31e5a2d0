import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { OWN_RIDE } from './access.ts'
import { exampleLateRide } from './example-ride.ts'
import { reportRideProblemRecord } from './lifecycle/problem.ts'
import { rideProblemReason } from './schema.ts'

export const reportRideProblem = OWN_RIDE.action({
  name: 'report_ride_problem',
  toolset: 'order-help',
  summary: 'Report a problem with a ride',
  description:
    'Once for each ride, within 48 hours after it is completed. Its record decides at once: a driver who came more than 10 minutes after promised_pickup_at gives 20% of the fare back, more than 20 minutes 50%. Anything else is refused with both times.',
  details: 'It goes back the way it was paid, cash to the wallet.',
  below: '/problems',
  spends: { how: 'nothing' },
  idempotency: 'required',
  repetition: 'once',
  input: {
    reason_code: rideProblemReason,
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  },
  errors: ['problem_window_over', 'adjustment_not_allowed'],
  exampleNeeds: [...exampleLateRide('with_problem'), { advance: '2h' }],
  example: (done) => ({ ride_id: done['ride_with_problem'].ride_id, reason_code: 'late' }),
  cli: {
    command: 'rides problem',
    last: true,
    flags: { reason_code: 'reason' },
    columns: [
      'ride_id',
      'status',
      'fare',
      'problems',
      'refund.amount',
      'refund.destination',
      'refund.status',
    ],
    done: 'Ride {ride_id}: {refund.amount} goes back.',
    next: 'dray rides show {ride_id}',
    examples: ['dray rides problem rid_01m7vkystgfx5vsa9mkvef9ews --reason late'],
  },
  act: (scene, ride, { reason_code, note = null }) =>
    reportRideProblemRecord(scene, ride, { reason_code, note }),
})
