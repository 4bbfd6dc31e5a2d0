/** A thing that a client holds of a world, and what it must be told when that world is replaced. */
import type { Random } from '../../adversarial/random.ts'
import type { HttpAnswer, Replacement, ServedWorld } from './served-world.ts'

/** What became of the use of a thing: a refusal by its code, or what was done and seen, in words. */
export type HoldingUse = { told: string } | { did: string }

export type HeldThing = {
  name: string
  /**
   * What it goes on with: the resources of the world, the login of an account, a link that shows a resource, or the order of
   * events and lists.
   */
  partOf: 'world' | 'login' | 'link' | 'readings'
  /** The schema that made its table. */
  since?: number
  /** What its use does while it holds. */
  goesOn: string
  /** What its use does otherwise, in place of being told: the call makes the thing anew. */
  anew?: string
  /** The refusals that tell the client to begin again. */
  codes: readonly string[]
  use(): Promise<HoldingUse>
  /** Does in the new world what could take its place, such as another resource with the same id. */
  rival?(): Promise<unknown>
}

/** A client at the moment at which it takes hold of something. */
export type HoldingClient = {
  world: ServedWorld
  random: Random
  /** Its number; no other client of the world has it. */
  number: number
}

/** Takes hold of something; undefined where the world has none of it. */
export type Holder = (client: HoldingClient) => Promise<HeldThing | undefined>

/** A thing with what it was when the world was saved: there already, or not yet. */
export type TakenThing = HeldThing & { isSaved: boolean }

/** Returns what is wrong with the use of a thing in the world that took the place of its own; undefined if nothing is. */
export function findSilence(
  { name, goesOn, anew, codes, ...holding }: TakenThing,
  use: HoldingUse,
  replacement: Replacement,
): string | undefined {
  const said = 'told' in use ? use.told : use.did
  const isTold = 'told' in use && codes.includes(said)
  const does = 'did' in use && said === goesOn
  const isThere = isInNewWorld(holding, replacement)
  const isRight =
    isThere === undefined ? isTold || does : isThere ? does : isTold || ('did' in use && said === anew)
  if (isRight) return undefined
  const expected = isThere === false ? `one of ${[...codes, anew].filter(Boolean).join(', ')}` : goesOn
  return `${name} (${holding.isSaved ? 'older' : 'newer'} than what was saved): ${said || 'nothing'} in place of ${expected}`
}

/** Returns whether a thing is in the new world; undefined where it may be either. */
function isInNewWorld(
  { partOf, since = 0, isSaved }: Pick<TakenThing, 'partOf' | 'since' | 'isSaved'>,
  replacement: Replacement,
): boolean | undefined {
  switch (replacement.way) {
    case 'reset':
    case 'store':
      return false
    case 'upgrade':
      if (replacement.version < since) return false
      return partOf === 'readings' ? undefined : true
    case 'snapshot':
      return partOf === 'login' || (partOf === 'world' && isSaved)
    case 'backup':
      return partOf !== 'readings' && isSaved
  }
}

/** Returns the use of an answer: its refusal, or what `read` makes of it. */
export function toUse(
  answer: HttpAnswer,
  read: (answer: HttpAnswer) => string = ({ body }) => JSON.stringify(body),
): HoldingUse {
  return answer.status >= 400 ? { told: answer.code || String(answer.status) } : { did: read(answer) }
}

/** Returns the body of an answer that had to succeed. */
export function bodyOf({ status, body }: HttpAnswer): Record<string, unknown> {
  if (status >= 400) throw new Error(`status ${status}: ${JSON.stringify(body)}`)
  return body
}
