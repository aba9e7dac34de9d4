// Opens the directory of a target: the part that the user named by its path, and the part that another source named
// without following links (P6). A recent kernel does that in one call; otherwise each component is opened in turn.

internal import CLinux
internal import DrayCore
internal import Glibc
internal import Posix

enum DirectoryWalk {
  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  /// Opens a directory. With `create`, creates the missing components first.
  /// - Throws: ``SystemError``; its code is `ELOOP` if a component that the user did not name is a link.
  static func open(_ place: DirectoryPlace, create: Bool) throws(SystemError) -> Int32 {
    let path = place.base
    if create { try make(path) }
    let base = Glibc.open(path, flags)
    guard base >= 0 else { throw SystemError("open") }
    let names = place.foreign
    guard !names.isEmpty else { return base }
    // The kernel would follow `..`, and split a name at its slashes.
    guard names.allSatisfy({ !["", ".", ".."].contains($0) && !$0.utf8.contains(UInt8(ascii: "/")) }) else {
      close(base)
      throw SystemError("open", EXDEV)
    }
    let whole = dray_openat2(base, names.joined(separator: "/"), UInt64(flags), Beneath.resolve)
    guard whole < 0 else {
      close(base)
      return whole
    }
    // Either a directory is missing, which this call cannot create, or the kernel or a sandbox lacks the call (ENOSYS,
    // EPERM). Opening each component in turn finds out which.
    return try steps(base, names, create)
  }

  /// Whether a component that the user did not name is a link.
  static func hasLink(_ place: DirectoryPlace) -> Bool {
    var path = place.base
    return place.foreign.contains { name in
      path = PathText.join(path, name)
      var info = stat()
      return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }
  }

  /// Closes `base`.
  static func steps(_ base: Int32, _ names: [String], _ create: Bool) throws(SystemError) -> Int32 {
    var current = base
    for name in names {
      let above = current
      defer { close(above) }
      current = try step(above, name, create)
    }
    return current
  }

  private static func step(_ directory: Int32, _ name: String, _ create: Bool) throws(SystemError) -> Int32 {
    var opened = openat(directory, name, flags | O_NOFOLLOW)
    if opened < 0, errno == ENOENT, create {
      guard mkdirat(directory, name, 0o777) == 0 || errno == EEXIST else { throw SystemError("mkdir") }
      opened = openat(directory, name, flags | O_NOFOLLOW)
    }
    guard opened < 0 else { return opened }
    let error = SystemError("open")
    // For a link, Linux reports only that it is not a directory.
    var info = stat()
    let isLink = fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && info.st_mode & S_IFMT == S_IFLNK
    throw isLink ? SystemError("open", ELOOP) : error
  }

  private static func make(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    guard errno == ENOENT else { throw SystemError("mkdir") }
    let parent = PathText.directory(of: path)
    guard !parent.isEmpty, parent != path else { throw SystemError("mkdir", ENOENT) }
    try make(parent)
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemError("mkdir") }
  }
}

private enum Beneath {
  /// `RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH` of openat2(2), macros that Swift cannot import.
  static let resolve: UInt64 = 0x02 | 0x04 | 0x08
}
