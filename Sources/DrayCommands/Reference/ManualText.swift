// The written sections of the manual page, in the small notation of Mdoc.body.

internal import DrayWire

enum ManualText {
  static let description = """
    dray fetches files over HTTP, HTTPS, FTP, FTPS and SFTP, from S3 and from this machine, and puts them in place when they are whole and checked, never before. \
    One file to fetch is a job. Jobs wait in a queue; a runner (`dray get` or `dray run`) transfers them. What was \
    received is kept in a part file beside the target, named `.UUID.part`, and goes on from there after Ctrl-C, a \
    crash or a power cut.

    A job is `queued`, then `active`, then `complete`, `failed` or `interrupted`; by hand it is `paused`. An \
    interrupted job has kept its bytes: `dray run`, `dray resume` or the same `dray get` continues it. A failed one \
    has not: `dray retry` starts it over.

    Sizes and rates take `k`, `M` and `G`, powers of 1024. Times are seconds, or have one of the units `ms`, `s`, \
    `m`, `h`.
    """

  static let sections: [(title: String, body: String)] = [
    ("RESUMING", resuming), ("VERIFYING", ManualVerifying.text), ("DURABILITY", durability),
    ("CONNECTIONS", connections), ("SENDING", ManualBodies.text),
    ("SCHEMES", ManualSchemes.text),
    ("THE QUEUE", queue), ("LISTS", lists),
    ("AUTHENTICATION AND COOKIES", ManualCredentials.text),
    ("MIRRORS AND METALINK", ManualDocuments.mirrors), ("CATALOGS", ManualDocuments.catalogs),
    ("FEEDS", ManualDocuments.feeds), ("MANIFESTS", ManualDocuments.manifests),
    ("CONFIGURATION", ManualConfiguration.text), ("HOOKS", ManualConfiguration.hooks),
    ("JSON FORMATS", FormatReference.text), ("ENVIRONMENT", environment),
    ("FILES", files), ("EXIT STATUS", exitStatus), ("EXAMPLES", examples), ("SEE ALSO", seeAlso),
  ]

  private static let resuming = """
    The rest of a file is asked for only if the server can be held to the version that the first bytes are of: by a \
    strong `ETag`, else by a `Last-Modified` that is older than the answer it came with. Every answer is compared \
    with what was recorded. When the file changed, the bytes are dropped, the new file is fetched whole, and dray \
    says that it started over and why.

    What was written is summed block by block (CRC-32C), and the sums are kept with the job. Before anything is built \
    upon a part file, the 64 MiB that were written last are compared with them, and all of it if some of that is bad. \
    What is not what was written is fetched again, and dray says how much that is: a disk that lost a write costs some \
    blocks of a MiB, not the file. The sums of a published file stay with its job: `dray verify --repair` fetches again \
    what went bad since, and only that.

    Where nothing identifies the version, `--resume safe` starts over unless `--checksum` will prove the result, \
    `--resume always` compares an overlap of 64 KiB, and `--resume never` starts over whatever is known. A signed \
    link that expired leaves the bytes where they are: `dray set-url` gives the job a fresh one.
    """

  private static let durability = """
    A job is called complete when its file is on the disk: the file is synced before it gets its name, its directory after \
    that. Small files that end together share these syncs, so they cost little.

    `--no-sync` leaves the writing to the kernel, which does it within a minute or so. It gives up this: after a power cut \
    or a crash of the kernel, files that were completed in the last minute may be empty, have zeros in them, or be missing, \
    and be called complete all the same; other jobs may be back in the state of some seconds before. Fetch such files anew \
    (`dray retry`), or check them against a digest. It does not give up the rest: however dray itself ends, kill -9 \
    included, no file has its name before it is whole, no job is lost, and no two versions are mixed; what is kept of an \
    unfinished file is synced before it is counted upon, as ever, and what was added is durable.
    """

  private static let connections = """
    A large file may come over several connections at once, each with a segment of its own, where its server serves \
    ranges and tells which version they are of. There is one at first; others are added as long as each of them brings \
    more, and given back where they do not. When one is done before the others, it takes over a part of what the one \
    has to do that would end last; one that crawls beside the others is opened anew.

    `--max-connections` (`-x`) is the most that there may be, 8 unless told, 64 at most; with 1 a file comes over one \
    connection, always. It may be set for a host in the configuration. More than 16 are allowed, and warned of: many \
    servers refuse them, or bar who opens them.
    """

  private static let queue = """
    Jobs start in the order of their priority, then of their age; `dray move` puts one elsewhere in the line, and gives \
    it the priority that rules there. With `--after`, a job waits until others are complete. When one of those fails or \
    is removed, it fails too, with the same kind of failure; `dray retry` of the one that failed queues both again, and \
    after a removal `dray retry` fetches the job without it. One that is interrupted or paused is waited for: `dray run` \
    ends when nothing else is left, `dray get` stays.

    A time for `--start-at` is `23:00` (the next one), a date with or without a time (`2026-11-22`, \
    `2026-11-22T01:00`), or a span from now (`+2h`), in local time; with `Z` behind it a date is in UTC. A time that \
    clocks skip when they are put forward is an hour later, one that comes twice is the first. If the clock is put back \
    to before the job was added, the wait is void.

    Jobs of one origin (scheme, host and port of their URLs) share the limit of `--max-per-host`, over all runners; jobs \
    of other origins go on before them. It is 8 unless told, or the number of `-j` where that is larger and typed, not \
    configured. `--max-overall-rate` and `dray limit` count for each runner by itself. A \
    timetable holds each rate from its time until the next one's, past midnight and past the end of the week; an entry \
    for one day comes before one for all days at the same time.
    """

