import type { FlagNode, Node, PositionalNode, Values } from './nodes.ts'
import { isKept, shellQuote } from './nodes.ts'

/**
 * Returns the script for zsh. It finds the command among the words, removes its words, and leaves the rest to zsh's
 * `_arguments`.
 */
export function zshScript(nodes: readonly Node[], globals: readonly FlagNode[]): string {
  const taking = globals.filter(({ values }) => values !== undefined).flatMap(({ names }) => names)
  return `#compdef dray
# Completion of dray for zsh. Made by \`npm run generate\`; do not edit.

# What may follow the words $1: the next words, and what _arguments takes. Fails for words that are no command.
_dray_at() {
  names=() specs=()
  case $1 in
${nodes.map(nodeCase).join('\n')}
    *) return 1 ;;
  esac
}

_dray_names() { _describe -t commands command names }

# What dray knows of the kind $1 on this machine, with what it is called.
_dray_known() {
  local -a known
  known=(\${(f)"$(command dray __complete $1 "\${(@)line_words}" 2>/dev/null)"})
  known=(\${known/$'\\t'/:})
  _describe -t values value known
}

_dray() {
  local curcontext=$curcontext at='' word
  local -a names specs globals line_words
  local -A opt_args
  integer i=2
  globals=(
${globals.map((flag) => `    ${flagSpec(flag)}`).join('\n')}
  )
  line_words=("\${(@)words[2,CURRENT]}")
  while (( i < CURRENT )); do
    word=$words[i]
    case $word in
      --) break ;;
      ${taking.join('|')}) (( i += 2 )) ;;
      -?*) (( i += 1 )) ;;
      *)
        _dray_at "\${at:+$at }$word" || break
        at=\${at:+$at }$word
        words[i]=()
        (( CURRENT -= 1 ))
        ;;
    esac
  done
  _dray_at "$at"
  (( $#names )) && specs=('1: :_dray_names' $specs)
  _arguments -S : $globals $specs
}

# Read from a folder of $fpath this file is the function's body; sourced, it defines it.
if [[ $funcstack[1] == _dray ]]; then
  _dray "$@"
else
  compdef _dray dray
fi
`
}

function nodeCase({ words, next, flags, places }: Node): string {
  const names = next.map(({ name, description }) => shellQuote(`${name}:${description}`))
  const specs = [...flags.map(flagSpec), ...(next.length > 0 ? [] : places.map(positionalSpec))]
  const sets = [
    ...(names.length > 0 ? [`      names=(\n${indent(names)}\n      )`] : []),
    ...(specs.length > 0 ? [`      specs=(\n${indent(specs)}\n      )`] : []),
  ]
  return [`    '${words}')`, ...sets, '      ;;'].join('\n')
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `        ${line}`).join('\n')
}

function flagSpec({ names, description, values, repeat }: FlagNode): string {
  const [name = ''] = names
  const text = `[${description.replaceAll(/[\\\]]/g, String.raw`\$&`)}]`
  const value = values === undefined ? '' : `:${name.replace('--', '')}:${action(values)}`
  const others = names.length > 1 && !repeat ? `(${names.join(' ')})` : repeat ? '*' : ''
  const forms = names.map((form) => `${form}${values !== undefined && form.startsWith('--') ? '=' : ''}`)
  const [only = ''] = forms
  if (forms.length === 1) return shellQuote(`${others}${only}${text}${value}`)
  return `${others === '' ? '' : shellQuote(others)}{${forms.join(',')}}${shellQuote(`${text}${value}`)}`
}

function positionalSpec({ name, values, repeat }: PositionalNode, index: number): string {
  return shellQuote(`${repeat ? '*' : index + 1}:${name.replaceAll('_', ' ')}:${action(values)}`)
}

function action(values: Values): string {
  if (values === 'file') return '_files'
  // After a space `_arguments` adds no words of its own.
  if (isKept(values)) return ` _dray_known ${values.slice(1)}`
  return values === 'text' ? ' ' : `(${values.join(' ')})`
}
