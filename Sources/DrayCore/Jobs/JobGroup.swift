// Jobs that belong together: the files of one directory.

/// The number of a group of jobs.
public typealias GroupID = Int64

/// What jobs that belong together are known by: where they come from, and where they go to.
public struct JobGroup: Sendable, Hashable {
  /// The directory that they are below.
  public var url: RequestURL
  /// The absolute path of the directory that they are put into.
  public var directory: String

  /// The group of the files below a directory.
  public init(url: RequestURL, directory: String) { (self.url, self.directory) = (url, directory) }

  /// Its name for people: that of the directory, or the host's.
  public var name: String {
    let last = url.path.split(separator: "/").last.map { FileName.fromURLPath(String($0)) }
    return last ?? (url.host.isEmpty ? "files" : url.host)
  }
}

/// A group as jobs show it.
public struct GroupLabel: Sendable, Hashable {
  /// Its number.
  public var id: GroupID
  /// Its name for people; other groups may have the same.
  public var name: String

  /// Makes one.
  public init(id: GroupID, name: String) { (self.id, self.name) = (id, name) }
}
