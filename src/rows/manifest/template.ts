/** The manifest that a new shipper starts from: `dray carrier template`. */
import { writeCsv } from '../csv/write.ts'
import type { ColumnName } from './column-names.ts'
import { COLUMNS } from './columns.ts'

const TEMPLATE_COLUMNS = COLUMNS.map(({ name }) => name).filter((name) => name !== 'dimensions')

/** A header line and nothing else. */
export function emptyManifest(): string {
  return writeCsv([TEMPLATE_COLUMNS])
}

type Example = Partial<Record<ColumnName, string | number>>

const EXAMPLES: readonly Example[] = [
  {
    reference: 'A-1001',
    recipient_name: 'Amelia Hart',
    address_line1: '14 Lamb Street',
    address_line2: 'Flat 3',
    city: 'London',
    postal_code: 'E1 6EA',
    phone: '020 7946 0123',
    email: 'amelia.hart@example.com',
    weight_grams: 850,
    length_mm: 300,
    width_mm: 220,
    height_mm: 80,
    service_level: 'next_day',
    description: 'Two paperback books',
  },
  {
    reference: 'A-1002',
    recipient_name: 'Rajesh Patel',
    company: 'Patel & Sons',
    address_line1: '5 Market Place',
    city: 'Reading',
    region: 'Berkshire',
    postal_code: 'RG1 2DE',
    country_code: 'GB',
    phone: '07700 900123',
    weight_grams: 2400,
    length_mm: 400,
    width_mm: 300,
    height_mm: 200,
    service_level: 'two_day',
    description: 'Coffee grinder',
    declared_value: 89.5,
    currency: 'GBP',
    signature_required: 'yes',
  },
  {
    reference: 'A-1003',
    recipient_name: 'Siân Morgan',
    address_line1: '22 Heol y Bont',
    city: 'Cardiff',
    postal_code: 'CF10 1EP',
    weight_grams: 600,
    length_mm: 250,
    width_mm: 180,
    height_mm: 60,
    service_level: 'economy',
    description: 'Wool scarf',
    leave_safe_place: 'Porch',
    instructions: 'Behind the blue gate',
  },
  {
    reference: 'A-1004',
    recipient_name: 'Callum Fraser',
    address_line1: '8 Shore Road',
    city: 'Inverness',
    postal_code: 'IV1 1AH',
    phone: '07700 900456',
    weight_grams: 5200,
    length_mm: 600,
    width_mm: 300,
    height_mm: 250,
    service_level: 'two_day',
    description: 'Walking boots and rucksack',
  },
  {
    reference: 'A-1005',
    recipient_name: 'Grace Okafor',
    address_line1: '101 Peckham Rye',
    city: 'London',
    postal_code: 'SE15 4ST',
    email: 'grace.okafor@example.com',
    weight_grams: 1200,
    length_mm: 350,
    width_mm: 250,
    height_mm: 120,
    service_level: 'same_day',
    description: 'Birthday cake stand',
  },
]

/** The same columns with five parcels that are valid as they stand. */
export function exampleManifest(): string {
  return writeCsv([TEMPLATE_COLUMNS, ...EXAMPLES.map((row) => TEMPLATE_COLUMNS.map((column) => row[column]))])
}
