// The options for directories, which `get` and `add` share.

internal import ArgumentParser
internal import DrayKit

struct TreeArguments: ParsableArguments, Sendable {
  @Flag(
    name: [.customShort("r"), .long],
    help: ArgumentHelp(
      "Fetch all files below the directories that the URLs name.",
      discussion: """
        The same tree is made below the directory of -d. Again, it fetches only what is new or has changed, and deletes \
        nothing. dray(1) describes it.
        """))
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "With -r or a name, only files whose path matches this; may be repeated.",
      discussion: """
        *.iso is for a name at any level, pool/*/*.deb for a path from the start; * and ? are within a part, ** is any \
        number of parts.
        """, valueName: "pattern"))
  var include: [String] = []

  @Option(
    help: ArgumentHelp(
      "With -r or a name, no file and no directory whose path matches this; may be repeated.",
      valueName: "pattern"))
  var exclude: [String] = []

  @Option(
    help: ArgumentHelp(
      "With -r, only so many levels: 1 is the directory without those in it.", valueName: "number"))
  var depth: String?

  @Option(
    help: ArgumentHelp(
      "With -r, keep the path of the URL below -d, but for so many directories.",
      discussion: """
        0 keeps all of it, as wget's -nH does alone. Without this option, or with as many as the URL has, the tree is directly \
        below -d.
        """, valueName: "number"))
  var cutDirs: String?

  /// Whether the user typed an option that makes sense only with `-r`. The configuration may contain such options even
  /// if `-r` is not given.
  var hasDetails: Bool {
    let configured = CommandContext.current.configured
    return [
      ("include", !include.isEmpty), ("exclude", !exclude.isEmpty), ("depth", depth != nil),
      ("cut-dirs", cutDirs != nil),
    ]
    .contains { $0.1 && !configured.contains($0.0) }
  }

  /// Refuses options that make sense only with `-r` if `-r` is missing. The names of sources take filters, too.
  func checkAlone(_ job: JobArguments) throws(Failure) {
    guard !recursive, hasDetails else { return }
    let configured = CommandContext.current.configured
    let isOfTree = depth != nil && !configured.contains("depth") || cutDirs != nil && !configured.contains("cut-dirs")
    guard isOfTree || !areNames(job) else { return }
    throw OptionValue.bad(
      "--include, --exclude, --depth and --cut-dirs", "they are for directories", advice: "add -r")
  }

  /// Whether all operands are names of files in sources.
  private func areNames(_ job: JobArguments) -> Bool {
    let sources = CommandContext.current.sources
    guard !job.urls.isEmpty, job.inputFile == nil, job.metalinkFile == nil, job.catalog == nil else { return false }
    return job.urls.allSatisfy { text in
      if sources.name(in: text) != nil { return true }
      guard !job.noNames, let url = try? RequestURL.parse(SchemeGuess(text)?.text ?? text).url else { return false }
      return sources.name(of: url) != nil
    }
  }

  /// The filter for the files of names; it selects all files with `-r`, which has its own.
  func filterOfNames() throws(Failure) -> TreeFilter { recursive ? TreeFilter() : try filter() }

  /// Returns the filter that selects files.
  /// - Throws: Kind `usage` with the name of the option.
  func filter() throws(Failure) -> TreeFilter {
    TreeFilter(
      includes: try TreeArguments.patterns(include, "--include"),
      excludes: try TreeArguments.patterns(exclude, "--exclude"))
  }

  static func patterns(_ texts: [String], _ option: String) throws(Failure) -> [PathPattern] {
    try texts.map { (text) throws(Failure) in
      do throws(QuantityParseError) { return try PathPattern(text) } catch {
        throw OptionValue.bad(option, error.message)
      }
    }
  }

  /// Returns the number of directories that are left out at the start of each path.
  /// - Throws: Kind `usage`.
  func cut() throws(Failure) -> Int? {
    try cutDirs.map { (text) throws(Failure) in try OptionValue.count(text, "--cut-dirs", 0...TreeLimits().depth) }
  }

  /// Returns the number of levels of directories that are read.
  /// - Throws: Kind `usage`.
  func levels() throws(Failure) -> Int? {
    try depth.map { (text) throws(Failure) in try OptionValue.count(text, "--depth", 1...TreeLimits().depth) }
  }
}
