function __dray_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __dray_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __dray_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __dray_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __dray_parse_tokens -S
    set -l unparsed_tokens (__dray_tokens -pc)
    switch $unparsed_tokens[1]
    case 'dray'
        __dray_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'get'
            __dray_parse_subcommand -r 1 'i/input-file=' 'o/output=' 'd/dir=' 'on-conflict=' 'resume=' 'checksum=' 'priority=' 'limit-rate=' 'retries=' 'retry-wait=' 'max-retry-wait=' 'H/header=+' 'u/user=' 'A/user-agent=' 'e/referer=' 'b/cookie=' 'proxy=' 'cacert=' 'k/insecure' 'netrc' 'netrc-file=' '4/ipv4' '6/ipv6' 'connect-timeout=' 'stall-timeout=' 'j/max-concurrent-downloads=' 'max-overall-rate=' 'progress=' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'add'
            __dray_parse_subcommand -r 1 'i/input-file=' 'o/output=' 'd/dir=' 'on-conflict=' 'resume=' 'checksum=' 'priority=' 'limit-rate=' 'retries=' 'retry-wait=' 'max-retry-wait=' 'H/header=+' 'u/user=' 'A/user-agent=' 'e/referer=' 'b/cookie=' 'proxy=' 'cacert=' 'k/insecure' 'netrc' 'netrc-file=' '4/ipv4' '6/ipv6' 'connect-timeout=' 'stall-timeout=' 'q/quiet' 'version' 'h/help'
        case 'run'
            __dray_parse_subcommand 0 'wait' 'j/max-concurrent-downloads=' 'max-overall-rate=' 'progress=' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'list'
            __dray_parse_subcommand 0 'state=+' 'json' 'v/verbose' 'version' 'h/help'
        case 'show'
            __dray_parse_subcommand 1 'json' 'version' 'h/help'
        case 'watch'
            __dray_parse_subcommand -r 1 'progress=' 'version' 'h/help'
        case 'pause'
            __dray_parse_subcommand -r 1 'all' 'q/quiet' 'version' 'h/help'
        case 'resume'
            __dray_parse_subcommand -r 1 'all' 'q/quiet' 'version' 'h/help'
        case 'retry'
            __dray_parse_subcommand -r 1 'all' 'q/quiet' 'version' 'h/help'
        case 'remove'
            __dray_parse_subcommand -r 1 'all' 'q/quiet' 'version' 'h/help'
        case 'set-url'
            __dray_parse_subcommand 2 'version' 'h/help'
        case 'info'
            __dray_parse_subcommand 1 'json' 'H/header=+' 'u/user=' 'A/user-agent=' 'e/referer=' 'b/cookie=' 'proxy=' 'cacert=' 'k/insecure' 'netrc' 'netrc-file=' '4/ipv4' '6/ipv6' 'connect-timeout=' 'stall-timeout=' 'version' 'h/help'
        case 'clean'
            __dray_parse_subcommand 1 'q/quiet' 'version' 'h/help'
        case 'help'
            __dray_parse_subcommand -r 1 'version'
        end
    end
end

