/** From the registry's schemas to those of the document: shared ones by name, and a meaning for every field. */
import * as business from '../areas/business/schema.ts'
import * as carrier from '../areas/carrier/schema.ts'
import * as catalog from '../areas/catalog/schema.ts'
import * as delivery from '../areas/delivery/schema.ts'
import * as food from '../areas/food/schema.ts'
import * as orders from '../areas/orders/schema.ts'
import * as payments from '../areas/payments/schema.ts'
import * as proofs from '../areas/proofs/schema.ts'
import * as rides from '../areas/rides/schema.ts'
import * as services from '../areas/services/schema.ts'
import * as tasks from '../areas/tasks/schema.ts'
import type { AnyOperation } from '../core/operation.ts'
import * as base from '../core/schema.ts'
import MEANINGS from './meanings.json' with { type: 'json' }

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json }
export type Node = { [member: string]: Json }

/** What several operations take or give; the names are those of the generated clients' types. */
const SHARED: Readonly<Record<string, object>> = {
  Money: base.money,
  Point: base.point,
  Address: base.address,
  Contact: base.contact,
  Place: base.place,
  Slot: base.slot,
  Table: orders.table,
  TableCheck: orders.tableCheck,
  PaymentRequest: payments.paymentRequest,
  Payment: payments.payment,
  Refund: payments.refund,
  ModifierGroup: catalog.modifierGroup,
  OrderLine: orders.orderLine,
  StoreOrderLine: orders.storeOrderLine,
  Media: proofs.media,
  ProofOfDelivery: proofs.proofOfDelivery,
  Merchant: food.merchant,
  MenuItem: food.menuItem,
  FoodOrder: food.foodOrder,
  RideProduct: rides.product,
  Ride: rides.ride,
  DeliveryParcel: delivery.parcelRequest,
  Delivery: delivery.delivery,
  ServiceLevel: carrier.serviceLevel,
  ParcelPrice: carrier.price,
  Hub: carrier.hub,
  ShipmentEvent: carrier.shipmentEvent,
  ShipmentSummary: carrier.shipmentSummary,
  Shipment: carrier.shipment,
  Provider: services.provider,
  ServiceBooking: services.serviceBooking,
  TaskType: tasks.taskTypeView,
  EvidenceRequirement: tasks.evidenceRequirement,
  Task: tasks.task,
  BusinessOrderSummary: business.businessOrderSummary,
  BusinessOrder: business.businessOrder,
  CatalogItem: business.catalogItem,
}

/** A plain copy: without the schema library's marks. */
export function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

/** Turns schemas into those of one document, and remembers which shared ones they name. */
export function makeSchemas(operations: readonly AnyOperation[]) {
  const names = new Map(
    Object.entries(SHARED).map(([name, schema]) => [shapeOf(toJson(schema) as Node), name]),
  )
  const used = new Map<string, Node>()
  const schemas: Schemas = { operations, names, used }
  return {
    convert: (schema: Node, owner: string): Node => convert(schemas, schema, owner),
    /** What of the shared schemas was named so far, in the order of their list. */
    shared: (): Node =>
      Object.fromEntries(
        Object.keys(SHARED).flatMap((name) => {
          const schema = used.get(name)
          return schema === undefined ? [] : [[name, schema]]
        }),
      ),
  }
}

/** The shared schemas of one document: their names by shape, and those that were named so far. */
type Schemas = {
  operations: readonly AnyOperation[]
  names: ReadonlyMap<string, string>
  used: Map<string, Node>
}

/** Turns a schema into one of the document. `owner` is the name of the field or of the shared schema that holds it. */
function convert(schemas: Schemas, schema: Node, owner: string): Node {
  const { names, used } = schemas
  const name = names.get(shapeOf(schema))
  if (name === undefined) return expand(schemas, schema, owner)
  if (!used.has(name)) {
    used.set(name, {})
    used.set(name, expand(schemas, toJson(SHARED[name]) as Node, name))
  }
  const { description } = schema
  return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) }
}

function expand(schemas: Schemas, schema: Node, owner: string): Node {
  // A place marked so takes the body of another operation, which that operation's `run` checks row by row.
  const other = schemas.operations.find(({ name }) => name === schema['x-body-of'])
  if (other !== undefined) {
    const { required, ...body } = toJson(other.input) as Node & { required: string[] }
    const optional = (schema['x-optional'] ?? []) as string[]
    return {
      ...convert(schemas, { ...body, required: required.filter((name) => !optional.includes(name)) }, owner),
      description: `A body of ${other.name}; one that does not fit is a rejected row`,
      'x-body-of': other.name,
    }
  }
  const { errorMessage, ...rest } = schema
  const spoken =
    rest['description'] === undefined && typeof errorMessage === 'string'
      ? toMeaning(errorMessage)
      : undefined
  return {
    ...Object.fromEntries(
      Object.entries(rest).map(([key, member]) => [key, convertMember(schemas, key, member, owner)]),
    ),
    ...(spoken !== undefined && { description: spoken }),
  }
}

function convertMember(schemas: Schemas, key: string, member: Json, owner: string): Json {
  if (key === 'properties') {
    const properties = Object.entries(member as Record<string, Node>)
    return Object.fromEntries(
      properties.map(([name, schema]) => [name, describe(schemas, name, schema, owner)]),
    )
  }
  if (key === 'items') return convert(schemas, member as Node, owner)
  if (key === 'anyOf') return (member as Node[]).map((form) => convert(schemas, form, owner))
  return member
}

/** A field, with what it means. */
function describe(schemas: Schemas, name: string, schema: Node, owner: string): Node {
  const converted = convert(schemas, schema, name)
  const meaning = converted['description'] ?? meaningOf(name, owner)
  return meaning === undefined ? converted : { ...converted, description: meaning }
}

/** What a field of this name means, where its schema does not say. */
export function meaningOf(name: string, owner: string): string | undefined {
  const meanings: Readonly<Record<string, string>> = MEANINGS
  return meanings[`${owner}.${name}`] ?? meanings[name]
}

/** `must be a currency code such as GBP` says what it is, too. */
function toMeaning(errorMessage: string): string | undefined {
  const [, first = '', rest = ''] = /^must be (?:an? )?(\w)(.*)$/.exec(errorMessage) ?? []
  return first === '' ? undefined : first.toUpperCase() + rest
}

/** The same for schemas that differ in their description only. */
function shapeOf(schema: Node): string {
  return JSON.stringify({ ...schema, description: undefined })
}
