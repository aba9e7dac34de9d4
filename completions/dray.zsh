#compdef dray

__dray_complete() {
    local -ar non_empty_completions=("${@:#(|:*)}")
    local -ar empty_completions=("${(M)@:#(|:*)}")
    _describe -V '' non_empty_completions -- empty_completions -P $'\'\''
}

__dray_custom_complete() {
    local -a completions
    completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")
    if [[ "${#completions[@]}" -gt 1 ]]; then
        __dray_complete "${completions[@]:0:-1}"
    fi
}

__dray_cursor_index_in_current_word() {
    if [[ -z "${QIPREFIX}${IPREFIX}${PREFIX}" ]]; then
        printf 0
    else
        printf %s "${#${(z)LBUFFER}[-1]}"
    fi
}

_dray() {
    emulate -RL zsh -G
    setopt extendedglob nullglob numericglobsort
    unsetopt aliases banghist

    local -xr SAP_SHELL=zsh
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(builtin emulate zsh -c 'printf %s "${ZSH_VERSION}"')"
    local -r SAP_SHELL_VERSION

    local context state state_descr line
    local -A opt_args

    local -r command_name="${words[1]}"
    local -ar command_line=("${words[@]}")
    local -ir current_word_index="$((CURRENT - 1))"

    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
        '(-): :->command'
        '(-)*:: :->arg'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0
    case "${state}" in
    command)
        local -ar subcommands=(
            'get:Fetch URLs now.'
            'add:Queue URLs and print the ids of their jobs.'
            'run:Transfer the queue until nothing is left to do.'
            'list:Show the jobs.'
            'show:Show everything about a job.'
            'watch:Watch what runs, in whatever process.'
            'pause:Stop jobs and keep their bytes, until they are resumed.'
            'resume:Queue paused and interrupted jobs again, with what they have.'
            'retry:Start failed jobs over from nothing.'
            'remove:Forget jobs and remove their part files; finished files stay.'
            'set-url:Give a job a fresh URL for the same file.'
            'info:Look at a URL without fetching it.'
            'clean:Forget finished jobs and remove stray part files.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        get|add|run|list|show|watch|pause|resume|retry|remove|set-url|info|clean|help)
            "_dray_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_dray_get() {
    local -i ret=1
    local -ar ___on_conflict=('fail' 'rename' 'overwrite' 'skip')
    local -ar ___resume=('safe' 'always' 'never')
    local -ar ___progress=('auto' 'bars' 'plain' 'json' 'none')
    local -ar arg_specs=(
        '*:url:'
        '(-i --input-file)'{-i,--input-file}'[Read URLs from a file, or from standard input with -.]:file:_files'
        '(-o --output)'{-o,--output}'[Name the file; with `get`, - is standard output.]:file:_files'
        '(-d --dir)'{-d,--dir}'[Put files into this directory; it is made if need be.]:dir:_files -/'
        '--on-conflict[What to do when the target exists.]:on-conflict:{__dray_complete "${___on_conflict[@]}"}'
        '--resume[How to resume when nothing identifies the version of the file.]:resume:{__dray_complete "${___resume[@]}"}'
        '--checksum[Check the whole file\: md5, sha-1, sha-256, sha-384 or sha-512, in hex or base64.]:alg=digest:'
        '--priority[Larger is sooner.]:number:'
        '--limit-rate[Bytes a second of one job, such as 500k or 2M.]:rate:'
        '--retries[Try again this often without new ground (5 unless told; 0 is never).]:number:'
        '--retry-wait[Wait before the first retry, doubled for each further one (1 s unless told).]:time:'
        '--max-retry-wait[The longest wait that a server may ask for (1 h unless told).]:time:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '(-b --cookie)'{-b,--cookie}'[Send these cookies.]:name=value; …:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '(-j --max-concurrent-downloads)'{-j,--max-concurrent-downloads}'[Transfer this many jobs at once (5 unless told).]:number:'
        '--max-overall-rate[Bytes a second of all jobs together.]:rate:'
        '--progress[How progress is shown\: auto is bars on a terminal, else plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: redirects and answers.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_add() {
    local -i ret=1
    local -ar ___on_conflict=('fail' 'rename' 'overwrite' 'skip')
    local -ar ___resume=('safe' 'always' 'never')
    local -ar arg_specs=(
        '*:url:'
        '(-i --input-file)'{-i,--input-file}'[Read URLs from a file, or from standard input with -.]:file:_files'
        '(-o --output)'{-o,--output}'[Name the file; with `get`, - is standard output.]:file:_files'
        '(-d --dir)'{-d,--dir}'[Put files into this directory; it is made if need be.]:dir:_files -/'
        '--on-conflict[What to do when the target exists.]:on-conflict:{__dray_complete "${___on_conflict[@]}"}'
        '--resume[How to resume when nothing identifies the version of the file.]:resume:{__dray_complete "${___resume[@]}"}'
        '--checksum[Check the whole file\: md5, sha-1, sha-256, sha-384 or sha-512, in hex or base64.]:alg=digest:'
        '--priority[Larger is sooner.]:number:'
        '--limit-rate[Bytes a second of one job, such as 500k or 2M.]:rate:'
        '--retries[Try again this often without new ground (5 unless told; 0 is never).]:number:'
        '--retry-wait[Wait before the first retry, doubled for each further one (1 s unless told).]:time:'
        '--max-retry-wait[The longest wait that a server may ask for (1 h unless told).]:time:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '(-b --cookie)'{-b,--cookie}'[Send these cookies.]:name=value; …:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but ids and errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_run() {
    local -i ret=1
    local -ar ___progress=('auto' 'bars' 'plain' 'json' 'none')
    local -ar arg_specs=(
        '--wait[Stay when nothing is left, and wait for more.]'
        '(-j --max-concurrent-downloads)'{-j,--max-concurrent-downloads}'[Transfer this many jobs at once (5 unless told).]:number:'
        '--max-overall-rate[Bytes a second of all jobs together.]:rate:'
        '--progress[How progress is shown\: auto is bars on a terminal, else plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: redirects and answers.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_list() {
    local -i ret=1
    local -ar ___state=('queued' 'active' 'complete' 'failed' 'interrupted' 'paused')
    local -ar arg_specs=(
        '*--state[Only jobs in this state; may be repeated, or a list with commas.]:state:{__dray_complete "${___state[@]}"}'
        '--json[Print JSON.]'
        '(--verbose -v)'{--verbose,-v}'[Show the URLs however narrow the window is.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_show() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__dray_custom_complete ---completion show -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--json[Print JSON.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_watch() {
    local -i ret=1
    local -ar ___progress=('auto' 'bars' 'plain' 'json' 'none')
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion watch -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--progress[How progress is shown\: auto is bars on a terminal, else plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_pause() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion pause -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--all[All jobs that this can be done to.]'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_resume() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion resume -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--all[All jobs that this can be done to.]'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_retry() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion retry -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--all[All jobs that this can be done to.]'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_remove() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion remove -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--all[All jobs that this can be done to.]'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_set-url() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__dray_custom_complete ---completion set-url -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        ':url:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_info() {
    local -i ret=1
    local -ar arg_specs=(
        ':url:'
        '--json[Print JSON.]'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '(-b --cookie)'{-b,--cookie}'[Send these cookies.]:name=value; …:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_clean() {
    local -i ret=1
    local -ar arg_specs=(
        ':dir:_files -/'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_help() {
    local -i ret=1
    local -ar arg_specs=(
        '*:subcommands:'
        '--version[Show the version.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

if [[ "${funcstack[1]}" = _dray ]]; then
    _dray "${@}"
else
    compdef _dray dray
fi
