// Checks, before the first byte arrives, whether the file system accepts the name and the size of a file.

public import DrayCore
internal import FoundationEssentials
internal import Posix

extension TargetDirectory {
  /// Checks whether the directory's file system accepts a name. A name that every file system accepts is not checked.
  /// On native Linux file systems, only the length of the name is checked. Other names are tried in a hidden directory,
  /// which is removed afterwards.
  /// - Throws: ``Failure`` with the file system's objection and an accepted name.
  public func checkName(_ name: String) throws(Failure) {
    if fileSystem.isNative {
      if name.utf8.count > 255 { throw refusal(of: name, isTooLong: true) }
      return
    }
    guard !NameObjection.isPlain(name), let error = tryName(name) else { return }
    if let refusal = refusal(of: name, error) { throw refusal }
  }

  /// Returns the failure; `nil` if the error is not about the name.
  func refusal(of name: String, _ error: SystemError) -> Failure? {
    switch error.code {
    case SystemError.nameTooLong: refusal(of: name, isTooLong: true)
    case SystemError.invalid, SystemError.badCharacters:
      NameObjection.isPlain(name) ? nil : refusal(of: name, isTooLong: false)
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

  /// Creates an empty file with this name in a hidden directory, and removes both.
  /// - Returns: The error that the name causes; `nil` if it causes none, or if the trial is impossible.
  private func tryName(_ name: String) -> SystemError? {
    let hidden = ".\(UUID().uuidString).part"
    guard (try? System.makeDirectory(hidden, in: descriptor, mode: 0o700)) != nil else { return nil }
    defer { try? System.unlink(hidden, in: descriptor, isDirectory: true) }
    guard let inner = try? System.open(hidden, in: descriptor, [.reading, .directory, .noFollow]) else { return nil }
    defer { System.close(inner) }
    do throws(SystemError) { System.close(try System.open(name, in: inner, .new, mode: 0o600)) } catch { return error }
    try? System.unlink(name, in: inner)
    return nil
  }
}

extension PartFile {
  /// Checks a length in bytes. The kernel knows the limits of the file system (4 GiB on FAT) and of the process.
  /// - Throws: ``Failure`` that names the limit.
  func checkLength(_ length: Int64) throws(Failure) {
    let path = PathText.join(directory.path, name)
    // Moving the file position is harmless, because all reads and writes name their positions.
    do throws(SystemError) { if length > 0 { try System.seek(descriptor, to: length - 1) } } catch {
      if error.code == SystemError.invalid || error.code == SystemError.overflow {
        throw Failure(
          .file, path, "\(ByteCount.text(length)) are too much for a file of this file system",
          advice: "choose another disk with \(.directory)", recovery: .keep)
      }
    }
    if let limit = System.fileSizeLimit, limit < UInt64(max(length, 0)) {
      throw Failure(
        .file, path,
        "\(ByteCount.text(length)) are over the limit of this process, \(ByteCount.text(Int64(clamping: limit)))",
        advice: "raise `ulimit -f`", recovery: .keep)
    }
  }
}
