import * as Type from 'typebox'
import { assertWithinCeiling, ceilingOf } from '../../core/ceilings.ts'
import { AppError } from '../../core/errors.ts'
import { MARKET_CURRENCY } from '../../core/market.ts'
import { MAX_AMOUNT, type Money, formatGroupedMoney } from '../../core/money.ts'
import { defineOperation } from '../../core/operation.ts'
import { type Destination, findDestination, isCountryServed } from '../../core/places/coverage.ts'
import { findForeignPostcodePlace } from '../../core/places/postcode.ts'
import {
  strictObject,
  identifierText,
  countryField,
  date,
  describeField,
  nameField,
  paginated,
  postalCode,
  nonBlankText,
} from '../../core/schema.ts'
import { requireCarrierAgreement } from './access.ts'
import { makePlanner, type Rate, servedHint } from './lifecycle/plan.ts'
import { findParcelLimitError, SERVICE_LEVELS } from './rules/rates.ts'
import { BOX_EXAMPLE, parcelPrice, serviceLevelCode, side, weightGrams, zone } from './schema.ts'

export const quoteRates = defineOperation({
  name: 'quote_rates',
  area: 'carrier',
  summary: 'Compare rates for a parcel',
  description:
    'Uses your contract rates, cheapest first. Nothing is created; create_shipment charges the same price.',
  method: 'GET',
  path: '/v1/rates',
  scope: 'coverage.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    to_postal_code: postalCode,
    to_country_code: countryField,
    to_city: Type.Optional(nonBlankText(60, { description: 'Town or city' })),
    weight_grams: weightGrams('Weight in grams'),
    length_mm: side('Length'),
    width_mm: side('Width'),
    height_mm: side('Height'),
    from_hub_id: Type.Optional(identifierText(40, 'Hub, by code or ID. Default: the nearest hub')),
    declared_value_amount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_AMOUNT,
        description: `Insured value in minor units; at most ${formatGroupedMoney(ceilingOf('insured', MARKET_CURRENCY))}`,
      }),
    ),
    declared_value_currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        errorMessage: 'must be a currency code such as GBP',
        description: 'Currency of the insured value',
      }),
    ),
    service_level: Type.Optional(serviceLevelCode),
  }),
  output: paginated(
    strictObject({
      service_level: serviceLevelCode,
      name: nameField,
      price: describeField('Price', parcelPrice),
      zone: describeField('Price zone, A to D', zone),
      chargeable_weight_grams: Type.Integer({
        meaning: 'Chargeable weight in grams: actual or by volume',
        label: 'Chargeable weight',
      }),
      estimated_delivery_date: describeField('Estimated delivery date', date, 'Delivery date'),
      transit_days: Type.Integer({ meaning: 'Transit time in working days' }),
      attributes: Type.Array(Type.Enum(['cheapest', 'fastest'] as const), {
        meaning: 'Features of the service level',
        label: 'Note',
      }),
      rate_card_id: Type.String({ meaning: 'Rate card' }),
      rate_card_version: Type.Integer({ meaning: 'Version of the rate card' }),
    }),
  ),
  errors: [
    'hub_not_found',
    'destination_not_covered',
    'parcel_limits_exceeded',
    'amount_too_large',
    'currency_mismatch',
  ],
  example: () => ({ to_postal_code: 'RG1 1DB', to_country_code: 'GB', ...BOX_EXAMPLE }),
  cli: {
    command: 'carrier rates',
    danger: 'read',
    flags: {
      to_country_code: 'to-country',
      weight_grams: 'weight',
      length_mm: 'length',
      width_mm: 'width',
      height_mm: 'height',
      from_hub_id: 'from-hub',
      service_level: 'service',
    },
    columns: [
      'service_level',
      'price.total',
      'zone',
      'chargeable_weight_grams',
      'estimated_delivery_date',
      'attributes',
    ],
    next: 'dray carrier create',
    examples: [
      'dray carrier rates --to-postal-code "RG1 1AA" --to-country GB --weight 1.4kg --length 30cm --width 20cm --height 10cm',
    ],
  },
  async run(context, input) {
    const { weight_grams, length_mm, width_mm, height_mm, service_level } = input
    const parcel = { weight_grams, length_mm, width_mm, height_mm }
    const problem = findParcelLimitError(parcel)
    if (problem !== undefined) throw refusal('parcel_limits_exceeded', problem.detail, problem.field)
    const destination = findTarget(input)
    const planner = await makePlanner(context.tx, requireCarrierAgreement(context), context.now)
    const { card } = planner.terms
    const hub =
      input.from_hub_id === undefined
        ? undefined
        : planner.loadHub(input.from_hub_id, { parameter: 'from_hub_id' })
    const declared_value = readValue(input, card.currency)
    planner.assertCurrency(declared_value, { parameter: 'declared_value_currency' })
    assertWithinCeiling('insured', declared_value, {
      parameter: 'declared_value_amount',
    })
    const rates = SERVICE_LEVELS.filter(
      ({ code }) => service_level === undefined || code === service_level,
    ).flatMap((level) => planner.rate(level, { parcel, destination, hub, declared_value }) ?? [])
    const cheapestFirst = rates.toSorted((a, b) => a.price.total.amount - b.price.total.amount)
    const fastest = rates.toSorted((a, b) => arrival(a).localeCompare(arrival(b)))[0]
    return {
      data: cheapestFirst.map((rate, index) => ({
        service_level: rate.level.code,
        name: rate.level.name,
        price: rate.price,
        zone: rate.zone,
        chargeable_weight_grams: rate.chargeable_weight_grams,
        estimated_delivery_date: arrival(rate),
        transit_days: rate.estimate.transit_days,
        attributes: [
          ...(index === 0 ? (['cheapest'] as const) : []),
          ...(rate === fastest ? (['fastest'] as const) : []),
        ],
        rate_card_id: card.rate_card_id,
        rate_card_version: card.version,
      })),
      has_more: false,
      next_cursor: null,
    }
  },
})

