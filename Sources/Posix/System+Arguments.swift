// The arguments and the environment with which this process was started.

internal import Glibc

extension System {
  /// Returns the start of a file of Linux about processes (proc(5)); `nil` on a system without them.
  public static func processFile(_ name: String, limit: Int) -> [UInt8]? {
    #if DRAY_PORTABLE
    return nil
    #else
    return try? read("/proc/" + name, limit: limit)
    #endif
  }

  /// The words of the command line, with the program first.
  ///
  /// They come from the kernel (proc(5)). Swift's runtime would search the stack from the environment on, and find no
  /// words if a preloaded library has set a variable and thus moved the environment.
  public static let arguments: [String] = argumentBytes.map { String(decoding: $0, as: UTF8.self) }

  /// The same words as bytes, which need not be UTF-8.
  public static let argumentBytes: [[UInt8]] = {
    let bytes = processFile("self/cmdline", limit: 64 << 20) ?? []
    guard !bytes.isEmpty else { return CommandLine.arguments.map { Array($0.utf8) } }
    // Each word ends with a zero byte. A word may be empty.
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
  }()

  /// The initial environment of this process: the bytes of each `NAME=VALUE`.
  public static var environmentBytes: [[UInt8]] {
    #if DRAY_PORTABLE
    return environment().compactMap { $0.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }
    #else
    let bytes = processFile("self/environ", limit: 64 << 20) ?? []
    return bytes.split(separator: 0).map { Array($0) }
    #endif
  }
}
