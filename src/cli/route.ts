import { COMMANDS } from '../generated/commands.ts'
import { GLOBAL_FLAGS } from './globals.ts'

export type CommandRoute =
  /** `words` is a command; `rest` is everything else, in order. */
  | { kind: 'command'; words: string; rest: string[] }
  /** `words` is a group or empty: it has help, but nothing to run. */
  | { kind: 'group'; words: string; help: boolean; rest: string[] }
  | { kind: 'unknown'; words: string; token: string }

const TAKES_VALUE = new Set(
  GLOBAL_FLAGS.filter(({ kind }) => kind !== 'boolean').map(({ flag }) => `--${flag}`),
)

/** Returns whether a word is a global flag that the next word belongs to. */
export function takesValue(token: string): boolean {
  return TAKES_VALUE.has(token)
}

/** Finds the command in the arguments. Global flags may be before, between and after its words. */
export function parseCommandRoute(argv: readonly string[]): CommandRoute {
  const names = Object.keys(COMMANDS)
  const rest: string[] = []
  let words = ''
  let help = false
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? ''
    if (token === '--help' || token === '-h') {
      help = true
      rest.push(token)
    } else if (token.startsWith('-') && token !== '-') {
      rest.push(token)
      if (takesValue(token)) rest.push(...argv.slice(++index, index + 1))
    } else {
      const longer = words === '' ? token : `${words} ${token}`
      const isCommand = Object.hasOwn(COMMANDS, longer)
      const isPrefix = names.some((name) => name.startsWith(`${longer} `))
      if (!isCommand && !isPrefix) {
        if (Object.hasOwn(COMMANDS, words))
          return { kind: 'command', words, rest: [...rest, ...argv.slice(index)] }
        return { kind: 'unknown', words, token }
      }
      words = longer
      if (isCommand && !isPrefix) return { kind: 'command', words, rest: [...rest, ...argv.slice(index + 1)] }
    }
  }
  if (Object.hasOwn(COMMANDS, words)) return { kind: 'command', words, rest }
  return { kind: 'group', words, help, rest }
}

/**
 * Returns the index of the first plain argument; -1 when there is none. `more` are flags of the command that take a
 * value.
 */
export function findArgument(tokens: readonly string[], more: readonly string[]): number {
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? ''
    if (!token.startsWith('-')) return index
    if (takesValue(token) || more.includes(token)) index++
  }
  return -1
}
