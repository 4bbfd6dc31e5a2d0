/**
 * Exports of shop and shipping tools, recognised by their header. Facts only: the column names of the tools' own
 * documentation and of exports in public repositories. Keys are those of `headerKey`.
 */
import type { Preset } from '../columns/columns.ts'
import type { ColumnName } from './columns.ts'

type PresetName =
  | 'shopify-orders'
  | 'shipstation'
  | 'click-and-drop'
  | 'woocommerce'
  | 'squarespace'
  | 'bigcommerce'
  | 'etsy'
  | 'amazon'

export type ManifestPreset = Preset<ColumnName> & {
  name: PresetName
  /** The tool's own words for a service level; others fall back to the default level, said. */
  services: Readonly<Record<string, string>>
}

const shopifyOrders: ManifestPreset = {
  name: 'shopify-orders',
  title: 'Shopify orders export',
  signatures: [['name', 'shipping_name', 'shipping_address1', 'shipping_city', 'shipping_zip']],
  sources: {
    reference: ['name'],
    address_line1: ['shipping_address1', 'shipping_street'],
    region: ['shipping_province_name', 'shipping_province'],
    phone: ['shipping_phone', 'phone'],
  },
  services: {},
}

const shipstation: ManifestPreset = {
  name: 'shipstation',
  title: 'ShipStation export',
  signatures: [
    ['order_number', 'ship_to_name', 'ship_to_address_1', 'ship_to_postal_code'],
    ['order_id_required', 'ship_to_name', 'ship_to_address_1', 'ship_to_postal_code'],
    ['order', 'recipient_full_name', 'address_line_1', 'postal_code'],
  ],
  sources: {
    reference: ['order_number', 'order_id_required', 'order'],
    service_level: [
      'carrier_service_requested',
      'order_requested_shipping_service',
      'requested_service',
      'carrier_service_selected',
    ],
    phone: ['ship_to_phone', 'recipient_phone', 'customer_phone', 'buyer_phone'],
    email: ['ship_to_email', 'customer_email', 'buyer_email'],
    weight_grams: [
      'shipment_weight_oz',
      'shipment_weight',
      'order_total_weight_oz',
      'total_weight_in_oz',
      'weight_oz',
      'weight',
    ],
    instructions: ['notes_from_buyer', 'notes_from_customer', 'order_notes_from_buyer'],
  },
  weight: 'oz',
  length: 'in',
  services: {},
}

const clickAndDrop: ManifestPreset = {
  name: 'click-and-drop',
  title: 'Royal Mail Click & Drop file',
  signatures: [
    ['order_reference', 'address_line_1', 'postcode', 'package_size'],
    ['order_reference', 'address_line_1', 'postcode', 'service_code'],
  ],
  sources: {
    service_level: ['service_code'],
    description: ['product_name', 'contents'],
  },
  weight: 'kg',
  services: {
    SD1: 'next_day',
    TPN24: 'next_day',
    TPS24: 'next_day',
    TRN24: 'next_day',
    TRS24: 'next_day',
    CRL24: 'next_day',
    CRL1: 'next_day',
    STL1: 'next_day',
    OLP1: 'next_day',
    TPN48: 'two_day',
    TPS48: 'two_day',
    TRN48: 'two_day',
    TRS48: 'two_day',
    CRL48: 'two_day',
    CRL2: 'two_day',
    STL2: 'two_day',
    OLP2: 'two_day',
  },
}

const woocommerce: ManifestPreset = {
  name: 'woocommerce',
  title: 'WooCommerce orders export',
  signatures: [
    ['shipping_first_name', 'shipping_last_name', 'shipping_address_1', 'shipping_postcode'],
    ['first_name_shipping', 'last_name_shipping', 'address_1_2_shipping', 'postcode_shipping'],
    ['first_name_shipping', 'last_name_shipping', 'address_1_shipping', 'postcode_shipping'],
  ],
  sources: {
    reference: ['order_number_formatted', 'order_number', 'order_id'],
    country_code: ['shipping_country', 'country_code_shipping', 'country_name_shipping'],
    phone: ['shipping_phone', 'phone_shipping', 'billing_phone', 'phone_billing'],
    email: ['billing_email', 'email_billing', 'customer_email'],
    service_level: ['shipping_method', 'shipping_method_title'],
  },
  services: {},
}

/** Squarespace names its columns as Shopify does, but for the order. */
const squarespace: ManifestPreset = {
  name: 'squarespace',
  title: 'Squarespace orders export',
  signatures: [['order_id', 'lineitem_name', 'lineitem_variant', 'shipping_address1', 'shipping_zip']],
  sources: { reference: ['order_id'] },
  services: {},
}

const bigcommerce: ManifestPreset = {
  name: 'bigcommerce',
  title: 'BigCommerce orders export',
  signatures: [['order_id', 'order_status', 'shipping_street_1', 'shipping_suburb', 'shipping_zip']],
  sources: {},
  without: ['description'],
  services: {},
}

const etsy: ManifestPreset = {
  name: 'etsy',
  title: 'Etsy sold order items',
  signatures: [['sale_date', 'item_name', 'ship_name', 'ship_address1', 'ship_zipcode', 'order_id']],
  sources: {},
  services: {},
}

const amazon: ManifestPreset = {
  name: 'amazon',
  title: 'Amazon unshipped orders report',
  signatures: [['order_id', 'order_item_id', 'recipient_name', 'ship_address_1', 'ship_postal_code']],
  sources: { phone: ['ship_phone_number', 'buyer_phone_number'] },
  services: {},
}

export const PRESETS: readonly ManifestPreset[] = [
  shopifyOrders,
  squarespace,
  shipstation,
  clickAndDrop,
  woocommerce,
  bigcommerce,
  etsy,
  amazon,
]