function __dray_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __dray_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __dray_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __dray_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__dray_tokens -p)
    if test -z "$(__dray_tokens -t)"
        set -l index (count (__dray_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'dray' -f
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'get' -d 'Fetch URLs now.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'add' -d 'Queue URLs and print the ids of their jobs.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'run' -d 'Transfer the queue until nothing is left to do.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'list' -d 'Show the jobs.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'show' -d 'Show everything about a job.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'watch' -d 'Watch what runs, in whatever process.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'pause' -d 'Stop jobs and keep their bytes, until they are resumed.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'resume' -d 'Queue paused and interrupted jobs again, with what they have.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'retry' -d 'Start failed jobs over from nothing.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'remove' -d 'Forget jobs and remove their part files; finished files stay.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'set-url' -d 'Give a job a fresh URL for the same file.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'info' -d 'Look at a URL without fetching it.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'clean' -d 'Forget finished jobs and remove stray part files.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" i input-file' -s 'i' -l 'input-file' -d 'Read URLs from a file, or from standard input with -.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" o output' -s 'o' -l 'output' -d 'Name the file; with `get`, - is standard output.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" d dir' -s 'd' -l 'dir' -d 'Put files into this directory; it is made if need be.' -rfa '(__dray_complete_directories)'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" on-conflict' -l 'on-conflict' -d 'What to do when the target exists.' -rfka 'fail rename overwrite skip'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" resume' -l 'resume' -d 'How to resume when nothing identifies the version of the file.' -rfka 'safe always never'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" checksum' -l 'checksum' -d 'Check the whole file: md5, sha-1, sha-256, sha-384 or sha-512, in hex or base64.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" priority' -l 'priority' -d 'Larger is sooner.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" limit-rate' -l 'limit-rate' -d 'Bytes a second of one job, such as 500k or 2M.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" retries' -l 'retries' -d 'Try again this often without new ground (5 unless told; 0 is never).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" retry-wait' -l 'retry-wait' -d 'Wait before the first retry, doubled for each further one (1 s unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" max-retry-wait' -l 'max-retry-wait' -d 'The longest wait that a server may ask for (1 h unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get"' -s 'H' -l 'header' -d 'Send this header field.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" u user' -s 'u' -l 'user' -d 'User name and password for the URL\'s server.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" A user-agent' -s 'A' -l 'user-agent' -d 'Send this User-Agent.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" e referer' -s 'e' -l 'referer' -d 'Send this Referer.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" b cookie' -s 'b' -l 'cookie' -d 'Send these cookies.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" proxy' -l 'proxy' -d 'Use this proxy: http, https, socks4, socks4a, socks5 or socks5h.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" cacert' -l 'cacert' -d 'Trust the certificates in this file instead of the system\'s.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" insecure k' -s 'k' -l 'insecure' -d 'Do not check certificates. Anybody could be the server.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" netrc' -l 'netrc' -d 'Take user names and passwords from ~/.netrc.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" netrc-file' -l 'netrc-file' -d 'Take user names and passwords from this file.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" 4 ipv4' -s '4' -l 'ipv4' -d 'Use IPv4 only.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" 6 ipv6' -s '6' -l 'ipv6' -d 'Use IPv6 only.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" connect-timeout' -l 'connect-timeout' -d 'Give up connecting after this time (30 s unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" stall-timeout' -l 'stall-timeout' -d 'Give up when less than 1 KiB/s comes for this time (30 s unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" j max-concurrent-downloads' -s 'j' -l 'max-concurrent-downloads' -d 'Transfer this many jobs at once (5 unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" max-overall-rate' -l 'max-overall-rate' -d 'Bytes a second of all jobs together.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" progress' -l 'progress' -d 'How progress is shown: auto is bars on a terminal, else plain lines.' -rfka 'auto bars plain json none'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" v verbose' -l 'verbose' -s 'v' -d 'Say more: redirects and answers.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" i input-file' -s 'i' -l 'input-file' -d 'Read URLs from a file, or from standard input with -.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" o output' -s 'o' -l 'output' -d 'Name the file; with `get`, - is standard output.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" d dir' -s 'd' -l 'dir' -d 'Put files into this directory; it is made if need be.' -rfa '(__dray_complete_directories)'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" on-conflict' -l 'on-conflict' -d 'What to do when the target exists.' -rfka 'fail rename overwrite skip'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" resume' -l 'resume' -d 'How to resume when nothing identifies the version of the file.' -rfka 'safe always never'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" checksum' -l 'checksum' -d 'Check the whole file: md5, sha-1, sha-256, sha-384 or sha-512, in hex or base64.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" priority' -l 'priority' -d 'Larger is sooner.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" limit-rate' -l 'limit-rate' -d 'Bytes a second of one job, such as 500k or 2M.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" retries' -l 'retries' -d 'Try again this often without new ground (5 unless told; 0 is never).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" retry-wait' -l 'retry-wait' -d 'Wait before the first retry, doubled for each further one (1 s unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" max-retry-wait' -l 'max-retry-wait' -d 'The longest wait that a server may ask for (1 h unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add"' -s 'H' -l 'header' -d 'Send this header field.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" u user' -s 'u' -l 'user' -d 'User name and password for the URL\'s server.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" A user-agent' -s 'A' -l 'user-agent' -d 'Send this User-Agent.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" e referer' -s 'e' -l 'referer' -d 'Send this Referer.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" b cookie' -s 'b' -l 'cookie' -d 'Send these cookies.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" proxy' -l 'proxy' -d 'Use this proxy: http, https, socks4, socks4a, socks5 or socks5h.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" cacert' -l 'cacert' -d 'Trust the certificates in this file instead of the system\'s.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" insecure k' -s 'k' -l 'insecure' -d 'Do not check certificates. Anybody could be the server.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" netrc' -l 'netrc' -d 'Take user names and passwords from ~/.netrc.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" netrc-file' -l 'netrc-file' -d 'Take user names and passwords from this file.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" 4 ipv4' -s '4' -l 'ipv4' -d 'Use IPv4 only.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" 6 ipv6' -s '6' -l 'ipv6' -d 'Use IPv6 only.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" connect-timeout' -l 'connect-timeout' -d 'Give up connecting after this time (30 s unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" stall-timeout' -l 'stall-timeout' -d 'Give up when less than 1 KiB/s comes for this time (30 s unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but ids and errors.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray run" wait' -l 'wait' -d 'Stay when nothing is left, and wait for more.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray run" j max-concurrent-downloads' -s 'j' -l 'max-concurrent-downloads' -d 'Transfer this many jobs at once (5 unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray run" max-overall-rate' -l 'max-overall-rate' -d 'Bytes a second of all jobs together.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray run" progress' -l 'progress' -d 'How progress is shown: auto is bars on a terminal, else plain lines.' -rfka 'auto bars plain json none'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray run" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray run" v verbose' -l 'verbose' -s 'v' -d 'Say more: redirects and answers.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray run" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray list"' -l 'state' -d 'Only jobs in this state; may be repeated, or a list with commas.' -rfka 'queued active complete failed interrupted paused'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray list" json' -l 'json' -d 'Print JSON.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray list" v verbose' -l 'verbose' -s 'v' -d 'Show the URLs however narrow the window is.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray list" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray show" -eq 1' -fka '(__dray_custom_completion ---completion show -- positional@0 (count (__dray_tokens -pc)) (__dray_tokens -tC))'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray show" json' -l 'json' -d 'Print JSON.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray show" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray watch" -ge 1' -fka '(__dray_custom_completion ---completion watch -- positional@0 (count (__dray_tokens -pc)) (__dray_tokens -tC))'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray watch" progress' -l 'progress' -d 'How progress is shown: auto is bars on a terminal, else plain lines.' -rfka 'auto bars plain json none'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray watch" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray pause" -ge 1' -fka '(__dray_custom_completion ---completion pause -- positional@0 (count (__dray_tokens -pc)) (__dray_tokens -tC))'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray pause" all' -l 'all' -d 'All jobs that this can be done to.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray pause" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray pause" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray pause" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray resume" -ge 1' -fka '(__dray_custom_completion ---completion resume -- positional@0 (count (__dray_tokens -pc)) (__dray_tokens -tC))'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray resume" all' -l 'all' -d 'All jobs that this can be done to.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray resume" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray resume" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray resume" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray retry" -ge 1' -fka '(__dray_custom_completion ---completion retry -- positional@0 (count (__dray_tokens -pc)) (__dray_tokens -tC))'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray retry" all' -l 'all' -d 'All jobs that this can be done to.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray retry" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray retry" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray retry" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray remove" -ge 1' -fka '(__dray_custom_completion ---completion remove -- positional@0 (count (__dray_tokens -pc)) (__dray_tokens -tC))'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray remove" all' -l 'all' -d 'All jobs that this can be done to.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray remove" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray remove" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray set-url" -eq 1' -fka '(__dray_custom_completion ---completion set-url -- positional@0 (count (__dray_tokens -pc)) (__dray_tokens -tC))'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray set-url" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray set-url" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" json' -l 'json' -d 'Print JSON.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info"' -s 'H' -l 'header' -d 'Send this header field.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" u user' -s 'u' -l 'user' -d 'User name and password for the URL\'s server.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" A user-agent' -s 'A' -l 'user-agent' -d 'Send this User-Agent.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" e referer' -s 'e' -l 'referer' -d 'Send this Referer.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" b cookie' -s 'b' -l 'cookie' -d 'Send these cookies.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" proxy' -l 'proxy' -d 'Use this proxy: http, https, socks4, socks4a, socks5 or socks5h.' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" cacert' -l 'cacert' -d 'Trust the certificates in this file instead of the system\'s.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" insecure k' -s 'k' -l 'insecure' -d 'Do not check certificates. Anybody could be the server.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" netrc' -l 'netrc' -d 'Take user names and passwords from ~/.netrc.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" netrc-file' -l 'netrc-file' -d 'Take user names and passwords from this file.' -rF
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" 4 ipv4' -s '4' -l 'ipv4' -d 'Use IPv4 only.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" 6 ipv6' -s '6' -l 'ipv6' -d 'Use IPv6 only.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" connect-timeout' -l 'connect-timeout' -d 'Give up connecting after this time (30 s unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" stall-timeout' -l 'stall-timeout' -d 'Give up when less than 1 KiB/s comes for this time (30 s unless told).' -rfka ''
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_positional "dray clean" -eq 1' -fa '(__dray_complete_directories)'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray clean" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray clean" version' -l 'version' -d 'Show the version.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray clean" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'dray' -n '__dray_should_offer_completions_for_flags_or_options "dray help" version' -l 'version' -d 'Show the version.'
