import { COUNTRIES } from '../../core/countries.ts'
import { wordKeys } from '../csv/keys.ts'

const LANGUAGES = ['de', 'fr', 'es', 'it']

/** Common names of countries beside those that the runtime knows. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  GB: [
    'Großbritannien',
    'Schottland',
    'Nordirland',
    'Grande-Bretagne',
    'Royaume Uni',
    'Angleterre',
    'Écosse',
    'Pays de Galles',
    'Irlande du Nord',
    'Gran Bretaña',
    'Inglaterra',
    'Escocia',
    'Gales',
    'País de Gales',
    'Irlanda del Norte',
    'Gran Bretagna',
    'Inghilterra',
    'Scozia',
    'Galles',
    'Irlanda del Nord',
  ],
  NL: ['Holland', 'Hollande', 'Holanda', 'Olanda', 'Paesi Bassi'],
  US: ['USA', 'EE. UU.', 'États-Unis', 'Stati Uniti'],
}

let codes: Map<string, string> | undefined

/** The alpha-2 code of a country by its German, French, Spanish or Italian name, in any case and without accents. */
export function countryByName(name: string): string | undefined {
  codes ??= indexNames()
  return wordKeys(name).flatMap((key) => codes?.get(key) ?? [])[0]
}

function indexNames(): Map<string, string> {
  const index = new Map<string, string>()
  const add = (name: string | undefined, code: string): void => {
    for (const key of wordKeys(name ?? '')) index.set(key, code)
  }
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const row of COUNTRIES) add(names.of(row.slice(0, 2)), row.slice(0, 2))
  }
  for (const [code, names] of Object.entries(COMMON)) for (const name of names) add(name, code)
  index.delete('')
  return index
}
