// What the options are checked against: files, environment, the terminal. Tests put their own in its place.

internal import DrayKit
internal import Posix
internal import Synchronization

/// Standard input can be read once: the first option to ask for it has it.
final class InputClaim: Sendable {
  private let option = Mutex<String?>(nil)

  /// Reserves standard input for an option.
  /// - Throws: kind `usage` where another has it.
  func claim(_ name: String) throws(Failure) {
    let other = option.withLock { first in
      defer { first = first ?? name }
      return first
    }
    if let other {
      throw OptionValue.bad("\(other) and \(name)", "both read standard input: use a file for one of them")
    }
  }
}

struct Surroundings: Sendable {
  var currentDirectory: String
  var environment: [String: String]
  var kind: @Sendable (String) -> System.Kind
  /// The one path without links, `.` and `..` of what is at a path; nil for what is not there.
  var realPath: @Sendable (String) -> String? = { _ in nil }
  /// The first bytes of a file or a pipe, at most so many.
  var read: @Sendable (String, _ limit: Int) -> Result<[UInt8], SystemError>
  var readStandardInput: @Sendable (_ limit: Int) -> Result<[UInt8], SystemError>
  /// Asks for a password; nil if there is no terminal to ask on.
  var askPassword: @Sendable (String) -> String?
  /// Who reads standard input.
  let input = InputClaim()

  /// The most that is read of header fields, cookies, keys and documents.
  static let limit = 64 << 20
  /// The most that is read of a list of URLs, and of a body that is kept in memory.
  static let longLimit = 1 << 30

  /// Those of this process.
  /// - Throws: kind `usage` where the current directory was removed.
  static func real() throws(Failure) -> Surroundings {
    guard let current = System.currentDirectory else {
      if let bytes = System.currentDirectoryBytes { throw OutsideText.refusal(directory: bytes) }
      throw Failure(.usage, "the current directory", "it no longer exists", advice: "change to an existing one")
    }
    return Surroundings(
      currentDirectory: current, environment: ProcessVariables.all, kind: System.kind, realPath: System.realPath,
      read: { path, limit in Result { () throws(SystemError) in try System.read(path, limit: limit) } },
      readStandardInput: { limit in Result { () throws(SystemError) in try System.read(0, limit: limit) } },
      askPassword: PasswordPrompt.ask)
  }

  /// The bytes of a file that an option names, which is read now and not again: as with curl it may be a pipe
  /// (`<(command)`), and `-` is standard input.
  /// - Throws: kind `usage`, also for more than `limit` bytes.
  func contents(_ path: String, _ option: String, limit: Int = Surroundings.limit) throws(Failure) -> [UInt8] {
    guard path != "-" else { return try standardInput(option, limit: limit) }
    switch read(try checkSource(path, option), limit + 1) {
    case .success(let bytes):
      try Surroundings.check(bytes.count, limit, "\(option) \(TextSafety.escaped(path))")
      return bytes
    case .failure(let error): throw unreadable(path, option, error.text)
    }
  }

  /// Ensures that a file can be read at any later time, by whichever process transfers the job.
  /// - Returns: its absolute path.
  @discardableResult
  func check(_ path: String, _ option: String) throws(Failure) -> String {
    guard !path.isEmpty else { throw OptionValue.bad(option, "it is empty: name a file") }
    let absolute = PathText.absolute(path, from: currentDirectory)
    switch kind(absolute) {
    case .file: return absolute
    case .missing: throw unreadable(path, option, "it does not exist")
    case .directory: throw unreadable(path, option, "it is a directory")
    case .other:
      throw unreadable(
        path, option, "it is a pipe or a device, but is read again at each connection: save it as a file and name that"
      )
    case .unreadable(let error): throw unreadable(path, option, error.text)
    }
  }

