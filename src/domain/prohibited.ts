import { fold } from './fold.ts'

/** What no courier takes, by the words that people describe it with; a plural is meant too. */
const PROHIBITED: readonly string[] = [
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
  'human remains',
  'kitten',
  'live animal',
  'marijuana',
  'petrol',
  'pistol',
  'poison',
  'puppies',
  'puppy',
  'radioactive',
  'revolver',
  'rifle',
  'shotgun',
  'stolen goods',
  'tear gas',
  'toxic waste',
  'weapon',
]

let pattern: RegExp | undefined

/** The word of a description for which no courier takes it; undefined when there is none. */
export function findProhibited(description: string): string | undefined {
  pattern ??= new RegExp(`\\b(?:${PROHIBITED.join('|')})(?:s|es)?\\b`)
  return pattern.exec(fold(description).replaceAll(/[\s_-]+/g, ' '))?.[0]
}
