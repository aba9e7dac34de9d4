#!/bin/bash

__dray_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__dray_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__dray_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__dray_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_dray() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--no-config --version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=(--config)
    __dray_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--config')
        __dray_add_completions -f
        return
        ;;
    esac

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    get|add|feed|sync|catalog|run|list|show|watch|wait|path|open|pause|resume|retry|move|remove|limit|set-url|info|verify|clean|cookies|config|help)
        # Offer subcommand argument completions
        "_dray_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'get add feed sync catalog run list show watch wait path open pause resume retry move remove limit set-url info verify clean cookies config help' -- "${cur}"))
        ;;
    esac
}

_dray_get() {
    repeating_flags=()
    non_repeating_flags=(--metalink --if-changed --no-mtime --hook-shell -k --insecure --netrc -4 --ipv4 -6 --ipv6 --http1.1 --http2 --http3 --no-cache --ssl --ssl-reqd --no-sign-request --basic --digest --ntlm --negotiate --anyauth --password-stdin --proxy-basic --proxy-digest --proxy-ntlm --proxy-negotiate --proxy-anyauth --no-cookies -G --get --post301 --post302 --post303 --no-sync --quiet -q --notify --bell --verbose -v -I --head --version -h --help)
    repeating_options=(--mirror --after -H --header --resolve -b --cookie --query --data --data-raw --data-binary --data-urlencode -F --form --form-string)
    non_repeating_options=(-i --input-file -M --metalink-file --catalog -o --output -d --dir --on-conflict --resume --checksum --verify --verify-key --expect-type -x --max-connections --on-complete --on-error --hook-timeout --priority --start-at --limit-rate --retries --retry-wait --max-retry-wait -u --user -A --user-agent -e --referer --proxy --cacert --netrc-file --interface --connect-timeout --stall-timeout --hostpubsha256 --endpoint-url --aws-profile --aws-region --oauth2-bearer -E --cert --key --pass --pinnedpubkey --pinned-public-key --capath --proxy-user --cookie-jar --cookies-from-browser -X --request --json-body --plist-body -T --upload-file --max-redirs -j --max-concurrent-downloads --max-per-host --max-overall-rate --progress --notify-after)
    __dray_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-i'|'--input-file')
        __dray_add_completions -f
        return
        ;;
    '-M'|'--metalink-file')
        __dray_add_completions -o plusdirs -fX '!*.@(meta4|metalink)'
        return
        ;;
    '--catalog')
        __dray_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '-o'|'--output')
        __dray_add_completions -f
        return
        ;;
    '-d'|'--dir')
        __dray_add_completions -d
        return
        ;;
    '--on-conflict')
        __dray_add_completions -W 'fail'$'\n''rename'$'\n''overwrite'$'\n''skip'
        return
        ;;
    '--resume')
        __dray_add_completions -W 'safe'$'\n''always'$'\n''never'
        return
        ;;
    '--checksum')
        return
        ;;
    '--verify')
        __dray_add_completions -W 'none'$'\n''offered'$'\n''auto'$'\n''require'
        return
        ;;
    '--verify-key')
        return
        ;;
    '--expect-type')
        return
        ;;
    '--mirror')
        return
        ;;
    '-x'|'--max-connections')
        return
        ;;
    '--on-complete')
        return
        ;;
    '--on-error')
        return
        ;;
    '--hook-timeout')
        return
        ;;
    '--priority')
        return
        ;;
    '--after')
        __dray_add_completions -W "$(__dray_custom_complete ---completion get -- --after "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    '--start-at')
        return
        ;;
    '--limit-rate')
        return
        ;;
    '--retries')
        return
        ;;
    '--retry-wait')
        return
        ;;
    '--max-retry-wait')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-u'|'--user')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '--proxy')
        return
        ;;
    '--cacert')
        __dray_add_completions -f
        return
        ;;
    '--netrc-file')
        __dray_add_completions -f
        return
        ;;
    '--resolve')
        return
        ;;
    '--interface')
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--stall-timeout')
        return
        ;;
    '--hostpubsha256')
        return
        ;;
    '--endpoint-url')
        return
        ;;
    '--aws-profile')
        return
        ;;
    '--aws-region')
        return
        ;;
    '--oauth2-bearer')
        return
        ;;
    '-E'|'--cert')
        __dray_add_completions -f
        return
        ;;
    '--key')
        __dray_add_completions -f
        return
        ;;
    '--pass')
        return
        ;;
    '--pinnedpubkey'|'--pinned-public-key')
        __dray_add_completions -f
        return
        ;;
    '--capath')
        __dray_add_completions -d
        return
        ;;
    '--proxy-user')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '--cookie-jar')
        __dray_add_completions -f
        return
        ;;
    '--cookies-from-browser')
        return
        ;;
    '--query')
        return
        ;;
    '-X'|'--request')
        return
        ;;
    '--data')
        return
        ;;
    '--data-raw')
        return
        ;;
    '--data-binary')
        return
        ;;
    '--data-urlencode')
        return
        ;;
    '-F'|'--form')
        return
        ;;
    '--form-string')
        return
        ;;
    '--json-body')
        return
        ;;
    '--plist-body')
        return
        ;;
    '-T'|'--upload-file')
        __dray_add_completions -f
        return
        ;;
    '--max-redirs')
        return
        ;;
    '-j'|'--max-concurrent-downloads')
        return
        ;;
    '--max-per-host')
        return
        ;;
    '--max-overall-rate')
        return
        ;;
    '--progress')
        __dray_add_completions -W 'auto'$'\n''bars'$'\n''plain'$'\n''json'$'\n''none'
        return
        ;;
    '--notify-after')
        return
        ;;
    esac
}

