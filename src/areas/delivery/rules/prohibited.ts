import { foldForSearch } from '../../../core/fold.ts'

/** A kind of goods that couriers do not carry. */
type ProhibitedGoods = {
  /** Their names in the singular; the plural in -s or -es matches too. */
  goods: string
  /**
   * Nouns that name the same goods when they follow: a petrol can, dynamite sticks. Any other noun names something
   * else.
   */
  forms: string
  /** Words before a name that make it something else: a water pistol, a hot dog. */
  harmlessBefore: string
}

const CONTAINERS = 'bag|barrel|bottle|box|can|canister|carton|crate|cylinder|drum|pack|packet|tank|tin|tub'
const TOYS = 'chocolate|ceramic|inflatable|lego|model|plastic|plush|porcelain|soft|stuffed|toy|wooden'

const KINDS: readonly ProhibitedGoods[] = [
  {
    goods:
      'air rifle|airgun|butterfly knife|crossbow|firearm|flick knife|gun|handgun|pistol|revolver|rifle|shotgun|stun gun|switchblade|taser|weapon|zombie knife',
    forms: 'ammo|ammunition|barrel|bullet|cartridge|magazine|part|round|shell|slug',
    harmlessBefore: `${TOYS}|bubble|caulk|caulking|foam|glue|grease|heat|hot air|label|laser|massage|nail|nerf|paint|price|radar|sealant|soldering|spray|spud|staple|tagging|tattoo|top|water`,
  },
  {
    goods: 'ammo|ammunition|bullet|live round|shotgun cartridge',
    forms: 'bag|clip|pack|packet',
    harmlessBefore: `${TOYS}|foam|magic|nerf|nutri|silver`,
  },
  {
    goods:
      'banger firework|blasting cap|bomb|detonator|dynamite|explosive|firecracker|firework|gelignite|grenade|gunpowder|gun powder|land mine|landmine|plastic explosive|semtex|tnt',
    forms: `${CONTAINERS}|charge|rocket|stick`,
    harmlessBefore: `chocolate|toy|plush|bath|cocoa|foam|glitter|seed|shower|smoothie|spice|tea|yarn`,
  },
  {
    goods:
      'acetylene|butane|diesel|fuel|gas|gasoline|kerosene|lighter fluid|lighter fuel|lighter refill|lpg|methylated spirits|nitrous oxide|oxygen|petrol|propane|red diesel|turpentine|white spirit',
    forms: CONTAINERS,
    harmlessBefore: 'vin',
  },
  {
    goods:
      'amphetamine|cannabis|cocaine|crystal meth|drug|heroin|ketamine|magic mushroom|marijuana|mdma|weed',
    forms: `${CONTAINERS}|resin`,
    harmlessBefore: 'anti|garden|hospital|medical|medicinal|pharmacy|prescription|prescribed|sea',
  },
  {
    goods:
      'budgerigar|budgie|cat|dog|ferret|gerbil|goldfish|guinea pig|hamster|kitten|lizard|parrot|pet|pony|ponies|puppies|puppy|rabbit|snake|tortoise',
    forms: 'pup|puppies|puppy|kitten',
    harmlessBefore: `${TOYS}|balloon|corn|gummy|hot|hush|jelly|kit|robot|teddy`,
  },
  {
    goods: 'asbestos|banknote|cash|corpse|poison',
    forms: CONTAINERS,
    harmlessBefore: `chocolate|toy`,
  },
]

/** Words that are prohibited with any noun after them. */
const ALWAYS =
  'explosive device|human remains|(?:live|living) (?:animal|bee|bird|chicken|crab|eel|fish|hen|insect|lobster|mice|mouse|rat|spider|turtle)|(?:cs|mace|pepper|tear) (?:gas|spray)|radioactive|stolen goods|toxic waste|rounds of ammunition'

/** Phrases with another meaning; they are ignored. */
const SAYINGS = new RegExp(
  String.raw`\b(?:cash (?:and carry|on delivery)|cat ?[5-8][a-z]?|guns (?:n|and|&) roses|cats and dogs|snakes and ladders|empty ammo (?:box|can|crate|tin)(?:es|s)?|ammo (?:box|can|crate|tin)(?:es|s)? ?[(,:]? ?empty)\b`,
  'g',
)

/** Words that can follow a noun without being part of its name. */
const LINKS =
  'and|or|for|in|on|of|with|to|from|at|by|as|inside|plus|please|that|which|who|is|are|loaded|unloaded|today|tonight|now|urgent|asap'
const DETERMINERS = 'a|an|the|my|our|your|his|her|their|this|that|some|two|three'
/** Words before goods that only picture them, or are made for them. */
const ABOUT =
  '(?:for|about|shaped like|(?:book|comic|drawing|figurine|model|painting|photo|photograph|picture|portrait|poster|print|sculpture|statue)s? (?:of|on|with)|(?:t ?shirt|shirt|mug|card|jumper|sticker)s? with)'

let patterns: RegExp[] | undefined

/** Returns the prohibited goods that a description names; undefined when there are none. */
export function findProhibited(description: string): string | undefined {
  patterns ??= [new RegExp(`\\b(?:${ALWAYS})s?\\b`), ...KINDS.map((kind) => patternOf(kind))]
  const text = foldForSearch(description)
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .replaceAll(SAYINGS, 'thing')
  for (const pattern of patterns) {
    const found = pattern.exec(text)
    if (found !== null) return found[0]
  }
  return undefined
}

/**
 * Matches goods whose name is the main noun: the next word is missing, a linking word or another form of the same
 * goods.
 */
function patternOf({ goods, forms, harmlessBefore }: ProhibitedGoods): RegExp {
  const name = `\\b(?:${goods})(?:s|es)?\\b`
  const end = `(?= ?(?:$|[^a-z' ]|(?:${LINKS})\\b|(?:${forms})(?:s|es)?\\b))`
  const before = `(?<!\\b(?:${harmlessBefore}) )(?<!\\b${ABOUT} (?:(?:${DETERMINERS}) (?:[a-z]+ )?)?)`
  // "Dog and cat food" is food: the last noun of such a pair decides.
  const pair = `(?! (?:and|or|&) (?:${goods})(?:s|es)?\\b(?!${end}))`
  return new RegExp(`${before}${name}${pair}${end}`)
}
