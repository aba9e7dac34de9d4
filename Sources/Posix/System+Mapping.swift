// Memory that belongs to a file, and outlives its process.

internal import CLinux
internal import Glibc
internal import Synchronization

extension System {
  /// Creates a file of `size` zeros that nobody else can read, and returns it as shared memory (`mmap(2)`). The system
  /// keeps what is stored there when the process dies. If the disk is full or gone later, the memory no longer belongs
  /// to the file.
  /// - Parameter path: Must not exist.
  public static func createMapped(_ path: String, size: Int) throws(SystemError) -> UnsafeMutableRawBufferPointer {
    let descriptor = try open(path, .new, mode: 0o600)
    defer { close(descriptor) }
    do throws(SystemError) {
      // A hole would need room at its first use.
      let code = posix_fallocate(descriptor, 0, off_t(size))
      guard code == 0 else { throw SystemError("fallocate", code) }
      guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
        throw SystemError("mmap")
      }
      let isProtected = mappingTurn.withLock { _ in dray_protect_mapped(memory, size) != 0 }
      guard isProtected else {
        munmap(memory, size)
        throw SystemError("mmap", ENOMEM)
      }
      return UnsafeMutableRawBufferPointer(start: memory, count: size)
    } catch {
      remove(path)
      throw error
    }
  }

  /// Gives back memory of ``createMapped(_:size:)`` (`munmap(2)`). The file keeps what was stored there.
  public static func unmap(_ memory: UnsafeMutableRawBufferPointer) {
    dray_forget_mapped(memory.baseAddress)
    munmap(memory.baseAddress, memory.count)
  }

  /// Held while memory of a file is entered.
  private static let mappingTurn = Mutex<Void>(())

  /// Identifies the boot of this machine; `nil` if the system does not tell (proc(5)).
  public static let boot: String? = processFile("sys/kernel/random/boot_id", limit: 1 << 6).map {
    String(decoding: $0.prefix { $0 != 0x0a }, as: UTF8.self)
  }
}
