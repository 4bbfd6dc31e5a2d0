import type { ModifierGroup } from '../domain/food.ts'
import type { Money } from '../domain/money.ts'

export type CategoryRecord = {
  category_id: string
  merchant_id: string
  name: string
  /** The name folded: what is unique in a store. */
  name_key: string
  sort_order: number
}

/** What an item holds beyond its searchable columns. What is private has no way to a menu: that is built by allow-list. */
export type ItemDoc = {
  description: string | null
  price: Money
  modifier_groups: ModifierGroup[]
  unavailable_reason: 'sold_out' | 'seasonal' | 'equipment' | 'other' | null
  dietary_tags: string[]
  allergens: string[]
  image_url: string | null
  /** Private from here on. */
  sku: string | null
  cost: Money | null
  stock: number | null
  supplier_id: string | null
  tax_rate_bps: number | null
}

export type ItemRecord = {
  item_id: string
  seq: number
  merchant_id: string
  category: CategoryRecord
  name: string
  name_key: string
  sort_order: number
  external_ref: string | null
  barcode: string | null
  /** The switch; `domain/catalog.ts` says whether it can be had at an instant. */
  available: boolean
  unavailable_until: number | null
  version: number
  created_at: number
  updated_at: number
  deleted_at: number | null
  doc: ItemDoc
}
