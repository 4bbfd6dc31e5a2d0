/** Ten providers of every category, each with a home in London. */
import type { Tx } from '../../core/db.ts'
import { fold } from '../../core/fold.ts'
import { MARKET_TAX_BPS } from '../../core/market.ts'
import { type OpeningHours, packWeek } from '../../core/opening-hours.ts'
import { addDays, localDate, WEEKDAYS } from '../../core/time.ts'
import type { World } from '../../core/world.ts'
import { newIds, nextSeq } from '../../store/counters.ts'
import { gbp, open } from '../catalog/fixture/store.ts'
import { priceService, type ServiceOffer } from './rules.ts'
import type { ServiceCategory } from './states.ts'
import { insertProviders, type OfferSummary, type ProviderDoc } from './store/providers.ts'

type Person = {
  name: string
  categories: ServiceCategory[]
  offers: ServiceOffer[]
  /** Rounded to three decimals, as all callers see it. */
  at: readonly [latitude: number, longitude: number]
  hours: OpeningHours[]
  /** Days after the store was created. */
  daysOff?: readonly number[]
  /** The radius and its free part in metres, then pence for each further km. */
  travel: readonly [radius: number, free: number, perKm: number]
  rating: number | null
  ratings: number
  languages: string[]
  verified: boolean
  phone: string
}

const MON_FRI = WEEKDAYS.slice(0, 5)
const MON_SAT = WEEKDAYS.slice(0, 6)

type Terms = { callout?: number; buffer?: number; slot?: true }

/** Returns a service at a fixed price. */
function fixed(
  service_code: string,
  [name, description]: readonly [name: string, description: string],
  [pence, minutes]: readonly [number, number],
  { callout = 0, buffer = 30, slot }: Terms = {},
): ServiceOffer {
  return {
    service_code,
    name,
    description,
    pricing: { model: 'fixed', price: gbp(pence), minimum_minutes: minutes, callout_fee: gbp(callout) },
    default_duration_minutes: minutes,
    buffer_minutes: buffer,
    slot_required: slot ?? false,
  }
}

/** Returns a service by the hour: pence, the shortest and the usual minutes. */
function hourly(
  service_code: string,
  [name, description]: readonly [name: string, description: string],
  [pence, minimum, usual]: readonly [number, number, number],
  { callout = 0, buffer = 30, slot }: Terms = {},
): ServiceOffer {
  return {
    service_code,
    name,
    description,
    pricing: { model: 'hourly', price: gbp(pence), minimum_minutes: minimum, callout_fee: gbp(callout) },
    default_duration_minutes: usual,
    buffer_minutes: buffer,
    slot_required: slot ?? false,
  }
}

const POLICY =
  'If the provider cancels or declines, everything is paid back. Nobody at home 15 minutes after arrival counts as a visit and is charged in full.'

