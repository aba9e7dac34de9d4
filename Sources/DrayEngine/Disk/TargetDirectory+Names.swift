// Finds out whether a file system takes a name or a size, before the first byte of a file comes.

internal import CLinux
public import DrayCore
internal import FoundationEssentials
internal import Glibc
internal import Posix

extension TargetDirectory {
  /// Finds out whether a file can have a name here. Names that every file system takes are not tried, nor any on those of Linux, of
  /// which only the length matters; others are tried in a hidden directory that is removed again.
  /// - Throws: ``Failure`` that says what the file system has against the name, and which one would do.
  public func checkName(_ name: String) throws(Failure) {
    if fileSystem.isNative {
      if name.utf8.count > 255 { throw refusal(of: name, isTooLong: true) }
      return
    }
    guard !NameObjection.isPlain(name), let error = tryName(name) else { return }
    if let refusal = refusal(of: name, error) { throw refusal }
  }

  /// The failure of a file whose name is refused; `nil` if an error does not speak of the name.
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
      .file, Job.join(path, name), objection.reason,
      advice: "\(.setOutput) gives it another name, such as \(TextSafety.escaped(objection.suggestion))",
      recovery: .keep)
  }

  /// Makes an empty file with a name in a hidden directory, and removes both.
  /// - Returns: the error that the name met; `nil` also where it cannot be tried.
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
  /// Finds out whether the file can have a length, in bytes: the kernel knows the limit of each file system (4 GiB on FAT), and that
  /// of the process.
  /// - Throws: ``Failure`` that names the limit.
  func checkLength(_ length: Int64) throws(Failure) {
    let path = Job.join(directory.path, name)
    // Nothing is moved by it: all reading and writing says where.
    if length > 0, lseek(descriptor, off_t(length - 1), SEEK_SET) < 0, errno == EINVAL || errno == EOVERFLOW {
      throw Failure(
        .file, path, "\(ByteCount.text(length)) are more than this file system takes in one file",
        advice: "choose another disk with \(.directory)", recovery: .keep)
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < UInt64(max(length, 0)) {
      throw Failure(
        .file, path,
        "\(ByteCount.text(length)) are more than the limit of this process, \(ByteCount.text(Int64(clamping: limit.rlim_cur)))",
        advice: "raise `ulimit -f`", recovery: .keep)
    }
  }
}
