// What options are checked against: files, the environment, and the terminal. Tests use other surroundings.

internal import DrayKit
internal import Posix
internal import Synchronization

/// Standard input, which can be read only once. The first option that reserves it can read it.
final class InputReservation: Sendable {
  private let option = Mutex<String?>(nil)

  /// Reserves standard input for an option.
  /// - Throws: Kind `usage` if another option has reserved standard input.
  func reserve(_ name: String) throws(Failure) {
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
  /// Returns the canonical path, without links, `.` and `..`; `nil` if nothing exists at the path.
  var realPath: @Sendable (String) -> String? = { _ in nil }
  /// Reads the first bytes of a file or a pipe, up to a limit.
  var read: @Sendable (String, _ limit: Int) -> Result<[UInt8], SystemError>
  var readStandardInput: @Sendable (_ limit: Int) -> Result<[UInt8], SystemError>
  /// Asks the user for a password; returns `nil` if there is no terminal.
  var askPassword: @Sendable (String) -> String?
  /// Remembers which option reads standard input.
  let input = InputReservation()

  /// The maximum number of bytes in header fields, cookies, keys and documents.
  static let limit = 64 << 20
  /// The maximum number of bytes in a list of URLs, and in a body that is kept in memory.
  static let longLimit = 1 << 30

  /// Returns the surroundings of this process.
  /// - Throws: Kind `usage` if the current directory no longer exists.
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

  /// Returns a typed path in which the home directory replaces a leading `~`.
  func homed(_ path: String) -> String { PathText.homed(path, home: environment["HOME"]) }

  func absolute(_ path: String) -> String { PathText.absolute(homed(path), from: currentDirectory) }

  /// Reads the file that an option names. The file is read only once, so it may be a pipe (`<(command)`), as with curl.
  /// The name `-` means standard input.
  /// - Throws: Kind `usage` if the file cannot be read, or if it has more than `limit` bytes.
  func contents(_ path: String, _ option: String, limit: Int = Surroundings.limit) throws(Failure) -> [UInt8] {
    guard path != "-" else { return try standardInput(option, limit: limit) }
    switch read(try checkSource(path, option), limit + 1) {
    case .success(let bytes):
      try Surroundings.check(bytes.count, limit, "\(option) \(TextSafety.escaped(path))")
      return bytes
    case .failure(let error): throw unreadable(path, option, error.text)
    }
  }

  /// Checks that any process which transfers the job can read a file later.
  /// - Returns: The absolute path of the file.
  @discardableResult
  func check(_ path: String, _ option: String) throws(Failure) -> String {
    guard !path.isEmpty else { throw OptionValue.bad(option, "it is empty: name a file") }
    let absolute = self.absolute(path)
    switch kind(absolute) {
    case .file: return absolute
    case .missing: throw unreadable(path, option, "no such file")
    case .directory: throw unreadable(path, option, "it is a directory")
    case .other:
      throw unreadable(
        path, option, "it is a pipe or a device, but is read again at each connection: save it as a file and name that"
      )
    case .unreadable(let error): throw unreadable(path, option, error.text)
    }
  }

  /// Returns a public key for minisign: the key itself, or the absolute path of the file with the key.
  func minisignKey(_ text: String, _ option: String) throws(Failure) -> String {
    let base64 = text.utf8.allSatisfy { byte in
      Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber || "+/=".utf8.contains(byte)
    }
    // The key has 42 bytes: two for the algorithm, eight for the key's number, and the rest for the key itself.
    if text.utf8.count == 56, base64, text.hasPrefix("RW") { return text }
    return try check(text, option)
  }

  /// Returns an absolute path without `..` if that is possible, because the paths of targets are compared as texts. The
  /// part of the path after the last `..` need not exist.
  func withoutParents(_ path: String) -> String {
    if ObjectPlace.isMeant(by: path) { return path }
    let parts = path.split(separator: "/")
    guard let last = parts.lastIndex(of: ".."),
      let parent = realPath("/" + parts[...last].joined(separator: "/"))
    else { return path }
    return PathText.absolute(parts[(last + 1)...].joined(separator: "/"), from: parent)
  }

  /// Whether a path leads to something that can be read only once, such as a pipe.
  func isPipe(_ path: String) -> Bool { kind(absolute(path)) == .other }

  /// Checks that a file or a pipe can be read once from start to end.
  /// - Returns: The absolute path of the file or pipe.
  func checkSource(_ path: String, _ option: String) throws(Failure) -> String {
    let absolute = self.absolute(path)
    return !path.isEmpty && kind(absolute) == .other ? absolute : try check(path, option)
  }

  /// Reads a file as text, in the same way as ``contents(_:_:limit:)``.
  /// - Throws: Kind `usage` as ``contents(_:_:limit:)`` does, and, with the number of the line, for text that is not
  ///   UTF-8.
  func textContents(_ path: String, _ option: String, limit: Int = Surroundings.limit) throws(Failure) -> String {
    let bytes = try contents(path, option, limit: limit)
    guard let text = OutsideText.text(bytes) else {
      let name = path == "-" ? "standard input" : TextSafety.escaped(path)
      throw OptionValue.bad(
        "\(option) \(name):\(OutsideText.badLine(in: bytes) ?? 1)", "the line is not UTF-8: save the file as UTF-8")
    }
    return text
  }

  /// Checks that a file is UTF-8 text that can also be read later.
  /// - Returns: The absolute path of the file.
  func checkText(_ path: String, _ option: String, limit: Int = Surroundings.limit) throws(Failure) -> String {
    let absolute = try check(path, option)
    _ = try textContents(path, option, limit: limit)
    return absolute
  }

  /// Returns the text that an option's value means: the value itself, the content of FILE for `@FILE`, or standard
  /// input for `@-`.
  func text(_ value: String, _ option: String) throws(Failure) -> [UInt8] {
    guard value.hasPrefix("@") else { return Array(value.utf8) }
    return try contents(String(value.dropFirst()), option, limit: Surroundings.longLimit)
  }

  /// Reads standard input to its end.
  /// - Throws: Kind `usage` if it cannot be read, if another option has read it, or if it has more than `limit` bytes.
  func standardInput(_ option: String, limit: Int = Surroundings.limit) throws(Failure) -> [UInt8] {
    try input.reserve(option)
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
    let name = TextSafety.escaped(path)
    return OptionValue.bad(option == "the file" ? name : "\(option) \(name)", reason)
  }

  /// Returns the absolute path of a directory that exists or could be created.
  func directory(_ text: String, _ option: String) throws(Failure) -> String {
    guard !text.isEmpty else { throw OptionValue.bad(option, "it has no directory", advice: "name one") }
    guard !ObjectPlace.isMeant(by: text) else {
      throw OptionValue.bad(option, "\(OptionValue.quote(text)) is not a directory on this machine")
    }
    let path = withoutParents(absolute(text))
    guard kind(path) != .file, kind(path) != .other else {
      throw OptionValue.bad(option, "\(path) is a file, not a directory")
    }
    try checkDirectory(path, option)
    return path
  }

  /// Checks that a path is a directory or could become one, or that it is a place in an object store.
  func checkDirectory(_ path: String, _ option: String) throws(Failure) {
    guard !ObjectPlace.isMeant(by: path) else {
      _ = try OptionValue.object(option) { () throws(ObjectPlaceError) in try ObjectPlace(parsing: path) }
      return
    }
    switch kind(path) {
    case .directory, .missing: return
    case .file, .other:
      throw OptionValue.bad(option, "\(path) is a file, not a directory", advice: "-o names a file")
    case .unreadable(let error):
      throw OptionValue.bad(option, "\(path) cannot be used: \(error.text)", advice: "choose another directory")
    }
  }
}
