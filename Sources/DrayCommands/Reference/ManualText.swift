// What is written for dray(1) and for pages that have no file of their own here, in the small notation of Mdoc.body.

internal import DrayKit

enum ManualText {
  static let description = """
    dray fetches files over HTTP, HTTPS, FTP, FTPS and SFTP, from S3 and from this machine, and puts them in place once they are complete and checked, never before. \
    One file to fetch is a job. Jobs wait in a queue; a runner (`dray get` or `dray run`) transfers them. Received bytes \
    are kept in a part file next to the target, named `.UUID.part`, and the transfer continues from them after Ctrl-C, a \
    crash or a power cut.

    A job is `queued`, then `active`, then `complete`, `failed` or `interrupted`; the user can make it `paused`. An \
    interrupted job has kept its bytes: `dray run`, `dray resume` or the same `dray get` continues it. A failed one \
    has not: `dray retry` starts it over.

    Sizes and rates accept `k`, `M` and `G`, powers of 1024. Times are seconds, or have one of the units `ms`, `s`, \
    `m`, `h`, `d`.
    """

  /// Above the list of commands.
  static let commands = """
    Each has a page of its own, and `dray help COMMAND` has its most used options and examples.
    """

  /// Above the options of every command.
  static let options = """
    These may stand anywhere on a command line. `-h` and `--help` print the help of a command, `--version` that of dray and \
    of the libraries that it uses. The options of all transfers are in dray-get(1). `dray help --OPTION` explains one option.
    """

  static let resuming = """
    The rest of a file is requested only if the server can be held to the version of the first bytes: by a \
    strong `ETag`, else by a `Last-Modified` that is older than the answer it came with. Every answer is compared \
    with what was recorded. If the file changed, the bytes are discarded, the new file is fetched whole, and dray \
    says that it started over and why.

    Checksums of the written bytes are kept with the job, block by block (CRC-32C). Before a part file is continued, \
    the 64 MiB that were written last are compared with them, and all of it if some of that is damaged. \
    Damaged blocks are fetched again, and dray reports how much that is: a disk that lost a write costs some \
    blocks of a MiB, not the file. The checksums of a published file stay with its job: `dray verify --repair` fetches \
    only the parts that were damaged since.

    If nothing identifies the version, `--resume safe` starts over unless `--checksum` will verify the result, \
    `--resume always` compares an overlap of 64 KiB, and `--resume never` starts over in any case. If a signed \
    link expires, the received bytes are kept: `dray set-url` gives the job a new one.
    """

  static let durability = """
    A job is complete when its file is on disk: the file is synced before it gets its name, its directory after \
    that. Small files that end together share these syncs, so they cost little.

    `--no-sync` leaves writing to the kernel, which does it within a minute or so. This is given up: after a power cut \
    or a crash of the kernel, files that were completed in the last minute may be empty, contain zeros, or be missing, \
    and still be marked complete; other jobs may be in the state of some seconds before. Fetch such files again \
    (`dray retry`), or check them against a digest. The rest still holds: however dray itself ends, even by kill -9, \
    no file has its name before it is complete, no job is lost, and no two versions are mixed; the kept bytes of an \
    unfinished file are synced before they are recorded, and added jobs are durable.
    """

  static let connections = """
    A large file may be fetched over several connections at once, each with a segment of its own, if its server supports \
    ranges and identifies the version. There is one at first; others are added as long as each of them increases the \
    rate, and closed if they do not. When one is done before the others, it takes over part of the segment \
    that would end last; one that is much slower than the others is reopened.

    `--max-connections` (`-x`) is the maximum, by default \(JobOptions.defaultConnections) and at most \(JobOptions.connectionRange.upperBound); with 1 a file is always fetched over one \
    connection. It may be set for a host in the configuration. More than 16 are allowed, with a warning: many \
    servers refuse them, or block clients that open them.
    """

