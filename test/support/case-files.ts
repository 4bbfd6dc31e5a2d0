/**
 * Files of clerks as people really have them, each with what must become of it, by whatever way it is uploaded. All
 * people, firms and numbers are made up.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const CASE_FILES = join(import.meta.dirname, 'files')

/** The decisive facts of a parcel; `to` is name, lines, town and postcode. */
export type ParcelFacts = {
  to: string
  company: string | undefined
  country: string
  phone: string | undefined
  grams: number
  mm: string
  service: string
  description: string | undefined
  contents: string | undefined
  value: string | undefined
  cash: string | undefined
  notBefore: string | undefined
  signature: boolean
  safePlace: string | undefined
  notes: string | undefined
}

export type CaseFile = {
  /** Flags of the command; the page sends the same. */
  flags?: readonly string[]
  code: number
  /** All parcels that are made, by reference: where they go, or other facts. */
  made?: Readonly<Record<string, string | Partial<ParcelFacts>>>
  /** All rows that are rejected: the column, and a part of what is said of it. */
  refused?: Readonly<Record<number, readonly [column: string, detail: string]>>
  /** The orders that are omitted, with the reason. */
  skippedOrders?: Readonly<Record<string, string>>
  /** Rows that repeat an earlier one. */
  repeats?: readonly number[]
  /** Parts of what is said about the file. */
  said?: readonly string[]
  /** A part of what is said where the file as a whole is rejected, or asked about. */
  whole?: string
}

const DEFAULTS = ['--default', 'weight_grams=500', '--default', 'dimensions=20x15x5cm']
const STANDARD = ['--map-value', 'service_level:Standard=economy']
const FLAT_RATE = ['--map-value', 'service_level:Flat rate=economy']
const LAMB = 'Fern Holloway / 12 Lamb Street / London / E1 6EA'
const FLAT = 'Fern Holloway / 12 Lamb Street / Flat 3 / London / E1 6EA'
const RYE = 'Otis Bell / 101 Rye Lane / London / SE15 4ST'
const MARSH = 'Ivy Marsh / 1 Mill Lane / London / E1 6EA'
const BELFAST = 'Ivy Marsh / 1 Mill Lane / Belfast / BT7 1JL'
const NO_POSTCODE = [
  'postal_code',
  'The postcode is incomplete or wrong; enter it in full, such as SW1A 1AA.',
] as const
const AN_ERROR = 'is an error of the spreadsheet'
const FOR_NOTHING = 'A program wrote this for an empty cell'

