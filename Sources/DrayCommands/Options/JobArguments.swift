// The options that say what becomes of a file; `get` and `add` share them.

public import ArgumentParser
public import DrayKit

extension ConflictPolicy: ExpressibleByArgument {
  /// What each does, for help and completions.
  public static var allValueDescriptions: [String: String] {
    [
      "fail": "leave it, and end the job with an error", "rename": "add a number to the name of the new file",
      "overwrite": "replace it once the new file is complete", "skip": "leave it, and fetch nothing",
    ]
  }
}

extension ResumeMode: ExpressibleByArgument {
  /// What each does, for help and completions.
  public static var allValueDescriptions: [String: String] {
    [
      "safe": "start over, unless a digest is known that will verify the result",
      "always": "continue, and compare an overlap", "never": "start over in any case",
    ]
  }
}

extension VerifyMode: ExpressibleByArgument {
  /// What each does, for help and completions.
  public static var allValueDescriptions: [String: String] {
    [
      "none": "only --checksum",
      "offered": "those in the header of the answer (Repr-Digest, Content-MD5, x-goog-hash …)",
      "auto": "also lists next to the file (URL.sha256, SHA256SUMS …), with their signatures",
      "require": "as auto, and fail if none is found",
    ]
  }
}

extension PartNaming: ExpressibleByArgument {
  /// What each does, for help and completions.
  public static var allValueDescriptions: [String: String] {
    ["hidden": ".UUID.part, which most listings leave out", "visible": "NAME.UUID.part"]
  }
}

struct JobArguments: ParsableArguments, Sendable {
  @Argument(help: ArgumentHelp("The URLs to fetch.", valueName: "url"))
  var urls: [String] = []

  @Flag(
    name: [.customShort("g"), .long],
    help: ArgumentHelp(
      "Take [ ] and { } in URLs as they are.",
      discussion: """
        Otherwise {a,b}, [1-30], [01-30], [a-z] and [0-100:10] in an argument stand for several URLs, as in curl, and #1 in \
        --output for what stands in the place of the first of them. A backslash before a bracket does the same as this option for \
        it. In lists they never have a meaning.
        """))
  var globoff = false

  @Option(
    name: [.customShort("i"), .long],
    help: ArgumentHelp(
      "Read URLs from a file, or from standard input with -.",
      discussion: """
        One URL per line; # begins a comment. Indented lines below a URL set its options: out=, dir=, header=, \
        checksum=, size=, expect-type=, allow-type=, priority=, after=, start-at=, max-connections=, limit-rate=, max-time=, \
        max-filesize=, retries=, retry-wait=, connect-timeout=, stall-timeout=, on-conflict=, proxy=, user-agent=, referer=. \
        The options of aria2's lists are used as far as they mean something here; a remark names the others. Further URLs on a \
        line, after tabs, are mirrors. Or one JSON object per line. Nothing is queued if a line is invalid.
        """,
      valueName: "file"), completion: .file())
  var inputFile: String?

  @Option(
    name: [.customShort("M"), .long],
    help: ArgumentHelp("Fetch the files listed in this Metalink file.", valueName: "file"),
    completion: .file(extensions: ["meta4", "metalink"]))
  var metalinkFile: String?

  @Flag(
    help: ArgumentHelp(
      "Ask the servers for Metalink files first, and use them.",
      discussion: """
        A URL that leads to a Metalink file stands for the files in it; one whose answer has a Link to such a file gets \
        its size, digest and mirrors from it.
        """))
  var metalink = false

