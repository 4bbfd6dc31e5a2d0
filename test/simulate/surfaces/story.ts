import { makeRandom } from '../../adversarial/random.ts'
import { BOUGHT_SURFACES } from './bought-surfaces.ts'
import { DAY_SURFACES, listDaySubjects } from './day-surfaces.ts'
/** A story: commands that people type, one after the other, and all surfaces of what they touched after each of them. */
import {
  type Contradiction,
  type Facts,
  findContradictions,
  formatContradiction,
  type SurfaceReading,
} from './facts.ts'
import { listMonthSubjects, MONTH_SURFACES } from './month-surfaces.ts'
import { ORDER_SURFACES } from './order-surfaces.ts'
import { listSilences, saveWorld } from './replaced.ts'
import type { Subject, SubjectKind, Surface } from './surface.ts'
import { openSurfaceWorld, type SurfaceWorld } from './world.ts'

/** A command of a story. `{1}` stands for the number of the first thing that the story made. */
export type StoryStep = {
  words: readonly string[]
  /** The resource that the step makes, where it succeeds. */
  makes?: Pick<Subject, 'kind' | 'owner' | 'keeper' | 'store'> & { name: number }
}

export type StoryFault = { step: number; words: string; contradiction: Contradiction | undefined }

export type StoryOutcome = {
  steps: readonly StoryStep[]
  /** The commands as a person can type them. */
  typed: readonly string[]
  fault: StoryFault | undefined
  /** The number of readings, by the surface. */
  read: ReadonlyMap<string, number>
}

/** Chooses the next command by what the story knows so far; undefined ends it. */
export type NextStep = (told: ToldStory) => Promise<StoryStep | undefined>

/** The state of a story while it is told. */
export type ToldStory = { world: SurfaceWorld; made: ReadonlyMap<number, Subject>; count: number }

const SURFACES: readonly Surface[] = [
  ...ORDER_SURFACES,
  ...BOUGHT_SURFACES,
  ...DAY_SURFACES,
  ...MONTH_SURFACES,
]

/** Returns what is read after the last command: all that was made, the days of its stores and the months of its senders. */
function listLastSubjects(made: readonly Subject[]): Subject[] {
  return [...made, ...listDaySubjects(made), ...listMonthSubjects(made)]
}

/** Returns a step: the words of a command, and what follows them. */
export function makeStep(command: string, ...words: readonly string[]): StoryStep {
  return { words: [...command.split(' '), ...words] }
}

/** The slow surfaces are read after the last command of each fifth story. */
const SLOW_EACH = 5

/** In each of these stories webhooks are heard, of all accounts that buy or sell in stories. */
const HEARD_EACH = 5
const HEARERS = ['member', 'everything', 'owner', 'chain', 'shipper']

export type StorySetting = {
  folder: string
  seed: number
  /** True if its commands go over HTTP. */
  remote: boolean
  /** After each step one of so many surfaces is read, each time others; after the last one all of them. */
  every: number
}

/** In each tenth story the world is replaced in the end: its orders are gone from under everybody. */
const REPLACED_EACH = 10

/** Tells a story in a world of its own, until surfaces disagree or it ends. */
export async function tellStory(
  { folder, seed, remote, every }: StorySetting,
  next: NextStep,
): Promise<StoryOutcome> {
  // Snapshots of a service are saved where it runs.
  const isReplaced = seed % REPLACED_EACH === 1 && !remote
  const isReadLast = ({ isSlow }: Surface) => !isSlow || seed % SLOW_EACH === 0
  const world = await openSurfaceWorld(folder, { seed, remote })
  if (isReplaced) await saveWorld(world)
  else if (seed % HEARD_EACH === 2) await world.hear(HEARERS)
  const made = new Map<number, Subject>()
  const steps: StoryStep[] = []
  const typed: string[] = []
  const read = new Map<string, number>()
  let fault: StoryFault | undefined
  try {
    for (;;) {
      const step = await next({ world, made, count: steps.length })
      const last = step === undefined
      if (step !== undefined) {
        const touched = await takeStep(world, step, { made, typed })
        if (touched === undefined) continue
        await world.deliver()
        steps.push(step)
        const isRead = ({ isSlow }: Surface, at: number) => !isSlow && (at + steps.length) % every === 0
        fault = touched.fault ?? (await readAll(world, { touched: touched.subjects, read, isRead }))
      } else
        fault = await readAll(world, {
          touched: listLastSubjects([...made.values()]),
          read,
          isRead: isReadLast,
        })
      if (last && isReplaced && fault === undefined) fault = await replaceWorld(world, seed, made)
      if (fault !== undefined) fault = { ...fault, step: steps.length - 1 }
      if (fault !== undefined || last) return { steps, typed, fault, read }
    }
  } finally {
    await world.close()
  }
}

