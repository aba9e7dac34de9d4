// `-o -`, and the paths of open descriptors and of /dev/null. The bytes are written to the descriptor, and no file is
// created.

internal import DrayKit
internal import Posix

/// The destination that `-o` names, if that is not a file.
enum OutputDescriptor: Equatable {
  /// Standard output, or the descriptor that a path such as `/dev/fd/3` names.
  case open(Int32)
  /// `/dev/null`: the file is checked and not kept.
  case null

  /// Parses the values of several `-o`: either all of them are /dev/null, or there is only one. Returns `nil` for
  /// files.
  static func of(_ outputs: [String], dir: String?, base: String) -> OutputDescriptor? {
    let all = outputs.map { of($0, dir: dir, base: base) }
    return all.count > 1 && !all.allSatisfy { $0 == .null } ? nil : all.first ?? nil
  }

  /// Parses the value of `-o`, which is relative to that of `-d`. Returns `nil` for a file.
  /// - Parameter base: The current directory.
  static func of(_ output: String?, dir: String?, base: String) -> OutputDescriptor? {
    guard let output else { return nil }
    if output == "-" { return .open(1) }
    let path = PathText.absolute(output, from: PathText.absolute(dir ?? "", from: base))
    switch path {
    case "/dev/null": return .null
    case "/dev/stdout": return .open(1)
    case "/dev/stderr": return .open(2)
    default:
      for start in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(start) {
        if let number = Int32(path.dropFirst(start.count)), number >= 0 { return .open(number) }
      }
      return nil
    }
  }

  /// Runs `body` with the descriptor to which the bytes are written.
  /// - Throws: Kind `usage` if the descriptor is not open for writing.
  func use<Value>(_ body: (Int32) async throws -> Value) async throws -> Value {
    switch self {
    case .open(let descriptor):
      guard System.isWritable(descriptor) else {
        throw OptionValue.bad("-o", "descriptor \(descriptor) is not open for writing")
      }
      return try await body(descriptor)
    case .null:
      let descriptor: Int32
      do throws(SystemError) { descriptor = try System.open("/dev/null", .writing) } catch {
        throw Failure(.file, "/dev/null", error.text, advice: "name a file with \(.output)")
      }
      defer { System.close(descriptor) }
      return try await body(descriptor)
    }
  }
}
