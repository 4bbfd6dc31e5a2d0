/** Files and commands of a clerk. */

export const MANIFEST_COLUMNS =
  'reference,recipient_name,address_line1,city,postal_code,weight_grams,length_mm,width_mm,height_mm,service_level'

const DESTINATIONS = [
  '14 Lamb Street,London,E1 6EA',
  '5 Market Place,Reading,RG1 2DE',
  '62 Portland Street,Manchester,M1 4EU',
  '18 Buchanan Street,Glasgow,G1 3HL',
  '60 Botanic Avenue,Belfast,BT7 1JL',
] as const

/** Returns one valid line of a manifest with `MANIFEST_COLUMNS`. */
export function manifestLine(reference: string, index = 0): string {
  return `${reference},Recipient ${index},${DESTINATIONS[index % DESTINATIONS.length]},${500 + index},300,200,100,two_day`
}

/** Returns a manifest of valid rows, from `<prefix>0001` on. */
export function makeManifestCsv(count: number, prefix = 'R-'): string {
  const lines = Array.from({ length: count }, (_, index) => manifestLine(referenceOf(index, prefix), index))
  return [MANIFEST_COLUMNS, ...lines, ''].join('\n')
}

export function referenceOf(index: number, prefix = 'R-'): string {
  return `${prefix}${String(index + 1).padStart(4, '0')}`
}

/** Returns a complete `dray carrier create` command; later flags of the same name override earlier ones. */
export function createCommand(reference: string, more = ''): string {
  return `carrier create --reference ${reference} --to-name "Grace Okoro" --to-line1 "12 Friar Street" --to-city Reading --to-postal-code "RG1 1DB" --to-country GB --weight 1.4kg --length 30cm --width 20cm --height 10cm --service next_day --yes --max-total 100 ${more}`
}
