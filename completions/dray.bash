# dray for bash. Made by `make generate`; edit Sources/DrayCommands/Reference/CompletionScript.swift instead.

_dray() {
  local line=${COMP_LINE:0:COMP_POINT} words=() word i
  # bash cuts words at = and :, which belong to a word here: what follows without a blank is put together again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $line == [[:space:]]* || $i == 0 ]]; then words+=(""); fi
    line=${line#"${line%%[![:space:]]*}"}
    if ((i == COMP_CWORD)); then word=$line; fi
    words[${#words[@]}-1]+=$word
    line=${line#"$word"}
  done
  local program=${words[0]/#\~/$HOME} current=${words[${#words[@]}-1]}
  local answer prefix='' values=() meanings=() value width=0 kind rest
  while IFS= read -r answer; do
    case $answer in
      ':prefix '*) prefix=${answer#:prefix } ;;
      ':files'* | ':directories')
        compopt -o filenames 2>/dev/null
        [[ $answer == :f* ]] && kind=f || kind=d
        current=${current#"$prefix"}
        while IFS= read -r value; do
          # Hidden names, such as those of part files, only where they are asked for.
          if [[ ${value##*/} != .* || ${current##*/} == .* ]]; then values+=("$value") meanings+=(''); fi
        done < <(compgen -$kind -- "$current")
        current=$prefix$current
        ;;
      :*) ;;
      *)
        value=${answer%%$'\t'*}
        if [[ $prefix$value == "$current"* ]]; then
          values+=("$value")
          if [[ $answer == *$'\t'* ]]; then meanings+=("${answer#*$'\t'}"); else meanings+=(''); fi
          if ((${#value} > width)); then width=${#value}; fi
        fi
        ;;
    esac
  done < <("$program" ---complete "${words[@]:1}" 2>/dev/null)
  # What stands before the last = or : of the word is not replaced, as it is a word of its own to bash.
  local kept=''
  case $COMP_WORDBREAKS in *[=:]*) kept=${current%"${current##*[=:]}"} ;; esac
  COMPREPLY=()
  for i in "${!values[@]}"; do
    value=$prefix${values[i]}
    value=${value#"$kept"}
    # Readline has no place for what a candidate means, but a list of several is only looked at.
    if ((${#values[@]} > 1 && COMP_TYPE != 37 && COMP_TYPE != 42)) && [[ ${meanings[i]} ]]; then
      printf -v rest '%*s' $((width - ${#values[i]} + 2)) ''
      value=$value$rest${meanings[i]}
      value=${value:0:$((${COLUMNS:-80} - 2))}
    fi
    COMPREPLY+=("$value")
  done
}

complete -o nosort -F _dray dray
