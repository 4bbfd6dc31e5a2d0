/** The answer to the Tab key: what may stand at the end of a line. */
import type { FlagNode, CommandTree, CompletionValues } from './tree.ts'

/** A value that may stand there, and its description. */
export type CompletionOffer = readonly [value: string, description?: string | undefined]

/** A list for a key press; more is found by typing on. */
const MAX_OFFERS = 200
/** A shell puts a value into the line as it is: one with other characters is not offered. */
const PLAIN = /^[\w.@+-]+$/
/** The line that asks a shell for names of files, which it knows best. */
const FILES = ':files'

/**
 * Returns what may replace the last word of a line, one in each line, with a description after a tab. `:files` alone stands
 * for the shell's own names of files.
 *
 * @param words the words after `dray`; the last one is being typed, and may be empty
 * @param known returns the values of a kind on this machine
 */
export function completeLine(
  tree: CommandTree,
  words: readonly string[],
  known: (kind: string) => readonly CompletionOffer[],
): string {
  const typed = words.at(-1) ?? ''
  const line = readLine(tree, words.slice(0, -1))
  const isOption = !line.isEnded && line.flag === undefined && typed.startsWith('-')
  const [name = '', value] = isOption && typed.includes('=') ? splitOnce(typed) : []
  const flag = value === undefined ? line.flag : flagOf(tree, line.at, name)
  const prefix = value === undefined ? '' : `${name}=`
  const offers =
    flag === undefined && isOption ? flagOffers(tree, line) : valueOffers(tree, { ...line, flag }, known)
  if (offers === 'file') return `${FILES}\n`
  const seen = new Set<string>()
  return offers
    .map(([each, text]): CompletionOffer => [`${prefix}${each}`, text])
    .filter(([each]) => each.startsWith(typed) && !seen.has(each) && seen.add(each))
    .slice(0, MAX_OFFERS)
    .map(([each, text = '']) => `${each}${text === '' ? '' : `\t${oneLine(text)}`}\n`)
    .join('')
}

type Line = {
  /** The words of the command. */
  at: string
  /** The number of arguments. */
  count: number
  /** True if `--` was typed: all later words are values. */
  isEnded: boolean
  /** The flag before the next value. */
  flag?: FlagNode | undefined
  /** The flags that were given. */
  given: ReadonlySet<FlagNode>
}

function readLine(tree: CommandTree, words: readonly string[]): Line {
  let at = ''
  let count = 0
  let isEnded = false
  let flag: FlagNode | undefined
  const given = new Set<FlagNode>()
  for (const word of words) {
    const longer = `${at} ${word}`.trim()
    if (flag !== undefined) flag = undefined
    else if (!isEnded && word === '--') isEnded = true
    else if (!isEnded && /^-./.test(word)) {
      const named = flagOf(tree, at, splitOnce(word)[0])
      if (named !== undefined) given.add(named)
      if (named?.values !== undefined && !word.includes('=')) flag = named
    } else if (!isEnded && count === 0 && Object.hasOwn(tree.nodes, longer)) at = longer
    else count++
  }
  return { at, count, isEnded, flag, given }
}

function flagOf(tree: CommandTree, at: string, name: string): FlagNode | undefined {
  return flagsOf(tree, at).find(({ names }) => names.includes(name))
}

function flagsOf(tree: CommandTree, at: string): readonly FlagNode[] {
  const own = tree.nodes[at]?.flags ?? []
  return [...own.flatMap((index) => tree.flags[index] ?? []), ...tree.globals]
}

/** Returns the flags of a command that can still be given. */
function flagOffers(tree: CommandTree, { at, given }: Line): readonly CompletionOffer[] {
  return flagsOf(tree, at)
    .filter((flag) => flag.repeat === true || !given.has(flag))
    .flatMap(({ names, description }) => names.map((name): CompletionOffer => [name, description]))
}

function valueOffers(
  tree: CommandTree,
  line: Line,
  known: (kind: string) => readonly CompletionOffer[],
): readonly CompletionOffer[] | 'file' {
  const { at, count, isEnded, flag } = line
  if (flag !== undefined) return offersOf(flag.values, known)
  const { next = [], places = [] } = tree.nodes[at] ?? {}
  if (next.length > 0 && count === 0 && !isEnded)
    return next.map(({ name, description }) => [name, description])
  const last = places.at(-1)
  const place = places[count] ?? (last?.repeat === true ? last : undefined)
  if (place !== undefined) return offersOf(place.values, known)
  return next.length > 0 || isEnded ? [] : flagOffers(tree, line)
}

function offersOf(
  values: CompletionValues | undefined,
  known: (kind: string) => readonly CompletionOffer[],
): readonly CompletionOffer[] | 'file' {
  if (values === undefined || values === 'text') return []
  if (values === 'file') return values
  if (typeof values !== 'string') return values.map((value) => [value])
  return known(values.slice(1)).filter(([value]) => PLAIN.test(value))
}

function splitOnce(word: string): [name: string, value: string] {
  const at = word.indexOf('=')
  return at === -1 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)]
}

/** A shop may have any name: what would move a cursor is no part of it. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}