export const FILE_CASES: Readonly<Record<string, CaseFile>> = {
  'bigcommerce.csv': { flags: [...DEFAULTS, ...FLAT_RATE], code: 0, made: { '701': FLAT } },
  'billship.csv': { code: 0, made: { A1: LAMB } },
  'squarespace.csv': {
    flags: [...DEFAULTS, ...STANDARD],
    code: 0,
    made: { '00123': { to: FLAT, description: '2 × Clay mug, Soap' } },
    skippedOrders: { '00124': 'refunded' },
  },
  'delivery3.csv': {
    code: 9,
    made: {
      A1: 'Fern Holloway / Unit 4 / Mill Yard, 12 Lamb Street / London / E1 6EA',
      A4: { to: 'Otis Bell / 1 Esplanade / St Helier / JE2 3QA', country: 'JE' },
    },
    refused: {
      3: ['Delivery Country', 'Parcels do not go to Gibraltar (not served).'],
      4: ['Delivery Country', 'Parcels do not go to France (not served).'],
    },
  },
  'addr3.csv': {
    code: 0,
    made: { 'D-1': 'Fern Holloway / Unit 4 / Mill Yard, 12 Lamb Street / London / E1 6EA', 'D-2': RYE },
  },
  'etsy-items.csv': {
    flags: DEFAULTS,
    code: 0,
    made: { '3300000001': { to: FLAT, description: '2 × Clay mug, speckled, Soap bar' } },
    skippedOrders: { '3300000002': 'sent' },
  },
  'amazon-unshipped.txt': {
    flags: DEFAULTS,
    code: 0,
    made: {
      '202-1000001-0000001': { to: FLAT, description: 'Clay mug 12" tall, 2 × Soap' },
      '202-1000002-0000002': 'Otis Bell / Unit 4 / 101 Rye Lane, Peckham / London / SE15 4ST',
    },
  },
  'headers.csv': {
    code: 0,
    made: {
      A1: {
        to: 'Fern Holloway / Unit 4 / 12 Lamb Street / London / E1 6EA',
        grams: 500,
        mm: '200x150x50',
      },
    },
  },
  'display-rounding.xlsx': {
    code: 0,
    made: {
      'D-1': { grams: 1400, mm: '200x150x50' },
      'D-2': { grams: 1449, mm: '200x150x50' },
      'D-3': { grams: 500, mm: '206x150x50' },
      'D-4': { grams: 1250, mm: '200x150x50' },
    },
  },
  'de-gram.csv': {
    code: 9,
    made: {
      'G-1': { grams: 1250, mm: '300x220x80', service: 'next_day' },
      'G-2': { grams: 12_500, mm: '355x250x120', service: 'economy' },
      'G-3': { grams: 2500, mm: '355x250x120', service: 'economy' },
    },
    refused: { 5: ['Gewicht', '1250.5 g has a fraction of a gram; write whole grams.'] },
  },
  'unitcol2.csv': {
    code: 6,
    refused: {
      2: ['Length', 'The longest side is 2032 mm'],
      3: ['Length', 'The longest side is 2032 mm'],
      4: ['Length', 'The longest side is 2083 mm'],
    },
  },
  'us.csv': {
    code: 0,
    made: {
      'U-1': { to: FLAT, grams: 567, mm: '203x152x51' },
      'U-2': { to: RYE, grams: 340, mm: '203x152x51' },
    },
  },
  'qty-item-weight.csv': { code: 0, made: { 'D-1': { to: LAMB, grams: 2000 } } },
  'parcel-count.csv': {
    code: 6,
    refused: { 2: ['Number of parcels', 'A row is one parcel; give each parcel its own row'] },
  },
  'errors-and-guards.csv': {
    code: 9,
    made: {
      '000124': RYE,
      '0001-25': 'Otis Bell / 1/2 / London / SE15 4ST',
    },
    refused: {
      4: ['reference', 'It is a formula, not a value; save the file with the values'],
      5: ['reference', 'It is a formula, not a value; save the file with the values'],
      6: ['reference', `#REF! ${AN_ERROR}`],
      7: ['reference', `#N/A ${AN_ERROR}`],
      8: ['recipient_name', `#VALUE! ${AN_ERROR}`],
      9: ['address_line1', `#NAME? ${AN_ERROR}`],
      10: ['address_line1', 'The column was too narrow to show its value'],
      11: ['recipient_name', FOR_NOTHING],
      12: ['recipient_name', FOR_NOTHING],
    },
  },
  'guard-unquoted.csv': {
    code: 0,
    made: { '000123': { to: LAMB, phone: '+447700900123' }, '000124': { to: RYE, phone: undefined } },
  },
  'one-reference.csv': {
    code: 6,
    refused: {
      2: ['weight_grams', 'weight_grams is required.'],
      3: ['reference', 'Row 2 has the same reference and different content.'],
    },
  },
  'enc-mac.csv': {
    code: 0,
    made: { 'E-1': 'Zoë Müller / 12 Café Strasse – £5 / London / E1 6EA' },
    said: ['macintosh with “Zoë”, “Müller”, “Café”', 'its letters are read as macintosh'],
  },
  'enc-1251.csv': {
    code: 0,
    made: { 'E-2': 'Олена Шевченко / 5 Road / London / E1 6EA' },
    said: ['windows-1251 with “Олена”, “Шевченко”', 'its letters are read as windows-1251'],
  },
  'enc-gbk.csv': { code: 2, whole: '王小明 (gb18030)' },
  'enc-gbk.csv --encoding gbk': {
    flags: ['--encoding', 'gbk'],
    code: 0,
    made: { 'E-2': '王小明 / 5 Road / London / E1 6EA' },
  },
  'invisible.csv': {
    code: 9,
    made: {
      'INV-1': LAMB,
      'INV-6': 'RenÃ© Dupont / 12 Lamb Street / MÃ¼nchen Road / E1 6EA',
      'INV-7': 'Ren\ufffd Dupont / 12 Caf\ufffd Street / London / E1 6EA',
      'INV-8': "O’Brien & Sons / 12 St. John's Road / London / E1 6EA",
      'INV-9': 'Fern Holloway 🎁 / 12 Lamb Street 🏠 / London / E1 6EA',
      'INV-10': 'Fern Holloway / Flat 3, 12 Lamb Street, Spitalfields / London / E1 6EA',
      'INV-11': LAMB,
      'INV-12': 'رنا حداد / ١٢ شارع الحمل / London / E1 6EA',
      'INV-13': {},
      'INV-14': {},
      'INV-15': {},
      'INV-16': {},
      'INV-17': {},
      'INV-18': 'Fern Holloway / 12 Lamb Street, Flat 3 / London / E1 6EA',
      'INV-19': {},
      'INV-20': {},
      'inv-21': LAMB,
      'INV-21': LAMB,
      'INV 22': LAMB,
    },
    repeats: [3, 4, 5, 25],
    refused: { 6: ['reference', 'Row 2 has the same reference and different content.'] },
    said: ['another program has broken some letters: row 7 “RenÃ© Dupont”'],
  },
  'entities-mojibake.csv': {
    code: 0,
    made: {
      'M-1': "Nell O'Dowd / 1 St. John's Road / London / E1 6EA",
      'M-2': 'Marsh & Daughters / 5 Mill Lane / London / E1 6EA',
      'M-3': {},
      'M-4': {},
      'M-5': {},
    },
    said: [
      "row 2 “Nell O&#39;Dowd” is “Nell O'Dowd”",
      'another program has broken some letters: row 4 “ZoÃ« MÃ¼ller”',
      '2 more cells',
    ],
  },
  'line-breaks.csv': { code: 0, made: { 'B-1': 'Nell Marsh / Flat 3, 12 Lamb Street / London / E1 6EA' } },
  'dates-in-address.xlsx': {
    code: 0,
    made: { 'A-1': {}, '2-Jan': {} },
    said: ['a spreadsheet may have turned texts into dates: row 2 “12/10”, row 3 “2-Jan”.'],
  },
  'shopify.csv': {
    flags: [...DEFAULTS, ...STANDARD],
    code: 9,
    made: {
      ...Object.fromEntries(
        ['01', '05', '07', '12', '14', '18', '19', '20'].map((number) => [`#20${number}`, FLAT]),
      ),
      '#2013': { to: FLAT, description: '2 × Clay mug' },
      '#2017': { to: FLAT, phone: '+447700900101' },
    },
    refused: { 18: ['Notes', 'It has 400 characters; at most 300 fit.'] },
    skippedOrders: {
      '#2002': 'refunded',
      '#2003': 'voided',
      '#2004': 'unpaid',
      '#2006': 'no_shipping',
      '#2008': 'collected',
      '#2009': 'no_shipping',
      '#2010': 'sent',
      '#2011': 'cancelled',
      '#2015': 'sent',
      '#2021': 'cancelled',
    },
    said: ['1 order is refunded in part: #2005.', '1 order is a high risk: #2012.'],
  },
  'woo.csv': {
    flags: [...DEFAULTS, ...FLAT_RATE],
    code: 9,
    made: {
      '801': {
        to: 'Fern Holloway / 12 Lamb Street, Flat 3 / London / E1 6EA',
        country: 'GB',
        description: '2 × Clay mug',
      },
    },
    // The order names no address for its parcel, and that of the payer is not taken.
    refused: { 3: ['First Name (Shipping) + Last Name (Shipping)', 'recipient_name is required.'] },
    skippedOrders: { '803': 'unpaid', '804': 'on_hold', '805': 'draft' },
  },
  'cnd.csv': {
    flags: ['--default', 'dimensions=20x15x5cm', '--map-value', 'service_level:DE1=economy'],
    code: 9,
    made: {
      'C-1': {
        to: 'Ms Fern Holloway / 12 Lamb Street / Flat 3 / London / E1 6EA',
        service: 'two_day',
        safePlace: 'Porch',
        signature: true,
      },
      'C-2': { to: RYE, service: 'two_day', grams: 100 },
      'C-4': { to: RYE, service: 'next_day' },
      'C-5': { to: RYE, service: 'next_day' },
      'C-6': { to: RYE, service: 'next_day' },
    },
    refused: { 4: ['Country', 'Parcels do not go to Germany (not served).'] },
  },
  'company-only.csv': {
    code: 0,
    made: {
      'D-1': LAMB,
      'D-2': { to: 'Bell Ltd / 12 Lamb Street / London / E1 6EA', company: 'Bell Ltd' },
      'D-3': 'Fern / 12 Lamb Street / London / E1 6EA',
    },
  },
  'country-words.csv': {
    code: 9,
    made: {
      'C-1': { to: MARSH, country: 'GB' },
      'C-2': { to: BELFAST, country: 'GB' },
      'C-3': { to: BELFAST, country: 'GB' },
      'C-4': { country: 'GG' },
    },
    refused: { 6: ['country', 'Unknown country'] },
  },
  'known-not-served.csv': {
    code: 6,
    refused: {
      2: ['postal_code', 'Parcels do not go to British Forces addresses (BFPO) (not served).'],
      3: ['postal_code', 'Parcels do not go to Gibraltar (not served).'],
      4: ['postal_code', 'Parcels do not go to the Falkland Islands (not served).'],
      5: ['postal_code', 'Parcels do not go to Ireland (not served).'],
      6: ['country', 'Parcels do not go to Ireland (not served).'],
    },
  },
  'pobox.csv': poBoxes(),
  'phone.csv': phones(),
  'label-characters.csv': {
    code: 0,
    made: {
      'T-1': { safePlace: 'Behind the bins', notes: 'Ring twice' },
      'T-2': { safePlace: undefined, notes: undefined },
    },
  },
  'tail-lines.csv': {
    code: 0,
    made: { 'V-1': LAMB, 'V-2': RYE },
    said: ['rows 4, 5 are totals or closing lines and not read'],
  },
  'leading-zeros.csv': {
    code: 9,
    made: { '000123': LAMB, '0012E5': RYE, '00777': RYE },
    refused: { 4: NO_POSTCODE, 5: NO_POSTCODE, 6: NO_POSTCODE },
  },
  'apostrophes.csv': {
    code: 0,
    made: {
      '000123': 'Fern Holloway / 1/2 / London / E1 6EA',
      '=SUM(1)': 'Fern / 12 Lamb / London / E1 6EA',
      "'tis": "Fern / 'Allo House / London / E1 6EA",
    },
  },
  'options.csv': {
    code: 0,
    made: {
      'Q-1': {
        to: LAMB,
        cash: '2500 GBP',
        notBefore: '2026-11-30',
        contents: 'gift',
        description: undefined,
        value: '4000 GBP',
        signature: true,
      },
    },
  },
  'house-name.csv': { code: 0, made: { A1: 'Fern Holloway / Rose Cottage / Lamb Street / London / E1 6EA' } },
}

