/** Parcels as their labels read them. */
import type { LabelFields } from '../../src/areas/carrier/label/label.ts'

type Changes = Partial<Omit<LabelFields, 'recipient'>> & {
  name?: string
  company?: string
  address?: Partial<LabelFields['recipient']['address']>
}

const FROM = { line1: '40 Lime Street', city: 'London', postal_code: 'EC3M 7AW', country_code: 'GB' }
const TO = { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' }

/** Returns a parcel to Reading, but for these changes. */
export function makeLabelFields({
  name = 'Grace Okoro',
  company,
  address,
  ...changes
}: Changes = {}): LabelFields {
  return {
    tracking_number: 'ZC968043370GB',
    reference: 'A-1001',
    status: 'pre_transit',
    service_level: 'next_day',
    sender: { contact: { name: 'Alex Morgan' }, company: 'Morgan Trading', address: FROM },
    recipient: {
      contact: { name },
      ...(company !== undefined && { company }),
      address: { ...TO, ...address },
    },
    parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 },
    options: {},
    estimated_delivery_date: '2026-11-21',
    created_at: '2026-11-20T12:00:00.000Z',
    label: {
      barcode: { symbology: 'code128', value: 'ZC968043370GB' },
      route_code: 'LON1-RG-B-ND',
    },
    ...changes,
  }
}

const ZALGO = '\u0300\u0301\u0302\u0303\u0304'.repeat(8)

/** Names that a form lets through, and that would break a label that trusts them. */
export const HOSTILE_NAMES: readonly string[] = [
  'W'.repeat(100),
  'i'.repeat(100),
  'A very long name '.repeat(6).trim().slice(0, 100),
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  `Z${ZALGO}a${ZALGO}lgo`,
  '^XZ^XA^FDowned^FS',
  '~JA~JR',
  '^FS^GB800,1200,800^FS',
  '_5E_58_5A',
  '\\^_~',
  '%PDF-1.4 (x) Tj ET',
  ') Tj (owned',
  '<script>alert(1)</script>',
  '\u001B[2J\u001B]0;owned\u0007',
  'line\nbreak\r\nand\ttab',
  'a\u2028b\u2029c\u0085d',
  '\u202Eretsam eht',
  '\u2066\u2067isolated',
  '\u200B\u200C\u200D\uFEFF',
  '\uFFFD\uFFFE\uFFFF',
  '\uD83D half of an emoji',
  '👩‍👩‍👧‍👦🇬🇧🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '﷽﷽﷽﷽﷽﷽﷽﷽',
  '𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫',
  '꧅꧅꧅꧅꧅꧅꧅꧅꧅꧅',
  'ᵃᵇᶜ⁴⁵⁶½¾™®',
  '－－－ＦＵＬＬＷＩＤＴＨ－－－'.repeat(4),
  'O\'Brien–Smith & Söhne "GmbH" / c/o',
  '0'.repeat(99),
  '…',
]

/** A name in each of the scripts that addressees of a London shop write. */
export const NAMES_BY_SCRIPT: Readonly<Record<string, string>> = {
  Cyrillic: 'Иван Петров',
  Greek: 'Ελένη Παπαδοπούλου',
  Arabic: 'محمد عبد الله',
  Hebrew: 'דוד לוי',
  Devanagari: 'प्रिया शर्मा',
  Thai: 'สมชาย ใจดี',
  Chinese: '王小明',
  Japanese: '山田 ハナコ',
  Korean: '김민준',
  Armenian: 'Արամ Խաչատրյան',
  Georgian: 'ნინო ბერიძე',
  Ethiopic: 'አበበ ቢቂላ',
  Bengali: 'অনন্যা রায়',
  Gurmukhi: 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ',
  Gujarati: 'ગીતા પટેલ',
  Tamil: 'அருண் குமார்',
  Telugu: 'లక్ష్మి రెడ్డి',
  Kannada: 'ಕಾವ್ಯಾ ಗೌಡ',
  Malayalam: 'ലക്ഷ്മി നായർ',
  Sinhala: 'ශ්‍රී නිමල්',
  Khmer: 'សុខ សុភា',
  Lao: 'ສົມສະໄໝ',
  Burmese: 'အောင်ဆန်း',
}

/** Names whose letters reach far above or below their line. */
export const TALL_NAMES: readonly string[] = [
  'Nguyễn Ấu Ỗ Ẩm gjpqy',
  'ÀÉÎÕÜ ŮǗ gjpqy',
  'نستعلیق گُلِسْتَان',
  'မြန်မာ ကျွန်ုပ် ဗုဒ္ဓ',
  'ខ្ញុំស្រ្តី ក្រុង',
  'ที่ฏุฎู',
  'ກຸ່ຫຼູ້ປີ້ນ',
  'ಕ್ಷ್ರ್ಯ ಸ್ತ್ರೀ',
  'ക്ഷ്ത്ര്യ സ്ത്രീ',
  'స్త్రీ క్ష్మ్య',
  'ක්‍ෂ්‍ය ශ්‍රී',
  'स्त्री द्द्वि र्द्ध्री',
]