function arrival({ estimate }: Rate): string {
  return estimate.estimated_delivery_date
}

type Target = { to_postal_code: string; to_country_code: string }

function findTarget({ to_postal_code, to_country_code }: Target): Destination {
  const found = findDestination(to_country_code, to_postal_code)
  if (typeof found !== 'string') return found
  const elsewhere = isCountryServed(to_country_code) ? findForeignPostcodePlace(to_postal_code) : undefined
  const blamesPostcode = found === 'unknown_postcode' || elsewhere !== undefined
  const parameter = blamesPostcode ? 'to_postal_code' : 'to_country_code'
  throw refusal(
    'destination_not_covered',
    `Parcels do not go to ${to_postal_code}, ${elsewhere ?? to_country_code} (${found.replaceAll('_', ' ')}).`,
    parameter,
    blamesPostcode ? undefined : servedHint(to_country_code),
  )
}

type Value = { declared_value_amount?: number; declared_value_currency?: string }

function readValue(
  { declared_value_amount: amount, declared_value_currency: currency }: Value,
  usual: string,
): Money | undefined {
  if (amount !== undefined) return { amount, currency: currency ?? usual }
  if (currency === undefined) return undefined
  const detail = 'declared_value_amount is required with declared_value_currency'
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: 'declared_value_amount', code: 'required', detail }],
  })
}

function refusal(
  code: 'parcel_limits_exceeded' | 'destination_not_covered',
  detail: string,
  parameter: string,
  hint?: string,
): AppError {
  return new AppError(code, detail, {
    ...(hint !== undefined && { hint }),
    errors: [
      { parameter, code: code === 'parcel_limits_exceeded' ? 'out_of_range' : 'invalid_format', detail },
    ],
  })
}
