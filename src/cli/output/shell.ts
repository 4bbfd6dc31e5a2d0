import { hasHidden } from './hidden.ts'

const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*$/
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\x00-\x1f]/

/**
 * Quotes one word for a POSIX shell. Control and invisible characters become `$'…'` escapes, so that the word is one
 * visible line.
 */
export function shellQuote(word: string): string {
  if (PLAIN.test(word)) return word
  if (!CONTROL.test(word) && !hasHidden(word)) return `'${word.replaceAll("'", String.raw`'\''`)}'`
  return `$'${Array.from(word, ansiC).join('')}'`
}

/** Quotes a word that ends a command as an argument: one that begins with a dash comes after `--`. */
export function quoteArgument(word: string): string {
  return `${word.startsWith('-') ? '-- ' : ''}${shellQuote(word)}`
}

/** Returns a command with further flags: before `--`, after which they would be arguments. */
export function withFlags(command: string, flags: string): string {
  const at = command.search(/ -- \$?'?-/)
  return at === -1 ? `${command}${flags}` : `${command.slice(0, at)}${flags}${command.slice(at)}`
}

/** Returns a command line to copy, without the values of secret flags. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word, at) => {
      const [, flag] = /^(--[\w-]*(?:token|secret|password)[\w-]*)=/.exec(word) ?? []
      if (flag !== undefined && !TAKES_NO_SECRET.test(flag)) return `${flag}=***`
      const before = words[at - 1] ?? ''
      const isSecret =
        /^--[\w-]*(?:token|secret|password)[\w-]*$/.test(before) && !TAKES_NO_SECRET.test(before)
      return isSecret ? '***' : shellQuote(word.replace(URL_PASSWORD, '$1***@').replace(PARAMETER, '$1***'))
    })
    .join(' ')
}

/** Matches the password in `postgres://user:password@host`, alone or after `--store=`. */
const URL_PASSWORD = /^((?:--[\w-]+=)?[a-z][a-z0-9+.-]*:\/\/[^/@:]*:)[^/]*@/i

/** Matches the password among the parameters of a database's address. */
const PARAMETER = /^((?:--[\w-]+=)?postgres(?:ql)?:.*[?&](?:ssl)?password=)[^&#]*/i

const TAKES_NO_SECRET = /-(?:file|stdin)$/

function ansiC(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`
  if (character === '\n') return String.raw`\n`
  if (character === '\t') return String.raw`\t`
  if (!CONTROL.test(character) && !hasHidden(character)) return character
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}
