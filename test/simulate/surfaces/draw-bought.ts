/** The commands of a story about a ride, a delivery, a booking, a task or a parcel, drawn from a seed. */
import type { Random } from '../../adversarial/random.ts'
import { drawParcel, listParcelCourses, listParcelMishaps } from './draw-parcels.ts'
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
type Kind = Exclude<SubjectKind, 'order' | 'day' | 'days' | 'month'>

const ACCOUNTS: Readonly<Record<Kind, readonly string[]>> = {
  ride: ['member', 'everything'],
  delivery: ['member', 'everything'],
  booking: ['member', 'everything'],
  task: ['member', 'everything'],
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
  const planned: StoryStep[] = []
  return async ({ made, count }) => {
    if (count >= length) return undefined
    const next = planned.shift()
    if (next !== undefined) return next
    if (made.size === 0 || (tried < MAX_MADE && random.number(5) === 0)) {
      if (tried > 4) return undefined
      tried += 1
      const { step, course } = drawBegin(random, tried, random.pick(kinds))
      planned.push(...course)
      return step
    }
    const at = random.pick([...made.keys()])
    const { kind, owner } = made.get(at) ?? { kind: 'ride', owner: 'member' }
    return drawMishap(random, `{${at}}`, { kind: kind as Kind, owner })
  }
}

/** Returns the purchase of something, and in each second story what follows at once: states that chance seldom draws. */
function drawBegin(random: Random, name: number, kind: Kind): { step: StoryStep; course: StoryStep[] } {
  if (random.number(2) === 0) return { step: drawPurchase(random, name, kind, {}), course: [] }
  const owner = random.pick(ACCOUNTS[kind])
  const { scenario, steps } = random.pick(listCourses(kind, `{${name}}`, ['--as', owner]))
  return { step: drawPurchase(random, name, kind, { owner, scenario, isPaid: true }), course: steps }
}

type Course = { scenario?: string; steps: StoryStep[] }

/** Returns courses of something, each under a scenario, with its commands after the purchase. */
function listCourses(kind: Kind, id: string, own: readonly string[]): Course[] {
  const advance = (time: string) => makeStep('sandbox clock advance', time)
  const next = () => makeStep('sandbox step', id)
  const cancel = (command: string) => makeStep(command, id, '--yes', '--confirm', id, ...own)
  const report = (command: string, reason: string) => makeStep(command, id, '--reason', reason, ...own)
  const courses: Readonly<Record<Kind, () => Course[]>> = {
    ride: () => [
      { steps: [next(), next(), next(), cancel('rides cancel')] },
      { scenario: 'rider_no_show', steps: [advance('1h')] },
      { scenario: 'driver_late;minutes=25', steps: [advance('6h'), report('rides problem', 'late')] },
    ],
    delivery: () => [
      { scenario: 'goods_damaged', steps: [advance('6h'), report('delivery problem', 'damaged')] },
      { scenario: 'undeliverable;reason=refused', steps: [advance('6h')] },
    ],
    booking: () => [
      { steps: [next(), advance('26h'), cancel('services cancel')] },
      { scenario: 'provider_no_show', steps: [advance('5d'), report('services problem', 'no_show')] },
      { scenario: 'no_show', steps: [advance('5d')] },
    ],
    task: () => [{ steps: [next(), next(), cancel('tasks cancel')] }, { steps: [advance('26h')] }],
    parcel: () => listParcelCourses(id, own).map((steps) => ({ steps })),
  }
  return courses[kind]()
}

/** What a course asks of its purchase; one that is paid by card can be charged a fee, and refunded. */
type PurchaseChoice = { owner?: string; scenario?: string | undefined; isPaid?: true }

function drawPurchase(random: Random, name: number, kind: Kind, choice: PurchaseChoice): StoryStep {
  const { owner = random.pick(ACCOUNTS[kind]), isPaid = false } = choice
  const methods = kind === 'booking' || kind === 'task' ? ['card', 'wallet'] : ['card', 'wallet', 'cash']
  const method = isPaid ? 'card' : random.pick(methods)
  const token = isPaid ? 'tok_ok' : random.pick(['tok_ok', 'tok_ok', 'tok_pending', 'tok_declined'])
  const pay = ['--pay', method, ...(method === 'card' ? ['--payment-token', token] : [])]
  const drawn = !isPaid && random.number(3) === 0 ? random.pick(SCENARIOS[kind]) : choice.scenario
  const scenario = drawn === undefined ? [] : ['--scenario', drawn]
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
    parcel: () => drawParcel(random),
  }
  const { words } = purchases[kind]()
  return {
    words: [...words, ...CONSENT, ...scenario, '--as', owner],
    makes: { kind, name, owner, keeper: owner, store: '' },
  }
}

function drawMishap(random: Random, id: string, { kind, owner }: { kind: Kind; owner: string }): StoryStep {
  const own = ['--as', owner]
  const cancel = (command: string) => (): StoryStep => makeStep(command, id, '--yes', '--confirm', id, ...own)
  const problem =
    (command: string, ...reasons: readonly string[]) =>
    (): StoryStep =>
      makeStep(command, id, '--reason', random.pick(reasons), ...own)
  const mishaps: Readonly<Record<Kind, readonly (() => StoryStep)[]>> = {
    ride: [cancel('rides cancel'), problem('rides problem', 'late', 'other')],
    delivery: [problem('delivery problem', 'late', 'damaged', 'other')],
    booking: [
      cancel('services cancel'),
      () => makeStep('services move', id, '--at', '2026-11-23T11:00:00Z', '--yes', ...own),
      problem('services problem', 'no_show', 'other'),
    ],
    task: [cancel('tasks cancel')],
    parcel: listParcelMishaps(random, id, own),
  }
  return random.pick([
    ...mishaps[kind],
    () => makeStep('sandbox step', id),
    () => makeStep('sandbox step', id),
    ...Array.from({ length: 3 }, () => () => makeStep('sandbox clock advance', random.pick(ADVANCES))),
  ])()
}
