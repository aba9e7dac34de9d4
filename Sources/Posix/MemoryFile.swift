// A file for a library that reads only files.

internal import CLinux
internal import Glibc

/// A file in memory with a path, until it is closed (`memfd_create(2)`). On a system without such files it is in the
/// directory for temporary files. Children do not inherit it.
public struct MemoryFile: Sendable {
  /// Opens the file, in this process only.
  public let path: String
  private let descriptor: Int32

  public init(_ name: String, _ bytes: some Collection<UInt8>) throws(SystemError) {
    #if DRAY_PORTABLE
    var template = Array((System.temporaryDirectory + "/\(name)-XXXXXX").utf8CString)
    descriptor = try System.retrying("mkstemp") { mkstemp(&template) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
    // MFD_CLOEXEC
    descriptor = try System.retrying("memfd_create") { memfd_create(name, 1) }
    path = "/proc/self/fd/\(descriptor)"
    #endif
    do throws(SystemError) { try System.write(bytes, to: descriptor) } catch {
      close()
      throw error
    }
  }

  public func close() {
    System.close(descriptor)
    #if DRAY_PORTABLE
    unlink(path)
    #endif
  }
}
