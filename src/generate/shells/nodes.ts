/** The completions for all four shells: a node for `dray`, for every group and for every command. */
import type { CommandSpec, Flag, Positional } from '../../cli/command.ts'
import { COMMON_FLAGS, GLOBAL_FLAGS } from '../../cli/globals.ts'
import { GROUPS } from '../../cli/groups.ts'

/** The values of a positional or a flag: one of these names, a file, or free text. */
export type Values = readonly string[] | 'file' | 'text'

export type FlagNode = {
  /** The names as typed, with dashes; the short one, if any, last. */
  names: readonly string[]
  description: string
  /** Absent for a flag without a value. */
  values?: Values
  repeat: boolean
}

export type PositionalNode = { name: string; values: Values; repeat: boolean }

export type Node = {
  /** The words after `dray`; empty for `dray` itself. */
  words: string
  next: { name: string; description: string }[]
  /** The command's own flags and the global ones that it declares. `globalFlags` returns those of every command. */
  flags: FlagNode[]
  places: PositionalNode[]
}

/** Returns the flags of every command, with `--help`. */
export function globalFlags(): FlagNode[] {
  return [
    ...COMMON_FLAGS.map(toFlagNode),
    { names: ['--help', '-h'], description: 'what it does and takes', repeat: false },
  ]
}

/** Returns `dray` first, then groups before their commands, in the order of help. */
export function toNodes(commands: readonly CommandSpec[]): Node[] {
  const nodes = new Map<string, Node>()
  const nodeOf = (words: string): Node => {
    const known = nodes.get(words)
    if (known !== undefined) return known
    const node: Node = { words, next: [], flags: [], places: [] }
    nodes.set(words, node)
    if (words !== '') {
      const parent = words.split(' ').slice(0, -1).join(' ')
      const name = plain(words.slice(parent.length).trim())
      nodeOf(parent).next.push({ name, description: GROUPS[words] ?? '' })
    }
    return node
  }
  nodeOf('').flags.push({ names: ['--version', '-V'], description: 'the version', repeat: false })
  for (const { words, flags, positionals, takes } of commands) {
    const own = new Set(flags.map(({ flag }) => flag))
    const taken = GLOBAL_FLAGS.filter(({ flag }) => takes.some((each) => each === flag) && !own.has(flag))
    Object.assign(nodeOf(words), {
      flags: [...flags, ...taken].map(toFlagNode),
      places: positionals.map(toPositionalNode),
    })
  }
  const summaries = new Map(commands.map(({ words, summary }) => [words, firstSentence(summary)]))
  for (const { words, next } of nodes.values()) {
    for (const entry of next) {
      const child = `${words} ${entry.name}`.trim()
      const members = nodes.get(child)?.next.map(({ name }) => name) ?? []
      entry.description ||= summaries.get(child) ?? members.join(', ')
    }
  }
  return [...nodes.values()]
}

function toFlagNode({ flag, short, kind, description, choices, value = '', repeat }: Flag): FlagNode {
  const values = choices?.map(plain) ?? (/\b(FILE|PATH)\b/.test(value) ? 'file' : 'text')
  return {
    names: [`--${plain(flag)}`, ...(short === undefined ? [] : [`-${plain(short)}`])],
    description: firstSentence(description),
    ...(kind !== 'boolean' && { values }),
    repeat: repeat === true,
  }
}

function toPositionalNode({ name, choices, repeat }: Positional): PositionalNode {
  const values = choices?.map(plain) ?? (/^files?$/i.test(name) ? 'file' : 'text')
  return { name: plain(name), values, repeat: repeat === true }
}

/** Returns the first sentence, because shells show one short line beside a name. */
function firstSentence(text: string): string {
  return (text.split(/(?<=[.;])\s|\n/)[0] ?? '').replace(/[.;]$/, '').trim()
}

/** Checks a name, which stands in the scripts without quotes. Throws when it would need them. */
function plain(name: string): string {
  if (!/^[\w.@+-]+$/.test(name)) throw new Error(`"${name}" needs quoting in a completion script`)
  return name
}

/** Quotes text for bash and zsh. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
