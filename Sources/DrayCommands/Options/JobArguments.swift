// The options that say what becomes of a file; `get` and `add` share them.

public import ArgumentParser
public import DrayKit

extension ConflictPolicy: ExpressibleByArgument {}
extension ResumeMode: ExpressibleByArgument {}
extension VerifyMode: ExpressibleByArgument {}

struct JobArguments: ParsableArguments, Sendable {
  @Argument(help: ArgumentHelp("What to fetch: http or https.", valueName: "url"))
  var urls: [String] = []

  @Option(
    name: [.customShort("i"), .long],
    help: ArgumentHelp(
      "Read URLs from a file, or from standard input with -.",
      discussion: """
        One URL a line; # begins a comment. Indented lines below a URL belong to it: out=, dir=, header=, \
        checksum=, size=, priority=, after=, start-at=, max-connections=, user-agent=, referer=. Further URLs in a line, after tabs, are \
        mirrors. Or one JSON object a line. Nothing is queued if a line is wrong.
        """,
      valueName: "file"), completion: .file())
  var inputFile: String?

  @Option(
    name: [.customShort("M"), .long],
    help: ArgumentHelp("Fetch the files of this Metalink file.", valueName: "file"),
    completion: .file(extensions: ["meta4", "metalink"]))
  var metalinkFile: String?

  @Flag(
    help: ArgumentHelp(
      "Ask the servers for Metalink files first, and use what they say.",
      discussion: """
        A URL that leads to a Metalink file stands for the files in it; one whose answer has a Link to such a file gets \
        size, digest and mirrors from there.
        """))
  var metalink = false

  @Option(
    help: ArgumentHelp(
      "Look the operands up in this catalog: NAME or NAME@VERSION.",
      discussion: "A NAME alone is its highest version. dray(1) has the format.", valueName: "url|file"),
    completion: .file(extensions: ["json"]))
  var catalog: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Name the file; with `get`, - is standard output.", discussion: "Else the server names it.",
      valueName: "file"), completion: .file())
  var output: String?

  @Option(
    name: [.customShort("d"), .long],
    help: ArgumentHelp("Put files into this directory; it is made if need be.", valueName: "dir"),
    completion: .directory)
  var dir: String?

  @Flag(
    help: ArgumentHelp(
      "Fetch only what changed on the server, and replace the target then.",
      discussion: """
        What is known of the target is compared: the validators recorded when it was fetched, or its time. A target \
        that somebody changes meanwhile is left alone.
        """))
  var ifChanged = false

  @Flag(name: .customLong("no-mtime"), help: "Give files the time of their arrival, not that of the server's file.")
  var noMtime = false

  @Option(help: "What to do when the target exists.")
  var onConflict: ConflictPolicy = .fail

  @Option(
    help: ArgumentHelp(
      "How to resume when nothing identifies the version of the file.",
      discussion: "safe starts over, always compares an overlap, never starts over whatever is known."))
  var resume: ResumeMode = .safe

  @Option(
    help: ArgumentHelp(
      "Check the whole file: md5, sha-1, sha-256, sha-384, sha-512, crc32, crc32c or crc64nvme, in hex or base64.",
      valueName: "alg=digest"))
  var checksum: String?

  @Option(
    help: ArgumentHelp(
      "Where digests of the file are looked for, beside --checksum.",
      discussion: """
        offered checks those in the header of the answer (Repr-Digest, Content-MD5, x-goog-hash and their kin), auto \
        looks for lists beside the file, too (URL.sha256, SHA256SUMS and their kin, with their signatures), require \
        fails where none is found, none heeds none.
        """))
  var verify: VerifyMode = .offered

  @Option(
    help: ArgumentHelp(
      "The public key of minisign that lists of digests are signed with, or the file that has it.",
      discussion: "For --verify auto and require. Signatures by gpg are checked with your own keyring.",
      valueName: "key|file"))
  var verifyKey: String?

  @Option(
    help: ArgumentHelp(
      "Fail unless the file is of this type, such as application/zip or image/*.",
      discussion: """
        What the server calls it and its first bytes must say so. Without this a web page that comes where an archive \
        was asked for is told of, and kept.
        """, valueName: "type"))
  var expectType: String?

  @Option(
    help: ArgumentHelp(
      "Another URL of the same file; may be repeated.",
      discussion: "For one URL only. Credentials, fields and cookies do not go there.", valueName: "url"))
  var mirror: [String] = []

  @OptionGroup(title: "Connection options") var connections: ConnectionArguments

  @OptionGroup(title: "Hook options") var hooks: HookArguments

  @Option(help: ArgumentHelp("Larger is sooner.", valueName: "number"))
  var priority: String?

  @Option(
    help: ArgumentHelp(
      "Start when these jobs are complete; may be repeated, or a list with commas.",
      discussion: "If one of them fails or is removed, this one fails too; `dray retry` of that one queues both.",
      valueName: "id"), completion: .custom(JobIDs.complete))
  var after: [String] = []

  @Option(
    help: ArgumentHelp(
      "Do not start before this time.",
      discussion: "23:00 (the next one), 2026-11-22T01:00, or +2h. `dray resume` starts it at once.", valueName: "time")
  )
  var startAt: String?

  @Option(
    help: ArgumentHelp("Bytes a second of one job, such as 500k or 2M.", valueName: "rate"))
  var limitRate: String?

  @Option(
    help: ArgumentHelp("Try again this often without new ground (5 unless told; 0 is never).", valueName: "number"))
  var retries: String?

  @Option(
    help: ArgumentHelp(
      "Wait before the first retry, doubled for each further one (1 s unless told).", valueName: "time"))
  var retryWait: String?

  @Option(
    help: ArgumentHelp(
      "The longest wait that a server may ask for (1 h unless told).", valueName: "time"))
  var maxRetryWait: String?
}
