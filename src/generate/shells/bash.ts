import type { FlagNode, Node, Values } from './nodes.ts'
import { isKept } from './nodes.ts'

/**
 * Returns the script for bash 3.2, the version of macOS: without bash-completion, without `mapfile`, and without a
 * required `compopt`.
 */
export function bashScript(nodes: readonly Node[], globals: readonly FlagNode[]): string {
  return `# Completion of dray for bash. Made by \`npm run generate\`; do not edit.

# What may follow the words $1: the next words, flags, and what each argument may be. Fails for words that are no command.
_dray_at() {
  names='' flags='' places=() more=''
  case $1 in
${nodes.map(nodeCase).join('\n')}
    *) return 1 ;;
  esac
}

# What the flag $2 of the command $1 takes: one of the values, @file, @kind for what dray knows, or anything. Fails for a flag that takes nothing.
_dray_takes() {
  values=''
  case "$1 $2" in
${[...nodes.flatMap(({ words, flags }) => valueCases(flags, (name) => `'${words} ${name}'`)), ...valueCases(globals, (name) => `*' ${name}'`)].join('\n')}
    *) return 1 ;;
  esac
}

# What dray knows of the kind $1 on this machine, for the line $2...: the values without what they are called.
_dray_known() {
  local value
  command dray __complete "$@" 2>/dev/null | while IFS=$'\\t' read -r value _; do echo "$value"; done
}

_dray() {
  local names flags places more values
  local words=() word glue='' at='' flag='' ended='' count=0 offer='' prefix='' i
  COMPREPLY=()
  # Bash cuts words at = and : too; here a word is what stands between spaces.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ \${#words[@]} -gt 0 && ( -n $glue || $word == [=:]* ) ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    glue=''
    [[ $word == *[=:] ]] && glue=1
  done
  for ((i = 0; i < \${#words[@]} - 1; i++)); do
    word=\${words[i]}
    if [[ -n $flag ]]; then
      flag=''
    elif [[ $word == -- && -z $ended ]]; then
      ended=1
    elif [[ $word == -?* && -z $ended ]]; then
      [[ $word != *=* ]] && _dray_takes "$at" "$word" && flag=$word
    elif _dray_at "\${at:+$at }$word"; then
      at=\${at:+$at }$word
    else
      count=$((count + 1))
    fi
  done

  local cur=\${words[i]}
  _dray_at "$at"
  [[ -n $more && $count -ge \${#places[@]} ]] && count=$((\${#places[@]} - 1))
  if [[ -z $flag && -z $ended && $cur == -*=* ]]; then
    flag=\${cur%%=*} cur=\${cur#*=}
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=$flag=
  fi
  if [[ -n $flag ]]; then
    _dray_takes "$at" "$flag" && offer=$values
  elif [[ -z $ended && $cur == -* ]]; then
    offer="$flags ${globals.flatMap(({ names }) => names).join(' ')}"
  elif [[ -n $names && $count -eq 0 ]]; then
    offer=$names
  elif [[ $count -lt \${#places[@]} ]]; then
    offer=\${places[count]}
  elif [[ -z $names && -z $ended ]]; then
    offer=$flags
  fi
  if [[ $offer == @file ]]; then
    # Readline names files best; where it cannot be asked to (bash 3.2), bash lists them.
    compopt -o default 2>/dev/null || while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -P "$prefix" -f -- "$cur")
  else
    [[ $offer == @* ]] && offer=$(_dray_known "\${offer#@}" "\${words[@]}")
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -P "$prefix" -W "$offer" -- "$cur")
  fi
}

complete -F _dray dray
`
}

function nodeCase({ words, next, flags, places }: Node): string {
  const sets = [
    next.length > 0 && `names='${next.map(({ name }) => name).join(' ')}'`,
    flags.length > 0 && `flags='${flags.flatMap(({ names }) => names).join(' ')}'`,
    places.length > 0 && `places=(${places.map(({ values }) => `'${offer(values)}'`).join(' ')})`,
    places.at(-1)?.repeat === true && 'more=1',
  ].filter((set) => set !== false)
  return `    ${[`'${words}')`, ...sets, ';;'].join(' ')}`
}

/** Returns one case for each flag with its own values, and one for all flags that take any text. */
function valueCases(flags: readonly FlagNode[], pattern: (name: string) => string): string[] {
  const taking = flags.filter(({ values }) => values !== undefined)
  const byOffer = Map.groupBy(taking, ({ values = 'text' }) => offer(values))
  return [...byOffer].map(([values, group]) => {
    const patterns = group
      .flatMap(({ names }) => names)
      .map(pattern)
      .join(' | ')
    return `    ${[`${patterns})`, ...(values === '' ? [] : [`values='${values}'`]), ';;'].join(' ')}`
  })
}

function offer(values: Values): string {
  if (values === 'file') return '@file'
  if (isKept(values)) return values
  return values === 'text' ? '' : values.join(' ')
}