const PEOPLE: readonly Person[] = [
  {
    name: 'Bright Corner Cleaning',
    categories: ['cleaning'],
    offers: [
      hourly('regular_clean', ['Regular clean', 'Kitchen, bathroom, floors and dusting'], [1800, 120, 120]),
      hourly(
        'deep_clean',
        ['Deep clean', 'Everything, including the oven and behind the fridge'],
        [2400, 180, 240],
      ),
      fixed('window_clean', ['Windows inside', 'All windows of a flat, from the inside'], [4500, 60]),
    ],
    at: [51.524, -0.077],
    hours: open('08:00', '18:00', MON_SAT),
    travel: [12_000, 5000, 80],
    rating: 4.8,
    ratings: 412,
    languages: ['en', 'pl', 'pt'],
    verified: true,
    phone: '+442079460201',
  },
  {
    name: 'Marigold Home Cleaning',
    categories: ['cleaning'],
    offers: [
      hourly('regular_clean', ['Regular clean', 'The same cleaner every time'], [1650, 120, 180], {
        buffer: 15,
      }),
      fixed('end_of_tenancy', ['End of tenancy clean', 'By the letting agent’s checklist'], [18_900, 360]),
    ],
    at: [51.539, -0.143],
    hours: open('09:00', '17:00'),
    travel: [9000, 4000, 75],
    rating: 4.5,
    ratings: 198,
    languages: ['en', 'es'],
    verified: true,
    phone: '+442079460202',
  },
  {
    name: 'Thames Pipe & Tap',
    categories: ['plumbing'],
    offers: [
      hourly('fix_leak', ['Fix a leak', 'Taps, pipes and joints'], [6800, 60, 60], { callout: 4500 }),
      fixed('unblock_drain', ['Unblock a drain', 'Sinks, showers and toilets'], [9500, 90]),
      fixed('boiler_service', ['Boiler service', 'Gas safe, with the certificate'], [8900, 90]),
    ],
    at: [51.506, -0.091],
    hours: open('00:00', '00:00'),
    travel: [15_000, 6000, 120],
    rating: 4.6,
    ratings: 871,
    languages: ['en'],
    verified: true,
    phone: '+442079460203',
  },
  {
    name: 'Vauxhall Fix-It',
    categories: ['plumbing', 'handyman'],
    offers: [
      hourly('fix_leak', ['Fix a leak', 'Small leaks, same week'], [5400, 60, 90], { callout: 2500 }),
      hourly('small_repairs', ['Small repairs', 'Doors, locks, blinds and fillings'], [4200, 60, 120]),
    ],
    at: [51.486, -0.125],
    hours: [...open('08:00', '12:30', MON_FRI), ...open('13:30', '17:30', MON_FRI)],
    travel: [8000, 3000, 100],
    rating: 4.3,
    ratings: 96,
    languages: ['en', 'ro'],
    verified: false,
    phone: '+442079460204',
  },
  {
    name: 'Live Wire Electrical',
    categories: ['electrical'],
    offers: [
      hourly('fix_fault', ['Find and fix a fault', 'Fuses, sockets and switches'], [7200, 60, 90], {
        callout: 4000,
      }),
      fixed('safety_check', ['Safety check', 'The report that landlords need'], [14_000, 120]),
      fixed('fit_light', ['Fit a light', 'Your lamp, fitted and tested'], [6500, 60]),
    ],
    at: [51.532, -0.106],
    hours: open('08:00', '18:30', MON_SAT),
    travel: [12_000, 5000, 110],
    rating: 4.9,
    ratings: 325,
    languages: ['en', 'fr'],
    verified: true,
    phone: '+442079460205',
  },
  {
    name: 'Hana Handy',
    categories: ['handyman'],
    offers: [
      hourly('assemble_furniture', ['Assemble furniture', 'Flat packs, with own tools'], [3800, 60, 120]),
      fixed('hang_shelves', ['Hang shelves', 'Up to three, into any wall'], [5500, 60]),
    ],
    at: [51.527, -0.055],
    hours: open('10:00', '19:00', ['tue', 'wed', 'thu', 'fri', 'sat']),
    travel: [7000, 7000, 0],
    rating: null,
    ratings: 0,
    languages: ['en', 'cs'],
    verified: false,
    phone: '+442079460206',
  },
  {
    name: 'Fern & Furrow Gardens',
    categories: ['gardening'],
    offers: [
      hourly('tidy_garden', ['Tidy a garden', 'Weeds, leaves and beds'], [3200, 120, 180]),
      fixed('mow_lawn', ['Mow a lawn', 'Up to 100 square metres, edges too'], [4000, 60]),
      fixed('trim_hedge', ['Trim a hedge', 'Up to ten metres, cuttings taken away'], [7500, 120]),
    ],
    at: [51.478, -0.015],
    hours: open('08:00', '16:00', MON_FRI),
    daysOff: [3, 4],
    travel: [14_000, 6000, 90],
    rating: 4.7,
    ratings: 143,
    languages: ['en'],
    verified: true,
    phone: '+442079460207',
  },
  {
    name: 'Kensington Mobile Beauty',
    categories: ['beauty'],
    offers: [
      fixed('haircut', ['Haircut', 'Cut and dry at home'], [4800, 60], { slot: true }),
      fixed('manicure', ['Manicure', 'Shape, file and polish'], [3500, 45], { buffer: 15, slot: true }),
      fixed('massage', ['Massage', 'Back and shoulders, with a table'], [7000, 90], { slot: true }),
    ],
    at: [51.501, -0.192],
    hours: open('10:00', '20:00', ['tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
    travel: [10_000, 3000, 150],
    rating: 4.9,
    ratings: 534,
    languages: ['en', 'it', 'ar'],
    verified: true,
    phone: '+442079460208',
  },
  {
    name: 'Paws & Paths',
    categories: ['pet_care'],
    offers: [
      fixed('dog_walk', ['Dog walk', 'An hour in the park, one dog at a time'], [1800, 60], { buffer: 15 }),
      hourly('pet_sitting', ['Pet sitting', 'At your home'], [1500, 120, 240]),
    ],
    at: [51.547, -0.056],
    hours: open('07:00', '19:00'),
    travel: [8000, 4000, 60],
    rating: 4.8,
    ratings: 267,
    languages: ['en', 'de'],
    verified: true,
    phone: '+442079460209',
  },
  {
    name: 'Clearway Tutors',
    categories: ['tutoring'],
    offers: [
      fixed('maths_lesson', ['Maths lesson', 'From first fractions to A level'], [4200, 60], { slot: true }),
      fixed('french_lesson', ['French lesson', 'Conversation or exam'], [3800, 60], { slot: true }),
    ],
    at: [51.521, -0.126],
    hours: [...open('15:00', '21:00', MON_FRI), ...open('09:00', '14:00', ['sat'])],
    travel: [10_000, 10_000, 0],
    rating: 4.7,
    ratings: 88,
    languages: ['en', 'fr', 'hi'],
    verified: true,
    phone: '+442079460210',
  },
]

export async function seedProviders(tx: Tx, world: World, now: number): Promise<void> {
  const ids = await newIds({ tx, world, at: now }, 'prv', PEOPLE.length)
  const first = await nextSeq(tx, now, PEOPLE.length)
  const today = localDate(now, world.timezone)
  await insertProviders(
    tx,
    PEOPLE.map((person, index) => {
      const { name, categories, offers, at, hours, daysOff = [] } = person
      const [latitude, longitude] = at
      const names = offers.map((offer) => offer.name)
      return {
        provider_id: ids[index] ?? '',
        seq: first + index,
        name,
        search_text: fold([name, ...categories.map((each) => each.replaceAll('_', ' ')), ...names].join(' ')),
        location: { latitude, longitude },
        time: {
          week: packWeek(hours),
          timezone: world.timezone,
          daysOff: daysOff.map((days) => addDays(today, days)).join(' '),
        },
        rating_tenths: person.rating === null ? null : Math.round(person.rating * 10),
        offers: offers.map((offer) => summarize(offer)),
        doc: toDoc(person),
      }
    }),
  )
}

function toDoc({ categories, offers, travel, ...person }: Person): ProviderDoc {
  const [radius_m, free_radius_m, perKm] = travel
  return {
    categories,
    services: offers,
    rating_count: person.ratings,
    languages: person.languages,
    verified: person.verified,
    phone: person.phone,
    photo_url: null,
    travel: { radius_m, free_radius_m, per_km: gbp(perKm) },
    tax_rate_bps: MARKET_TAX_BPS,
    cancellation_policy: POLICY,
  }
}

function summarize(offer: ServiceOffer): OfferSummary {
  const { service_code, default_duration_minutes, buffer_minutes } = offer
  const near = { radius_m: 0, free_radius_m: 0, per_km: gbp(0) }
  const { total } = priceService(offer, near, { minutes: default_duration_minutes, distance_m: 0 })
  return { service_code, price: total.amount, default_duration_minutes, buffer_minutes }
}
