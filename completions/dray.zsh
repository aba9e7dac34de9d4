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
            'feed:Queue the files that feeds bring: podcasts, releases.'
            'sync:Fetch the files of a manifest, and keep to its lock.'
            'catalog:Show the services of a catalog, or the versions of one.'
            'run:Transfer the queue until nothing is left to do.'
            'list:Show the jobs.'
            'show:Show everything about a job.'
            'watch:Watch what runs, in whatever process.'
            'wait:Wait until jobs have ended, and end as they did.'
            'path:Print the paths of the files of jobs.'
            'open:Open the file of a complete job.'
            'pause:Stop jobs and keep their bytes, until they are resumed.'
            'resume:Queue paused and interrupted jobs again, with what they have.'
            'retry:Start failed jobs over from nothing.'
            'move:Move jobs that wait to another place in the queue.'
            'remove:Forget jobs and remove their part files; finished files stay.'
            'limit:Limit the rate of all runners, or of one job, while they run.'
            'set-url:Give a job a fresh URL for the same file.'
            'info:Look at a URL without fetching it.'
            'verify:Check files against the digests that are recorded or given.'
            'clean:Forget finished jobs and remove stray part files.'
            'cookies:Look at the cookies that dray keeps, add some, remove some.'
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
        '(-M --metalink-file)'{-M,--metalink-file}'[Fetch the files of this Metalink file.]:file:_files -g '\''*.meta4 *.metalink'\'''
        '--metalink[Ask the servers for Metalink files first, and use what they say.]'
        '--catalog[Look the operands up in this catalog\: NAME or NAME@VERSION.]:url|file:_files -g '\''*.json'\'''
        '(-o --output)'{-o,--output}'[Name the file; with `get`, - is standard output.]:file:_files'
        '(-d --dir)'{-d,--dir}'[Put files into this directory; it is made if need be.]:dir:_files -/'
        '--if-changed[Fetch only what changed on the server, and replace the target then.]'
        '--no-mtime[Give files the time of their arrival, not that of the server'\''s file.]'
        '--on-conflict[What to do when the target exists.]:on-conflict:{__dray_complete "${___on_conflict[@]}"}'
        '--resume[How to resume when nothing identifies the version of the file.]:resume:{__dray_complete "${___resume[@]}"}'
        '--checksum[Check the whole file\: md5, sha-1, sha-256, sha-384, sha-512, crc32, crc32c or crc64nvme, in hex or base64.]:alg=digest:'
        '--verify[Where digests of the file are looked for, beside --checksum.]:verify:{__dray_complete "${___verify[@]}"}'
        '--verify-key[The public key of minisign that lists of digests are signed with, or the file that has it.]:key|file:'
        '--expect-type[Fail unless the file is of this type, such as application/zip or image/*.]:type:'
        '*--mirror[Another URL of the same file; may be repeated.]:url:'
        '(-x --max-connections)'{-x,--max-connections}'[Connections to one file at once (8 unless told; 1 is one).]:number:'
        '--on-complete[Run this when a job is complete.]:command:'
        '--on-error[Run this when a job failed, or was interrupted by an error.]:command:'
        '--hook-shell[Have a shell run the commands of --on-complete and --on-error.]'
        '--hook-timeout[End a command that takes longer (10 min unless told).]:time:'
        '--priority[Larger is sooner.]:number:'
        '*--after[Start when these jobs are complete; may be repeated, or a list with commas.]:id:{__dray_custom_complete ---completion get -- --after "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--start-at[Do not start before this time.]:time:'
        '--limit-rate[Bytes a second of one job, such as 500k or 2M.]:rate:'
        '--retries[Try again this often without new ground (5 unless told; 0 is never).]:number:'
        '--retry-wait[Wait before the first retry, doubled for each further one (1 s unless told).]:time:'
        '--max-retry-wait[The longest wait that a server may ask for (1 h unless told).]:time:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '--no-cache[Have caches on the way ask the server.]'
        '--ssl[Use TLS with ftp URLs where the server can.]'
        '--ssl-reqd[Use TLS with ftp URLs, or do not fetch them.]'
        '--hostpubsha256[With sftp, take this host key, whatever known_hosts says.]:fingerprint:'
        '--endpoint-url[Ask this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Take the keys and the region for s3 URLs from this profile of the AWS files.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Ask for s3 URLs without signing, as everybody may.]'
        '--basic[Send user name and password as they are (unless told otherwise).]'
        '--digest[Prove the password with Digest, without sending it.]'
        '--ntlm[Authenticate with NTLM.]'
        '--negotiate[Authenticate with Negotiate\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the safest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Show this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust no server but one that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Authenticate to the proxy with Basic (unless told otherwise).]'
        '--proxy-digest[Authenticate to the proxy with Digest.]'
        '--proxy-ntlm[Authenticate to the proxy with NTLM.]'
        '--proxy-negotiate[Authenticate to the proxy with Negotiate.]'
        '--proxy-anyauth[Use the safest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '(-c --cookie-jar)'{-c,--cookie-jar}'[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Leave dray'\''s own jar alone\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Take the cookies for the URL'\''s site from a browser\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '*--query[Add a parameter to the URL'\''s query, percent-encoded.]:name=value:'
        '(-X --request)'{-X,--request}'[Use this method.]:method:'
        '*--data[Send this as a form, as it is; @FILE is a file without its line ends, @- standard input.]:data:'
        '*--data-raw[The same, without a meaning for @.]:data:'
        '*--data-binary[The same as --data, but a file is sent byte by byte.]:data:'
        '*--data-urlencode[Send this as a form, encoded.]:data:'
        '(-G --get)'{-G,--get}'[Put the --data options into the query of a GET.]'
        '*'{-F,--form}'[Send a part of a multipart form.]:name=content:'
        '*--form-string[Send a text as a part of a multipart form, as it is.]:name=text:'
        '--json-body[Send JSON, which is checked; @FILE is a file, @- standard input.]:json:'
        '--plist-body[Send a property list, which is checked; @FILE is a file, @- standard input.]:plist:'
        '(-T --upload-file)'{-T,--upload-file}'[Send this file with PUT; - is standard input.]:file:_files'
        '--post301[Keep POST after a 301.]'
        '--post302[Keep POST after a 302.]'
        '--post303[Keep POST after a 303.]'
        '--max-redirs[Follow this many redirects (20 unless told); 0 is none.]:number:'
        '(-j --max-concurrent-downloads)'{-j,--max-concurrent-downloads}'[Transfer this many jobs at once (5 unless told).]:number:'
        '--max-per-host[Of those, from one server (8 unless told, or as many as -j on the command line asks for).]:number:'
        '--max-overall-rate[Bytes a second of all jobs together.]:rate:'
        '--no-sync[Do not wait for the disk\: a power cut may leave files in pieces that are called complete.]'
        '--progress[How progress is shown\: auto is bars on a terminal, else plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '--notify[Tell the desktop when all is done.]'
        '--notify-after[Notify of runs only that took this long (0 unless told).]:time:'
        '--bell[Ring the terminal'\''s bell when all is done.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: redirects and answers.]'
        '(-I --head)'{-I,--head}'[Ask for the header fields only, and print them. Nothing is queued.]'
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
        '(-M --metalink-file)'{-M,--metalink-file}'[Fetch the files of this Metalink file.]:file:_files -g '\''*.meta4 *.metalink'\'''
        '--metalink[Ask the servers for Metalink files first, and use what they say.]'
        '--catalog[Look the operands up in this catalog\: NAME or NAME@VERSION.]:url|file:_files -g '\''*.json'\'''
        '(-o --output)'{-o,--output}'[Name the file; with `get`, - is standard output.]:file:_files'
        '(-d --dir)'{-d,--dir}'[Put files into this directory; it is made if need be.]:dir:_files -/'
        '--if-changed[Fetch only what changed on the server, and replace the target then.]'
        '--no-mtime[Give files the time of their arrival, not that of the server'\''s file.]'
        '--on-conflict[What to do when the target exists.]:on-conflict:{__dray_complete "${___on_conflict[@]}"}'
        '--resume[How to resume when nothing identifies the version of the file.]:resume:{__dray_complete "${___resume[@]}"}'
        '--checksum[Check the whole file\: md5, sha-1, sha-256, sha-384, sha-512, crc32, crc32c or crc64nvme, in hex or base64.]:alg=digest:'
        '--verify[Where digests of the file are looked for, beside --checksum.]:verify:{__dray_complete "${___verify[@]}"}'
        '--verify-key[The public key of minisign that lists of digests are signed with, or the file that has it.]:key|file:'
        '--expect-type[Fail unless the file is of this type, such as application/zip or image/*.]:type:'
        '*--mirror[Another URL of the same file; may be repeated.]:url:'
        '(-x --max-connections)'{-x,--max-connections}'[Connections to one file at once (8 unless told; 1 is one).]:number:'
        '--on-complete[Run this when a job is complete.]:command:'
        '--on-error[Run this when a job failed, or was interrupted by an error.]:command:'
        '--hook-shell[Have a shell run the commands of --on-complete and --on-error.]'
        '--hook-timeout[End a command that takes longer (10 min unless told).]:time:'
        '--priority[Larger is sooner.]:number:'
        '*--after[Start when these jobs are complete; may be repeated, or a list with commas.]:id:{__dray_custom_complete ---completion add -- --after "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--start-at[Do not start before this time.]:time:'
        '--limit-rate[Bytes a second of one job, such as 500k or 2M.]:rate:'
        '--retries[Try again this often without new ground (5 unless told; 0 is never).]:number:'
        '--retry-wait[Wait before the first retry, doubled for each further one (1 s unless told).]:time:'
        '--max-retry-wait[The longest wait that a server may ask for (1 h unless told).]:time:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '--no-cache[Have caches on the way ask the server.]'
        '--ssl[Use TLS with ftp URLs where the server can.]'
        '--ssl-reqd[Use TLS with ftp URLs, or do not fetch them.]'
        '--hostpubsha256[With sftp, take this host key, whatever known_hosts says.]:fingerprint:'
        '--endpoint-url[Ask this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Take the keys and the region for s3 URLs from this profile of the AWS files.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Ask for s3 URLs without signing, as everybody may.]'
        '--basic[Send user name and password as they are (unless told otherwise).]'
        '--digest[Prove the password with Digest, without sending it.]'
        '--ntlm[Authenticate with NTLM.]'
        '--negotiate[Authenticate with Negotiate\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the safest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Show this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust no server but one that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Authenticate to the proxy with Basic (unless told otherwise).]'
        '--proxy-digest[Authenticate to the proxy with Digest.]'
        '--proxy-ntlm[Authenticate to the proxy with NTLM.]'
        '--proxy-negotiate[Authenticate to the proxy with Negotiate.]'
        '--proxy-anyauth[Use the safest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '(-c --cookie-jar)'{-c,--cookie-jar}'[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Leave dray'\''s own jar alone\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Take the cookies for the URL'\''s site from a browser\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '*--query[Add a parameter to the URL'\''s query, percent-encoded.]:name=value:'
        '(-X --request)'{-X,--request}'[Use this method.]:method:'
        '*--data[Send this as a form, as it is; @FILE is a file without its line ends, @- standard input.]:data:'
        '*--data-raw[The same, without a meaning for @.]:data:'
        '*--data-binary[The same as --data, but a file is sent byte by byte.]:data:'
        '*--data-urlencode[Send this as a form, encoded.]:data:'
        '(-G --get)'{-G,--get}'[Put the --data options into the query of a GET.]'
        '*'{-F,--form}'[Send a part of a multipart form.]:name=content:'
        '*--form-string[Send a text as a part of a multipart form, as it is.]:name=text:'
        '--json-body[Send JSON, which is checked; @FILE is a file, @- standard input.]:json:'
        '--plist-body[Send a property list, which is checked; @FILE is a file, @- standard input.]:plist:'
        '(-T --upload-file)'{-T,--upload-file}'[Send this file with PUT; - is standard input.]:file:_files'
        '--post301[Keep POST after a 301.]'
        '--post302[Keep POST after a 302.]'
        '--post303[Keep POST after a 303.]'
        '--max-redirs[Follow this many redirects (20 unless told); 0 is none.]:number:'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but ids and errors.]'
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
        '(-M --metalink-file)'{-M,--metalink-file}'[Fetch the files of this Metalink file.]:file:_files -g '\''*.meta4 *.metalink'\'''
        '--metalink[Ask the servers for Metalink files first, and use what they say.]'
        '--catalog[Look the operands up in this catalog\: NAME or NAME@VERSION.]:url|file:_files -g '\''*.json'\'''
        '(-o --output)'{-o,--output}'[Name the file; with `get`, - is standard output.]:file:_files'
        '(-d --dir)'{-d,--dir}'[Put files into this directory; it is made if need be.]:dir:_files -/'
        '--if-changed[Fetch only what changed on the server, and replace the target then.]'
        '--no-mtime[Give files the time of their arrival, not that of the server'\''s file.]'
        '--on-conflict[What to do when the target exists.]:on-conflict:{__dray_complete "${___on_conflict[@]}"}'
        '--resume[How to resume when nothing identifies the version of the file.]:resume:{__dray_complete "${___resume[@]}"}'
        '--checksum[Check the whole file\: md5, sha-1, sha-256, sha-384, sha-512, crc32, crc32c or crc64nvme, in hex or base64.]:alg=digest:'
        '--verify[Where digests of the file are looked for, beside --checksum.]:verify:{__dray_complete "${___verify[@]}"}'
        '--verify-key[The public key of minisign that lists of digests are signed with, or the file that has it.]:key|file:'
        '--expect-type[Fail unless the file is of this type, such as application/zip or image/*.]:type:'
        '*--mirror[Another URL of the same file; may be repeated.]:url:'
        '(-x --max-connections)'{-x,--max-connections}'[Connections to one file at once (8 unless told; 1 is one).]:number:'
        '--on-complete[Run this when a job is complete.]:command:'
        '--on-error[Run this when a job failed, or was interrupted by an error.]:command:'
        '--hook-shell[Have a shell run the commands of --on-complete and --on-error.]'
        '--hook-timeout[End a command that takes longer (10 min unless told).]:time:'
        '--priority[Larger is sooner.]:number:'
        '*--after[Start when these jobs are complete; may be repeated, or a list with commas.]:id:{__dray_custom_complete ---completion feed -- --after "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--start-at[Do not start before this time.]:time:'
        '--limit-rate[Bytes a second of one job, such as 500k or 2M.]:rate:'
        '--retries[Try again this often without new ground (5 unless told; 0 is never).]:number:'
        '--retry-wait[Wait before the first retry, doubled for each further one (1 s unless told).]:time:'
        '--max-retry-wait[The longest wait that a server may ask for (1 h unless told).]:time:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '--no-cache[Have caches on the way ask the server.]'
        '--ssl[Use TLS with ftp URLs where the server can.]'
        '--ssl-reqd[Use TLS with ftp URLs, or do not fetch them.]'
        '--hostpubsha256[With sftp, take this host key, whatever known_hosts says.]:fingerprint:'
        '--endpoint-url[Ask this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Take the keys and the region for s3 URLs from this profile of the AWS files.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Ask for s3 URLs without signing, as everybody may.]'
        '--basic[Send user name and password as they are (unless told otherwise).]'
        '--digest[Prove the password with Digest, without sending it.]'
        '--ntlm[Authenticate with NTLM.]'
        '--negotiate[Authenticate with Negotiate\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the safest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Show this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust no server but one that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Authenticate to the proxy with Basic (unless told otherwise).]'
        '--proxy-digest[Authenticate to the proxy with Digest.]'
        '--proxy-ntlm[Authenticate to the proxy with NTLM.]'
        '--proxy-negotiate[Authenticate to the proxy with Negotiate.]'
        '--proxy-anyauth[Use the safest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '(-c --cookie-jar)'{-c,--cookie-jar}'[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Leave dray'\''s own jar alone\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Take the cookies for the URL'\''s site from a browser\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '--limit[Look at this many of the newest entries only.]:number:'
        '--match[Only entries whose title or URL has a match of this regular expression.]:regex:'
        '(--list --dry-run)'{--list,--dry-run}'[Show the entries; queue nothing.]'
        '--again[Queue again what was queued before, too.]'
        '--json[Print JSON\: an array with an object for each entry.]'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but ids and errors.]'
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
        '--locked[Everything must be as in the lock.]'
        '--dry-run[Show what would be done; do nothing.]'
        '(-x --max-connections)'{-x,--max-connections}'[Connections to one file at once (8 unless told; 1 is one).]:number:'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '--no-cache[Have caches on the way ask the server.]'
        '--ssl[Use TLS with ftp URLs where the server can.]'
        '--ssl-reqd[Use TLS with ftp URLs, or do not fetch them.]'
        '--hostpubsha256[With sftp, take this host key, whatever known_hosts says.]:fingerprint:'
        '--endpoint-url[Ask this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Take the keys and the region for s3 URLs from this profile of the AWS files.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Ask for s3 URLs without signing, as everybody may.]'
        '--basic[Send user name and password as they are (unless told otherwise).]'
        '--digest[Prove the password with Digest, without sending it.]'
        '--ntlm[Authenticate with NTLM.]'
        '--negotiate[Authenticate with Negotiate\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the safest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Show this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust no server but one that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Authenticate to the proxy with Basic (unless told otherwise).]'
        '--proxy-digest[Authenticate to the proxy with Digest.]'
        '--proxy-ntlm[Authenticate to the proxy with NTLM.]'
        '--proxy-negotiate[Authenticate to the proxy with Negotiate.]'
        '--proxy-anyauth[Use the safest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '(-c --cookie-jar)'{-c,--cookie-jar}'[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Leave dray'\''s own jar alone\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Take the cookies for the URL'\''s site from a browser\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
        '(-j --max-concurrent-downloads)'{-j,--max-concurrent-downloads}'[Transfer this many jobs at once (5 unless told).]:number:'
        '--max-per-host[Of those, from one server (8 unless told, or as many as -j on the command line asks for).]:number:'
        '--max-overall-rate[Bytes a second of all jobs together.]:rate:'
        '--no-sync[Do not wait for the disk\: a power cut may leave files in pieces that are called complete.]'
        '--progress[How progress is shown\: auto is bars on a terminal, else plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '--notify[Tell the desktop when all is done.]'
        '--notify-after[Notify of runs only that took this long (0 unless told).]:time:'
        '--bell[Ring the terminal'\''s bell when all is done.]'
        '(--verbose -v)'{--verbose,-v}'[Say more\: redirects and answers.]'
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
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '--no-cache[Have caches on the way ask the server.]'
        '--ssl[Use TLS with ftp URLs where the server can.]'
        '--ssl-reqd[Use TLS with ftp URLs, or do not fetch them.]'
        '--hostpubsha256[With sftp, take this host key, whatever known_hosts says.]:fingerprint:'
        '--endpoint-url[Ask this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Take the keys and the region for s3 URLs from this profile of the AWS files.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Ask for s3 URLs without signing, as everybody may.]'
        '--basic[Send user name and password as they are (unless told otherwise).]'
        '--digest[Prove the password with Digest, without sending it.]'
        '--ntlm[Authenticate with NTLM.]'
        '--negotiate[Authenticate with Negotiate\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the safest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Show this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust no server but one that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Authenticate to the proxy with Basic (unless told otherwise).]'
        '--proxy-digest[Authenticate to the proxy with Digest.]'
        '--proxy-ntlm[Authenticate to the proxy with NTLM.]'
        '--proxy-negotiate[Authenticate to the proxy with Negotiate.]'
        '--proxy-anyauth[Use the safest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '(-c --cookie-jar)'{-c,--cookie-jar}'[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Leave dray'\''s own jar alone\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Take the cookies for the URL'\''s site from a browser\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
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
        '--max-per-host[Of those, from one server (8 unless told, or as many as -j on the command line asks for).]:number:'
        '--max-overall-rate[Bytes a second of all jobs together.]:rate:'
        '--no-sync[Do not wait for the disk\: a power cut may leave files in pieces that are called complete.]'
        '--on-complete[Run this when a job is complete.]:command:'
        '--on-error[Run this when a job failed, or was interrupted by an error.]:command:'
        '--hook-shell[Have a shell run the commands of --on-complete and --on-error.]'
        '--hook-timeout[End a command that takes longer (10 min unless told).]:time:'
        '--progress[How progress is shown\: auto is bars on a terminal, else plain lines.]:progress:{__dray_complete "${___progress[@]}"}'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
        '--notify[Tell the desktop when all is done.]'
        '--notify-after[Notify of runs only that took this long (0 unless told).]:time:'
        '--bell[Ring the terminal'\''s bell when all is done.]'
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
    local -ar ___sort=('id' 'queue' 'added' 'finished' 'size' 'name')
    local -ar arg_specs=(
        '*--state[Only jobs in this state; may be repeated, or a list with commas.]:state:{__dray_complete "${___state[@]}"}'
        '--since[Only jobs that were added or ended since then\: 2d, 08\:00, 2026-11-20, 2026-11-20T08\:00.]:time:'
        '--match[Only jobs with this in their URL or path; with * or ?, the whole of it.]:text:'
        '--sort[The order; queue is the one in which runners take them.]:sort:{__dray_complete "${___sort[@]}"}'
        '(--all -a)'{--all,-a}'[The whole history of each job\: when it was added and ended, and its digest.]'
        '--json[Print JSON.]'
        '--sums[Print the digests of complete files, for `cksum -c`.]'
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
        '(--verbose -v)'{--verbose,-v}'[Say more\: the header fields of redirects.]'
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
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
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

_dray_move() {
    local -i ret=1
    local -ar arg_specs=(
        '*:id:{__dray_custom_complete ---completion move -- positional@0 "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--first[Before all that wait.]'
        '--last[Behind all that wait.]'
        '--before[Just before this job.]:id:{__dray_custom_complete ---completion move -- --before "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
        '--after[Just after this job.]:id:{__dray_custom_complete ---completion move -- --after "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
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

_dray_limit() {
    local -i ret=1
    local -ar _rate=('off' 'auto')
    local -ar arg_specs=(
        '*:rate:{__dray_complete "${_rate[@]}"}'
        '--job[Limit this job alone, to a rate or off.]:id:{__dray_custom_complete ---completion limit -- --job "${current_word_index}" "$(__dray_cursor_index_in_current_word)"}'
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
        '(--verbose -v)'{--verbose,-v}'[Say more\: the header fields of redirects.]'
        '*'{-H,--header}'[Send this header field.]:name\: value:'
        '(-u --user)'{-u,--user}'[User name and password for the URL'\''s server.]:user\[\:password\]:'
        '(-A --user-agent)'{-A,--user-agent}'[Send this User-Agent.]:name:'
        '(-e --referer)'{-e,--referer}'[Send this Referer.]:url:'
        '--proxy[Use this proxy\: http, https, socks4, socks4a, socks5 or socks5h.]:url:'
        '--cacert[Trust the certificates in this file instead of the system'\''s.]:file:_files'
        '(-k --insecure)'{-k,--insecure}'[Do not check certificates. Anybody could be the server.]'
        '--netrc[Take user names and passwords from ~/.netrc.]'
        '--netrc-file[Take user names and passwords from this file.]:file:_files'
        '(-4 --ipv4)'{-4,--ipv4}'[Use IPv4 only.]'
        '(-6 --ipv6)'{-6,--ipv6}'[Use IPv6 only.]'
        '--connect-timeout[Give up connecting after this time (30 s unless told).]:time:'
        '--stall-timeout[Give up when less than 1 KiB/s comes for this time (30 s unless told).]:time:'
        '--no-cache[Have caches on the way ask the server.]'
        '--ssl[Use TLS with ftp URLs where the server can.]'
        '--ssl-reqd[Use TLS with ftp URLs, or do not fetch them.]'
        '--hostpubsha256[With sftp, take this host key, whatever known_hosts says.]:fingerprint:'
        '--endpoint-url[Ask this server for s3 URLs instead of Amazon'\''s.]:url:'
        '--aws-profile[Take the keys and the region for s3 URLs from this profile of the AWS files.]:name:'
        '--aws-region[The region of the bucket of s3 URLs.]:name:'
        '--no-sign-request[Ask for s3 URLs without signing, as everybody may.]'
        '--basic[Send user name and password as they are (unless told otherwise).]'
        '--digest[Prove the password with Digest, without sending it.]'
        '--ntlm[Authenticate with NTLM.]'
        '--negotiate[Authenticate with Negotiate\: a Kerberos ticket.]'
        '--anyauth[Ask first, then use the safest scheme that the server offers.]'
        '--password-stdin[Read the password of --user from standard input.]'
        '--oauth2-bearer[Send this bearer token.]:token:'
        '(-E --cert)'{-E,--cert}'[Show this client certificate\: PEM, or PKCS#12 in a .p12 file.]:file\[\:password\]:_files'
        '--key[The key of the client certificate, PEM.]:file:_files'
        '--pass[The password of the key; @FILE reads it from a file.]:password:'
        '(--pinnedpubkey --pinned-public-key)'{--pinnedpubkey,--pinned-public-key}'[Trust no server but one that has this public key.]:hashes:_files'
        '--capath[Trust the certificates in this directory, prepared with c_rehash.]:dir:_files -/'
        '--proxy-user[User name and password for the proxy.]:user\[\:password\]:'
        '--proxy-basic[Authenticate to the proxy with Basic (unless told otherwise).]'
        '--proxy-digest[Authenticate to the proxy with Digest.]'
        '--proxy-ntlm[Authenticate to the proxy with NTLM.]'
        '--proxy-negotiate[Authenticate to the proxy with Negotiate.]'
        '--proxy-anyauth[Use the safest scheme that the proxy offers.]'
        '*'{-b,--cookie}'[Send these cookies, or those in a file.]:name=value; …|file:'
        '(-c --cookie-jar)'{-c,--cookie-jar}'[Write cookies into this file at the end, in Netscape'\''s format.]:file:_files'
        '--no-cookies[Leave dray'\''s own jar alone\: none of its cookies is sent, and none is added to it.]'
        '--cookies-from-browser[Take the cookies for the URL'\''s site from a browser\: firefox, or firefox\:PROFILE.]:browser\[\:profile\]:'
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
        '--checksum[What one file must hash to.]:alg=digest:'
        '--record[Keep the SHA-256 of jobs that have no digest, or only a CRC.]'
        '--repair[Fetch again what is bad of the files of jobs.]'
        '--json[Print JSON\: one object a line.]'
        '(--quiet -q)'{--quiet,-q}'[Print only what is not right.]'
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
        '--older-than[Forget only what finished longer ago than this, such as 30d.]:time:'
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
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
            'add:Put a cookie into the jar.'
            'remove:Take cookies out of the jar.'
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
        '--domain[Send it to this domain and the hosts below it.]:domain:'
        '--host[Send it to this host only.]:host:'
        '--path[Send it for this path and below (/ unless told).]:path:'
        '--secure[Send it over https only.]'
        '--http-only[Mark it as one that scripts do not see.]'
        '--expires[When it ends\: a time from now such as 30d, or a date as servers write it (a year from now unless told).]:time:'
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
        '(--quiet -q)'{--quiet,-q}'[Say nothing but errors.]'
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
            'path:Print the path of the configuration file, whether it is there or not.'
            'edit:Edit the configuration, then check it.'
            'check:Say whether the configuration is right, or what is wrong with it.'
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
        '--defaults[Show the options that nothing sets as well.]'
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
