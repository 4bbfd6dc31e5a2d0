import { createShipment } from '../../../src/areas/carrier/create_shipment.ts'
import { unique } from '../../support/baskets.ts'
import { defineCases, type CaseContext, type CaseInput } from '../../support/cases.ts'
import { callTestControl } from '../../support/control.ts'
import { exampleInput } from '../../support/example-input.ts'
import { makeParcel, makeRows } from '../../support/parcel.ts'
import type { TestSandbox } from '../../support/world.ts'

async function makeWith(world: TestSandbox, options: Record<string, unknown>): Promise<string> {
  return (await world.ok('create_shipment', makeParcel({ options }))).tracking_number
}

async function cancelled({ world, example }: CaseContext): Promise<CaseInput> {
  const input = await example()
  await world.ok('cancel_shipment', { tracking_number: input['tracking_number'] })
  return input
}

function insured(amount: number, currency: string): CaseInput {
  const box = { weight_grams: 500, length_mm: 200, width_mm: 100, height_mm: 50 }
  return { ...box, declared_value: { amount, currency } }
}

export const cases = defineCases({
  stranger: 'shipper',
  ids: {
    tracking_number: {
      nobodys: 'ZC473124829GB',
      missing: 'shipment_not_found',
      make: async (world, as) => {
        const { tracking_number } = await world.ok('create_shipment', makeParcel({}), { as })
        return { tracking_number }
      },
    },
    manifest_id: {
      nobodys: 'mnf_01m7vkystgf7vtyybg4s0p9p1s',
      missing: 'manifest_not_found',
      make: async (world, as) => {
        await world.ok('create_shipment', makeParcel({ hub_id: 'LON2' }), { as })
        const { manifest_id } = await world.ok('create_collection_manifest', { hub_id: 'LON2' }, { as })
        return { manifest_id }
      },
    },
  },
  operations: {
    check_coverage: { tool: 'reads' },
    quote_rates: {
      tool: 'reads',
      rules: { 'money has an amount and a currency': /^declared_value_(amount|currency) required$/ },
      refusals: {
        hub_not_found: { from_hub_id: 'NOPE' },
        destination_not_covered: { to_country_code: 'FR' },
        parcel_limits_exceeded: { weight_grams: 30_001 },
        amount_too_large: { declared_value_amount: 250_001 },
        currency_mismatch: { declared_value_amount: 1, declared_value_currency: 'EUR' },
      },
    },
    create_shipment: {
      tool: 'writes',
      spends: 'invoice',
      needs: async () => ({ reference: unique('A') }),
      secondInput: { reference: 'A' },
      refusals: {
        hub_not_found: { hub_id: 'NOPE' },
        destination_not_covered: () => makeParcel({}, { country_code: 'FR', postal_code: '75001' }),
        service_level_not_available: () =>
          makeParcel({ service_level: 'same_day' }, { postal_code: 'M1 4EU' }),
        parcel_limits_exceeded: {
          parcel: { weight_grams: 1, length_mm: 1201, width_mm: 1, height_mm: 1 },
        },
        address_unresolvable: () => makeParcel({}, { postal_code: 'ZZ99 9ZZ' }),
        amount_too_large: { options: { cash_on_delivery: { amount: 100_001, currency: 'GBP' } } },
        currency_mismatch: { options: { cash_on_delivery: { amount: 1, currency: 'EUR' } } },
        options_conflict: {
          options: { cash_on_delivery: { amount: 1, currency: 'GBP' }, leave_safe_place: 'Porch' },
        },
      },
    },
    create_shipments_batch: {
      tool: 'writes',
      spends: 'invoice',
      needs: async () => ({ shipments: [exampleInput(createShipment)] }),
      secondInput: () => {
        const shipments = makeRows(7, unique('R'))
        return { input: { shipments }, other: { shipments: shipments.slice(1) } }
      },
      refusals: { manifest_too_large: () => ({ shipments: makeRows(501) }) },
    },
    get_shipment: { tool: 'reads' },
    list_shipments: { tool: 'reads' },
    cancel_shipment: {
      tool: 'removes',
      refusals: {
        not_cancellable: async ({ world, example }) => {
          const input = await example()
          await world.advance(2 * 86_400_000)
          return input
        },
      },
    },
    list_shipment_events: { tool: 'reads' },
    list_hubs: {
      tool: 'reads',
      refusals: { address_unresolvable: { postal_code: 'ZZ99 9ZZ', country_code: 'GB' } },
    },
    count_shipments: {},
    find_shipments: {
      tool: 'reads',
      rules: { 'a word of two letters or digits': /^q out_of_range$/ },
    },
    get_carrier_invoice: {
      tool: 'reads',
      needs: async () => ({ month: '2026-11' }),
      rules: { 'a month has begun': /^month out_of_range$/ },
    },
    redirect_shipment: {
      tool: 'writes',
      secondInput: { safe_place: 'In the shed' },
      rules: { 'exactly one way, and a day of delivery': /^\/(date|safe_place|neighbour|hub_id) / },
      refusals: {
        hub_not_found: { safe_place: undefined, hub_id: 'NOPE' },
        options_conflict: async ({ world }) => ({
          tracking_number: await makeWith(world, { cash_on_delivery: { amount: 1, currency: 'GBP' } }),
          safe_place: 'Porch',
        }),
        invalid_state: cancelled,
      },
    },
    create_collection_manifest: {
      tool: 'writes',
      secondInput: { preview: true },
      rules: { 'one way to choose parcels': /^\/without out_of_range$/ },
      refusals: { hub_not_found: { hub_id: 'NOPE' }, not_awaiting_collection: { shipments: ['NOPE'] } },
    },
    get_collection_manifest: { tool: 'reads' },
    create_return: {
      tool: 'writes',
      spends: 'invoice',
      needs: async (world, as) => {
        const { tracking_number } = await world.ok('create_shipment', makeParcel({}), { as })
        return { tracking_number }
      },
      secondInput: { parcel: { weight_grams: 500, length_mm: 200, width_mm: 100, height_mm: 50 } },
      refusals: {
        invalid_state: cancelled,
        parcel_limits_exceeded: {
          parcel: { weight_grams: 1, length_mm: 1201, width_mm: 1, height_mm: 1 },
        },
        amount_too_large: { parcel: insured(250_001, 'GBP') },
        currency_mismatch: { parcel: insured(1, 'EUR') },
      },
    },
    create_claim: {
      tool: 'writes',
      needs: async (world, as) => {
        const made = await world.ok('create_shipment', makeParcel({}), { as })
        await callTestControl(world, 'scan_shipment', {
          tracking_number: made.tracking_number,
          code: 'collected',
        })
        return { tracking_number: made.tracking_number }
      },
      secondInput: { reason_code: 'lost' },
      refusals: {
        amount_too_large: { value: { amount: 5001, currency: 'GBP' } },
        currency_mismatch: { value: { amount: 1, currency: 'EUR' } },
        claim_not_allowed: async ({ world, example }) => ({
          ...(await example()),
          tracking_number: await makeWith(world, {}),
        }),
      },
    },
    correct_recipient: {
      spends: 'difference',
      tool: 'writes',
      secondInput: { recipient: makeParcel({}, { line1: '23 Friar Street' })['recipient'] },
      unreachableErrors: { hub_not_found: 'No call closes the hub of a parcel.' },
      refusals: {
        invalid_state: cancelled,
        quote_mismatch: { expected_total: { amount: 1, currency: 'GBP' } },
        destination_not_covered: {
          recipient: makeParcel({}, { country_code: 'FR', postal_code: '75001' })['recipient'],
        },
        address_unresolvable: { recipient: makeParcel({}, { postal_code: 'ZZ99 9ZZ' })['recipient'] },
        service_level_not_available: async ({ world }) => {
          const made = await world.ok('create_shipment', makeParcel({ service_level: 'same_day' }))
          const { recipient } = makeParcel({}, { postal_code: 'M1 4EU' })
          return { tracking_number: made.tracking_number, recipient }
        },
      },
    },
  },
})
