import { fold } from '../fold.ts'
import type { Point } from '../geometry.ts'
import { nearest } from '../nearest.ts'

export type NamedPlace = Point & { name: string }

/** Places of London that people name instead of a point, sorted by slug. */
const PLACES: readonly (readonly [name: string, latitude: number, longitude: number])[] = [
  ['Aldgate', 51.5143, -0.0755],
  ['Angel', 51.5322, -0.1058],
  ['Baker Street', 51.5226, -0.1571],
  ['Bank', 51.5133, -0.0886],
  ['Barbican', 51.5202, -0.0979],
  ['Battersea', 51.4775, -0.1481],
  ['Battersea Power Station', 51.4817, -0.1445],
  ['Bethnal Green', 51.527, -0.0549],
  ['Big Ben', 51.5007, -0.1246],
  ['Blackfriars', 51.5117, -0.1037],
  ['Bloomsbury', 51.5205, -0.1263],
  ['Bond Street', 51.5142, -0.1494],
  ['Borough Market', 51.5055, -0.091],
  ['British Museum', 51.5194, -0.127],
  ['Brixton', 51.4627, -0.1147],
  ['Buckingham Palace', 51.5014, -0.1419],
  ['Camden', 51.5392, -0.1426],
  ['Camden Market', 51.5413, -0.1465],
  ['Canary Wharf', 51.5036, -0.0196],
  ['Charing Cross', 51.5081, -0.1248],
  ['Chelsea', 51.4875, -0.1687],
  ['Clapham', 51.4618, -0.1384],
  ['Clapham Junction', 51.4642, -0.1703],
  ['Clerkenwell', 51.5229, -0.1056],
  ['Covent Garden', 51.5118, -0.1243],
  ['Croydon', 51.3762, -0.0982],
  ['Crystal Palace', 51.4183, -0.0724],
  ['Dalston', 51.5461, -0.0752],
  ['Downing Street', 51.5034, -0.1276],
  ['Ealing Broadway', 51.5152, -0.3017],
  ['Earl’s Court', 51.492, -0.1932],
  ['Elephant and Castle', 51.4946, -0.0999],
  ['Embankment', 51.5074, -0.1223],
  ['Euston', 51.5284, -0.1331],
  ['Farringdon', 51.5203, -0.1053],
  ['Fenchurch Street', 51.5118, -0.0788],
  ['Finsbury Park', 51.5642, -0.1065],
  ['Fulham Broadway', 51.4804, -0.1951],
  ['Gatwick Airport', 51.1537, -0.1821],
  ['Green Park', 51.5067, -0.1428],
  ['Greenwich', 51.4781, -0.0149],
  ['Hackney', 51.547, -0.0564],
  ['Hammersmith', 51.4927, -0.2239],
  ['Heathrow Airport', 51.47, -0.4543],
  ['Holborn', 51.5174, -0.12],
  ['Hyde Park', 51.5073, -0.1657],
  ['Hyde Park Corner', 51.5027, -0.1527],
  ['Islington', 51.5367, -0.1033],
  ['Kensington', 51.5009, -0.1925],
  ['King’s Cross', 51.5308, -0.1238],
  ['Knightsbridge', 51.5015, -0.1607],
  ['Leadenhall Market', 51.5128, -0.0836],
  ['Leicester Square', 51.5113, -0.1281],
  ['Lewisham', 51.4657, -0.0142],
  ['Lime Street', 51.5129, -0.0823],
  ['Liverpool Street', 51.5178, -0.0823],
  ['London Bridge', 51.5052, -0.0864],
  ['London City Airport', 51.5048, 0.0495],
  ['London Eye', 51.5033, -0.1196],
  ['Marble Arch', 51.5136, -0.1586],
  ['Marylebone', 51.5225, -0.1631],
  ['Mayfair', 51.5095, -0.1475],
  ['Monument', 51.5108, -0.0863],
  ['Moorgate', 51.5186, -0.0886],
  ['Notting Hill', 51.509, -0.1963],
  ['O2 Arena', 51.503, 0.0032],
  ['Old Street', 51.5258, -0.0875],
  ['Oxford Circus', 51.5152, -0.1419],
  ['Paddington', 51.5154, -0.1755],
  ['Peckham', 51.474, -0.0693],
  ['Piccadilly Circus', 51.51, -0.1347],
  ['Putney', 51.4611, -0.2164],
  ['Richmond', 51.463, -0.3014],
  ['Russell Square', 51.523, -0.1244],
  ['Shepherd’s Bush', 51.5046, -0.2187],
  ['Shoreditch', 51.5235, -0.0757],
  ['Sloane Square', 51.4924, -0.1565],
  ['Soho', 51.5137, -0.1337],
  ['South Bank', 51.5053, -0.1167],
  ['South Kensington', 51.4941, -0.1738],
  ['Southwark', 51.5039, -0.1047],
  ['Spitalfields', 51.5194, -0.0747],
  ['St Pancras', 51.5316, -0.1261],
  ['St Paul’s', 51.5138, -0.0984],
  ['Stratford', 51.5416, -0.0034],
  ['Tate Modern', 51.5076, -0.0994],
  ['Temple', 51.5111, -0.1141],
  ['Tottenham Court Road', 51.5165, -0.1303],
  ['Tower Bridge', 51.5073, -0.0748],
  ['Tower Hill', 51.5098, -0.0766],
  ['Tower of London', 51.5081, -0.0759],
  ['Trafalgar Square', 51.508, -0.1281],
  ['Vauxhall', 51.4861, -0.1253],
  ['Victoria', 51.4965, -0.1439],
  ['Walthamstow', 51.583, -0.0199],
  ['Waterloo', 51.5033, -0.1147],
  ['Wembley', 51.556, -0.2796],
  ['Westminster', 51.501, -0.1254],
  ['Whitechapel', 51.5194, -0.0601],
  ['Wimbledon', 51.4214, -0.2064],
]

