import { fold } from './fold.ts'

/** Goods that no courier takes, by their names; a plural is meant too. */
const GOODS: readonly string[] = [
  'ammunition',
  'asbestos',
  'banknote',
  'cannabis',
  'cash',
  'cocaine',
  'corpse',
  'explosive',
  'firearm',
  'firework',
  'flick knife',
  'gas bottle',
  'gas canister',
  'gasoline',
  'grenade',
  'gunpowder',
  'handgun',
  'heroin',
  'kitten',
  'marijuana',
  'petrol',
  'pistol',
  'poison',
  'puppies',
  'puppy',
  'revolver',
  'rifle',
  'shotgun',
  'weapon',
]

/** Words that make anything prohibited, whatever follows them. */
const ALWAYS: readonly string[] = [
  'explosive device',
  'human remains',
  'live animal',
  'radioactive',
  'stolen goods',
  'tear gas',
  'toxic waste',
]

/** What such goods come in: "petrol can" is petrol, "petrol blue dress" is a dress. */
const CONTAINERS = 'bag|barrel|bottle|box|can|canister|crate|drum|packet|tank|tin'
/** Words that can follow a noun without making it part of another one. */
const LINKS = 'and|or|for|in|on|of|with|to|from|at|by|as|inside|plus|please'
/** A pistol that shoots water is a toy. */
const TOYS = 'toy|water|chocolate|plush'

let pattern: RegExp | undefined

/** The goods in a description for which no courier takes it; undefined when there are none. */
export function findProhibited(description: string): string | undefined {
  pattern ??= new RegExp(
    `\\b(?:${ALWAYS.join('|')})s?\\b|(?<!\\b(?:${TOYS}) )\\b(?:${GOODS.join('|')})(?:s|es)?\\b(?= ?(?:$|[^a-z' ]|(?:${LINKS})\\b|(?:${CONTAINERS})s?\\b))`,
  )
  return pattern.exec(
    fold(description)
      .replaceAll(/[\s_-]+/g, ' ')
      .trim(),
  )?.[0]
}
