// Opens the directory of a target. Links are followed in the part of the path that the user named, but not in the rest
// (P6). A recent kernel does that in one call. With older kernels, each component is opened in turn.

internal import DrayCore
internal import Posix

enum DirectoryWalk {
  /// Opens a directory. With `create`, missing components are created first.
  /// - Throws: ``SystemError``; its code is `ELOOP` if a component that the user did not name is a link.
  static func open(_ place: DirectoryPlace, create: Bool) throws(SystemError) -> Int32 {
    let path = place.base
    if create { try make(path) }
    let base = try System.open(path, [.reading, .directory])
    let names = place.foreign
    guard !names.isEmpty else { return base }
    // Refuse empty names, `.`, `..` and slashes, because the kernel would follow `..` and split a name at its slashes.
    guard names.allSatisfy({ !["", ".", ".."].contains($0) && !$0.utf8.contains(UInt8(ascii: "/")) }) else {
      System.close(base)
      throw SystemError("open", SystemError.otherFileSystem)
    }
    if let whole = LinuxDirectory.open(names.joined(separator: "/"), beneath: base) {
      System.close(base)
      return whole
    }
    // Either a component is missing, which this system call cannot create, or the kernel or a sandbox lacks the system
    // call (ENOSYS, EPERM). Open each component in turn to find out which.
    return try steps(base, names, create)
  }

  /// Whether a component that the user did not name is a link.
  static func hasLink(_ place: DirectoryPlace) -> Bool {
    var path = place.base
    return place.foreign.contains { name in
      path = PathText.join(path, name)
      return (try? System.status(at: path, following: false))?.isLink ?? false
    }
  }

  /// Opens the components in turn, and closes `base`.
  static func steps(_ base: Int32, _ names: [String], _ create: Bool) throws(SystemError) -> Int32 {
    var current = base
    for name in names {
      let above = current
      defer { System.close(above) }
      current = try step(above, name, create)
    }
    return current
  }

  private static func step(_ directory: Int32, _ name: String, _ create: Bool) throws(SystemError) -> Int32 {
    var refusal: SystemError
    do throws(SystemError) { return try enter(name, in: directory) } catch { refusal = error }
    if refusal.code == SystemError.noEntry, create {
      try unlessThere { () throws(SystemError) in try System.makeDirectory(name, in: directory, mode: 0o777) }
      do throws(SystemError) { return try enter(name, in: directory) } catch { refusal = error }
    }
    // For a link, Linux only reports that it is not a directory.
    let isLink = (try? System.status(name, in: directory))?.isLink ?? false
    throw isLink ? SystemError("open", SystemError.linkInTheWay) : refusal
  }

  private static func enter(_ name: String, in directory: Int32) throws(SystemError) -> Int32 {
    try System.open(name, in: directory, [.reading, .directory, .noFollow])
  }

  private static func make(_ path: String) throws(SystemError) {
    func makeLast() throws(SystemError) {
      try unlessThere { () throws(SystemError) in try System.makeDirectory(path, mode: 0o777) }
    }
    do throws(SystemError) { try makeLast() } catch {
      guard error.code == SystemError.noEntry else { throw error }
      let parent = PathText.directory(of: path)
      guard !parent.isEmpty, parent != path else { throw error }
      try make(parent)
      try makeLast()
    }
  }

  /// Runs `make`, which creates something; an error because the name is taken is ignored.
  private static func unlessThere(_ make: () throws(SystemError) -> Void) throws(SystemError) {
    do throws(SystemError) { try make() } catch {
      if error.code != SystemError.exists { throw error }
    }
  }
}
