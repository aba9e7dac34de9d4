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
        '--config[Read the configuration from this file.]:file:_files'
        '--no-config[Read no configuration file.]'
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
            'feed:Queue the files of feeds: podcasts, releases.'
            'sync:Fetch the files of a manifest, as pinned by its lock.'
            'catalog:Show the services of a catalog, or the versions of one service.'
            'run:Transfer the queue until nothing is left to do.'
            'list:Show the jobs.'
            'show:Show everything about a job.'
            'watch:Watch active jobs, in any process.'
            'wait:Wait until jobs have ended, and exit with their status.'
            'path:Print the paths of the files of jobs.'
            'open:Open the file of a complete job.'
            'pause:Stop jobs until they are resumed, keeping their bytes.'
            'resume:Continue paused and interrupted jobs from the bytes they have.'
            'retry:Start failed jobs over from the beginning.'
            'move:Move waiting jobs to another place in the queue.'
            'remove:Remove jobs and their part files; finished files stay.'
            'limit:Limit the rate of all runners, or of one job, while they run.'
            'set-url:Give a job a new URL for the same file.'
            'info:Show what a server says about a URL, without fetching it.'
            'verify:Check files against the digests that are recorded or given.'
            'clean:Remove finished jobs from the list, and stray part files.'
            'cookies:List, add and remove the cookies that dray keeps.'
            'config:Show, check and edit the configuration.'
            'help:Show subcommand help information.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        get|add|feed|sync|catalog|run|list|show|watch|wait|path|open|pause|resume|retry|move|remove|limit|set-url|info|verify|clean|cookies|config|help)
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
    local -ar ___verify=('none' 'offered' 'auto' 'require')
    local -ar ___progress=('auto' 'bars' 'plain' 'json' 'none')
    local -ar arg_specs=(
        '*:url:'
        '(-i --input-file)'{-i,--input-file}'[Read URLs from a file, or from standard input with -.]:file:_files'
        '(-M --metalink-file)'{-M,--metalink-file}'[Fetch the files listed in this Metalink file.]:file:_files -g '\''*.meta4 *.metalink'\'''
        '--metalink[Ask the servers for Metalink files first, and use them.]'
        '--catalog[Look up the arguments, NAME or NAME@VERSION, in this catalog.]:url|file:_files -g '\''*.json'\'''
        '(-o --output)'{-o,--output}'[Name the file; with `get`, - is standard output.]:file:_files'
        '(-d --dir)'{-d,--dir}'[Put files into this directory; it is created if needed.]:dir:_files -/'
        '--if-changed[Fetch only if the file changed on the server, and then replace the target.]'
        '--no-mtime[Do not set the files'\'' times to those that the server reports.]'
        '--on-conflict[What to do when the target exists.]:on-conflict:{__dray_complete "${___on_conflict[@]}"}'
        '--resume[How to resume if nothing identifies the version of the file.]:resume:{__dray_complete "${___resume[@]}"}'
        '--checksum[Check the whole file\: md5, sha-1, sha-256, sha-384, sha-512, crc32, crc32c or crc64nvme, in hex or base64.]:alg=digest:'
        '--verify[Where to find digests of the file, in addition to --checksum.]:verify:{__dray_complete "${___verify[@]}"}'
        '--verify-key[The minisign public key for signatures of digest lists, or a file with it.]:key|file:'
        '--expect-type[Fail unless the file is of this type, such as application/zip or image/*.]:type:'
        '*--mirror[Another URL of the same file; may be repeated.]:url:'
        '(-x --max-connections)'{-x,--max-connections}'[At most this many connections for one file (default\: auto).]:number:'
        '--on-complete[Run this when a job is complete.]:command:'
        '--on-error[Run this when a job fails or is interrupted by an error.]:command:'
        '--hook-shell[Run the commands of --on-complete and --on-error with a shell.]'
        '--hook-timeout[Stop a command that takes longer (default\: 10 min).]:time:'
        '--priority[Higher runs first.]:number:'
        '*--after[Start when these jobs are complete; may be repeated, or a comma-separated list.]:id:{__dray_custom_complete ---completion get -- --after "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--start-at[Do not start before this time.]:time:'
        '--limit-rate[Limit each job to this many bytes per second, such as 500k or 2M.]:rate:'
        '--retries[Retry this often without progress (default\: 5; 0 means never).]:number:'
        '--retry-wait[Wait this long before the first retry, doubled for each further one (default\: 1 s).]:time:'
        '--max-retry-wait[The longest delay that a server may ask for (default\: 1 h).]:time:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anyone can impersonate the server.]'
        '--netrc[Read user names and passwords from ~/.netrc.]'
        '--netrc-file[Read user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '*--resolve[Connect to this address for a host and a port.]:host\:port\:address:'
        '--interface[Send from this interface or address.]:interface:'
        '--http1.1[Use HTTP/1.1.]'
        '--http2[Use HTTP/2 where a server offers it over TLS. This is the default.]'
        '--http3[Use HTTP/3, with HTTP/2 and HTTP/1.1 as alternatives.]'
        '--connect-timeout[Give up connecting after this time (default\: 30 s).]:time:'
        '--stall-timeout[Give up if the rate is below 1 KiB/s for this time (default\: 30 s).]:time:'
        '--no-cache[Make caches revalidate with the server.]'
        '--ssl[Use TLS for ftp URLs if the server supports it.]'
        '--ssl-reqd[Require TLS for ftp URLs.]'
        '--hostpubsha256[For sftp, accept this host key, regardless of known_hosts.]:fingerprint:'
        '--endpoint-url[Use this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Use the keys and the region of this profile of the AWS files for s3 URLs.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Do not sign requests for s3 URLs (public objects).]'
        '--basic[Use Basic authentication (the default).]'
        '--digest[Use Digest authentication, which does not send the password.]'
        '--ntlm[Use NTLM authentication.]'
        '--negotiate[Use Negotiate authentication\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the strongest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Use this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust only a server that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Use Basic authentication for the proxy (the default).]'
        '--proxy-digest[Use Digest authentication for the proxy.]'
        '--proxy-ntlm[Use NTLM authentication for the proxy.]'
        '--proxy-negotiate[Use Negotiate authentication for the proxy.]'
        '--proxy-anyauth[Use the strongest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '--cookie-jar[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Do not use dray'\''s own jar\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Use a browser'\''s cookies for the URL'\''s site\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '*--query[Add a parameter to the URL'\''s query, percent-encoded.]:name=value:'
        '(-X --request)'{-X,--request}'[Use this method.]:method:'
        '*--data[Send this as a form, unchanged; @FILE is a file without its line breaks, @- standard input.]:data:'
        '*--data-raw[The same, but @ has no special meaning.]:data:'
        '*--data-binary[The same as --data, but a file keeps its line breaks.]:data:'
        '*--data-urlencode[Send this as a form, encoded.]:data:'
        '(-G --get)'{-G,--get}'[Put the --data options into the query of a GET.]'
        '*'{-F,--form}'[Send a part of a multipart form.]:name=content:'
        '*--form-string[Send a text as a part of a multipart form, unchanged.]:name=text:'
        '--json-body[Send JSON, checked for syntax; @FILE is a file, @- standard input.]:json:'
        '--plist-body[Send a property list, checked for syntax; @FILE is a file, @- standard input.]:plist:'
        '(-T --upload-file)'{-T,--upload-file}'[Send this file with PUT; - is standard input.]:file:_files'
        '--post301[Keep POST after a 301.]'
        '--post302[Keep POST after a 302.]'
        '--post303[Keep POST after a 303.]'
        '--max-redirs[Follow at most this many redirects (default\: 20); 0 means none.]:number:'
        '(-j --max-concurrent-downloads)'{-j,--max-concurrent-downloads}'[Transfer this many jobs at once (default\: auto).]:number:'
        '--max-per-host[At most this many connections to one server (default\: auto).]:number:'
        '--max-overall-rate[Limit all jobs together to this many bytes per second.]:rate:'
        '--no-sync[Do not wait for the disk\: a power cut may leave corrupt files marked complete.]'
        '--progress[How to show progress\: auto means bars on a terminal, otherwise plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
        '--notify[Send a desktop notification when all jobs are done.]'
        '--notify-after[Notify only of runs that took this long (default\: 0).]:time:'
        '--bell[Ring the terminal bell when all jobs are done.]'
        '(--verbose -v)'{--verbose,-v}'[Print more\: redirects and answers.]'
        '(-I --head)'{-I,--head}'[Request only the header fields and print them. Nothing is queued.]'
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
    local -ar ___verify=('none' 'offered' 'auto' 'require')
    local -ar arg_specs=(
        '*:url:'
        '(-i --input-file)'{-i,--input-file}'[Read URLs from a file, or from standard input with -.]:file:_files'
        '(-M --metalink-file)'{-M,--metalink-file}'[Fetch the files listed in this Metalink file.]:file:_files -g '\''*.meta4 *.metalink'\'''
        '--metalink[Ask the servers for Metalink files first, and use them.]'
        '--catalog[Look up the arguments, NAME or NAME@VERSION, in this catalog.]:url|file:_files -g '\''*.json'\'''
        '(-o --output)'{-o,--output}'[Name the file; with `get`, - is standard output.]:file:_files'
        '(-d --dir)'{-d,--dir}'[Put files into this directory; it is created if needed.]:dir:_files -/'
        '--if-changed[Fetch only if the file changed on the server, and then replace the target.]'
        '--no-mtime[Do not set the files'\'' times to those that the server reports.]'
        '--on-conflict[What to do when the target exists.]:on-conflict:{__dray_complete "${___on_conflict[@]}"}'
        '--resume[How to resume if nothing identifies the version of the file.]:resume:{__dray_complete "${___resume[@]}"}'
        '--checksum[Check the whole file\: md5, sha-1, sha-256, sha-384, sha-512, crc32, crc32c or crc64nvme, in hex or base64.]:alg=digest:'
        '--verify[Where to find digests of the file, in addition to --checksum.]:verify:{__dray_complete "${___verify[@]}"}'
        '--verify-key[The minisign public key for signatures of digest lists, or a file with it.]:key|file:'
        '--expect-type[Fail unless the file is of this type, such as application/zip or image/*.]:type:'
        '*--mirror[Another URL of the same file; may be repeated.]:url:'
        '(-x --max-connections)'{-x,--max-connections}'[At most this many connections for one file (default\: auto).]:number:'
        '--on-complete[Run this when a job is complete.]:command:'
        '--on-error[Run this when a job fails or is interrupted by an error.]:command:'
        '--hook-shell[Run the commands of --on-complete and --on-error with a shell.]'
        '--hook-timeout[Stop a command that takes longer (default\: 10 min).]:time:'
        '--priority[Higher runs first.]:number:'
        '*--after[Start when these jobs are complete; may be repeated, or a comma-separated list.]:id:{__dray_custom_complete ---completion add -- --after "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--start-at[Do not start before this time.]:time:'
        '--limit-rate[Limit each job to this many bytes per second, such as 500k or 2M.]:rate:'
        '--retries[Retry this often without progress (default\: 5; 0 means never).]:number:'
        '--retry-wait[Wait this long before the first retry, doubled for each further one (default\: 1 s).]:time:'
        '--max-retry-wait[The longest delay that a server may ask for (default\: 1 h).]:time:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anyone can impersonate the server.]'
        '--netrc[Read user names and passwords from ~/.netrc.]'
        '--netrc-file[Read user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '*--resolve[Connect to this address for a host and a port.]:host\:port\:address:'
        '--interface[Send from this interface or address.]:interface:'
        '--http1.1[Use HTTP/1.1.]'
        '--http2[Use HTTP/2 where a server offers it over TLS. This is the default.]'
        '--http3[Use HTTP/3, with HTTP/2 and HTTP/1.1 as alternatives.]'
        '--connect-timeout[Give up connecting after this time (default\: 30 s).]:time:'
        '--stall-timeout[Give up if the rate is below 1 KiB/s for this time (default\: 30 s).]:time:'
        '--no-cache[Make caches revalidate with the server.]'
        '--ssl[Use TLS for ftp URLs if the server supports it.]'
        '--ssl-reqd[Require TLS for ftp URLs.]'
        '--hostpubsha256[For sftp, accept this host key, regardless of known_hosts.]:fingerprint:'
        '--endpoint-url[Use this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Use the keys and the region of this profile of the AWS files for s3 URLs.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Do not sign requests for s3 URLs (public objects).]'
        '--basic[Use Basic authentication (the default).]'
        '--digest[Use Digest authentication, which does not send the password.]'
        '--ntlm[Use NTLM authentication.]'
        '--negotiate[Use Negotiate authentication\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the strongest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Use this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust only a server that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Use Basic authentication for the proxy (the default).]'
        '--proxy-digest[Use Digest authentication for the proxy.]'
        '--proxy-ntlm[Use NTLM authentication for the proxy.]'
        '--proxy-negotiate[Use Negotiate authentication for the proxy.]'
        '--proxy-anyauth[Use the strongest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '--cookie-jar[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Do not use dray'\''s own jar\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Use a browser'\''s cookies for the URL'\''s site\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '*--query[Add a parameter to the URL'\''s query, percent-encoded.]:name=value:'
        '(-X --request)'{-X,--request}'[Use this method.]:method:'
        '*--data[Send this as a form, unchanged; @FILE is a file without its line breaks, @- standard input.]:data:'
        '*--data-raw[The same, but @ has no special meaning.]:data:'
        '*--data-binary[The same as --data, but a file keeps its line breaks.]:data:'
        '*--data-urlencode[Send this as a form, encoded.]:data:'
        '(-G --get)'{-G,--get}'[Put the --data options into the query of a GET.]'
        '*'{-F,--form}'[Send a part of a multipart form.]:name=content:'
        '*--form-string[Send a text as a part of a multipart form, unchanged.]:name=text:'
        '--json-body[Send JSON, checked for syntax; @FILE is a file, @- standard input.]:json:'
        '--plist-body[Send a property list, checked for syntax; @FILE is a file, @- standard input.]:plist:'
        '(-T --upload-file)'{-T,--upload-file}'[Send this file with PUT; - is standard input.]:file:_files'
        '--post301[Keep POST after a 301.]'
        '--post302[Keep POST after a 302.]'
        '--post303[Keep POST after a 303.]'
        '--max-redirs[Follow at most this many redirects (default\: 20); 0 means none.]:number:'
        '(--quiet -q)'{--quiet,-q}'[Print only ids and errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_feed() {
    local -i ret=1
    local -ar ___on_conflict=('fail' 'rename' 'overwrite' 'skip')
    local -ar ___resume=('safe' 'always' 'never')
    local -ar ___verify=('none' 'offered' 'auto' 'require')
    local -ar arg_specs=(
        '*:url:'
        '(-i --input-file)'{-i,--input-file}'[Read URLs from a file, or from standard input with -.]:file:_files'
        '(-M --metalink-file)'{-M,--metalink-file}'[Fetch the files listed in this Metalink file.]:file:_files -g '\''*.meta4 *.metalink'\'''
        '--metalink[Ask the servers for Metalink files first, and use them.]'
        '--catalog[Look up the arguments, NAME or NAME@VERSION, in this catalog.]:url|file:_files -g '\''*.json'\'''
        '(-o --output)'{-o,--output}'[Name the file; with `get`, - is standard output.]:file:_files'
        '(-d --dir)'{-d,--dir}'[Put files into this directory; it is created if needed.]:dir:_files -/'
        '--if-changed[Fetch only if the file changed on the server, and then replace the target.]'
        '--no-mtime[Do not set the files'\'' times to those that the server reports.]'
        '--on-conflict[What to do when the target exists.]:on-conflict:{__dray_complete "${___on_conflict[@]}"}'
        '--resume[How to resume if nothing identifies the version of the file.]:resume:{__dray_complete "${___resume[@]}"}'
        '--checksum[Check the whole file\: md5, sha-1, sha-256, sha-384, sha-512, crc32, crc32c or crc64nvme, in hex or base64.]:alg=digest:'
        '--verify[Where to find digests of the file, in addition to --checksum.]:verify:{__dray_complete "${___verify[@]}"}'
        '--verify-key[The minisign public key for signatures of digest lists, or a file with it.]:key|file:'
        '--expect-type[Fail unless the file is of this type, such as application/zip or image/*.]:type:'
        '*--mirror[Another URL of the same file; may be repeated.]:url:'
        '(-x --max-connections)'{-x,--max-connections}'[At most this many connections for one file (default\: auto).]:number:'
        '--on-complete[Run this when a job is complete.]:command:'
        '--on-error[Run this when a job fails or is interrupted by an error.]:command:'
        '--hook-shell[Run the commands of --on-complete and --on-error with a shell.]'
        '--hook-timeout[Stop a command that takes longer (default\: 10 min).]:time:'
        '--priority[Higher runs first.]:number:'
        '*--after[Start when these jobs are complete; may be repeated, or a comma-separated list.]:id:{__dray_custom_complete ---completion feed -- --after "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--start-at[Do not start before this time.]:time:'
        '--limit-rate[Limit each job to this many bytes per second, such as 500k or 2M.]:rate:'
        '--retries[Retry this often without progress (default\: 5; 0 means never).]:number:'
        '--retry-wait[Wait this long before the first retry, doubled for each further one (default\: 1 s).]:time:'
        '--max-retry-wait[The longest delay that a server may ask for (default\: 1 h).]:time:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anyone can impersonate the server.]'
        '--netrc[Read user names and passwords from ~/.netrc.]'
        '--netrc-file[Read user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '*--resolve[Connect to this address for a host and a port.]:host\:port\:address:'
        '--interface[Send from this interface or address.]:interface:'
        '--http1.1[Use HTTP/1.1.]'
        '--http2[Use HTTP/2 where a server offers it over TLS. This is the default.]'
        '--http3[Use HTTP/3, with HTTP/2 and HTTP/1.1 as alternatives.]'
        '--connect-timeout[Give up connecting after this time (default\: 30 s).]:time:'
        '--stall-timeout[Give up if the rate is below 1 KiB/s for this time (default\: 30 s).]:time:'
        '--no-cache[Make caches revalidate with the server.]'
        '--ssl[Use TLS for ftp URLs if the server supports it.]'
        '--ssl-reqd[Require TLS for ftp URLs.]'
        '--hostpubsha256[For sftp, accept this host key, regardless of known_hosts.]:fingerprint:'
        '--endpoint-url[Use this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Use the keys and the region of this profile of the AWS files for s3 URLs.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Do not sign requests for s3 URLs (public objects).]'
        '--basic[Use Basic authentication (the default).]'
        '--digest[Use Digest authentication, which does not send the password.]'
        '--ntlm[Use NTLM authentication.]'
        '--negotiate[Use Negotiate authentication\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the strongest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Use this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust only a server that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Use Basic authentication for the proxy (the default).]'
        '--proxy-digest[Use Digest authentication for the proxy.]'
        '--proxy-ntlm[Use NTLM authentication for the proxy.]'
        '--proxy-negotiate[Use Negotiate authentication for the proxy.]'
        '--proxy-anyauth[Use the strongest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '--cookie-jar[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Do not use dray'\''s own jar\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Use a browser'\''s cookies for the URL'\''s site\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '--limit[Consider only this many of the newest entries.]:number:'
        '--match[Only entries whose title or URL matches this regular expression.]:regex:'
        '(--list --dry-run)'{--list,--dry-run}'[Show the entries; queue nothing.]'
        '--again[Also queue what was queued before.]'
        '--json[Print JSON\: an array with an object for each entry.]'
        '(--quiet -q)'{--quiet,-q}'[Print only ids and errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_sync() {
    local -i ret=1
    local -ar ___progress=('auto' 'bars' 'plain' 'json' 'none')
    local -ar arg_specs=(
        ':file:_files -g '\''*.toml'\'''
        '--locked[Require everything to match the lock.]'
        '--dry-run[Show what would be done, without doing it.]'
        '(-x --max-connections)'{-x,--max-connections}'[At most this many connections for one file (default\: auto).]:number:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anyone can impersonate the server.]'
        '--netrc[Read user names and passwords from ~/.netrc.]'
        '--netrc-file[Read user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '*--resolve[Connect to this address for a host and a port.]:host\:port\:address:'
        '--interface[Send from this interface or address.]:interface:'
        '--http1.1[Use HTTP/1.1.]'
        '--http2[Use HTTP/2 where a server offers it over TLS. This is the default.]'
        '--http3[Use HTTP/3, with HTTP/2 and HTTP/1.1 as alternatives.]'
        '--connect-timeout[Give up connecting after this time (default\: 30 s).]:time:'
        '--stall-timeout[Give up if the rate is below 1 KiB/s for this time (default\: 30 s).]:time:'
        '--no-cache[Make caches revalidate with the server.]'
        '--ssl[Use TLS for ftp URLs if the server supports it.]'
        '--ssl-reqd[Require TLS for ftp URLs.]'
        '--hostpubsha256[For sftp, accept this host key, regardless of known_hosts.]:fingerprint:'
        '--endpoint-url[Use this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Use the keys and the region of this profile of the AWS files for s3 URLs.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Do not sign requests for s3 URLs (public objects).]'
        '--basic[Use Basic authentication (the default).]'
        '--digest[Use Digest authentication, which does not send the password.]'
        '--ntlm[Use NTLM authentication.]'
        '--negotiate[Use Negotiate authentication\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the strongest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Use this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust only a server that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Use Basic authentication for the proxy (the default).]'
        '--proxy-digest[Use Digest authentication for the proxy.]'
        '--proxy-ntlm[Use NTLM authentication for the proxy.]'
        '--proxy-negotiate[Use Negotiate authentication for the proxy.]'
        '--proxy-anyauth[Use the strongest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '--cookie-jar[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Do not use dray'\''s own jar\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Use a browser'\''s cookies for the URL'\''s site\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '(-j --max-concurrent-downloads)'{-j,--max-concurrent-downloads}'[Transfer this many jobs at once (default\: auto).]:number:'
        '--max-per-host[At most this many connections to one server (default\: auto).]:number:'
        '--max-overall-rate[Limit all jobs together to this many bytes per second.]:rate:'
        '--no-sync[Do not wait for the disk\: a power cut may leave corrupt files marked complete.]'
        '--progress[How to show progress\: auto means bars on a terminal, otherwise plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
        '--notify[Send a desktop notification when all jobs are done.]'
        '--notify-after[Notify only of runs that took this long (default\: 0).]:time:'
        '--bell[Ring the terminal bell when all jobs are done.]'
        '(--verbose -v)'{--verbose,-v}'[Print more\: redirects and answers.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_catalog() {
    local -i ret=1
    local -ar arg_specs=(
        ':url|file:_files -g '\''*.json'\'''
        ':name:'
        '--json[Print JSON.]'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anyone can impersonate the server.]'
        '--netrc[Read user names and passwords from ~/.netrc.]'
        '--netrc-file[Read user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '*--resolve[Connect to this address for a host and a port.]:host\:port\:address:'
        '--interface[Send from this interface or address.]:interface:'
        '--http1.1[Use HTTP/1.1.]'
        '--http2[Use HTTP/2 where a server offers it over TLS. This is the default.]'
        '--http3[Use HTTP/3, with HTTP/2 and HTTP/1.1 as alternatives.]'
        '--connect-timeout[Give up connecting after this time (default\: 30 s).]:time:'
        '--stall-timeout[Give up if the rate is below 1 KiB/s for this time (default\: 30 s).]:time:'
        '--no-cache[Make caches revalidate with the server.]'
        '--ssl[Use TLS for ftp URLs if the server supports it.]'
        '--ssl-reqd[Require TLS for ftp URLs.]'
        '--hostpubsha256[For sftp, accept this host key, regardless of known_hosts.]:fingerprint:'
        '--endpoint-url[Use this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Use the keys and the region of this profile of the AWS files for s3 URLs.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Do not sign requests for s3 URLs (public objects).]'
        '--basic[Use Basic authentication (the default).]'
        '--digest[Use Digest authentication, which does not send the password.]'
        '--ntlm[Use NTLM authentication.]'
        '--negotiate[Use Negotiate authentication\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the strongest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Use this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust only a server that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Use Basic authentication for the proxy (the default).]'
        '--proxy-digest[Use Digest authentication for the proxy.]'
        '--proxy-ntlm[Use NTLM authentication for the proxy.]'
        '--proxy-negotiate[Use Negotiate authentication for the proxy.]'
        '--proxy-anyauth[Use the strongest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '--cookie-jar[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Do not use dray'\''s own jar\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Use a browser'\''s cookies for the URL'\''s site\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
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
        '--wait[When nothing is left, wait for new jobs instead of ending.]'
        '(-j --max-concurrent-downloads)'{-j,--max-concurrent-downloads}'[Transfer this many jobs at once (default\: auto).]:number:'
        '--max-per-host[At most this many connections to one server (default\: auto).]:number:'
        '--max-overall-rate[Limit all jobs together to this many bytes per second.]:rate:'
        '--no-sync[Do not wait for the disk\: a power cut may leave corrupt files marked complete.]'
        '--on-complete[Run this when a job is complete.]:command:'
        '--on-error[Run this when a job fails or is interrupted by an error.]:command:'
        '--hook-shell[Run the commands of --on-complete and --on-error with a shell.]'
        '--hook-timeout[Stop a command that takes longer (default\: 10 min).]:time:'
        '--progress[How to show progress\: auto means bars on a terminal, otherwise plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
        '--notify[Send a desktop notification when all jobs are done.]'
        '--notify-after[Notify only of runs that took this long (default\: 0).]:time:'
        '--bell[Ring the terminal bell when all jobs are done.]'
        '(--verbose -v)'{--verbose,-v}'[Print more\: redirects and answers.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_list() {
    local -i ret=1
    local -ar ___state=('queued' 'active' 'complete' 'failed' 'interrupted' 'paused')
    local -ar ___sort=('id' 'queue' 'added' 'finished' 'size' 'name')
    local -ar arg_specs=(
        '*--state[Only jobs in this state; may be repeated, or a comma-separated list.]:state:{__dray_complete "${___state[@]}"}'
        '--since[Only jobs added or ended since then\: 2d, 08\:00, 2026-11-20, 2026-11-20T08\:00.]:time:'
        '--match[Only jobs whose URL or path contains this; with * or ?, whose whole URL or path matches it.]:text:'
        '--sort[The order; queue is the order in which runners start them.]:sort:{__dray_complete "${___sort[@]}"}'
        '(--all -a)'{--all,-a}'[Show more of each job\: when it was added and ended, and its digest.]'
        '--json[Print JSON.]'
        '--sums[Print the digests of complete files, for `cksum -c`.]'
        '(--verbose -v)'{--verbose,-v}'[Show the URLs even in a narrow window.]'
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
        '(--verbose -v)'{--verbose,-v}'[Print more\: the header fields of redirects.]'
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
        '--progress[How to show progress\: auto means bars on a terminal, otherwise plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '--json[Print events as lines of JSON.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_wait() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion wait -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--all[All jobs that are queued or active now.]'
        '--timeout[Give up after this time, with exit status 1.]:time:'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_path() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion path -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--part[The part file instead of the target.]'
        '(-0 --null)'{-0,--null}'[End each path with a zero byte, for `xargs -0`.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_open() {
    local -i ret=1
    local -ar arg_specs=(
        ':id:{__dray_custom_complete ---completion open -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
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
        '--all[All jobs to which this applies.]'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
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
        '--all[All jobs to which this applies.]'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
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
        '--all[All jobs to which this applies.]'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_move() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion move -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--first[Before all waiting jobs.]'
        '--last[After all waiting jobs.]'
        '--before[Just before this job.]:id:{__dray_custom_complete ---completion move -- --before "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--after[Just after this job.]:id:{__dray_custom_complete ---completion move -- --after "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
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
        '--all[All jobs to which this applies.]'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_limit() {
    local -i ret=1
    local -ar _rate=('off' 'auto')
    local -ar arg_specs=(
        '*:rate:{__dray_complete "${_rate[@]}"}'
        '--job[Limit only this job, to a rate or off.]:id:{__dray_custom_complete ---completion limit -- --job "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
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
        '--keep-credentials[Send header fields, cookies, passwords and body to another server as well.]'
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
        '(--verbose -v)'{--verbose,-v}'[Print more\: the header fields of redirects.]'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anyone can impersonate the server.]'
        '--netrc[Read user names and passwords from ~/.netrc.]'
        '--netrc-file[Read user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '*--resolve[Connect to this address for a host and a port.]:host\:port\:address:'
        '--interface[Send from this interface or address.]:interface:'
        '--http1.1[Use HTTP/1.1.]'
        '--http2[Use HTTP/2 where a server offers it over TLS. This is the default.]'
        '--http3[Use HTTP/3, with HTTP/2 and HTTP/1.1 as alternatives.]'
        '--connect-timeout[Give up connecting after this time (default\: 30 s).]:time:'
        '--stall-timeout[Give up if the rate is below 1 KiB/s for this time (default\: 30 s).]:time:'
        '--no-cache[Make caches revalidate with the server.]'
        '--ssl[Use TLS for ftp URLs if the server supports it.]'
        '--ssl-reqd[Require TLS for ftp URLs.]'
        '--hostpubsha256[For sftp, accept this host key, regardless of known_hosts.]:fingerprint:'
        '--endpoint-url[Use this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Use the keys and the region of this profile of the AWS files for s3 URLs.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Do not sign requests for s3 URLs (public objects).]'
        '--basic[Use Basic authentication (the default).]'
        '--digest[Use Digest authentication, which does not send the password.]'
        '--ntlm[Use NTLM authentication.]'
        '--negotiate[Use Negotiate authentication\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the strongest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Use this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust only a server that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Use Basic authentication for the proxy (the default).]'
        '--proxy-digest[Use Digest authentication for the proxy.]'
        '--proxy-ntlm[Use NTLM authentication for the proxy.]'
        '--proxy-negotiate[Use Negotiate authentication for the proxy.]'
        '--proxy-anyauth[Use the strongest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '--cookie-jar[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Do not use dray'\''s own jar\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Use a browser'\''s cookies for the URL'\''s site\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_verify() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id|file:_files'
        '--all[All complete jobs.]'
        '--checksum[The digest that the file must have.]:alg=digest:'
        '--record[Store the SHA-256 of jobs that have no digest, or only a CRC.]'
        '--repair[Fetch the damaged parts of the files of jobs again.]'
        '--json[Print JSON\: one object per line.]'
        '(--quiet -q)'{--quiet,-q}'[Print only files that are not OK.]'
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
        '--older-than[Remove only what finished longer ago than this, such as 30d.]:time:'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_cookies() {
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
            'list:Show the cookies of the jar.'
            'add:Add a cookie to the jar.'
            'remove:Remove cookies from the jar.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        list|add|remove)
            "_dray_cookies_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_dray_cookies_list() {
    local -i ret=1
    local -ar arg_specs=(
        ':domain:'
        '--json[Print JSON.]'
        '--reveal[Show the values. They are secrets.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_cookies_add() {
    local -i ret=1
    local -ar arg_specs=(
        ':name=value:'
        '--domain[Send it to this domain and its subdomains.]:domain:'
        '--host[Send it to this host only.]:host:'
        '--path[Send it for this path and below (default\: /).]:path:'
        '--secure[Send it over https only.]'
        '--http-only[Mark it as hidden from scripts (HttpOnly).]'
        '--expires[When it expires\: a time from now such as 30d, or an HTTP date (default\: in a year).]:time:'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_cookies_remove() {
    local -i ret=1
    local -ar arg_specs=(
        ':domain:'
        ':name:'
        '--all[All cookies.]'
        '(--quiet -q)'{--quiet,-q}'[Print only errors.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_config() {
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
            'show:Show each value in force and where it comes from.'
            'path:Print the path of the configuration file, whether it exists or not.'
            'edit:Edit the configuration, then check it.'
            'check:Check whether the configuration is valid.'
        )
        _describe -V subcommand subcommands && ret=0
        ;;
    arg)
        case "${words[1]}" in
        show|path|edit|check)
            "_dray_config_${words[1]}" && ret=0
            ;;
        esac
        ;;
    esac

    return "${ret}"
}

_dray_config_show() {
    local -i ret=1
    local -ar arg_specs=(
        '--json[Print JSON.]'
        '--defaults[Also show the options that are not set.]'
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_config_path() {
    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_config_edit() {
    local -i ret=1
    local -ar arg_specs=(
        '--version[Show the version.]'
        '(-h --help)'{-h,--help}'[Show help information.]'
    )
    _arguments -w -s -S : "${arg_specs[@]}" && ret=0

    return "${ret}"
}

_dray_config_check() {
    local -i ret=1
    local -ar arg_specs=(
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
