/// The present parts of a file, and those being fetched.
public struct FileMap: Sendable, Hashable {
  /// The length of the file in bytes.
  public var size: Int64
  /// The present ranges, ascending.
  public var done: [Range<Int64>]
  /// The missing range of each connection.
  public var fetching: [Range<Int64>]

  public init(size: Int64, done: [Range<Int64>], fetching: [Range<Int64>] = []) {
    (self.size, self.done, self.fetching) = (size, done, fetching)
  }
}
