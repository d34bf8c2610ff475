# bash completion for dicecli; made by: dicecli generate bash
_dicecli() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
  local path=dicecli word words options files
  COMPREPLY=()
  case "$before" in --computers|--csv|--dask|--filled|--from|--games|--jobs|--lang|--locked|--me|--other|--player|--roll|--seed|--set|--strength|--svg|--target|--times|--turn|-n) return ;; esac
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in "dicecli play" | "dicecli score" | "dicecli roll" | "dicecli odds" | "dicecli solve" | "dicecli advise" | "dicecli simulate" | "dicecli rules" | "dicecli rules list" | "dicecli rules show" | "dicecli rules check" | "dicecli rules diff" | "dicecli rules new" | "dicecli rules edit" | "dicecli rules schema" | "dicecli rules path") path="$path $word" ;; esac
  done
  case "$path" in
    "dicecli") words="play score roll odds solve advise simulate rules" options="--version -h --help" files= ;;
    "dicecli play") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--player --computers --target --strength --review --seed --set --no-clock --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli score") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--filled --roll --explain --set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli roll") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--times --seed --set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli odds") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--svg --set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli solve") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--target --first-to-target --set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli advise") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--roll --filled --locked --turn --me --other --second --target --set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli simulate") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--player -n --games --target --seed --jobs --dask --csv --set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli rules") words="list show check diff new edit schema path" options="-h --help" files= ;;
    "dicecli rules list") words="" options="--json --plain --no-color -q --quiet --lang -h --help" files= ;;
    "dicecli rules show") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--yaml --set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli rules check") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli rules diff") words="balut big-pig bozo cheerio crag dix-mille el-ocho escalero farkle farkle-commercial farkle-playpalace farkle-standard forced-yatzy generala greed jamb kingdom-come kingdom-come-loaded kismet kniffel letter-greed maxi-yatzy midnight penta pig pig-seven poker six-dice-yatzy tali tali-colors ten-thousand thousand threes triple-yahtzee two-dice-pig yacht yahtzee yahtzee-free-joker yatzy zilch" options="--set --json --plain --no-color -q --quiet --lang -h --help" files=1 ;;
    "dicecli rules new") words="" options="--from --json --plain --no-color -q --quiet --lang -h --help" files= ;;
    "dicecli rules edit") words="" options="--plain --no-color -q --quiet --lang -h --help" files= ;;
    "dicecli rules schema") words="" options="--plain --no-color -q --quiet --lang -h --help" files= ;;
    "dicecli rules path") words="" options="--json --plain --no-color -q --quiet --lang -h --help" files= ;;
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
