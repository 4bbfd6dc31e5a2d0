import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { makeQuoteSpending } from '../../core/resource.ts'
import { strictObject, contact, idParam, describeField, nonBlankText } from '../../core/schema.ts'
import { assertPaymentToken, expectedTotal, paymentRequest } from '../payments/schema.ts'
import { createTaskFromQuote } from './lifecycle/creation.ts'
import { readTaskScenario, TASK_SCENARIOS } from './lifecycle/scenario.ts'
import { assertRequirements } from './requirements.ts'
import { TASK } from './resource.ts'
import { evidenceRules, openObject, task } from './schema.ts'
import { serializeTask } from './views.ts'

export const createTask = defineOperation({
  name: 'create_task',
  area: 'tasks',
  summary: 'Create a quoted task and pay',
  description:
    'Requires an unexpired quote that the customer has seen, and charges its total. Needs an active membership. Requirements come with the quote or with this call.',
  details:
    'Evidence rules can be stricter than those of the task type, but not looser, and cannot require more than was priced.',
  method: 'POST',
  path: '/v1/tasks',
  scope: 'tasks.create',
  entitlement: 'service_one',
  createsTransaction: true,
  spends: makeQuoteSpending(TASK),
  idempotency: 'required',
  status: 201,
  location: '/v1/tasks/{task_id}',
  input: strictObject({
    quote_id: idParam('Quote of quote_task'),
    requirements: Type.Optional(
      openObject('Task details, per the type’s requirements_schema; required if the quote has none'),
    ),
    evidence_rules: Type.Optional(evidenceRules),
    instructions: Type.Optional(nonBlankText(1000, { description: 'Instructions to the tasker' })),
    contact: Type.Optional(describeField('Contact', contact)),
    payment: describeField('Payment', paymentRequest),
    expected_total: expectedTotal,
  }),
  output: task,
  errors: [
    'quote_not_found',
    'quote_mismatch',
    'quote_expired',
    'quote_already_used',
    'task_type_not_found',
    'requirements_invalid',
    'evidence_rules_invalid',
    'no_qualified_provider',
    'payment_declined',
    'insufficient_funds',
    'payment_method_not_accepted',
  ],
  scenarios: TASK_SCENARIOS,
  example: (done) => ({
    quote_id: done['quote_task'].quote_id,
    payment: { method: 'card', payment_token: 'tok_ok' },
  }),
  cli: {
    command: 'tasks create',
    danger: 'spend',
    columns: ['task_id', 'task_name', 'status', 'price'],
    details: [
      'task_id',
      'task_name',
      'status',
      // Only the end of the window counts for who waits.
      { field: 'window.ends_at', label: 'Deadline' },
      'price',
      'payment.method',
      'payment.status',
    ],
    next: 'dray tasks track {task_id}',
  },
  // Due events of this account may refund its wallet.
  touches: (_, { account }) => ({ owner: account.account_id }),
  async run(context, input) {
    const { tx, world, now, account } = context
    assertPaymentToken(input.payment)
    const record = await createTaskFromQuote({ tx, world, at: now }, account, {
      quoteId: input.quote_id,
      requirements: input.requirements,
      evidenceRules: input.evidence_rules,
      instructions: input.instructions ?? null,
      contact: input.contact ?? null,
      method: input.payment.method,
      token: input.payment.payment_token,
      expectedTotal: input.expected_total,
      scenario: readTaskScenario(context.scenario),
      assertRequirements: (type, requirements) => assertRequirements(context, type, requirements),
    })
    return serializeTask(tx, record, now)
  },
})