  private static let lists = """
    A list for `-i` has one URL a line. Blank lines and lines that begin with # are passed over. Indented lines set \
    options of the URL above them:

      https://example.org/a.iso
        out=first.iso
        dir=isos
        checksum=sha-256=HEX
        header=X-Key: 7
        priority=5

    Known are `out`, `dir`, `header`, `checksum`, `size`, `expect-type`, `priority`, `after`, `start-at`, \
    `max-connections` (or `max-connection-per-server`, as aria2 has it), `user-agent` and `referer`. Further URLs in a line, \
    after tabs, are mirrors of the first. The whole list is read before anything is queued; if a line is wrong, its \
    number is told and nothing is queued.

    `out` is a path below the directory: one that is absolute or has `..` in it is refused, and no symbolic link is followed in \
    it, as lists often come from others. `dir` may be any directory, and lead through links.

    A list that begins with a brace has one JSON object a line:

      {"url": "https://example.org/a.iso", "out": "first.iso", "size": 4096}

    Its fields are `url`, `mirrors` (an array), `out`, `dir`, `headers` (an object), `checksum`, `size`, \
    `expect-type`, `priority`, `after`, `start-at`, `max-connections`, `user-agent` and `referer`.
    """

  private static let environment = """
    = `DRAY_HOME`
    The state directory.

    = `XDG_STATE_HOME`
    The state directory is `dray` in it, unless `DRAY_HOME` is set.

    = `DRAY_PASSWORD`
    The password for `--user` without one.

    = `DRAY_OAUTH2_BEARER`, `DRAY_PROXY_PASSWORD`, `DRAY_KEY_PASSWORD`
    A bearer token; the password for `--proxy-user` without one; the password of the key of `--cert`.

    = `DRAY_CONFIG`
    The configuration file, as `--config` names it.

    = `DRAY_LIMIT_RATE` and the like
    Every option of a command has a variable: `DRAY_`, and its long name in capitals with `_` for `-`. A flag takes true \
    or false. It goes before the configuration, and a command line before it.

    = `XDG_CONFIG_HOME`
    The configuration is `dray/config.toml` in it.

    = `VISUAL`, `EDITOR`
    What `dray config edit` runs.

    = `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`
    Proxies, unless `--proxy` is given.

    = `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`
    Keys for s3 URLs; see SCHEMES for these and the next ones.

    = `AWS_PROFILE`, `AWS_DEFAULT_PROFILE`, `AWS_REGION`, `AWS_DEFAULT_REGION`
    The profile to take keys from, and the region.

    = `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`
    The server to ask for s3 URLs instead of Amazon's.

    = `AWS_SHARED_CREDENTIALS_FILE`, `AWS_CONFIG_FILE`
    The files of profiles, if not those in `~/.aws`.

    = `NO_COLOR`
    If set, there are no colours.

    = `CI`, `TERM`
    With `CI` set, or a dumb terminal, progress is plain lines.
    """

  private static let files = """
    = `~/.local/state/dray/dray.sqlite`
    The job store. It is readable by its owner only; it has the secrets of jobs in it.

    = `~/.local/state/dray/cookies.txt`
    The jar of cookies that all jobs share, in Netscape's format, readable by its owner only.

    = `~/.local/state/dray/runners/`
    One file for each runner, locked as long as it lives.

    = `~/.config/dray/config.toml`
    The configuration. With secrets in it, it must be readable by its owner only.

    = `.UUID.part`
    The part file of a job, in the directory of its target.

    = `~/.netrc`
    User names and passwords, for `--netrc`.

    = `~/.ssh/known_hosts`
    The keys of sftp servers. It is read, never written.

    = `~/.ssh/id_ed25519`, `~/.ssh/id_ecdsa`, `~/.ssh/id_rsa`
    The first of these that is there is the key for sftp, unless `--key` names one.

    = `~/.aws/credentials`, `~/.aws/config`
    Profiles for s3 URLs.
    """

  /// The numbers are ExitStatus's; a test compares them.
  private static let exitStatus = """
    = 0
    All that was asked for is done.

    = 1
    None of the kinds below.

    = 2
    Wrong usage, bad input, no such job.

    = 3
    Files: disk full, no permission, the target exists.

    = 4
    Network.

    = 5
    TLS: handshake or certificate.

    = 6
    The server or the proxy wants other credentials.

    = 7
    An answer that breaks the rules of the protocol.

    = 8
    The server answered with an error status.

    = 9
    Length, range or digest do not match.

    = 10
    The job store cannot be used.

    = 129, 130, 143
    Stopped by SIGHUP, SIGINT or SIGTERM after a clean checkpoint. A second SIGINT stops at once.

    If several jobs failed it is the lowest number but 1. Whether bytes were kept is in the state of the job, not in \
    the exit status.
    """

  private static let examples = """
    Fetch a file, and check it:

      dray get --checksum sha-256=HEX https://example.org/big.iso

    Queue a list and transfer it, eight at a time:

      dray add -i urls.txt
      dray run -j 8

    Transfer whatever is added, and watch it from another terminal:

      dray run --wait
      dray watch

    Go on with an expired link:

      dray set-url 3 'https://example.org/big.iso?signature=NEW'
      dray resume 3

    The URLs that failed:

      dray list --json --state failed | jq -r '.[].url'
    """

  private static let seeAlso = """
    `curl`(1), `aria2c`(1), `wget`(1)

    RFC 9110 (HTTP semantics), RFC 6266 (Content-Disposition).
    """
}
