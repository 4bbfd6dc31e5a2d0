# Completion of dray for bash 3.2 and later: the program says what may stand at the cursor, and bash names files.

_dray() {
  local words=() word glue='' cur kept='' i
  COMPREPLY=()
  # Bash cuts words at = and : too; here a word is what stands between spaces.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -gt 0 && ( -n $glue || $word == [=:]* ) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    glue=''
    [[ $word == *[=:] ]] && glue=1
  done
  cur=${words[${#words[@]} - 1]}
  words[${#words[@]} - 1]="=$cur"
  # Readline replaces what follows the last = only.
  [[ $cur == -*=* ]] && kept=${cur%%=*}=
  while IFS=$'\t' read -r word _; do
    if [[ $word == :files ]]; then
      # Where bash cannot be asked to name files (3.2), they are listed here.
      compopt -o default 2>/dev/null || while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${cur#"$kept"}")
    elif [[ $COMP_WORDBREAKS == *=* ]]; then
      COMPREPLY+=("${word#"$kept"}")
    else
      COMPREPLY+=("$word")
    fi
  done < <(command dray __complete "${words[@]}" 2>/dev/null)
}

complete -F _dray dray