  static let queue = """
    Jobs start in the order of their priority, then of their age; `dray move` puts a job elsewhere in the queue, and gives \
    it the priority of that place. With `--after`, a job waits until others are complete. If one of those fails or \
    is removed, it fails too, with the same kind of failure; `dray retry` of the one that failed queues both again, and \
    after a removal `dray retry` fetches the job without it. If one is interrupted or paused, the job keeps waiting: `dray run` \
    ends when nothing else is left, `dray get` does not.

    A time for `--start-at` is `23:00` (the next time), a date with or without a time (`2026-11-22`, \
    `2026-11-22T01:00`), or a span from now (`+2h`), in local time; with a final `Z` a date is in UTC. A time that \
    clocks skip when they are put forward is an hour later, one that occurs twice is the first. If the clock is set back \
    to before the job was added, the delay is void.

    `--max-per-host` limits the connections to one origin (scheme, host and port of a URL), over all runners. With HTTP/1.1 each \
    job needs at least one, so it also limits the jobs of one origin; with HTTP/2 the jobs of a runner share one, and up to \
    \(JobGrowth.streams) of them are transferred at once. Jobs of other origins start before those beyond the limit. It is \
    auto by default. With a number for `-j` it is \(RunArguments.usualPerHost), or that number if it is larger and on the command \
    line, not in the configuration. `--max-overall-rate` and `dray limit` apply to each runner separately. A \
    timetable keeps each rate from its time until that of the next entry, past midnight and past the end of the week; an entry \
    for one day overrides one for all days at the same time.
    """

  static let lists = """
    A list for `-i` has one URL per line. Blank lines and lines that begin with # are ignored. Indented lines set \
    options of the URL above them:

      https://example.org/a.iso
        out=first.iso
        dir=isos
        checksum=sha-256=HEX
        header=X-Key: 7
        priority=5

    The options are `out`, `dir`, `header`, `checksum`, `size`, `expect-type`, `allow-type`, `priority`, `after`, `start-at`, \
    `max-connections`, `limit-rate`, `max-time`, `max-filesize`, `retries`, `retry-wait`, `connect-timeout`, `stall-timeout`, \
    `on-conflict`, `proxy`, `user-agent`, `referer`, and the other settings of a job (dray-set(1)), but for those that \
    run programs, write files or read keys. They override the command line. The options of aria2's lists are \
    read, too (`split`, `max-connection-per-server`, `max-tries`, `http-user` and `http-passwd`, `check-certificate`, …); \
    `pause=true` queues a job that is paused (`dray add`). One that means nothing here (`gid`, `bt-max-peers`, …) is ignored, and \
    named once, with its line; a word that is neither dray's nor aria2's is an error. Further URLs on a line, \
    after tabs, are mirrors of the first. The whole list is read before anything is queued; if a line is invalid, its \
    number is reported and nothing is queued.

    `out` is a path below the directory: an absolute one or one with `..` is refused, and no symbolic link is followed in \
    it, because lists often come from others. `dir` may be any directory, also through links.

    A list that begins with a brace has one JSON object per line:

      {"url": "https://example.org/a.iso", "out": "first.iso", "size": 4096}

    Its fields are `url`, `mirrors` (an array), `out`, `dir`, `headers` (an object), `checksum`, `size`, \
    `expect-type`, `allow-type`, `priority`, `after`, `start-at`, `max-connections`, `user-agent`, `referer`, and the other settings of a \
    job, by the names of their options: true or false for an option without a value, an array for one that may be \
    repeated (`header` is one of lines).
    """

  static let environment = """
    = `DRAY_HOME`
    The state directory.

    = `XDG_STATE_HOME`
    The state directory is `dray` in it, unless `DRAY_HOME` is set.

    = `DRAY_PASSWORD`
    The password for `--user` without one.

    = `DRAY_OAUTH2_BEARER`, `DRAY_PROXY_PASSWORD`, `DRAY_KEY_PASSWORD`
    A bearer token; the password for `--proxy-user` without one; the password of the key of `--cert`.

    = `DRAY_SERVE_SECRET`
    The secret that clients of `dray serve` must know. Commands of hooks do not get it.

    = `DRAY_CONFIG`
    The configuration file, as `--config` names it.

    = `DRAY_LIMIT_RATE` and the like
    Every option of a command has a variable: `DRAY_`, and its long name in capitals with `_` for `-`. A flag accepts true \
    or false. It overrides the configuration, and the command line overrides it.

    = `XDG_CONFIG_HOME`
    The configuration is `dray/config.toml` in it.

    = `VISUAL`, `EDITOR`
    What `dray config edit` runs.

    = `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`
    Proxies, unless `--proxy` is given.

    = `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`
    Keys for s3 URLs; see SCHEMES in dray-get(1) for these and the next ones.

    = `AWS_PROFILE`, `AWS_DEFAULT_PROFILE`, `AWS_REGION`, `AWS_DEFAULT_REGION`
    The profile for the keys, and the region.

    = `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`
    The server to ask for s3 URLs instead of Amazon's.

    = `AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`
    The files of profiles, instead of those in `~/.aws`.

    = `NO_COLOR`
    If set, colours are not used.

    = `CI`, `TERM`
    With `CI` set, or a dumb terminal, progress is plain lines.
    """

