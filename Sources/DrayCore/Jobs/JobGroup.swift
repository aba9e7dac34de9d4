// Groups of jobs: the files of one directory.

/// The number of a group of jobs.
public typealias GroupID = Int64

/// What identifies a group: where its jobs come from, and where their files go.
public struct JobGroup: Sendable, Hashable {
  /// The URL of the directory above the jobs' URLs.
  public var url: RequestURL
  /// The absolute path of the target directory.
  public var directory: String

  /// Creates the group of the files below a directory.
  public init(url: RequestURL, directory: String) { (self.url, self.directory) = (url, directory) }

  /// The name that people read: that of the directory, or the host if the directory has no name.
  public var name: String {
    let last = url.path.split(separator: "/").last.map { FileName.fromURLPath(String($0)) }
    return last ?? (url.host.isEmpty ? "files" : url.host)
  }
}