_dray_add() {
    repeating_flags=()
    non_repeating_flags=(--metalink --if-changed --no-mtime --hook-shell -k --insecure --netrc -4 --ipv4 -6 --ipv6 --http1.1 --http2 --http3 --no-cache --ssl --ssl-reqd --no-sign-request --basic --digest --ntlm --negotiate --anyauth --password-stdin --proxy-basic --proxy-digest --proxy-ntlm --proxy-negotiate --proxy-anyauth --no-cookies -G --get --post301 --post302 --post303 --quiet -q --version -h --help)
    repeating_options=(--mirror --after -H --header --resolve -b --cookie --query --data --data-raw --data-binary --data-urlencode -F --form --form-string)
    non_repeating_options=(-i --input-file -M --metalink-file --catalog -o --output -d --dir --on-conflict --resume --checksum --verify --verify-key --expect-type -x --max-connections --on-complete --on-error --hook-timeout --priority --start-at --limit-rate --retries --retry-wait --max-retry-wait -u --user -A --user-agent -e --referer --proxy --cacert --netrc-file --interface --connect-timeout --stall-timeout --hostpubsha256 --endpoint-url --aws-profile --aws-region --oauth2-bearer -E --cert --key --pass --pinnedpubkey --pinned-public-key --capath --proxy-user --cookie-jar --cookies-from-browser -X --request --json-body --plist-body -T --upload-file --max-redirs)
    __dray_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-i'|'--input-file')
        __dray_add_completions -f
        return
        ;;
    '-M'|'--metalink-file')
        __dray_add_completions -o plusdirs -fX '!*.@(meta4|metalink)'
        return
        ;;
    '--catalog')
        __dray_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '-o'|'--output')
        __dray_add_completions -f
        return
        ;;
    '-d'|'--dir')
        __dray_add_completions -d
        return
        ;;
    '--on-conflict')
        __dray_add_completions -W 'fail'$'\n''rename'$'\n''overwrite'$'\n''skip'
        return
        ;;
    '--resume')
        __dray_add_completions -W 'safe'$'\n''always'$'\n''never'
        return
        ;;
    '--checksum')
        return
        ;;
    '--verify')
        __dray_add_completions -W 'none'$'\n''offered'$'\n''auto'$'\n''require'
        return
        ;;
    '--verify-key')
        return
        ;;
    '--expect-type')
        return
        ;;
    '--mirror')
        return
        ;;
    '-x'|'--max-connections')
        return
        ;;
    '--on-complete')
        return
        ;;
    '--on-error')
        return
        ;;
    '--hook-timeout')
        return
        ;;
    '--priority')
        return
        ;;
    '--after')
        __dray_add_completions -W "$(__dray_custom_complete ---completion add -- --after "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    '--start-at')
        return
        ;;
    '--limit-rate')
        return
        ;;
    '--retries')
        return
        ;;
    '--retry-wait')
        return
        ;;
    '--max-retry-wait')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-u'|'--user')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '--proxy')
        return
        ;;
    '--cacert')
        __dray_add_completions -f
        return
        ;;
    '--netrc-file')
        __dray_add_completions -f
        return
        ;;
    '--resolve')
        return
        ;;
    '--interface')
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--stall-timeout')
        return
        ;;
    '--hostpubsha256')
        return
        ;;
    '--endpoint-url')
        return
        ;;
    '--aws-profile')
        return
        ;;
    '--aws-region')
        return
        ;;
    '--oauth2-bearer')
        return
        ;;
    '-E'|'--cert')
        __dray_add_completions -f
        return
        ;;
    '--key')
        __dray_add_completions -f
        return
        ;;
    '--pass')
        return
        ;;
    '--pinnedpubkey'|'--pinned-public-key')
        __dray_add_completions -f
        return
        ;;
    '--capath')
        __dray_add_completions -d
        return
        ;;
    '--proxy-user')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '--cookie-jar')
        __dray_add_completions -f
        return
        ;;
    '--cookies-from-browser')
        return
        ;;
    '--query')
        return
        ;;
    '-X'|'--request')
        return
        ;;
    '--data')
        return
        ;;
    '--data-raw')
        return
        ;;
    '--data-binary')
        return
        ;;
    '--data-urlencode')
        return
        ;;
    '-F'|'--form')
        return
        ;;
    '--form-string')
        return
        ;;
    '--json-body')
        return
        ;;
    '--plist-body')
        return
        ;;
    '-T'|'--upload-file')
        __dray_add_completions -f
        return
        ;;
    '--max-redirs')
        return
        ;;
    esac
}

