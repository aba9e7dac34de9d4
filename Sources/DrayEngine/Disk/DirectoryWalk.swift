// Opens the directory of a target: what the user named by its path, what another source named below it without following
// any link (P6), by the kernel in one call where it can, else step by step.

internal import CLinux
internal import DrayCore
internal import Glibc
internal import Posix

enum DirectoryWalk {
  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  /// Opens a directory, after making what is not there of it, if `create` says so.
  /// - Throws: ``SystemError``; its code is `ELOOP` where a link stands in a place that the user did not name.
  static func open(_ place: DirectoryPlace, create: Bool) throws(SystemError) -> Int32 {
    let path = place.base
    if create { try make(path) }
    let base = Glibc.open(path, flags)
    guard base >= 0 else { throw SystemError("open") }
    let names = place.foreign
    guard !names.isEmpty else { return base }
    // A name that leads upwards, or several in one, would be walked in another way than they are read.
    guard names.allSatisfy({ !["", ".", ".."].contains($0) && !$0.utf8.contains(UInt8(ascii: "/")) }) else {
      close(base)
      throw SystemError("open", EXDEV)
    }
    let whole = dray_openat2(base, names.joined(separator: "/"), UInt64(flags), Beneath.resolve)
    guard whole < 0 else {
      close(base)
      return whole
    }
    // Not there, not to be made by this call, or a kernel or a sandbox that does not have it (ENOSYS, EPERM): each step says why.
    return try steps(base, names, create)
  }

  /// Whether a link stands in a place that the user did not name.
  static func hasLink(_ place: DirectoryPlace) -> Bool {
    var path = place.base
    return place.foreign.contains { name in
      path = PathText.join(path, name)
      var info = stat()
      return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }
  }

  /// Walks down from `base`, which it closes.
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
    // Of a link, Linux says only that it is not a directory.
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
  /// `RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH` of openat2(2), macros that Swift does not see.
  static let resolve: UInt64 = 0x02 | 0x04 | 0x08
}
