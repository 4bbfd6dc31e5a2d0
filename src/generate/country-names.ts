/** The names of countries in five languages: a program that made their index would read a thousand names of the runtime. */
import { COUNTRIES } from '../core/country.ts'
import { wordKeys } from '../tabular/csv/keys.ts'

const LANGUAGES = ['de', 'fr', 'es', 'it', 'pl']

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
    'Anglia',
    'Szkocja',
    'Walia',
    'Irlandia Północna',
    'Zjednoczone Królestwo',
  ],
  NL: ['Holland', 'Hollande', 'Holanda', 'Olanda', 'Paesi Bassi'],
  US: ['USA', 'EE. UU.', 'États-Unis', 'Stati Uniti'],
}

/** Returns the source of the alpha-2 codes by German, French, Spanish, Italian and Polish names, in the form in which they are compared. */
export function countryNamesSource(): string {
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
  const byCode = Map.groupBy(index.keys(), (name) => index.get(name) ?? '')
  const lines = [...byCode].map(([code, names]) => [code, ...names].join(' '))
  return `/** A code and its names in each. */\nexport const COUNTRY_NAMES = ${JSON.stringify(lines.join('\n'))}\n`
}
