// The scripts that complete command lines in shells. A script knows none of dray's commands. To complete a word, it
// calls the program that is on the command line, which answers from its own definition and its store
// (`CompletionAnswer`).
//
// An answer has one candidate per line, with its meaning after a tab. Other lines are instructions:
//   :group TITLE    the heading of the candidates that follow
//   :prefix TEXT    the part of the word that stays before each candidate
//   :files [EXT …]  names of files, restricted to these extensions if the shell can do that
//   :directories    names of directories

enum CompletionScript {
  /// The first argument of a request for completion. The words before the cursor follow it, without the name of the
  /// program.
  static let request = "---complete"

  private static let origin =
    "Made by `make generate`; edit Sources/DrayCommands/Reference/CompletionScript.swift instead."

  static func named(_ shell: String) -> String? { ["bash": bash, "zsh": zsh, "fish": fish][shell] }

  static let bash = """
    # dray for bash. \(origin)

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
      local program=${words[0]/#\\~/$HOME} current=${words[${#words[@]}-1]}
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
            value=${answer%%$'\\t'*}
            if [[ $prefix$value == "$current"* ]]; then
              values+=("$value")
              if [[ $answer == *$'\\t'* ]]; then meanings+=("${answer#*$'\\t'}"); else meanings+=(''); fi
              if ((${#value} > width)); then width=${#value}; fi
            fi
            ;;
        esac
      done < <("$program" \(request) "${words[@]:1}" 2>/dev/null)
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

    """

  static let zsh = """
    #compdef dray
    # dray for zsh. \(origin)

    _dray() {
      local program=${(Q)words[1]} line title=dray text
      local -a lines group
      program=${~program}
      lines=("${(@f)$("$program" \(request) "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      local -i found=1
      for line in "${lines[@]}" ':end'; do
        case $line in
          (:group\\ *|:files*|:directories|:end)
            if (( ${#group} )); then
              _describe -V -t "${title// /-}" "$title" group && found=0
              group=()
            fi
            ;;
        esac
        case $line in
          (:group\\ *) title=${line#:group } ;;
          (:prefix\\ *) text=${line#:prefix }; compset -p ${#text} ;;
          (:files) _files && found=0 ;;
          (:files\\ *) _files -g "*.(${${line#:files }// /|})(-.)" && found=0 ;;
          (:directories) _directories && found=0 ;;
          (:*|'') ;;
          (*$'\\t'*) group+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}") ;;
          (*) group+=("${line//:/\\\\:}") ;;
        esac
      done
      return found
    }

    if [[ $funcstack[1] == _dray ]]; then _dray "$@"; else compdef _dray dray; fi

    """

  static let fish = """
    # dray for fish. \(origin)

    function __dray_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        set -l program (string replace -r '^~' $HOME -- $words[1])
        set -e words[1]
        set -l prefix ''
        for line in ($program \(request) $words "$current" 2>/dev/null)
            switch $line
                case ':prefix *'
                    set prefix (string replace ':prefix ' '' -- $line)
                case ':files*'
                    for file in (__fish_complete_path (string replace -- "$prefix" '' "$current"))
                        echo -- $prefix$file
                    end
                case ':directories'
                    for file in (__fish_complete_directories (string replace -- "$prefix" '' "$current") '')
                        echo -- $prefix$file
                    end
                case ':*'
                case '*'
                    echo -- $prefix$line
            end
        end
    end

    complete -c dray -f -k -a '(__dray_complete)'

    """
}
