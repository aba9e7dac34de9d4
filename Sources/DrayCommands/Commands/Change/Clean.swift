// `dray clean`: forgets finished jobs, and removes part files that belong to no job.

internal import ArgumentParser
internal import DrayKit
internal import Posix

struct Clean: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove finished jobs from the list, and stray part files.",
    discussion: """
      Complete and failed jobs are removed from the list; their files stay. Part files that belong to no job are removed from \
      the directories of all jobs, and from DIR (of use after a job store was lost). The paths of removed files are \
      printed.

      Uploads to object stores that a job of this store began and no job uses are aborted, and the objects' places printed. \
      With s3://BUCKET/PREFIX/ instead of DIR, only such uploads below it are, and the list of jobs stays; the unfinished \
      uploads that others began there are counted, and left.

      Part files are left, with a message, if another process is using them, if they belong to a job store \
      elsewhere, or, if neither is known, if they belong to another user or were written to less than a day ago. The \
      path of a part file instead of DIR removes that file, unless a process is using it.
      """)

  @Argument(
    help: ArgumentHelp(
      "Another directory to search for stray part files, a part file, or s3://BUCKET/PREFIX/.", valueName: "dir"),
    completion: .directory)
  var directory: String?

  @Option(help: ArgumentHelp("Remove only what finished longer ago than this, such as 30d.", valueName: "time"))
  var olderThan: String?

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func checkSettings(_ surroundings: Surroundings) throws {
    _ = try age()
  }

  func execute() async throws -> ExitStatus {
    let age = try age()
    var path: String?
    if let directory {
      let surroundings = try Surroundings.real()
      let absolute = surroundings.absolute(directory)
      let kind = surroundings.kind(absolute)
      if ObjectPlace.isMeant(by: absolute) { try surroundings.checkDirectory(absolute, "the place") }
      guard
        kind == .directory || ObjectPlace.isMeant(by: absolute)
          || (kind == .file && DownloadManager.isPartFile(absolute))
      else {
        throw OptionValue.bad(absolute, "this is not a directory: name one to search for part files")
      }
      path = absolute
    }
    // A directory that the user names is searched even if the store was lost. If the user names no directory, only
    // temporary files that belong to no job can be left.
    let manager = path == nil ? try Store.openIfPresent() : try Store.open()
    let report =
      try await manager?.clean(directory: path, olderThan: age)
      ?? CleanReport(removed: DownloadManager.cleanTemporary())
    for aborted in report.aborted { ResultOutput.standard.write(aborted + "\n") }
    for removed in report.removed { ResultOutput.standard.write(removed + "\n") }
    for left in report.left where left.wasNamed || !quiet {
      Messages.print(
        "\(TextSafety.escaped(left.path)) was not removed: \(TextSafety.escaped(Advice.line(left.reason, left.advice)))"
      )
    }
    if !quiet {
      // For a bucket, the report also mentions a count of zero.
      let isOfBucket = path.map { ObjectPlace.isMeant(by: $0) } ?? false
      let uploads =
        report.aborted.isEmpty && !isOfBucket ? "" : ", \(Clean.count(report.aborted.count, "upload")) aborted"
      let files =
        "\(Clean.count(report.forgotten, "job")) forgotten, \(Clean.count(report.removed.count, "part file")) removed"
      Messages.print(isOfBucket ? String(uploads.dropFirst(2)) : files + uploads)
      if report.others > 0 {
        Messages.print("\(Clean.count(report.others, "unfinished upload")) of others below \(path ?? "") left alone")
      }
    }
    return report.left.contains(where: \.wasNamed) ? .file : .success
  }

  private func age() throws(Failure) -> Double? {
    try olderThan.map { (text) throws(Failure) in try OptionValue.seconds(text, "--older-than") }
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
