/** The commands of a story about a ride, a delivery, a booking, a task or a parcel, drawn from a seed. */
import type { Random } from '../../adversarial/random.ts'
import { makeStep, type NextStep, type StoryStep } from './story.ts'
import type { SubjectKind } from './surface.ts'

const PLACES = ['kings-cross', 'bank', 'shoreditch', 'spitalfields', 'waterloo']
const ADVANCES = ['1m', '2m', '5m', '15m', '1h', '6h', '26h']
const PEOPLE =
  '--from-name|Ana Moreau|--from-phone|+447700900123|--to-name|Ravi Shah|--to-phone|+447700900124'
const PERSON = '--name|Ana Reid|--phone|+447700900123'
const JOB = `--service|Regular clean|--to|shoreditch|--duration|120|${PERSON}`
const STARTS = ['tomorrow 09:00', 'tomorrow 11:00', '2026-11-23T09:00:00Z']
const AUDIT = `--to|spitalfields|--require|store_name=Spar|--require|products=Oat milk,Rye bread|${PERSON}`
const CONSENT = ['--yes', '--max-total', '900', '--new']
const PARCEL =
  '--to-name|Grace Okoro|--to-line1|12 Friar Street|--to-city|Reading|--to-postal-code|RG1 1DB|--to-country|GB'
const BOX = '--weight|1.4kg|--length|30cm|--width|20cm|--height|10cm'

type Kind = Exclude<SubjectKind, 'order' | 'day' | 'days'>

const ACCOUNTS: Readonly<Record<Kind, readonly string[]>> = {
  ride: ['member', 'guest', 'everything'],
  delivery: ['member', 'guest', 'everything'],
  booking: ['member', 'guest', 'everything'],
  task: ['member', 'guest', 'everything'],
  parcel: ['shipper', 'everything'],
}

const SCENARIOS: Readonly<Record<Kind, readonly string[]>> = {
  ride: ['happy', 'no_driver', 'driver_cancels;at=arrived', 'rider_no_show', 'driver_late;minutes=25'],
  delivery: ['no_courier', 'courier_cancels;at=assigned', 'undeliverable;reason=refused', 'goods_damaged'],
  booking: ['declined', 'provider_no_show', 'no_show'],
  task: ['unfulfilled', 'no_tasker', 'happy'],
  parcel: ['happy', 'lost', 'damaged'],
}

/** Most things of one story. */
const MAX_MADE = 2

/** Returns what draws so many commands about things of these kinds. */
export function drawBoughtSteps(random: Random, length: number): NextStep {
  const kinds = Object.keys(ACCOUNTS) as Kind[]
  let tried = 0
  return async ({ made, count }) => {
    if (count >= length) return undefined
    if (made.size === 0 || (tried < MAX_MADE && random.number(5) === 0)) {
      if (tried > 4) return undefined
      tried += 1
      return drawPurchase(random, tried, random.pick(kinds))
    }
    const at = random.pick([...made.keys()])
    const { kind, owner } = made.get(at) ?? { kind: 'ride', owner: 'member' }
    return drawMishap(random, `{${at}}`, { kind: kind as Kind, owner })
  }
}

function drawPurchase(random: Random, name: number, kind: Kind): StoryStep {
  const owner = random.pick(ACCOUNTS[kind])
  const method = random.pick(
    kind === 'booking' || kind === 'task' ? ['card', 'wallet'] : ['card', 'wallet', 'cash'],
  )
  const token = random.pick(['tok_ok', 'tok_ok', 'tok_pending', 'tok_declined'])
  const pay = ['--pay', method, ...(method === 'card' ? ['--payment-token', token] : [])]
  const scenario = random.number(3) === 0 ? ['--scenario', random.pick(SCENARIOS[kind])] : []
  const [from, to] = [random.pick(PLACES), random.pick(PLACES)]
  const purchases: Readonly<Record<Kind, () => StoryStep>> = {
    ride: () =>
      makeStep(
        'rides request',
        '--from',
        from,
        '--to',
        to,
        '--tier',
        random.pick(['economy', 'comfort']),
        ...pay,
      ),
    delivery: () =>
      makeStep(
        'delivery request',
        '--from',
        from,
        '--to',
        to,
        '--what',
        'A set of keys',
        ...PEOPLE.split('|'),
        ...pay,
      ),
    booking: () =>
      makeStep('services book', 'Bright Corner', ...JOB.split('|'), '--at', random.pick(STARTS), ...pay),
    task: () => makeStep('tasks create', 'shelf_audit', ...AUDIT.split('|'), ...pay),
    parcel: () =>
      makeStep(
        'carrier create',
        ...PARCEL.split('|'),
        ...BOX.split('|'),
        '--service',
        random.pick(['next_day', 'economy']),
      ),
  }
  const { words } = purchases[kind]()
  return {
    words: [...words, ...CONSENT, ...scenario, '--as', owner],
    makes: { kind, name, owner, keeper: owner, store: '' },
  }
}

const SCANS = [
  'collected',
  'out_for_delivery',
  'delivery_attempted',
  'delivered',
  'held',
  'lost',
  'return_started',
  'returned',
]

function drawMishap(random: Random, id: string, { kind, owner }: { kind: Kind; owner: string }): StoryStep {
  const own = ['--as', owner]
  const cancel = (command: string) => (): StoryStep => makeStep(command, id, '--yes', '--confirm', id, ...own)
  const problem =
    (command: string, ...reasons: readonly string[]) =>
    (): StoryStep =>
      makeStep(command, id, '--reason', random.pick(reasons), ...own)
  const mishaps: Readonly<Record<Kind, readonly (() => StoryStep)[]>> = {
    ride: [cancel('rides cancel'), problem('rides problem', 'late', 'other')],
    delivery: [problem('delivery problem', 'late', 'damaged')],
    booking: [
      cancel('services cancel'),
      () => makeStep('services move', id, '--at', '2026-11-23T11:00:00Z', '--yes', ...own),
      problem('services problem', 'no_show', 'other'),
    ],
    task: [cancel('tasks cancel')],
    parcel: [
      cancel('carrier cancel'),
      () => makeStep('sandbox scan', id, random.pick(SCANS)),
      () => makeStep('carrier redirect', id, '--safe-place', 'Porch', '--yes', ...own),
      () => makeStep('carrier return', id, '--yes', '--confirm', id, ...own),
    ],
  }
  return random.pick([
    ...mishaps[kind],
    () => makeStep('sandbox step', id),
    () => makeStep('sandbox step', id),
    ...Array.from({ length: 3 }, () => () => makeStep('sandbox clock advance', random.pick(ADVANCES))),
  ])()
}