  /// A public key of minisign: the key itself, or the absolute path of a file that has it.
  func minisignKey(_ text: String, _ option: String) throws(Failure) -> String {
    let base64 = text.utf8.allSatisfy { byte in
      Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber || "+/=".utf8.contains(byte)
    }
    // 42 bytes: two that name the algorithm, eight that number the key, and the key.
    if text.utf8.count == 56, base64, text.hasPrefix("RW") { return text }
    return try check(text, option)
  }

  /// An absolute path without `..`, where that is known: jobs have one target if the paths of their targets are the same
  /// text. What follows the last `..` need not exist.
  func withoutParents(_ path: String) -> String {
    let parts = path.split(separator: "/")
    guard let last = parts.lastIndex(of: ".."),
      let parent = realPath("/" + parts[...last].joined(separator: "/"))
    else { return path }
    return PathText.absolute(parts[(last + 1)...].joined(separator: "/"), from: parent)
  }

  /// Whether a path leads to something that can be read once only.
  func isPipe(_ path: String) -> Bool { kind(PathText.absolute(path, from: currentDirectory)) == .other }

  /// Ensures that a file can be read from its start to its end; a fifo will do.
  /// - Returns: its absolute path.
  func checkSource(_ path: String, _ option: String) throws(Failure) -> String {
    let absolute = PathText.absolute(path, from: currentDirectory)
    return !path.isEmpty && kind(absolute) == .other ? absolute : try check(path, option)
  }

  /// The same as text.
  /// - Throws: kind `usage`, with the line, also for bytes that are not UTF-8: they would become other text.
  func textContents(_ path: String, _ option: String, limit: Int = Surroundings.limit) throws(Failure) -> String {
    let bytes = try contents(path, option, limit: limit)
    guard let text = OutsideText.text(bytes) else {
      let name = path == "-" ? "standard input" : TextSafety.escaped(path)
      throw OptionValue.bad(
        "\(option) \(name):\(OutsideText.badLine(in: bytes) ?? 1)", "the line is not UTF-8: save the file as UTF-8")
    }
    return text
  }

  /// Ensures that a text file is UTF-8 and can be read later.
  /// - Returns: its absolute path.
  func checkText(_ path: String, _ option: String, limit: Int = Surroundings.limit) throws(Failure) -> String {
    let absolute = try check(path, option)
    _ = try textContents(path, option, limit: limit)
    return absolute
  }

  /// The value of an option: the text itself, `@FILE`, or `@-` for standard input.
  func text(_ value: String, _ option: String) throws(Failure) -> [UInt8] {
    guard value.hasPrefix("@") else { return Array(value.utf8) }
    return try contents(String(value.dropFirst()), option, limit: Surroundings.longLimit)
  }

  /// All of standard input.
  /// - Throws: kind `usage`, also where another option has read it, and for more than `limit` bytes.
  func standardInput(_ option: String, limit: Int = Surroundings.limit) throws(Failure) -> [UInt8] {
    try input.claim(option)
    switch readStandardInput(limit + 1) {
    case .success(let bytes):
      try Surroundings.check(bytes.count, limit, "\(option): standard input")
      return bytes
    case .failure(let error): throw OptionValue.bad(option, "standard input cannot be read: \(error.text)")
    }
  }

  private static func check(_ count: Int, _ limit: Int, _ subject: String) throws(Failure) {
    guard count > limit else { return }
    throw OptionValue.bad(subject, "it is larger than the limit of \(limit >> 20) MiB")
  }

  private func unreadable(_ path: String, _ option: String, _ reason: String) -> Failure {
    OptionValue.bad(option, "\(OptionValue.quote(path)) cannot be read: \(reason)")
  }

  /// Ensures that a directory is one, or could be made.
  func checkDirectory(_ path: String, _ option: String) throws(Failure) {
    switch kind(path) {
    case .directory, .missing: return
    case .file, .other:
      throw OptionValue.bad(option, "\(path) is a file, not a directory", advice: "-o names a file")
    case .unreadable(let error):
      throw OptionValue.bad(option, "\(path) cannot be used: \(error.text)", advice: "choose another directory")
    }
  }
}