_dray_feed() {
    repeating_flags=()
    non_repeating_flags=(--metalink --if-changed --no-mtime --hook-shell -k --insecure --netrc -4 --ipv4 -6 --ipv6 --http1.1 --http2 --http3 --no-cache --ssl --ssl-reqd --no-sign-request --basic --digest --ntlm --negotiate --anyauth --password-stdin --proxy-basic --proxy-digest --proxy-ntlm --proxy-negotiate --proxy-anyauth --no-cookies --list --dry-run --again --json --quiet -q --version -h --help)
    repeating_options=(--mirror --after -H --header --resolve -b --cookie)
    non_repeating_options=(-i --input-file -M --metalink-file --catalog -o --output -d --dir --on-conflict --resume --checksum --verify --verify-key --expect-type -x --max-connections --on-complete --on-error --hook-timeout --priority --start-at --limit-rate --retries --retry-wait --max-retry-wait -u --user -A --user-agent -e --referer --proxy --cacert --netrc-file --interface --connect-timeout --stall-timeout --hostpubsha256 --endpoint-url --aws-profile --aws-region --oauth2-bearer -E --cert --key --pass --pinnedpubkey --pinned-public-key --capath --proxy-user --cookie-jar --cookies-from-browser --limit --match)
    __dray_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '-i'|'--input-file')
        __dray_add_completions -f
        return
        ;;
    '-M'|'--metalink-file')
        __dray_add_completions -o plusdirs -fX '!*.@(meta4|metalink)'
        return
        ;;
    '--catalog')
        __dray_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    '-o'|'--output')
        __dray_add_completions -f
        return
        ;;
    '-d'|'--dir')
        __dray_add_completions -d
        return
        ;;
    '--on-conflict')
        __dray_add_completions -W 'fail'$'\n''rename'$'\n''overwrite'$'\n''skip'
        return
        ;;
    '--resume')
        __dray_add_completions -W 'safe'$'\n''always'$'\n''never'
        return
        ;;
    '--checksum')
        return
        ;;
    '--verify')
        __dray_add_completions -W 'none'$'\n''offered'$'\n''auto'$'\n''require'
        return
        ;;
    '--verify-key')
        return
        ;;
    '--expect-type')
        return
        ;;
    '--mirror')
        return
        ;;
    '-x'|'--max-connections')
        return
        ;;
    '--on-complete')
        return
        ;;
    '--on-error')
        return
        ;;
    '--hook-timeout')
        return
        ;;
    '--priority')
        return
        ;;
    '--after')
        __dray_add_completions -W "$(__dray_custom_complete ---completion feed -- --after "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    '--start-at')
        return
        ;;
    '--limit-rate')
        return
        ;;
    '--retries')
        return
        ;;
    '--retry-wait')
        return
        ;;
    '--max-retry-wait')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-u'|'--user')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '--proxy')
        return
        ;;
    '--cacert')
        __dray_add_completions -f
        return
        ;;
    '--netrc-file')
        __dray_add_completions -f
        return
        ;;
    '--resolve')
        return
        ;;
    '--interface')
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--stall-timeout')
        return
        ;;
    '--hostpubsha256')
        return
        ;;
    '--endpoint-url')
        return
        ;;
    '--aws-profile')
        return
        ;;
    '--aws-region')
        return
        ;;
    '--oauth2-bearer')
        return
        ;;
    '-E'|'--cert')
        __dray_add_completions -f
        return
        ;;
    '--key')
        __dray_add_completions -f
        return
        ;;
    '--pass')
        return
        ;;
    '--pinnedpubkey'|'--pinned-public-key')
        __dray_add_completions -f
        return
        ;;
    '--capath')
        __dray_add_completions -d
        return
        ;;
    '--proxy-user')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '--cookie-jar')
        __dray_add_completions -f
        return
        ;;
    '--cookies-from-browser')
        return
        ;;
    '--limit')
        return
        ;;
    '--match')
        return
        ;;
    esac
}

