import * as Type from 'typebox'
import { nonBlankText } from '../../core/schema.ts'
import { OWN_DELIVERY } from './access.ts'
import { reportDeliveryProblemRecord } from './lifecycle/problem.ts'
import { deliveryProblemReason } from './schema.ts'

export const reportDeliveryProblem = OWN_DELIVERY.action({
  name: 'report_delivery_problem',
  toolset: 'order-help',
  summary: 'Report a problem with a delivery',
  description:
    'Once for each of your own deliveries, within 48 hours after its end. Its record decides at once: handed over more than 15 minutes after promised_delivery_at gives its price back, recorded damage the value of the parcel, at most £250.00, or the price without a value. Anything else is refused with both times.',
  details:
    'Of both, the higher counts. It goes back the way it was paid, cash to the wallet; what is more than was paid goes to the wallet, too.',
  below: '/problems',
  spends: { how: 'nothing' },
  idempotency: 'required',
  repetition: 'once',
  input: {
    reason_code: deliveryProblemReason,
    note: Type.Optional(nonBlankText(300, { description: 'Note' })),
  },
  errors: ['problem_window_over', 'adjustment_not_allowed'],
  exampleNeeds: [
    { operation: 'quote_delivery', name: 'quote_with_problem_run' },
    {
      operation: 'request_delivery',
      name: 'delivery_with_problem',
      scenario: 'courier_late;minutes=20',
      input: (done) => ({
        quote_id: done['quote_with_problem_run'].quote_id,
        pickup_contact: { name: 'Ana Moreau', phone: '+442079460123' },
        dropoff_contact: { name: 'Ravi Shah', phone: '+442079460188' },
        payment: { method: 'card', payment_token: 'tok_ok' },
      }),
    },
    { advance: '2h' },
  ],
  example: (done) => ({ delivery_id: done['delivery_with_problem'].delivery_id, reason_code: 'late' }),
  cli: {
    command: 'delivery problem',
    last: true,
    flags: { reason_code: 'reason' },
    columns: [
      'delivery_id',
      'status',
      'price',
      'problems',
      'refund.amount',
      'refund.destination',
      'refund.status',
    ],
    done: 'The problem of delivery {delivery_id} is paid for.',
    next: 'dray delivery show {delivery_id}',
    examples: ['dray delivery problem dlv_01m7vkystgef7a5n56tabvem4j --reason late'],
  },
  act: (scene, delivery, { reason_code, note = null }) =>
    reportDeliveryProblemRecord(scene, delivery, { reason_code, note }),
})
