import type { FlagNode, Node, Values } from './nodes.ts'
import { isKept } from './nodes.ts'

/** Returns the script for fish. */
export function fishScript(nodes: readonly Node[], globals: readonly FlagNode[]): string {
  const taking = globals.filter(({ values }) => values !== undefined).flatMap(({ names }) => names)
  return `# Completion of dray for fish. Made by \`npm run generate\`; do not edit.

# Whether the words before the cursor are those given; with --more, others may follow them.
function __dray_at
    set -l known ${nodes
      .filter(({ words }) => words !== '')
      .map(({ words }) => quote(words))
      .join(' ')}
    set -l at
    set -l more no
    set -l skip no
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$at $word")
        if test $skip = yes
            set skip no
        else if contains -- $word ${taking.join(' ')}
            set skip yes
        else if contains -- $longer $known
            set at $longer
        else if not string match -q -- '-*' $word
            set more yes
        end
    end
    if test "$argv[1]" = --more
        test "$at" = "$argv[2..-1]"
    else
        test $more = no -a "$at" = "$argv"
    end
end

# What dray knows of a kind on this machine, with what it is called.
function __dray_known
    command dray __complete $argv[1] (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end

complete -c dray -f
${globals
  .flatMap(flagLines)
  .map((line) => `complete -c dray ${line}`)
  .join('\n')}

${nodes
  .map(nodeLines)
  .filter((lines) => lines !== '')
  .join('\n')}`
}

function nodeLines({ words, next, flags, places }: Node): string {
  const names = next.map(({ name, description }) => `-a ${name}${describe(description)}`)
  const args =
    next.length > 0
      ? []
      : places.flatMap(({ values, repeat }) =>
          Array.isArray(values) || (isKept(values) && !repeat) ? [`-a ${list(values)}`] : [],
        )
  const repeated = places.filter(({ repeat }) => repeat).map(({ values }) => values)
  const more = [
    ...(places.some(({ values }) => values === 'file') ? ['-F'] : []),
    ...repeated.filter(isKept).map((values) => `-a ${list(values)}`),
  ]
  const lines = [
    ...[...names, ...args].map((line) => `complete -c dray -n ${quote(`__dray_at ${words}`.trim())} ${line}`),
    ...[...flags.flatMap(flagLines), ...more].map(
      (line) => `complete -c dray -n ${quote(`__dray_at --more ${words}`.trim())} ${line}`,
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Returns the values of a flag and then its description: in one line, fish would show it beside each value. */
function flagLines({ names, description, values }: FlagNode): string[] {
  const forms = names
    .map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
    .join(' ')
  const offered = values === undefined ? '' : list(values)
  return [
    ...(offered === '' ? [] : [`${forms} -x -a ${offered}`]),
    `${forms}${takes(values)}${describe(description)}`,
  ]
}

function takes(values: Values | undefined): string {
  if (values === undefined) return ''
  return values === 'file' ? ' -r -F' : ' -x'
}

function list(values: Values): string {
  if (isKept(values)) return quote(`(__dray_known ${values.slice(1)})`)
  return typeof values === 'string' ? '' : quote(values.join(' '))
}

function describe(description: string): string {
  return description === '' ? '' : ` -d ${quote(description)}`
}

/** Quotes text for fish, where backslashes count within single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}
