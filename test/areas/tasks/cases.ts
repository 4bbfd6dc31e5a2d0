import { defineCases, type CaseInput } from '../../support/cases.ts'
import { CARD } from '../../support/food.ts'
import { ATLANTIS, BY_WALLET, MANCHESTER, NOWHERE, outdated } from '../../support/refused.ts'
import { createTestTask, quoteTestTask } from '../../support/tasks.ts'
import type { TestSandbox } from '../../support/world.ts'

const NO_RULE = { evidence_rules: [{ requirement_id: 'moon_photos', min_count: 1 }] }

async function confirmTask(world: TestSandbox, job: CaseInput): Promise<CaseInput> {
  return { quote_id: (await quoteTestTask(world, job, 'everything')).quote_id, payment: CARD }
}

export const cases = defineCases({
  stranger: 'member',
  ids: {
    task_id: {
      nobodys: 'tsk_01m7vkystgemq8k9w39qsaekf4',
      missing: 'task_not_found',
      make: async (world, as) => ({ task_id: (await createTestTask(world, { as })).task_id }),
    },
  },
  operations: {
    list_task_types: { tool: 'reads', refusals: { address_unresolvable: () => ATLANTIS } },
    quote_task: {
      tool: 'reads',
      refusals: {
        task_type_not_found: { task_type: 'moon_walk' },
        no_qualified_provider: {
          task_type: 'document_drop',
          requirements: { recipient_name: 'Ada King', document: 'A summons' },
        },
        outside_service_area: { place: MANCHESTER },
        address_unresolvable: { place: NOWHERE },
        requirements_invalid: { requirements: {} },
        evidence_rules_invalid: NO_RULE,
        window_invalid: { window: { starts_at: '2026-11-20T08:00:00Z', ends_at: '2026-11-20T08:30:00Z' } },
      },
    },
    create_task: {
      tool: 'writes',
      spends: 'quote',
      needs: async (world, as) => ({ quote_id: (await quoteTestTask(world, {}, as)).quote_id }),
      refusals: {
        requirements_invalid: ({ world }) => confirmTask(world, { requirements: undefined }),
        evidence_rules_invalid: NO_RULE,
        insufficient_funds: async ({ world }) => ({
          ...(await confirmTask(world, { estimated_minutes: 600 })),
          ...BY_WALLET,
        }),
        payment_method_not_accepted: { payment: { method: 'cash' } },
        no_qualified_provider: async ({ world }) =>
          outdated(
            world,
            await confirmTask(world, { task_type: 'meter_reading', requirements: { meter: 'gas' } }),
            `update task_types set doc = replace(doc, '"qualifications":[', '"qualifications":["astronaut",')
              where task_type = 'meter_reading'`,
          ),
        // Last, because it removes the type.
        task_type_not_found: async ({ world }) =>
          outdated(
            world,
            await confirmTask(world, {
              task_type: 'item_pickup',
              requirements: { item: 'A lamp', pickup_name: 'Shah' },
            }),
            `update task_types set task_type = 'lamp_pickup' where task_type = 'item_pickup'`,
          ),
      },
    },
    get_task: { tool: 'reads' },
    get_task_evidence: { tool: 'reads' },
    cancel_task: { tool: 'removes', afterEntitlementEnds: 'not_cancellable' },
  },
})