_dray_sync() {
    repeating_flags=()
    non_repeating_flags=(--locked --dry-run -k --insecure --netrc -4 --ipv4 -6 --ipv6 --http1.1 --http2 --http3 --no-cache --ssl --ssl-reqd --no-sign-request --basic --digest --ntlm --negotiate --anyauth --password-stdin --proxy-basic --proxy-digest --proxy-ntlm --proxy-negotiate --proxy-anyauth --no-cookies --no-sync --quiet -q --notify --bell --verbose -v --version -h --help)
    repeating_options=(-H --header --resolve -b --cookie)
    non_repeating_options=(-x --max-connections -u --user -A --user-agent -e --referer --proxy --cacert --netrc-file --interface --connect-timeout --stall-timeout --hostpubsha256 --endpoint-url --aws-profile --aws-region --oauth2-bearer -E --cert --key --pass --pinnedpubkey --pinned-public-key --capath --proxy-user --cookie-jar --cookies-from-browser -j --max-concurrent-downloads --max-per-host --max-overall-rate --progress --notify-after)
    __dray_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-x'|'--max-connections')
        return
        ;;
    '-H'|'--header')
        return
        ;;
    '-u'|'--user')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '--proxy')
        return
        ;;
    '--cacert')
        __dray_add_completions -f
        return
        ;;
    '--netrc-file')
        __dray_add_completions -f
        return
        ;;
    '--resolve')
        return
        ;;
    '--interface')
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--stall-timeout')
        return
        ;;
    '--hostpubsha256')
        return
        ;;
    '--endpoint-url')
        return
        ;;
    '--aws-profile')
        return
        ;;
    '--aws-region')
        return
        ;;
    '--oauth2-bearer')
        return
        ;;
    '-E'|'--cert')
        __dray_add_completions -f
        return
        ;;
    '--key')
        __dray_add_completions -f
        return
        ;;
    '--pass')
        return
        ;;
    '--pinnedpubkey'|'--pinned-public-key')
        __dray_add_completions -f
        return
        ;;
    '--capath')
        __dray_add_completions -d
        return
        ;;
    '--proxy-user')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '--cookie-jar')
        __dray_add_completions -f
        return
        ;;
    '--cookies-from-browser')
        return
        ;;
    '-j'|'--max-concurrent-downloads')
        return
        ;;
    '--max-per-host')
        return
        ;;
    '--max-overall-rate')
        return
        ;;
    '--progress')
        __dray_add_completions -W 'auto'$'\n''bars'$'\n''plain'$'\n''json'$'\n''none'
        return
        ;;
    '--notify-after')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dray_add_completions -o plusdirs -fX '!*.@(toml)'
        return
        ;;
    esac
}

