/** Makes parcels that are the same in every run. */
import { hash } from 'node:crypto'

const TOWNS = [
  ['E1 6EA', 'London'],
  ['RG1 2DE', 'Reading'],
  ['M1 4EU', 'Manchester'],
  ['CF10 1EP', 'Cardiff'],
  ['IV1 1AH', 'Inverness'],
  ['BN1 1AL', 'Brighton'],
  ['LS10 1NB', 'Leeds'],
] as const
const LEVELS = ['next_day', 'two_day', 'economy'] as const

/**
 * Returns a manifest with a number of parcels. Manifests with different prefixes share no reference; each has as many characters as
 * those of a shop, in no order.
 */
export function manifestCsv(rows: number, prefix: string, length = 17): string {
  const header =
    'reference,recipient_name,phone,address_line1,city,postal_code,country_code,weight_grams,length_mm,width_mm,height_mm,service_level'
  const lines = Array.from({ length: rows }, (_, at) => {
    const [postcode, town] = TOWNS[at % TOWNS.length] ?? TOWNS[0]
    const level = LEVELS[at % LEVELS.length] ?? 'economy'
    const reference = `${prefix}-${hash('sha256', `${prefix}-${at}`)}`.slice(0, length)
    return `${reference},Person ${at},020 7946 ${1000 + (at % 9000)},${at} High Street,${town},${postcode},GB,${500 + (at % 3000)},300,200,100,${level}`
  })
  return [header, ...lines, ''].join('\n')
}

/** Returns a menu with a number of items in twenty sections. */
export function makeMenuCsv(rows: number): string {
  const header = 'name,category,price,description,external_ref,cost,stock,dietary,allergens,modifier_groups'
  const lines = Array.from({ length: rows }, (_, at) => {
    const choices = at % 4 === 0 ? 'Size[1-1]: *Regular=0 | Large=1.50' : ''
    const price = (3 + (at % 12) + 0.95).toFixed(2)
    return `Dish ${at},Section ${at % 20},${price},What dish ${at} is made of,BENCH-${at},1.20,${at % 50},vegan,milk|nuts,${choices}`
  })
  return [header, ...lines, ''].join('\n')
}

/** Returns the body of `create_shipments_batch` with a number of parcels. */
export function batchBody(rows: number, prefix: string): string {
  const shipments = Array.from({ length: rows }, (_, at) => {
    const [postal_code, city] = TOWNS[at % TOWNS.length] ?? TOWNS[0]
    return {
      reference: `${prefix}-${at}`,
      service_level: LEVELS[at % LEVELS.length],
      recipient: {
        contact: { name: `Person ${at}`, phone: '+442079461000' },
        address: { line1: `${at} High Street`, city, postal_code, country_code: 'GB' },
      },
      parcel: { weight_grams: 500 + (at % 3000), length_mm: 300, width_mm: 200, height_mm: 100 },
    }
  })
  return JSON.stringify({ shipments })
}

/** Returns the body of `import_catalog_items` with a number of items. */
export function itemsBody(rows: number, prefix: string): string {
  const items = Array.from({ length: rows }, (_, at) => ({
    name: `${prefix} dish ${at}`,
    category: `Section ${at % 20}`,
    price: { amount: 300 + at, currency: 'GBP' },
    external_ref: `${prefix}-${at}`,
  }))
  return JSON.stringify({ items })
}
