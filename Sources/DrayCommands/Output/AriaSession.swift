// The list of unfinished downloads that aria2c writes when it ends (`--save-session`). Both aria2 and dray read it with
// `-i`.

internal import DrayKit
internal import DrayServer
internal import Posix

enum AriaSession {
  /// Returns the list, which contains the secrets of the downloads.
  static func text(_ jobs: [JobSpecification]) -> String { jobs.map(entry).joined() }

  private static func entry(_ job: JobSpecification) -> String {
    let urls = [job.request.url] + (job.options.mirrors ?? [])
    var lines = [urls.map(\.string).joined(separator: "\t")]
    func add(_ name: String, _ value: String?) {
      if let value, !value.contains(where: \.isNewline) { lines.append(" \(name)=\(value)") }
    }
    add("dir", job.directory)
    add("out", job.output)
    for field in job.request.headers { add("header", "\(field.name): \(field.value)") }
    add("user-agent", job.request.userAgent)
    add("referer", job.request.referer)
    let kind = job.request.url.scheme.hasPrefix("http") ? "http" : "ftp"
    add("\(kind)-user", job.request.credentials?.user)
    add("\(kind)-passwd", job.request.credentials?.password)
    add("checksum", job.options.digest?.description)
    add("max-connection-per-server", job.options.maxConnections.map { "\($0)" })
    add("all-proxy", job.request.proxy)
    if job.request.isInsecure { add("check-certificate", "false") }
    for (name, value) in Aria2Session.changes(of: job) { add(name, value) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Replaces a file by the list, and returns once the list is on the disk. Only the owner can read the file.
  /// - Throws: Kind `file`.
  static func write(_ jobs: [JobSpecification], to path: String) throws(Failure) {
    guard [.file, .missing].contains(System.kind(path)) else {
      throw Failure(.file, TextSafety.escaped(path), "it is not a regular file, so no session is written there")
    }
    try AtomicFile.write(text(jobs).utf8, to: path, isPrivate: true, hasNeighbors: true)
  }

  static func failure(_ failure: Failure, _ path: String) -> Failure {
    let isOfFile = failure.kind == .file
    return Failure(
      failure.kind, "Failed to serialize session to '\(TextSafety.escaped(path))'",
      isOfFile ? failure.reason : failure.description,
      advice: isOfFile ? "name another file with --save-session" : failure.advice)
  }
}
