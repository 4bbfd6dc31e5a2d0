/**
 * Parks, main roads and stations of London, to find one's way on a map. Drawn coarsely by hand for this project, from
 * well-known corners and crossings; no map's data was copied, so none has a licence here. The river is in `water.ts`.
 */
import { findNamedPlace, type NamedPlace } from './gazetteer.ts'

type Spot = readonly [latitude: number, longitude: number]

/** The part of the world that the drawing covers. */
export const LONDON_FRAME = { south: 51.455, north: 51.577, west: -0.235, east: 0.05 } as const

/** Parks, each by its corners. */
export const PARKS: readonly { name: string; corners: readonly Spot[] }[] = [
  {
    name: 'Hyde Park',
    corners: [
      [51.5131, -0.159],
      [51.5032, -0.1525],
      [51.502, -0.161],
      [51.5015, -0.175],
      [51.5026, -0.188],
      [51.5075, -0.1902],
      [51.5103, -0.1872],
      [51.5116, -0.175],
    ],
  },
  {
    name: 'Regent’s Park',
    corners: [
      [51.5375, -0.1545],
      [51.5345, -0.146],
      [51.5265, -0.1442],
      [51.524, -0.152],
      [51.5265, -0.161],
      [51.5325, -0.165],
    ],
  },
  {
    name: 'Green Park',
    corners: [
      [51.5065, -0.1425],
      [51.503, -0.151],
      [51.5022, -0.142],
    ],
  },
  {
    name: 'St James’s Park',
    corners: [
      [51.5045, -0.129],
      [51.501, -0.13],
      [51.501, -0.1402],
      [51.5045, -0.1385],
    ],
  },
  {
    name: 'Battersea Park',
    corners: [
      [51.4818, -0.158],
      [51.4822, -0.15],
      [51.477, -0.149],
      [51.476, -0.16],
      [51.4793, -0.164],
    ],
  },
  {
    name: 'Victoria Park',
    corners: [
      [51.5385, -0.049],
      [51.5402, -0.037],
      [51.537, -0.029],
      [51.533, -0.037],
      [51.5335, -0.048],
    ],
  },
  {
    name: 'Greenwich Park',
    corners: [
      [51.4825, -0.005],
      [51.48, 0.007],
      [51.473, 0.006],
      [51.4735, -0.003],
    ],
  },
  {
    name: 'Hampstead Heath',
    corners: [
      [51.5555, -0.164],
      [51.5565, -0.153],
      [51.5655, -0.151],
      [51.5715, -0.158],
      [51.5685, -0.18],
      [51.563, -0.174],
    ],
  },
  {
    name: 'Clapham Common',
    corners: [
      [51.462, -0.152],
      [51.4625, -0.139],
      [51.4568, -0.141],
      [51.4565, -0.154],
    ],
  },
  {
    name: 'Finsbury Park',
    corners: [
      [51.573, -0.106],
      [51.5735, -0.098],
      [51.5665, -0.101],
      [51.5665, -0.107],
    ],
  },
  {
    name: 'Burgess Park',
    corners: [
      [51.4858, -0.086],
      [51.4833, -0.073],
      [51.4813, -0.075],
      [51.482, -0.09],
    ],
  },
  {
    name: 'Southwark Park',
    corners: [
      [51.497, -0.057],
      [51.4965, -0.052],
      [51.4905, -0.053],
      [51.4925, -0.058],
    ],
  },
  {
    name: 'Olympic Park',
    corners: [
      [51.55, -0.018],
      [51.548, -0.012],
      [51.537, -0.011],
      [51.538, -0.017],
    ],
  },
  {
    name: 'Holland Park',
    corners: [
      [51.5045, -0.206],
      [51.505, -0.201],
      [51.5, -0.2],
      [51.5005, -0.205],
    ],
  },
]

