#compdef dray
# dray for zsh. Made by `make generate`; edit Sources/DrayCommands/Reference/CompletionScript.swift instead.

_dray() {
  local program=${(Q)words[1]} line title=dray text
  local -a lines group
  program=${~program}
  lines=("${(@f)$("$program" ---complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  local -i found=1
  for line in "${lines[@]}" ':end'; do
    case $line in
      (:group\ *|:files*|:directories|:end)
        if (( ${#group} )); then
          _describe -V -t "${title// /-}" "$title" group && found=0
          group=()
        fi
        ;;
    esac
    case $line in
      (:group\ *) title=${line#:group } ;;
      (:prefix\ *) text=${line#:prefix }; compset -p ${#text} ;;
      (:files) _files && found=0 ;;
      (:files\ *) _files -g "*.(${${line#:files }// /|})(-.)" && found=0 ;;
      (:directories) _directories && found=0 ;;
      (:*|'') ;;
      (*$'\t'*) group+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      (*) group+=("${line//:/\\:}") ;;
    esac
  done
  return found
}

if [[ $funcstack[1] == _dray ]]; then _dray "$@"; else compdef _dray dray; fi
