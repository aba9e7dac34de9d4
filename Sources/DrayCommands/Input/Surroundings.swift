// What the options are checked against: files, environment, the terminal. Tests put their own in its place.

internal import DrayKit

struct Surroundings: Sendable {
  var currentDirectory: String
  var environment: [String: String]
  var kind: @Sendable (String) -> System.Kind
  var read: @Sendable (String) -> Result<[UInt8], SystemFailure>
  var readStandardInput: @Sendable () -> Result<[UInt8], SystemFailure>
  /// Asks for a password; nil where there is no terminal to ask on.
  var askPassword: @Sendable (String) -> String?

  /// Those of this process.
  /// - Throws: kind `usage` where the current directory was removed.
  static func real() throws(Failure) -> Surroundings {
    guard let current = System.currentDirectory else {
      throw Failure(.usage, "the current directory", "it is gone", advice: "change to one that is there")
    }
    return Surroundings(
      currentDirectory: current, environment: ProcessVariables.all, kind: System.kind, read: System.read(_:),
      readStandardInput: { System.read(0) }, askPassword: PasswordPrompt.ask)
  }

  /// The bytes of a regular file that an option names.
  /// - Throws: kind `usage`.
  func contents(_ path: String, _ option: String) throws(Failure) -> [UInt8] {
    try check(path, option)
    switch read(PathText.absolute(path, from: currentDirectory)) {
    case .success(let bytes): return bytes
    case .failure(let error): throw unreadable(path, option, error.text)
    }
  }

  /// Sees to it that a file can be read.
  /// - Returns: its absolute path.
  @discardableResult
  func check(_ path: String, _ option: String) throws(Failure) -> String {
    guard !path.isEmpty else { throw OptionValue.bad(option, "it is empty: name a file") }
    let absolute = PathText.absolute(path, from: currentDirectory)
    switch kind(absolute) {
    case .file: return absolute
    case .missing: throw unreadable(path, option, "it is not there")
    case .directory: throw unreadable(path, option, "it is a directory")
    case .other: throw unreadable(path, option, "it is no regular file; - reads standard input")
    case .unreadable(let code): throw unreadable(path, option, System.words(code))
    }
  }

  /// Sees to it that a file can be read from its start to its end; a fifo will do.
  /// - Returns: its absolute path.
  func checkSource(_ path: String, _ option: String) throws(Failure) -> String {
    let absolute = PathText.absolute(path, from: currentDirectory)
    return !path.isEmpty && kind(absolute) == .other ? absolute : try check(path, option)
  }

  /// The value of an option: the text itself, `@FILE`, or `@-` for standard input.
  func text(_ value: String, _ option: String) throws(Failure) -> [UInt8] {
    guard value.hasPrefix("@") else { return Array(value.utf8) }
    return value == "@-" ? try standardInput(option) : try contents(String(value.dropFirst()), option)
  }

  /// All of standard input.
  func standardInput(_ option: String) throws(Failure) -> [UInt8] {
    switch readStandardInput() {
    case .success(let bytes): return bytes
    case .failure(let error): throw OptionValue.bad(option, "standard input cannot be read: \(error.text)")
    }
  }

  private func unreadable(_ path: String, _ option: String, _ reason: String) -> Failure {
    OptionValue.bad(option, "\(OptionValue.quote(path)) cannot be read: \(reason)")
  }

  /// Sees to it that a directory is one, or could be made.
  func checkDirectory(_ path: String, _ option: String) throws(Failure) {
    switch kind(path) {
    case .directory, .missing: return
    case .file, .other:
      throw OptionValue.bad(option, "\(path) is a file, not a directory", advice: "-o names a file")
    case .unreadable(let code):
      throw OptionValue.bad(option, "\(path) cannot be used: \(System.words(code))", advice: "choose another directory")
    }
  }
}
