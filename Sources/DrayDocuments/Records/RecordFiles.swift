// The files of a record of research data, whichever service keeps it.

package import DrayCore

package struct RecordFiles: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    /// Relative, of safe components.
    package var path: String
    package var url: RequestURL
    package var size: Int64?
    package var digest: DigestValue?
  }

  /// The record and its version, as the service counts them; `nil` if it does not say.
  package var revision: String?
  /// The DOI of exactly this version; `nil` if the service does not say.
  package var doi: DOIName?
  package var files: [File] = []
  /// The files that were left out, and what users should know about the others.
  package var remarks: [String] = []

  static let kind = "a record with files"
  /// The maximum number of files of a record.
  static let most = 100_000

  /// Adds a file, or a remark if its path or its URL cannot be used.
  mutating func add(
    _ path: String, _ url: RequestURL?, size: Int64?, digest: DigestValue?
  ) throws(DocumentError) {
    guard let safe = DocumentPath.safe(path) else { return leaveOut(path, "its path leads out of the directory") }
    guard let url else { return leaveOut(path, "it has no URL that can be fetched") }
    guard files.count < RecordFiles.most else { throw DocumentError(RecordFiles.kind, "it has too many files") }
    files.append(File(path: safe, url: url, size: size, digest: digest))
  }

  mutating func leaveOut(_ path: String, _ reason: String) {
    // If all files of a record are restricted, do not print a thousand lines about them.
    if remarks.count < 20 { remarks.append("\(TextSafety.escaped(path.start(200))) is left out: \(reason)") }
  }

  /// Returns the answer to a name.
  /// - Parameter host: The host of the service, as the source of the digests.
  package func answer(_ name: DOIName, host: String) -> SourceAnswer {
    var answer = SourceAnswer(pinned: (doi ?? name).name, revision: revision, entries: [], remarks: remarks)
    for file in files {
      var offered = OfferedFile(urls: [file.url], name: file.path, size: file.size, digest: file.digest)
      offered.digestSource = file.digest.map { _ in DigestSource(rawValue: host) }
      answer.entries.append(SourceAnswer.Entry(offered, path: file.path))
    }
    let weak = files.filter { $0.digest?.algorithm == .md5 }
    if let first = weak.first {
      answer.remarks.append(
        "\(RecordFiles.words(weak.count, first)) only an MD5, which finds damage but is weak against forgery")
    }
    let unproved = files.filter { $0.digest == nil }
    if let first = unproved.first {
      answer.remarks.append("\(RecordFiles.words(unproved.count, first)) no digest: nothing proves what arrives")
    }
    return answer
  }

  private static func words(_ count: Int, _ first: File) -> String {
    count == 1 ? "\(first.path) has" : "\(count) files have"
  }
}
