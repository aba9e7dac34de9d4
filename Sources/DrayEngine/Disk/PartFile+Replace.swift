// Writes a small file as a whole.

internal import DrayCore
public import Posix

extension PartFile {
  /// Replaces the content by `bytes`, durably. Unless `isPrivate` is set, the file gets the mode of a new file under
  /// the umask.
  public func replace(with bytes: [UInt8], isPrivate: Bool = false) throws(SystemError) {
    let result: Result<Void, SystemError> = bytes.withUnsafeBytes { buffer in
      do throws(SystemError) { return .success(try write(buffer, at: 0)) } catch { return .failure(error) }
    }
    try result.get()
    try truncate(to: Int64(bytes.count))
    if !isPrivate { makePublic() }
    try sync()
  }
}
