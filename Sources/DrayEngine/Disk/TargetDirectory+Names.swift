// Checks, before the first byte arrives, whether the file system accepts a file's name and size.

internal import CLinux
public import DrayCore
internal import FoundationEssentials
internal import Glibc
internal import Posix

extension TargetDirectory {
  /// Checks whether a file can have a name here. Returns at once for names that every file system accepts. On native
  /// Linux file systems only the length is checked. Other names are tried in a hidden directory, which is then removed.
  /// - Throws: ``Failure`` with the file system's objection and an accepted name.
  public func checkName(_ name: String) throws(Failure) {
    if fileSystem.isNative {
      if name.utf8.count > 255 { throw refusal(of: name, isTooLong: true) }
      return
    }
    guard !NameObjection.isPlain(name), let error = tryName(name) else { return }
    if let refusal = refusal(of: name, error) { throw refusal }
  }

  /// `nil` if the error is not about the name.
  func refusal(of name: String, _ error: SystemError) -> Failure? {
    switch error.code {
    case ENAMETOOLONG: refusal(of: name, isTooLong: true)
    case EINVAL, EILSEQ: NameObjection.isPlain(name) ? nil : refusal(of: name, isTooLong: false)
    default: nil
    }
  }

  private func refusal(of name: String, isTooLong: Bool) -> Failure {
    let objection = NameObjection(to: name, isTooLong: isTooLong)
    return Failure(
      .file, PathText.join(path, name), objection.reason,
      advice: "\(.setOutput) gives it another name, such as \(TextSafety.escaped(objection.suggestion))",
      recovery: .keep)
  }

  /// Creates an empty file with a name in a hidden directory, and removes both.
  /// - Returns: The error of the name; `nil` if there is none, or if no name can be tried.
  private func tryName(_ name: String) -> SystemError? {
    let hidden = ".\(UUID().uuidString).part"
    guard mkdirat(descriptor, hidden, 0o700) == 0 else { return nil }
    defer { unlinkat(descriptor, hidden, AT_REMOVEDIR) }
    let inner = openat(descriptor, hidden, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { return nil }
    defer { close(inner) }
    let file = openat(inner, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return SystemError("open") }
    close(file)
    unlinkat(inner, name, 0)
    return nil
  }
}

extension PartFile {
  /// Checks a length in bytes. The kernel knows the limits of the file system (4 GiB on FAT) and of the process.
  /// - Throws: ``Failure`` that names the limit.
  func checkLength(_ length: Int64) throws(Failure) {
    let path = PathText.join(directory.path, name)
    // Moving the position is harmless: all reads and writes name theirs.
    if length > 0, lseek(descriptor, off_t(length - 1), SEEK_SET) < 0, errno == EINVAL || errno == EOVERFLOW {
      throw Failure(
        .file, path, "\(ByteCount.text(length)) are too much for a file of this file system",
        advice: "choose another disk with \(.directory)", recovery: .keep)
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < UInt64(max(length, 0)) {
      throw Failure(
        .file, path,
        "\(ByteCount.text(length)) are over the limit of this process, \(ByteCount.text(Int64(clamping: limit.rlim_cur)))",
        advice: "raise `ulimit -f`", recovery: .keep)
    }
  }
}
