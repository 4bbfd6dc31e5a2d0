/**
 * Exports of shop and shipping tools, recognised by their header. Facts only: the column names of the tools' own
 * documentation and of exports in public repositories. Keys are those of `headerKey`.
 */
import type { Preset } from '../columns/columns.ts'
import type { LengthUnit, WeightUnit } from '../csv/numbers.ts'
import type { ColumnName } from './column-names.ts'

type PresetName = 'shopify-orders' | 'shipstation' | 'click-and-drop' | 'woocommerce'

export type ManifestPreset = Preset<ColumnName> & {
  name: PresetName
  /** Units of bare numbers whose header names none. */
  weight?: WeightUnit
  length?: LengthUnit
  /** The tool's own words for a service level; others fall back to the default level, said. */
  services: Readonly<Record<string, string>>
}

const shopifyOrders: ManifestPreset = {
  name: 'shopify-orders',
  title: 'Shopify orders export',
  signatures: [['name', 'shipping_name', 'shipping_address1', 'shipping_city', 'shipping_zip']],
  sources: {
    reference: ['name'],
    recipient_name: ['shipping_name', 'shipping_company'],
    company: ['shipping_company'],
    address_line1: ['shipping_address1', 'shipping_street'],
    address_line2: ['shipping_address2'],
    city: ['shipping_city'],
    region: ['shipping_province_name', 'shipping_province'],
    postal_code: ['shipping_zip'],
    country_code: ['shipping_country'],
    phone: ['shipping_phone', 'phone'],
    email: ['email'],
    service_level: ['shipping_method'],
    description: ['lineitem_name'],
    instructions: ['notes'],
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
    recipient_name: [
      'ship_to_name',
      'recipient_full_name',
      { join: ['recipient_first_name', 'recipient_last_name'], with: ' ' },
      'ship_to_company',
      'recipient_company',
    ],
    company: ['ship_to_company', 'recipient_company'],
    address_line1: ['ship_to_address_1', 'address_line_1'],
    address_line2: [
      { join: ['ship_to_address_2', 'ship_to_address_3'], with: ', ' },
      { join: ['address_line_2', 'address_line_3'], with: ', ' },
    ],
    city: ['ship_to_city', 'city'],
    region: ['ship_to_state', 'ship_to_state_province', 'state'],
    postal_code: ['ship_to_postal_code', 'postal_code'],
    country_code: ['ship_to_country', 'country_code'],
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
    length_mm: ['shipment_length', 'dimensions_length', 'size_length', 'length'],
    width_mm: ['shipment_width', 'dimensions_width', 'size_width', 'width'],
    height_mm: ['shipment_height', 'dimensions_height', 'size_height', 'height'],
    service_level: [
      'carrier_service_requested',
      'order_requested_shipping_service',
      'requested_service',
      'carrier_service_selected',
    ],
    description: ['item_name'],
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
    reference: ['order_reference'],
    recipient_name: [
      'full_name',
      { join: ['customer_title', 'first_name', 'last_name'], with: ' ' },
      'company_name',
    ],
    company: ['company_name'],
    address_line1: ['address_line_1'],
    address_line2: [{ join: ['address_line_2', 'address_line_3'], with: ', ' }],
    city: ['city'],
    region: ['county'],
    postal_code: ['postcode'],
    country_code: ['country'],
    phone: ['phone'],
    email: ['email'],
    weight_grams: ['weight', 'weight_kg', 'weight_in_kg'],
    service_level: ['service_code'],
    description: ['product_name', 'contents'],
    signature_required: ['obtain_a_signature', 'signature'],
    leave_safe_place: ['safeplace'],
    instructions: ['special_instructions'],
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
    recipient_name: [
      { join: ['shipping_first_name', 'shipping_last_name'], with: ' ' },
      { join: ['first_name_shipping', 'last_name_shipping'], with: ' ' },
      'shipping_company',
      'company_shipping',
    ],
    company: ['shipping_company', 'company_shipping'],
    address_line1: ['shipping_address_1', 'address_1_2_shipping', 'address_1_shipping'],
    address_line2: ['shipping_address_2', 'address_2_shipping'],
    city: ['shipping_city', 'city_shipping'],
    region: ['shipping_state', 'state_name_shipping', 'state_code_shipping'],
    postal_code: ['shipping_postcode', 'postcode_shipping'],
    country_code: ['shipping_country', 'country_code_shipping', 'country_name_shipping'],
    phone: ['shipping_phone', 'phone_shipping', 'billing_phone', 'phone_billing'],
    email: ['billing_email', 'email_billing', 'customer_email'],
    weight_grams: ['order_weight', 'total_weight', 'weight'],
    service_level: ['shipping_method', 'shipping_method_title'],
    description: ['item_name', 'product_name'],
    instructions: ['customer_note'],
  },
  services: {},
}

export const PRESETS: readonly ManifestPreset[] = [shopifyOrders, shipstation, clickAndDrop, woocommerce]
