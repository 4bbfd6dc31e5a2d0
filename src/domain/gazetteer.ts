import { fold } from './fold.ts'
import type { Point } from './geo.ts'

/** Places of London that people name instead of a point. */
const PLACES: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  aldgate: [51.5143, -0.0755],
  angel: [51.5322, -0.1058],
  bank: [51.5133, -0.0886],
  barbican: [51.5202, -0.0979],
  battersea: [51.4775, -0.1481],
  'bethnal-green': [51.527, -0.0549],
  blackfriars: [51.5117, -0.1037],
  bloomsbury: [51.5205, -0.1263],
  'borough-market': [51.5055, -0.091],
  brixton: [51.4627, -0.1147],
  camden: [51.5392, -0.1426],
  'canary-wharf': [51.5036, -0.0196],
  'charing-cross': [51.5081, -0.1248],
  clapham: [51.4618, -0.1384],
  clerkenwell: [51.5229, -0.1056],
  'covent-garden': [51.5118, -0.1243],
  dalston: [51.5461, -0.0752],
  euston: [51.5284, -0.1331],
  farringdon: [51.5203, -0.1053],
  greenwich: [51.4781, -0.0149],
  hackney: [51.547, -0.0564],
  hammersmith: [51.4927, -0.2239],
  islington: [51.5367, -0.1033],
  kensington: [51.5009, -0.1925],
  'kings-cross': [51.5308, -0.1238],
  'leadenhall-market': [51.5128, -0.0836],
  'lime-street': [51.5129, -0.0823],
  'liverpool-street': [51.5178, -0.0823],
  'london-bridge': [51.5052, -0.0864],
  'marble-arch': [51.5136, -0.1586],
  moorgate: [51.5186, -0.0886],
  'notting-hill': [51.509, -0.1963],
  'old-street': [51.5258, -0.0875],
  'oxford-circus': [51.5152, -0.1419],
  paddington: [51.5154, -0.1755],
  shoreditch: [51.5235, -0.0757],
  soho: [51.5137, -0.1337],
  'south-bank': [51.5053, -0.1167],
  spitalfields: [51.5194, -0.0747],
  'st-pauls': [51.5138, -0.0984],
  stratford: [51.5416, -0.0034],
  'tower-bridge': [51.5055, -0.0754],
  'trafalgar-square': [51.508, -0.1281],
  vauxhall: [51.4861, -0.1253],
  victoria: [51.4965, -0.1439],
  waterloo: [51.5033, -0.1147],
  westminster: [51.501, -0.1254],
  whitechapel: [51.5194, -0.0601],
}

/** The names that `findNamedPlace` knows, in their alphabet. */
export const PLACE_NAMES: readonly string[] = Object.keys(PLACES)

/** The point of a named place of London: `kings-cross`, `King’s Cross`, `BANK`; undefined when it is none of `PLACE_NAMES`. */
export function findNamedPlace(text: string): Point | undefined {
  const name = fold(text)
    .replaceAll(/['.]/g, '')
    .replaceAll(/[\s_-]+/g, '-')
  const [latitude, longitude] = Object.hasOwn(PLACES, name) ? (PLACES[name] ?? []) : []
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
}