  static let files = """
    = `~/.local/state/dray/dray.sqlite`
    The job store. It is readable by its owner only, because it contains the secrets of jobs.

    = `~/.local/state/dray/cookies.txt`
    The jar of cookies that all jobs share, in Netscape's format, readable by its owner only.

    = `~/.local/state/dray/runners/`
    One file for each runner, locked as long as it lives.

    = `~/.local/state/dray/serve.lock`, `serve.secret`, `serve.sock`, `serve.log`
    Of `dray serve`: how it is reached, locked as long as it lives; its secret, readable by its owner only; its socket; its log in the \
    background.

    = `~/.config/dray/config.toml`
    The configuration. If it contains secrets, it must be readable by its owner only.

    = `.UUID.part`, `NAME.UUID.part`
    The part file of a job, in the directory of its target; the latter with `--part-name visible`. `dray clean` takes a file for \
    one of the latter form only if its extended attributes or the job store say so, or if it is named.

    = `NAME.html-instead`
    A web page that came in the place of the file NAME, whose job failed; see `--allow-type`. `NAME.1.html-instead` is the \
    next one.

    = `~/.netrc`
    User names and passwords, for `--netrc`.

    = `~/.ssh/known_hosts`
    The keys of sftp servers. It is read, never written.

    = `~/.ssh/id_ed25519`, `~/.ssh/id_ecdsa`, `~/.ssh/id_rsa`
    The first of these that exists is the key for sftp, unless `--key` names one.

    = `~/.aws/credentials`, `~/.aws/config`
    Profiles for s3 URLs.
    """

  /// The numbers are ExitStatus's; a test compares them.
  static let exitStatus = """
    = 0
    Success: everything requested is done.

    = 1
    Another error.

    = 2
    Wrong usage, invalid input, no such job.

    = 3
    Files: disk full, no permission, the target exists, the file is larger than `--max-filesize` allows.

    = 4
    Network; a transfer took longer than `--max-time` allows.

    = 5
    TLS: handshake or certificate.

    = 6
    The server or the proxy requires valid credentials.

    = 7
    An answer that violates the protocol.

    = 8
    The server answered with an error status.

    = 9
    Length, range or digest does not match, or a web page came in the place of the file.

    = 10
    The job store cannot be used.

    = 129, 130, 143
    Stopped by SIGHUP, SIGINT or SIGTERM after a clean checkpoint. A second SIGINT stops at once.

    If several jobs failed, it is the lowest of their numbers other than 1. Whether bytes were kept is in the state of the job, not in \
    the exit status.
    """

  static let examples = """
    Fetch a file and check it:

      dray get --checksum sha-256=HEX https://example.org/big.iso

    Queue a list and transfer it, eight at a time:

      dray add -i urls.txt
      dray run -j 8

    Transfer whatever is added, and watch it from another terminal:

      dray run --wait
      dray watch

    Let browsers and clients of aria2 in, too:

      dray serve --detach --root ~/Downloads

    Continue after a link has expired:

      dray set-url 3 'https://example.org/big.iso?signature=NEW'
      dray resume 3

    Print the URLs that failed, secrets included, and fetch them again:

      dray list --json --reveal --state failed | jq -r '.[].url'
      dray list --json --reveal --state failed | jq -c '.[] | {url}' | dray get -i -
    """

  static let seeAlso = """
    dray-get(1), dray-add(1), dray-run(1), dray-list(1), dray-config(5), dray-formats(7), \
    `curl`(1), `aria2c`(1), `wget`(1)

    RFC 9110 (HTTP semantics), RFC 6266 (Content-Disposition).
    """
}