/** The member of an answer that has the id of what was made. */
const ID_MEMBERS: Readonly<Record<SubjectKind, string>> = {
  day: '',
  days: '',
  month: '',
  order: 'order_id',
  ride: 'ride_id',
  delivery: 'delivery_id',
  booking: 'booking_id',
  task: 'task_id',
  parcel: 'tracking_number',
}

type StepOutcome = { subjects: Subject[]; fault: StoryFault | undefined }

/** Types one command. Returns undefined where it is about something that was not made. */
async function takeStep(
  world: SurfaceWorld,
  { words, makes }: StoryStep,
  { made, typed }: { made: Map<number, Subject>; typed: string[] },
): Promise<StepOutcome | undefined> {
  const named = words.flatMap((word) => [...word.matchAll(/\{(\d+)\}/g)].map(([, at]) => Number(at)))
  if (named.some((at) => !made.has(at))) return undefined
  const line = words.map((word) =>
    word.replaceAll(/\{(\d+)\}/g, (_, at) => made.get(Number(at))?.number ?? ''),
  )
  typed.push(`dray ${line.map(quoteWord).join(' ')}`)
  const { code, out, err } = await world.dray(makes === undefined ? line : [...line, '--json'])
  if (code === 1 || /internal_error|unexpected error/i.test(err)) {
    const fault = { step: 0, words: `it ended with ${code}: ${err}`, contradiction: undefined }
    return { subjects: [], fault }
  }
  if (makes !== undefined && code === 0) {
    const { name, ...rest } = makes
    const answer = JSON.parse(out) as Record<string, string>
    const id = answer[ID_MEMBERS[rest.kind]] ?? ''
    made.set(name, { ...rest, name: `${rest.kind} ${name}`, id, number: answer['display_number'] ?? id })
    return { subjects: [...made.values()].slice(-1), fault: undefined }
  }
  // A command that names nothing, such as one that lets time pass, may touch everything.
  const subjects = named.length > 0 ? named.map((at) => made.get(at) as Subject) : [...made.values()]
  return { subjects, fault: undefined }
}

/** Replaces the world, and returns as a fault what goes on as if nothing had happened. */
async function replaceWorld(
  world: SurfaceWorld,
  seed: number,
  made: ReadonlyMap<number, Subject>,
): Promise<StoryFault | undefined> {
  const orders = [...made.values()].filter(({ kind }) => kind === 'order')
  const [silence] = await listSilences(world, makeRandom(seed), orders)
  return silence === undefined ? undefined : { step: 0, words: silence, contradiction: undefined }
}

type Reader = {
  touched: readonly Subject[]
  read: Map<string, number>
  isRead(surface: Surface, at: number): boolean
}

async function readAll(
  world: SurfaceWorld,
  { touched, read, isRead }: Reader,
): Promise<StoryFault | undefined> {
  for (const subject of touched) {
    const readings: SurfaceReading[] = []
    for (const [at, surface] of SURFACES.entries()) {
      if (surface.of !== subject.kind || !isRead(surface, at)) continue
      let facts: Facts | undefined
      try {
        facts = await surface.read(world, subject)
      } catch (error) {
        const words = `${surface.name} of ${subject.name} cannot be read: ${String(error)}`
        return { step: 0, words, contradiction: undefined }
      }
      if (facts === undefined) continue
      readings.push({ surface: surface.name, facts })
      read.set(surface.name, (read.get(surface.name) ?? 0) + 1)
    }
    const [contradiction] = findContradictions(subject.name, readings)
    if (contradiction !== undefined)
      return { step: 0, words: formatContradiction(contradiction), contradiction }
  }
  return undefined
}

/** Quotes a word for a shell. */
function quoteWord(word: string): string {
  return /^[\w./:,=@{}+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
