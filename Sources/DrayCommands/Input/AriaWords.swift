// Reads a command line or a configuration of aria2, and gives its options by their full names, and its URIs. The code
// in this file has no effects outside its values.

internal import DrayKit
internal import DrayServer

struct AriaWords: Equatable {
  /// The text that the line asks for, if it asks for one instead of downloads.
  enum Request: Equatable { case help, version }

  private(set) var request: Request?
  private(set) var uris: [String] = []
  private(set) var headers: [String] = []
  private var values: [String: String] = [:]

  /// Reads the words after `aria2c`.
  /// - Throws: Kind `usage` for an option that aria2 does not have, and for a value that is missing or invalid.
  init(_ typed: [String]) throws(Failure) {
    var rest = typed[...]
    while let word = rest.popFirst() {
      if word == "--" {
        uris += rest
        return
      }
      if word == "-" || !word.hasPrefix("-") {
        uris.append(word)
      } else if word.hasPrefix("--") {
        try takeLong(word, &rest)
      } else {
        try takeShort(word, &rest)
      }
    }
  }

  /// Reads a configuration. As in aria2, lines without an option of aria2 are ignored.
  /// - Parameter home: The value that replaces `${HOME}`.
  init(configuration text: String, home: String) throws(Failure) {
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.trimmingSpaces()
      guard words.first != "#", let mark = words.firstIndex(of: "="),
        let option = Aria2Option.named(String(words[..<mark].trimmingSpaces()))
      else { continue }
      let value = String(words[words.index(after: mark)...].trimmingSpaces())
      try set(option, value.replacing("${HOME}", with: home), "aria2.conf: \(option.name)")
    }
  }

  /// Adds the options of a configuration. Options of the line itself take precedence.
  mutating func add(_ configuration: AriaWords) {
    values.merge(configuration.values) { own, _ in own }
    headers = configuration.headers + headers
  }

  mutating func remove(_ name: String) { values[name] = nil }

  /// The names of the options that were given, sorted, except `header`.
  var names: [String] { values.keys.sorted() }

  /// The value of an option; `nil` if the option is missing or empty.
  subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether an option was given, even if its value is empty.
  func has(_ name: String) -> Bool { values[name] != nil }

  func isOn(_ name: String) -> Bool { values[name] == "true" }

  /// Whether a switch was set to `false`.
  func isOff(_ name: String) -> Bool { values[name] == "false" }

  // MARK: Words

  private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if name == "help" || name == "version" {
      request = name == "help" ? .help : .version
      return
    }
    guard let option = Aria2Option.named(name) else { throw AriaWords.unknown("--\(name)") }
    try take(option, parts.count > 1 ? String(parts[1]) : nil, &rest, "--\(option.name)")
  }

  private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      if letter == "h" || letter == "v" {
        request = letter == "h" ? .help : .version
        return
      }
      guard let option = Aria2Option.lettered(letter) else { throw AriaWords.unknown("-\(letter)") }
      let joined = letters.isEmpty ? nil : String(letters)
      // In dray, other letters may follow a switch in the same word. In aria2, all these letters are the value of the
      // switch.
      let isCluster = option.isSwitch && !["true", "false", nil].contains(joined)
      try take(option, isCluster ? nil : joined, &rest, "-\(letter)")
      if !isCluster { return }
    }
  }

  private mutating func take(
    _ option: Aria2Option, _ joined: String?, _ rest: inout ArraySlice<String>, _ place: String
  ) throws(Failure) {
    let value = option.isSwitch ? joined ?? "true" : joined ?? rest.popFirst()
    guard let value else { throw OptionValue.bad(place, "its value is missing") }
    try set(option, value, place)
  }

  private mutating func set(_ option: Aria2Option, _ value: String, _ place: String) throws(Failure) {
    guard option.accepts(value) else {
      throw OptionValue.bad(place, "\(OptionValue.quote(value)) is neither true nor false")
    }
    if option.name == "header" { headers.append(value) } else { values[option.name] = value }
  }

  private static func unknown(_ name: String) -> Failure {
    OptionValue.bad(TextSafety.escaped(name.start(60)), "aria2 does not have this option")
  }
}
