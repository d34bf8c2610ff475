# bash completion for dicecli; made by: dicecli generate bash
_dicecli() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
  local path=dicecli word words options files
  COMPREPLY=()
  case "$before" in --computers|--filled|--lang|--player|--seed|--target|--times) return ;; esac
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in "dicecli play" | "dicecli score" | "dicecli roll" | "dicecli rules" | "dicecli rules list" | "dicecli rules show" | "dicecli rules check" | "dicecli rules path") path="$path $word" ;; esac
  done
  case "$path" in
    "dicecli") words="play score roll rules" options="--version -h --help" files= ;;
    "dicecli play") words="farkle penta poker" options="--player --computers --target --seed --no-clock --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli score") words="farkle penta poker" options="--filled --explain --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli roll") words="farkle penta poker" options="--times --seed --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli rules") words="list show check path" options="-h --help" files= ;;
    "dicecli rules list") words="" options="--json --plain --no-color -q --quiet --lang -h --help" files= ;;
    "dicecli rules show") words="farkle penta poker" options="--yaml --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli rules check") words="farkle penta poker" options="--json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli rules path") words="" options="--plain --no-color -q --quiet --lang -h --help" files= ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    if [[ $files ]]; then
      compopt -o filenames
      COMPREPLY+=($(compgen -f -- "$current"))
    fi
  fi
}
complete -F _dicecli dicecli