/** The references of a case file whose rows begin with one such as `R07`. */
function referencesIn(name: string): string[] {
  const lines = readFileSync(join(CASE_FILES, name), 'utf8').trim().split('\n').slice(1)
  return lines.map((line) => line.slice(0, 3))
}

/** Post office boxes, and addresses that only sound like them. */
function poBoxes(): CaseFile {
  const made = ['R14', 'R15', 'R24', 'R36', 'R37', 'R38', 'R39']
  const isMade = (reference: string): boolean => reference > 'R40' || made.includes(reference)
  const rows = referencesIn('pobox.csv')
  const fault = ['address_line1', 'A PO box cannot take a parcel; give a street address.'] as const
  return {
    code: 9,
    made: Object.fromEntries(rows.flatMap((name) => (isMade(name) ? [[name, {}]] : []))),
    refused: Object.fromEntries(rows.flatMap((name, at) => (isMade(name) ? [] : [[at + 2, fault]]))),
  }
}

/** Telephone numbers in all forms: a parcel is never rejected for one. */
function phones(): CaseFile {
  const others: Readonly<Record<string, string | undefined>> = {
    R19: '+353861234567',
    R20: '+15550100199',
    R22: '+44800123456',
    R32: '+442079460123',
    ...Object.fromEntries(
      ['R15', 'R16', 'R17', 'R18', 'R21', 'R23', 'R24', 'R25', 'R26', 'R30', 'R38'].map((each) => [
        each,
        undefined,
      ]),
    ),
  }
  const phoneOf = (name: string): string | undefined => (name in others ? others[name] : '+447700900123')
  return {
    code: 0,
    made: Object.fromEntries(
      referencesIn('phone.csv').map((name) => [name, { to: LAMB, phone: phoneOf(name) }]),
    ),
    said: [
      '9 telephone numbers are the first of their cells: row 10 "07700 900123 ext 12" as +447700900123',
      '7 telephone numbers could not be read and are left out; the parcels are created without: row 18 "07700 90012"',
    ],
  }
}
