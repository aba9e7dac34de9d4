// Groups of jobs: the files of one directory, or of one name in a source.

/// The number of a group of jobs.
public typealias GroupID = Int64

/// The identity of a group: where its jobs come from, and where their files go.
public struct JobGroup: Sendable, Hashable {
  /// The URL of the directory above the jobs' URLs.
  public var url: RequestURL
  /// The absolute path of the target directory.
  public var directory: String
  /// The name in a source that stands for all files; `nil` for the files of a directory.
  public var source: String?

  /// Creates the group of the files below a directory, or of a name in a source.
  public init(url: RequestURL, directory: String, source: String? = nil) {
    (self.url, self.directory, self.source) = (url, directory, source)
  }

  /// Creates the group of the files of a name in a source. Groups are identified by URLs, so this one gets a URL whose
  /// host cannot exist (RFC 2606 §2). The group stays the same when the source gives other URLs.
  public init?(source: String, directory: String) {
    let path = String(decoding: PercentEncoding.strictlyEncoded(Array(source.utf8)), as: UTF8.self)
    guard let url = try? RequestURL.parse(JobGroup.sourceStart + path).url else { return nil }
    self.init(url: url, directory: directory, source: source)
  }

  private static let sourceStart = "http://source.invalid/"

  /// Whether a group with this URL has the files of a name in a source.
  package static func isOfSource(_ url: String) -> Bool { url.hasPrefix(sourceStart) }

  /// The name that people read: the one in a source, or that of the directory, or the host if the directory has no
  /// name.
  public var name: String {
    if let source { return SourceReference.shown(source) }
    let last = url.path.split(separator: "/").last.map { FileName.fromURLPath(String($0)) }
    return last ?? (url.host.isEmpty ? "files" : url.host)
  }
}