_dray_catalog() {
    repeating_flags=()
    non_repeating_flags=(--json -k --insecure --netrc -4 --ipv4 -6 --ipv6 --http1.1 --http2 --http3 --no-cache --ssl --ssl-reqd --no-sign-request --basic --digest --ntlm --negotiate --anyauth --password-stdin --proxy-basic --proxy-digest --proxy-ntlm --proxy-negotiate --proxy-anyauth --no-cookies --version -h --help)
    repeating_options=(-H --header --resolve -b --cookie)
    non_repeating_options=(-u --user -A --user-agent -e --referer --proxy --cacert --netrc-file --interface --connect-timeout --stall-timeout --hostpubsha256 --endpoint-url --aws-profile --aws-region --oauth2-bearer -E --cert --key --pass --pinnedpubkey --pinned-public-key --capath --proxy-user --cookie-jar --cookies-from-browser)
    __dray_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '-H'|'--header')
        return
        ;;
    '-u'|'--user')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '--proxy')
        return
        ;;
    '--cacert')
        __dray_add_completions -f
        return
        ;;
    '--netrc-file')
        __dray_add_completions -f
        return
        ;;
    '--resolve')
        return
        ;;
    '--interface')
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--stall-timeout')
        return
        ;;
    '--hostpubsha256')
        return
        ;;
    '--endpoint-url')
        return
        ;;
    '--aws-profile')
        return
        ;;
    '--aws-region')
        return
        ;;
    '--oauth2-bearer')
        return
        ;;
    '-E'|'--cert')
        __dray_add_completions -f
        return
        ;;
    '--key')
        __dray_add_completions -f
        return
        ;;
    '--pass')
        return
        ;;
    '--pinnedpubkey'|'--pinned-public-key')
        __dray_add_completions -f
        return
        ;;
    '--capath')
        __dray_add_completions -d
        return
        ;;
    '--proxy-user')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '--cookie-jar')
        __dray_add_completions -f
        return
        ;;
    '--cookies-from-browser')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dray_add_completions -o plusdirs -fX '!*.@(json)'
        return
        ;;
    esac
}

_dray_run() {
    repeating_flags=()
    non_repeating_flags=(--wait --no-sync --hook-shell --quiet -q --notify --bell --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(-j --max-concurrent-downloads --max-per-host --max-overall-rate --on-complete --on-error --hook-timeout --progress --notify-after)
    __dray_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '-j'|'--max-concurrent-downloads')
        return
        ;;
    '--max-per-host')
        return
        ;;
    '--max-overall-rate')
        return
        ;;
    '--on-complete')
        return
        ;;
    '--on-error')
        return
        ;;
    '--hook-timeout')
        return
        ;;
    '--progress')
        __dray_add_completions -W 'auto'$'\n''bars'$'\n''plain'$'\n''json'$'\n''none'
        return
        ;;
    '--notify-after')
        return
        ;;
    esac
}

_dray_list() {
    repeating_flags=()
    non_repeating_flags=(--all -a --json --sums --verbose -v --version -h --help)
    repeating_options=(--state)
    non_repeating_options=(--since --match --sort)
    __dray_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--state')
        __dray_add_completions -W 'queued'$'\n''active'$'\n''complete'$'\n''failed'$'\n''interrupted'$'\n''paused'
        return
        ;;
    '--since')
        return
        ;;
    '--match')
        return
        ;;
    '--sort')
        __dray_add_completions -W 'id'$'\n''queue'$'\n''added'$'\n''finished'$'\n''size'$'\n''name'
        return
        ;;
    esac
}

