// Memory that belongs to a file.

internal import Glibc

extension System {
  /// Creates a file of `size` zeros that nobody else can read, and returns it as shared memory (`mmap(2)`). The system
  /// keeps what is stored there when the process dies.
  /// - Parameter path: Must not exist.
  public static func createMapped(_ path: String, size: Int) throws(SystemError) -> UnsafeMutableRawBufferPointer {
    let descriptor = try open(path, .new, mode: 0o600)
    defer { close(descriptor) }
    do throws(SystemError) {
      try truncate(descriptor, to: Int64(size))
      guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
        throw SystemError("mmap")
      }
      return UnsafeMutableRawBufferPointer(start: memory, count: size)
    } catch {
      remove(path)
      throw error
    }
  }

  /// Gives back memory of ``createMapped(_:size:)`` (`munmap(2)`). The file keeps what was stored there.
  public static func unmap(_ memory: UnsafeMutableRawBufferPointer) { munmap(memory.baseAddress, memory.count) }

  /// Identifies the boot of this machine; `nil` if the system does not tell (proc(5)).
  public static let boot: String? = processFile("sys/kernel/random/boot_id", limit: 1 << 6).map {
    String(decoding: $0.prefix { $0 != 0x0a }, as: UTF8.self)
  }
}