  @Option(
    help: ArgumentHelp(
      "Look up the arguments, NAME or NAME@VERSION, in this catalog.",
      discussion: "NAME stands for its highest version. dray-formats(7) describes the format.", valueName: "url|file"),
    completion: .file(extensions: ["json"]))
  var catalog: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Name the file; with `get`, - is standard output.",
      discussion: "By default the server names it. With `get`, /dev/null discards the file once it is checked.",
      valueName: "file"), completion: .file())
  var output: String?

  @Option(
    name: [.customShort("d"), .long],
    help: ArgumentHelp("Put files into this directory; it is created if needed.", valueName: "dir"),
    completion: .directory)
  var dir: String?

  @Option(
    help: ArgumentHelp(
      "How the part file is named: .UUID.part, or, for all to see, NAME.UUID.part.",
      discussion: "NAME is that of --output, else that in the URL, whatever the server calls the file later."))
  var partName: PartNaming = .hidden

  @Flag(
    help: ArgumentHelp(
      "Fetch only if the file changed on the server, and then replace the target.",
      discussion: """
        Compares the validators recorded when the target was fetched, or its time. A target \
        that is changed meanwhile is not replaced.
        """))
  var ifChanged = false

  @Flag(name: .customLong("no-mtime"), help: "Do not set the files' times to those that the server reports.")
  var noMtime = false

  @Option(help: "What to do when the target exists.")
  var onConflict: ConflictPolicy = .fail

  @Option(help: "How to resume if nothing identifies the version of the file.")
  var resume: ResumeMode = .safe

  @Option(
    help: ArgumentHelp(
      "Check the whole file: md5, sha-1, sha-256, sha-384, sha-512, crc32, crc32c or crc64nvme, in hex or base64.",
      valueName: "alg=digest"))
  var checksum: String?

  @Option(help: "Where to find digests of the file, in addition to --checksum.")
  var verify: VerifyMode = .offered

  @Option(
    help: ArgumentHelp(
      "The minisign public key for signatures of digest lists, or a file with it.",
      discussion: "For --verify auto and require. gpg signatures are checked with your own keyring.",
      valueName: "key|file"))
  var verifyKey: String?

  @Option(
    help: ArgumentHelp(
      "Fail unless the file is of this type, such as application/zip or image/*.",
      discussion: """
        Both the server's Content-Type and the first bytes must agree. Nothing is kept of another file.
        """, valueName: "type"))
  var expectType: String?

  @Option(
    help: ArgumentHelp(
      "Take over a partial file that another program has fetched.",
      discussion: """
        For one URL only. Samples of it are compared with the server's file before its bytes count; a control file of aria2 \
        next to it says which of them to look at. The file itself is not changed, unless it has the name of the target: then it is \
        replaced once the download is complete.
        """, valueName: "file"), completion: .file())
  var adopt: String?

  @Option(
    help: ArgumentHelp(
      "Accept a file of this type, whatever its name promises; may be repeated, or a comma-separated list.",
      discussion: """
        If the name in the URL or for --output promises an archive, an image or the like, and a web page comes, the job fails \
        and the page is kept as NAME.html-instead. With text/html here it is the file. Other types that do not fit \
        their names are only reported; with this they are not.
        """, valueName: "type"))
  var allowType: [String] = []

  @Option(
    help: ArgumentHelp(
      "Another URL of the same file; may be repeated.",
      discussion: "For one URL only. Credentials, header fields and cookies are not sent there.", valueName: "url"))
  var mirror: [String] = []

  @OptionGroup(title: "Connection options") var connections: ConnectionArguments

  @OptionGroup(title: "Hook options") var hooks: HookArguments

  @Option(help: ArgumentHelp("Higher runs first.", valueName: "number"))
  var priority: String?

  @Option(
    help: ArgumentHelp(
      "Start when these jobs are complete; may be repeated, or a comma-separated list.",
      discussion: "If one of them fails or is removed, this job fails too; `dray retry` of the failed one queues both.",
      valueName: "id"), completion: .custom(JobIDs.complete))
  var after: [String] = []

  @Option(
    help: ArgumentHelp(
      "Do not start before this time.",
      discussion: "23:00 (the next time), 2026-11-22T01:00, or +2h. `dray resume` starts it at once.", valueName: "time"
    )
  )
  var startAt: String?

  @Option(
    help: ArgumentHelp(
      "Limit each job to this many bytes per second, such as 500k or 2M; off for no limit.", valueName: "rate"))
  var limitRate: String?

  @Option(
    help: ArgumentHelp(
      "Interrupt a transfer that takes longer than this (default: no limit).",
      discussion:
        "What came is kept, and `dray run` continues. Each retry has this time to itself. The exit status is 4.",
      valueName: "time"))
  var maxTime: String?

  @Option(
    help: ArgumentHelp(
      "Refuse a file that is larger than this, such as 500M (default: no limit).",
      discussion: """
        By the length that the server states, before a byte is written; where it states none, as soon as more came. Nothing is \
        kept. The exit status is 3, as for everything that may not come to the disk.
        """,
      valueName: "size"))
  var maxFilesize: String?

  @Option(
    help: ArgumentHelp("Retry this often without progress (default: 5; 0 means never).", valueName: "number"))
  var retries: String?

  @Option(
    help: ArgumentHelp(
      "Wait this long before the first retry, doubled for each further one (default: 1 s).", valueName: "time"))
  var retryWait: String?

  @Option(
    help: ArgumentHelp(
      "The longest delay that a server may ask for (default: 1 h).",
      discussion: "Shorter ones are observed; `dray resume ID` or `dray limit --no-hold HOST` ends one.",
      valueName: "time"))
  var maxRetryWait: String?
}
