// A small file written in one go.

internal import DrayCore
public import Posix

extension PartFile {
  /// Makes `bytes` all of it, gives it the mode that the umask leaves a new file, unless it is to be private, and makes it
  /// durable.
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