_dray_show() {
    repeating_flags=()
    non_repeating_flags=(--json --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dray_add_completions -W "$(__dray_custom_complete ---completion show -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_watch() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=(--progress)
    __dray_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--progress')
        __dray_add_completions -W 'auto'$'\n''bars'$'\n''plain'$'\n''json'$'\n''none'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W "$(__dray_custom_complete ---completion watch -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_wait() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--timeout)
    __dray_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--timeout')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W "$(__dray_custom_complete ---completion wait -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_path() {
    repeating_flags=()
    non_repeating_flags=(--part -0 --null --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W "$(__dray_custom_complete ---completion path -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_open() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 1

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dray_add_completions -W "$(__dray_custom_complete ---completion open -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_pause() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W "$(__dray_custom_complete ---completion pause -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_resume() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W "$(__dray_custom_complete ---completion resume -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_retry() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W "$(__dray_custom_complete ---completion retry -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_move() {
    repeating_flags=()
    non_repeating_flags=(--first --last --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--before --after)
    __dray_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--before')
        __dray_add_completions -W "$(__dray_custom_complete ---completion move -- --before "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    '--after')
        __dray_add_completions -W "$(__dray_custom_complete ---completion move -- --after "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W "$(__dray_custom_complete ---completion move -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_remove() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options -1

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W "$(__dray_custom_complete ---completion remove -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_limit() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--job)
    __dray_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--job')
        __dray_add_completions -W "$(__dray_custom_complete ---completion limit -- --job "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -W 'off'$'\n''auto'
        return
        ;;
    esac
}

_dray_set-url() {
    repeating_flags=()
    non_repeating_flags=(--keep-credentials --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 2

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dray_add_completions -W "$(__dray_custom_complete ---completion set-url -- positional@0 "${COMP_CWORD}" "$(__dray_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_dray_info() {
    repeating_flags=()
    non_repeating_flags=(--json --verbose -v -k --insecure --netrc -4 --ipv4 -6 --ipv6 --http1.1 --http2 --http3 --no-cache --ssl --ssl-reqd --no-sign-request --basic --digest --ntlm --negotiate --anyauth --password-stdin --proxy-basic --proxy-digest --proxy-ntlm --proxy-negotiate --proxy-anyauth --no-cookies --version -h --help)
    repeating_options=(-H --header --resolve -b --cookie)
    non_repeating_options=(-u --user -A --user-agent -e --referer --proxy --cacert --netrc-file --interface --connect-timeout --stall-timeout --hostpubsha256 --endpoint-url --aws-profile --aws-region --oauth2-bearer -E --cert --key --pass --pinnedpubkey --pinned-public-key --capath --proxy-user --cookie-jar --cookies-from-browser)
    __dray_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '-H'|'--header')
        return
        ;;
    '-u'|'--user')
        return
        ;;
    '-A'|'--user-agent')
        return
        ;;
    '-e'|'--referer')
        return
        ;;
    '--proxy')
        return
        ;;
    '--cacert')
        __dray_add_completions -f
        return
        ;;
    '--netrc-file')
        __dray_add_completions -f
        return
        ;;
    '--resolve')
        return
        ;;
    '--interface')
        return
        ;;
    '--connect-timeout')
        return
        ;;
    '--stall-timeout')
        return
        ;;
    '--hostpubsha256')
        return
        ;;
    '--endpoint-url')
        return
        ;;
    '--aws-profile')
        return
        ;;
    '--aws-region')
        return
        ;;
    '--oauth2-bearer')
        return
        ;;
    '-E'|'--cert')
        __dray_add_completions -f
        return
        ;;
    '--key')
        __dray_add_completions -f
        return
        ;;
    '--pass')
        return
        ;;
    '--pinnedpubkey'|'--pinned-public-key')
        __dray_add_completions -f
        return
        ;;
    '--capath')
        __dray_add_completions -d
        return
        ;;
    '--proxy-user')
        return
        ;;
    '-b'|'--cookie')
        return
        ;;
    '--cookie-jar')
        __dray_add_completions -f
        return
        ;;
    '--cookies-from-browser')
        return
        ;;
    esac
}

_dray_verify() {
    repeating_flags=()
    non_repeating_flags=(--all --record --repair --json --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--checksum)
    __dray_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--checksum')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    *)
        __dray_add_completions -f
        return
        ;;
    esac
}

_dray_clean() {
    repeating_flags=()
    non_repeating_flags=(--quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=(--older-than)
    __dray_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--older-than')
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __dray_add_completions -d
        return
        ;;
    esac
}

_dray_cookies() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|add|remove)
        # Offer subcommand argument completions
        "_dray_cookies_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list add remove' -- "${cur}"))
        ;;
    esac
}

_dray_cookies_list() {
    repeating_flags=()
    non_repeating_flags=(--json --reveal --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 1
}

_dray_cookies_add() {
    repeating_flags=()
    non_repeating_flags=(--secure --http-only --version -h --help)
    repeating_options=()
    non_repeating_options=(--domain --host --path --expires)
    __dray_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--domain')
        return
        ;;
    '--host')
        return
        ;;
    '--path')
        return
        ;;
    '--expires')
        return
        ;;
    esac
}

_dray_cookies_remove() {
    repeating_flags=()
    non_repeating_flags=(--all --quiet -q --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 2
}

_dray_config() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    show|path|edit|check)
        # Offer subcommand argument completions
        "_dray_config_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'show path edit check' -- "${cur}"))
        ;;
    esac
}

_dray_config_show() {
    repeating_flags=()
    non_repeating_flags=(--json --defaults --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 0
}

_dray_config_path() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 0
}

_dray_config_edit() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 0
}

_dray_config_check() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options 0
}

_dray_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __dray_offer_flags_options -1
}

complete -o filenames -F _dray dray