/** Main roads, each by the crossings on its way. */
export const ROADS: readonly (readonly Spot[])[] = [
  // The Inner Ring Road.
  [
    [51.5199, -0.168],
    [51.5226, -0.1571],
    [51.5238, -0.144],
    [51.5275, -0.1325],
    [51.5304, -0.123],
    [51.5322, -0.1058],
    [51.5258, -0.0875],
    [51.5215, -0.077],
    [51.5143, -0.0755],
    [51.5098, -0.0748],
    [51.503, -0.0762],
    [51.4945, -0.086],
    [51.4946, -0.0999],
    [51.4885, -0.111],
    [51.4861, -0.1253],
    [51.489, -0.13],
    [51.4965, -0.1439],
    [51.5027, -0.1527],
    [51.5136, -0.1586],
    [51.5199, -0.168],
  ],
  // Shepherd’s Bush, Oxford Street, Holborn, Bank, Mile End, Stratford.
  [
    [51.5046, -0.235],
    [51.5046, -0.2187],
    [51.509, -0.1963],
    [51.5117, -0.1755],
    [51.5136, -0.1586],
    [51.5152, -0.1419],
    [51.5165, -0.1303],
    [51.5174, -0.12],
    [51.5175, -0.111],
    [51.515, -0.0984],
    [51.5133, -0.0886],
    [51.5143, -0.0755],
    [51.5194, -0.0601],
    [51.5252, -0.0333],
    [51.5297, -0.0145],
    [51.5416, -0.0034],
    [51.552, 0.02],
    [51.565, 0.05],
  ],
  // Hammersmith, Knightsbridge, Piccadilly, the Strand, St Paul’s.
  [
    [51.4905, -0.235],
    [51.4927, -0.2239],
    [51.495, -0.1932],
    [51.4958, -0.1738],
    [51.5015, -0.1607],
    [51.5027, -0.1527],
    [51.5067, -0.1428],
    [51.51, -0.1347],
    [51.508, -0.1281],
    [51.5111, -0.1175],
    [51.5139, -0.111],
    [51.5138, -0.103],
    [51.515, -0.0984],
  ],
  // The north bank, from Chelsea to the Tower, Limehouse and the east.
  [
    [51.4818, -0.176],
    [51.486, -0.15],
    [51.4875, -0.135],
    [51.501, -0.124],
    [51.5076, -0.1215],
    [51.5112, -0.1037],
    [51.5103, -0.094],
    [51.5098, -0.0766],
    [51.509, -0.06],
    [51.5115, -0.039],
    [51.5085, -0.015],
    [51.513, 0.008],
    [51.515, 0.05],
  ],
  // Kingsland Road, to the north.
  [
    [51.5133, -0.0886],
    [51.5178, -0.0823],
    [51.527, -0.078],
    [51.5461, -0.0752],
    [51.5615, -0.0735],
    [51.592, -0.07],
  ],
  // Upper Street, Holloway, Archway.
  [
    [51.5322, -0.1058],
    [51.5465, -0.1035],
    [51.555, -0.115],
    [51.5655, -0.135],
    [51.578, -0.147],
    [51.592, -0.152],
  ],
  // Tottenham Court Road, Camden, Kentish Town.
  [
    [51.508, -0.1281],
    [51.5165, -0.1303],
    [51.525, -0.138],
    [51.5392, -0.1426],
    [51.5505, -0.1405],
    [51.5655, -0.135],
  ],
  // Finchley Road.
  [
    [51.5226, -0.1571],
    [51.5345, -0.172],
    [51.5432, -0.175],
    [51.556, -0.193],
    [51.592, -0.212],
  ],
  // Edgware Road.
  [
    [51.5199, -0.168],
    [51.532, -0.187],
    [51.547, -0.204],
    [51.562, -0.222],
    [51.57, -0.235],
  ],
  // The Westway.
  [
    [51.5155, -0.235],
    [51.518, -0.21],
    [51.5195, -0.19],
    [51.5199, -0.168],
  ],
  // Seven Sisters Road.
  [
    [51.555, -0.115],
    [51.5642, -0.1065],
    [51.582, -0.072],
  ],
  // Hackney Road, Clapton, Walthamstow.
  [
    [51.527, -0.078],
    [51.532, -0.06],
    [51.547, -0.0564],
    [51.557, -0.056],
    [51.57, -0.027],
    [51.583, -0.0199],
  ],
  // Bow to the Blackwall Tunnel and Greenwich.
  [
    [51.56, -0.018],
    [51.5297, -0.0145],
    [51.518, -0.009],
    [51.5065, -0.003],
    [51.499, 0.0065],
    [51.485, 0.0155],
    [51.468, 0.02],
  ],
  // Old Kent Road, New Cross, Blackheath.
  [
    [51.4945, -0.086],
    [51.4855, -0.072],
    [51.4755, -0.04],
    [51.474, -0.0255],
    [51.471, 0.006],
    [51.466, 0.05],
  ],
  // London Bridge, Elephant and Castle, Clapham.
  [
    [51.5133, -0.0886],
    [51.5052, -0.0868],
    [51.4946, -0.0999],
    [51.4855, -0.1075],
    [51.4722, -0.123],
    [51.4618, -0.1384],
    [51.455, -0.15],
  ],
  // Brixton Road.
  [
    [51.4855, -0.1075],
    [51.4627, -0.1147],
    [51.455, -0.1175],
  ],
  // Camberwell and Peckham.
  [
    [51.4861, -0.1253],
    [51.4742, -0.093],
    [51.474, -0.0693],
    [51.4755, -0.04],
  ],
  // Waterloo Bridge.
  [
    [51.5111, -0.1175],
    [51.5045, -0.1135],
    [51.4946, -0.0999],
  ],
  // Westminster Bridge.
  [
    [51.5067, -0.1428],
    [51.5005, -0.1295],
    [51.501, -0.124],
    [51.5, -0.115],
    [51.4946, -0.0999],
  ],
  // Battersea, Clapham Junction, Wandsworth, Putney.
  [
    [51.4861, -0.1253],
    [51.479, -0.1445],
    [51.4642, -0.1703],
    [51.4575, -0.19],
    [51.4611, -0.2164],
    [51.464, -0.235],
  ],
  // Fulham Road and Putney Bridge.
  [
    [51.4941, -0.1738],
    [51.4804, -0.1951],
    [51.4685, -0.2095],
    [51.4611, -0.2164],
  ],
]

/** The stations that people know, by their names in the gazetteer. */
const STATION_NAMES = [
  'Paddington',
  'Marylebone',
  'Euston',
  'King’s Cross',
  'Liverpool Street',
  'Fenchurch Street',
  'London Bridge',
  'Waterloo',
  'Charing Cross',
  'Victoria',
  'Clapham Junction',
  'Stratford',
  'Canary Wharf',
  'Finsbury Park',
  'Hammersmith',
]

/** The parts of town that give a map its names. */
const DISTRICT_NAMES = [
  'Camden',
  'Islington',
  'Hackney',
  'Shoreditch',
  'Soho',
  'Notting Hill',
  'Chelsea',
  'Brixton',
  'Peckham',
  'Greenwich',
  'Putney',
]

const named = (names: readonly string[]): NamedPlace[] => names.flatMap((name) => findNamedPlace(name) ?? [])

export const STATIONS: readonly NamedPlace[] = named(STATION_NAMES)
export const DISTRICTS: readonly NamedPlace[] = named(DISTRICT_NAMES)
