# zsh -f complete.zsh <completion script> <line>...
# Prints for each line `== line`, then the names that the Tab key finds there and what is shown beside them. Zsh completes
# at a prompt only: it gets one on a terminal of its own, where `compadd` writes down what it is given.
if [[ $1 == --inside ]]; then
  names_file=$2
  autoload -Uz compinit
  compinit -D -u
  source $3
  compadd() {
    local -a offered
    integer shown=$argv[(i)-d]+1
    if [[ ${argv[1,(i)(-|--)]} != *-[[:alnum:]]#[OAD]\ * ]]; then
      builtin compadd -A offered "$@"
      print -rl -- $offered >>$names_file
      (( shown <= $# )) && print -rl -- ${(P)argv[shown]} >>$names_file
    fi
    builtin compadd "$@"
  }
  find_names() { _main_complete; compstate[insert]='' compstate[list]='' }
  zle -C find complete-word find_names
  tab() { zle find; BUFFER=''; print -n '@found@' }
  zle -N tab
  bindkey '^I' tab
  zle-line-init() { print -n '@ready@' }
  zle -N zle-line-init
  PS1=''
  return
fi
zmodload zsh/zpty
names_file=$(mktemp)
wait_for() {
  local seen
  zpty -r shell seen "*$1*" || { print -u2 "zsh ended before $1"; exit 1 }
}
zpty shell zsh -f -i
zpty -w shell "stty -echo; source ${(q)0:A} --inside ${(q)names_file} ${(q)1:A}"
wait_for @ready@
for line in "${@:2}"; do
  print -r -- "== $line"
  : >$names_file
  zpty -w -n shell "$line"$'\t'
  wait_for @found@
  cat $names_file
done
zpty -d shell
rm -f $names_file
