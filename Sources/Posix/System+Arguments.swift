// The words that this process was started with.

extension System {
  /// The words of the command line, the program's own first.
  ///
  /// As the kernel has them (proc(5)): Swift's runtime looks for them on the stack, from the environment on, and finds none
  /// where a preloaded library has set a variable, so that the environment is elsewhere.
  public static let arguments: [String] = argumentBytes.map { String(decoding: $0, as: UTF8.self) }

  /// The same as bytes, which need not be UTF-8.
  public static let argumentBytes: [[UInt8]] = {
    let bytes = (try? read("/proc/self/cmdline", limit: 64 << 20)) ?? []
    guard !bytes.isEmpty else { return CommandLine.arguments.map { Array($0.utf8) } }
    // Each ends with a zero; one may be empty.
    return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
  }()

  /// The initial environment of this process, each variable as the bytes of `NAME=VALUE`.
  public static var environmentBytes: [[UInt8]] {
    let bytes = (try? read("/proc/self/environ", limit: 64 << 20)) ?? []
    return bytes.split(separator: 0).map { Array($0) }
  }
}
