// The options for handling a file, which `get` and `add` share.

public import ArgumentParser
public import DrayKit

extension ConflictPolicy: ExpressibleByArgument {
  public static var allValueDescriptions: [String: String] {
    [
      "fail": "leave it: an error, unless it is the server's file already",
      "rename": "add a number to the name of the new file",
      "overwrite": "replace it once the new file is complete", "skip": "leave it, and fetch nothing",
    ]
  }
}

extension ResumeMode: ExpressibleByArgument {
  public static var allValueDescriptions: [String: String] {
    [
      "safe": "start over, unless a digest is known that will verify the result",
      "always": "continue, and compare an overlap", "never": "start over in any case",
    ]
  }
}

extension VerifyMode: ExpressibleByArgument {
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
        One URL per line, or a name, a tab and the URL; # begins a comment. Indented lines below a URL set its options, such as out=, dir=, \
        header=, checksum= and limit-rate=; dray-set(1) has the names of all. The options of aria2's lists are used as far as they mean \
        something here; a remark names the others. Further URLs on a line, after tabs, are mirrors; after blanks, \
        further files. Or one JSON object per line. \
        Nothing is queued if a line is invalid.
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

  @Flag(
    help: ArgumentHelp(
      "Take web addresses as they are, not as names of files.",
      discussion: """
        Otherwise the address of a page that shows a model, a release or a record stands for its files; `dray help sources` lists \
        which.
        """))
  var noNames = false

  @Flag(
    help: ArgumentHelp(
      "Put files of hf: into the cache of the official client of Hugging Face.",
      discussion: """
        Programs that use it find them there, without network too: blobs by their digests, links to them in a snapshot, and the \
        reference. What is in the cache already is not fetched. The directory is that of --dir, else of HF_HUB_CACHE or HF_HOME.
        """))
  var hfCache = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Name the file, or the object as s3://BUCKET/KEY; with `get`, - is standard output.",
      discussion: """
        By default the server names it. May be repeated: the first is for the first URL, and so on. With `get`, /dev/null discards \
        the file once it is checked.
        """,
      valueName: "file"), completion: .file())
  var outputs: [String] = []

  /// The name of the file, if exactly one was given. Returns `nil` if there are several, because each is for another
  /// URL.
  var output: String? {
    get { outputs.count == 1 ? outputs.first : nil }
    set { outputs = newValue.map { [$0] } ?? [] }
  }

  @Option(setting: "dir") var dir: String?
  @Option(setting: "temp-dir") var tempDir: String?

  @Option(
    help: ArgumentHelp(
      "How the part file is named: .UUID.part, or, for all to see, NAME.UUID.part.",
      discussion: "NAME is that of --output, else that in the URL, whatever the server calls the file later."))
  var partName: PartNaming = .hidden

  @Flag(setting: "in-order") var inOrder = false
  @Flag(setting: "if-changed") var ifChanged = false
  @Flag(setting: "no-mtime") var noMtime = false
  @Flag(setting: "xattr") var xattr = false
  @Option(setting: "on-conflict") var onConflict: ConflictPolicy = JobOptions().onConflict
  @Option(setting: "resume") var resume: ResumeMode = JobOptions().resume
  @Option(setting: "checksum") var checksum: String?
  @Option(setting: "verify") var verify: VerifyMode = .offered
  @Option(setting: "verify-key") var verifyKey: String?
  @Option(setting: "expect-type") var expectType: String?

  @Option(
    help: ArgumentHelp(
      "Take over a partial file that another program has fetched.",
      discussion: """
        For one URL only. Samples of it are compared with the server's file before its bytes count; a control file of aria2 \
        next to it says which of them to look at. The file itself is not changed, unless it has the name of the target: then it is \
        replaced once the download is complete.
        """, valueName: "file"), completion: .file())
  var adopt: String?

  @Flag(
    help: ArgumentHelp(
      "Take over the file that has the target's name, if another program began it.",
      discussion: """
        As with --adopt, for each URL whose file is there. `-c` of wget and aria2 and `-C -` of curl mean this. A file whose bytes \
        differ from the server's stays.
        """))
  var adoptTarget = false

  @Option(setting: "seed") var seed: [String] = []
  @Option(setting: "zsync") var zsync: String?
  @Option(setting: "allow-type") var allowType: [String] = []
  @Option(setting: "mirror") var mirror: [String] = []

  @OptionGroup(title: "Connection options") var connections: ConnectionArguments

  @OptionGroup var objects: ObjectArguments

  @OptionGroup(title: "Options for images") var images: ImageArguments

  @OptionGroup(title: "Hook options") var hooks: HookArguments

  @Option(setting: "queue") var queue: String?
  @Option(setting: "priority") var priority: String?
  @Option(setting: "after") var after: [String] = []
  @Option(setting: "start-at") var startAt: String?
  @Option(setting: "label") var label: [String] = []
  @Option(setting: "between") var between: String?

  @OptionGroup var transfer: TransferArguments
}
