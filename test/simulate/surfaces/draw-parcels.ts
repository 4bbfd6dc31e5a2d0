/** What happens to a parcel in a story: the commands of its sender, and the scans of the carrier. */
import type { Random } from '../../adversarial/random.ts'
import { CUSTOMERS_OF_SENDERS } from './month-surfaces.ts'
import { makeStep, type StoryStep } from './story.ts'

const RECIPIENTS = [
  '--to-name|Grace Okoro|--to-line1|12 Friar Street|--to-city|Reading|--to-postal-code|RG1 1DB|--to-country|GB',
  '--to-name|Ines Duarte|--to-line1|4 Rye Lane|--to-city|London|--to-postal-code|SE15 4ST|--to-country|GB',
  '--to-name|Iain Macleod|--to-line1|3 Bayhead|--to-city|Stornoway|--to-postal-code|HS1 2DU|--to-country|GB',
]
const BOX = '--weight|1.4kg|--length|30cm|--width|20cm|--height|10cm'
const SCANS = [
  'collected',
  'collected',
  'out_for_delivery',
  'delivery_attempted',
  'delivered',
  'held',
  'lost',
  'return_started',
  'returned',
]
/** An invoice begins with each month. */
const TO_NEXT_MONTH = '11d'

/** Draws the words after `dray` that send a parcel. */
export function drawParcel(random: Random): StoryStep {
  const customer = random.number(2) === 0 ? ['--customer', random.pick(CUSTOMERS_OF_SENDERS)] : []
  const [recipient = ''] = random.number(3) === 0 ? [random.pick(RECIPIENTS)] : RECIPIENTS
  const option = random.pick([
    [],
    [],
    ['--declared-value', '120.00'],
    ['--cash-on-delivery', '20.00'],
    ['--signature'],
    ['--not-before', '2026-11-25'],
  ])
  return makeStep(
    'carrier create',
    ...recipient.split('|'),
    ...BOX.split('|'),
    '--service',
    random.pick(['next_day', 'economy', 'two_day']),
    ...customer,
    ...option,
  )
}

/** Returns what may happen to a parcel; the carrier may reject it. */
export function listParcelMishaps(random: Random, id: string, own: readonly string[]): (() => StoryStep)[] {
  const scan = () => makeStep('sandbox scan', id, random.pick(SCANS))
  const redirects = [
    ['--safe-place', 'Porch'],
    ['--date', '2026-11-27'],
    ['--neighbour', 'Mr Ito, 6 Rye Lane'],
    ['--hub', 'LON1'],
  ]
  return [
    scan,
    scan,
    () => makeStep('carrier cancel', id, '--yes', '--confirm', id, ...own),
    () => makeStep('carrier redirect', id, ...random.pick(redirects), '--yes', ...own),
    () => makeStep('carrier return', id, '--yes', '--max-total', '900', ...own),
    () =>
      makeStep(
        'carrier correct',
        id,
        ...random.pick(RECIPIENTS).split('|'),
        '--yes',
        '--max-total',
        '900',
        ...own,
      ),
    () =>
      makeStep(
        'carrier claim',
        id,
        '--reason',
        random.pick(['lost', 'damaged', 'contents_missing']),
        '--value',
        '35.00',
        ...own,
      ),
    () => makeStep('carrier handover', id, ...own),
  ]
}

/** Returns courses of a parcel that chance seldom draws, each of several commands. */
export function listParcelCourses(id: string, own: readonly string[]): StoryStep[][] {
  const advance = (time: string) => makeStep('sandbox clock advance', time)
  const claim = (reason: string) =>
    makeStep('carrier claim', id, '--reason', reason, '--value', '35.00', ...own)
  return [
    [makeStep('carrier handover', id, ...own), makeStep('sandbox scan', id, 'collected')],
    [
      makeStep('sandbox scan', id, 'collected'),
      makeStep('sandbox scan', id, 'lost'),
      claim('lost'),
      advance('5d'),
    ],
    [advance('3d'), claim('damaged'), advance('5d')],
    [advance(TO_NEXT_MONTH), makeStep('carrier return', id, '--yes', '--max-total', '900', ...own)],
    [makeStep('carrier return', id, '--yes', '--max-total', '900', ...own), advance('3d')],
  ]
}
