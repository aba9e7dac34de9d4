// Names in directories: by paths, and in open directories.

internal import Glibc

extension System {
  // MARK: Paths

  /// Creates a directory (`mkdir(2)`).
  /// - Parameter mode: Its permissions, before the umask.
  public static func makeDirectory(_ path: String, mode: UInt32) throws(SystemError) {
    try retrying("mkdir") { mkdir(path, mode_t(mode)) }
  }

  /// Removes an empty directory (`rmdir(2)`).
  /// - Returns: Whether it was removed.
  @discardableResult public static func removeDirectory(_ path: String) -> Bool { rmdir(path) == 0 }

  /// Gives a file a second name (`link(2)`).
  public static func link(_ path: String, to other: String) throws(SystemError) {
    try retrying("link") { Glibc.link(path, other) }
  }

  /// Renames a file, and replaces an existing one (`rename(2)`).
  public static func rename(_ path: String, to other: String) throws(SystemError) {
    try retrying("rename") { Glibc.rename(path, other) }
  }

  /// Whether this process may read the file at a path (`access(2)`).
  public static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns the names in a directory; none if it cannot be read.
  public static func names(in directory: String) -> [String] {
    guard let descriptor = try? open(directory, [.reading, .directory]) else { return [] }
    return (try? takeNames(descriptor)) ?? []
  }

  // MARK: Open directories

  /// Returns the names in an open directory, unordered.
  public static func names(of directory: Int32) throws(SystemError) -> [String] {
    // The position of a listing belongs to its descriptor, so use a separate one.
    try takeNames(try open(".", in: directory, [.reading, .directory]))
  }

  /// Returns the names in a directory, and closes it.
  private static func takeNames(_ descriptor: Int32) throws(SystemError) -> [String] {
    guard let stream = fdopendir(descriptor) else {
      let error = SystemError("fdopendir")
      close(descriptor)
      throw error
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw SystemError("readdir") }
    return names
  }

  /// Creates a directory in an open one (`mkdirat(2)`).
  /// - Parameter mode: Its permissions, before the umask.
  public static func makeDirectory(_ name: String, in directory: Int32, mode: UInt32) throws(SystemError) {
    try retrying("mkdir") { mkdirat(directory, name, mode_t(mode)) }
  }

  /// Removes a name from an open directory (`unlinkat(2)`).
  /// - Parameter isDirectory: Whether it is the name of an empty directory.
  public static func unlink(
    _ name: String, in directory: Int32, isDirectory: Bool = false
  ) throws(SystemError) {
    try retrying("unlink") { unlinkat(directory, name, isDirectory ? AT_REMOVEDIR : 0) }
  }

  /// Renames a file, also into another open directory, and replaces an existing one (`renameat(2)`).
  public static func rename(
    _ name: String, in directory: Int32, to other: String, in target: Int32
  ) throws(SystemError) {
    try retrying("rename") { renameat(directory, name, target, other) }
  }

  /// Makes a symbolic link in an open directory (`symlinkat(2)`).
  public static func makeLink(to text: String, as name: String, in directory: Int32) throws(SystemError) {
    try retrying("symlink") { symlinkat(text, directory, name) }
  }

  /// Returns the text of a symbolic link in an open directory (`readlinkat(2)`).
  public static func linkText(_ name: String, in directory: Int32) throws(SystemError) -> String {
    // PATH_MAX is the longest text of a link.
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { (buffer) throws(SystemError) in
      guard let start = buffer.baseAddress else { return "" }
      let count = try retrying("readlink") { readlinkat(directory, name, start, buffer.count) }
      return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
    }
  }

  /// Gives a file in an open directory a second name there (`linkat(2)`).
  public static func link(_ name: String, to other: String, in directory: Int32) throws(SystemError) {
    try retrying("link") { linkat(directory, name, directory, other, 0) }
  }
}