/** Other names of the same places, as slugs. */
const ALIASES: Readonly<Record<string, string>> = {
  '10-downing-street': 'downing-street',
  'houses-of-parliament': 'big-ben',
  lcy: 'london-city-airport',
  lgw: 'gatwick-airport',
  lhr: 'heathrow-airport',
  'north-greenwich': 'o2-arena',
  o2: 'o2-arena',
  parliament: 'big-ben',
  shard: 'london-bridge',
  southbank: 'south-bank',
  'southbank-centre': 'south-bank',
}

/** Words after a name that do not change the place. */
const TAIL = /-(?:station|airport|terminal(?:-\d)?|t\d|underground|tube|market|london|uk)$/

let slugs: ReadonlyMap<string, NamedPlace> | undefined

/** Every place by its name as a slug, sorted: made once, and not by a program that names none. */
export function namedPlaces(): ReadonlyMap<string, NamedPlace> {
  return (slugs ??= new Map(
    PLACES.map(([name, latitude, longitude]) => [slugOf(name), { name, latitude, longitude }]),
  ))
}

/** Returns the place of London that a text means: `kings-cross`, `King’s Cross station`, `heathrow t5`, `BANK`. */
export function findNamedPlace(text: string): NamedPlace | undefined {
  for (let slug = slugOf(text).replace(/^the-/, ''); slug !== ''; slug = slug.replace(TAIL, '')) {
    const found =
      namedPlaces().get(Object.hasOwn(ALIASES, slug) ? (ALIASES[slug] ?? slug) : slug) ??
      namedPlaces().get(`${slug}-airport`)
    if (found !== undefined) return found
    if (!TAIL.test(slug)) return undefined
  }
  return undefined
}

const SUGGESTIONS = 5
/** Words that are in too many names to show which place is meant. */
const COMMON = new Set(
  'street road avenue lane close court place way house station the and near central london'.split(' '),
)

/**
 * Returns up to five likely names, of places and of `others`: the one nearest in spelling, then those that share the
 * most words with the text.
 */
export function similarNames(text: string, others: readonly string[] = []): string[] {
  const slug = slugOf(text)
  const known = new Map([...namedPlaces().keys(), ...others].map((name) => [slugOf(name), name]))
  const words = slug.split('-').filter((word) => word.length > 2 && !COMMON.has(word))
  const shared = [...known].map(([key, name]) => {
    const parts = key.split('-')
    return { name, count: words.filter((word) => parts.some((part) => part.startsWith(word))).length }
  })
  const most = Math.max(1, ...shared.map(({ count }) => count))
  const sharing = shared.filter(({ count }) => count === most).map(({ name }) => name)
  // A text that begins with a digit, such as "5 Bond Street", is an address and not a misspelt name.
  const spelt = /^\d/.test(slug) ? undefined : known.get(nearest(slug, [...known.keys()]) ?? '')
  return [...new Set([...(spelt === undefined ? [] : [spelt]), ...sharing])].slice(0, SUGGESTIONS)
}

function slugOf(text: string): string {
  return fold(text)
    .replaceAll(/['.]/g, '')
    .replaceAll(/[\s_,-]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
