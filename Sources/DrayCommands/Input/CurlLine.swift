// Translates a command line of curl, such as the one that browsers copy ("Copy as cURL"), into one of `dray get`. The
// options have the meaning that curl gives them. The code in this file has no effects outside its values.

internal import DrayKit

struct CurlLine: Equatable {
  /// The words that follow `dray get`. A value that looks like an option forms one word with its option.
  private(set) var words: [String] = []
  /// The options that have no meaning for dray, as they were typed.
  private(set) var unused: [String] = []
  /// The names of the header fields that are left out, as they were typed.
  private(set) var fields: [String] = []

  private var urls: [String] = []
  private var headers: [String] = []
  private var json: [String] = []

  /// The error for a line that begins with `dray get curl`.
  static let isAnotherCommand = OptionValue.bad(
    "curl", "it is not a URL, and its options have other meanings in `dray get`",
    advice: "for a curl line write `dray curl …`")

  /// Translates the words after `curl`.
  /// - Throws: Kind `usage` with the name of curl's option.
  init(_ typed: some Sequence<String>) throws(Failure) {
    var rest = Array(typed)[...]
    // A line that was pasted after `dray curl` begins with another `curl`.
    if rest.first == "curl" { rest.removeFirst() }
    while let word = rest.popFirst() {
      if word == "--" {
        urls += rest
        rest = []
      } else if word == "-" || !word.hasPrefix("-") {
        urls.append(word)
      } else if word.hasPrefix("--") {
        try long(word, &rest)
      } else {
        try short(word, &rest)
      }
    }
    guard !urls.isEmpty else {
      throw OptionValue.bad("curl", "the line has no URL", advice: "paste all of it, from `curl` to its end")
    }
    for line in headers where keeps(line) { add("--header", line) }
    if !json.isEmpty {
      guard json.count == 1 || !json.contains(where: { $0.hasPrefix("@") }) else {
        throw OptionValue.bad(
          "--json of curl", "several are joined, and one is a file", advice: "write one file of JSON")
      }
      add("--json-body", json.joined())
    }
    words += urls
  }

  /// A remark in one line on the options and fields that are left out; `nil` if there are none.
  var remark: String? {
    var parts: [String] = []
    if !unused.isEmpty {
      parts.append("\(unused.joined(separator: ", ")) \(unused.count == 1 ? "means" : "mean") nothing here")
    }
    if !fields.isEmpty {
      parts.append(
        "left out: \(fields.joined(separator: ", ")) (dray sets \(fields.count == 1 ? "it" : "these") itself)")
    }
    return parts.isEmpty ? nil : "the curl line: " + parts.joined(separator: "; ")
  }

  // MARK: Options

  private mutating func long(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    if let option = CurlOption.named(word) { return try take(option, word, nil, &rest) }
    // curl does not allow `=` here, but the user's intention is clear.
    if let mark = word.firstIndex(of: "="), let option = CurlOption.named(String(word[..<mark])), option.takesValue {
      return try take(option, String(word[..<mark]), String(word[word.index(after: mark)...]), &rest)
    }
    // An option that the line switches off is off in dray anyway.
    if word.hasPrefix("--no-"), CurlOption.named("--" + word.dropFirst(5))?.takesValue == false { return }
    if word.hasPrefix("--expand-") {
      throw OptionValue.bad(TextSafety.escaped(word), "dray has no variables", advice: "write the value itself")
    }
    throw OptionValue.bad(
      TextSafety.escaped(word.start(60)), "this is not a known option of curl", advice: "omit it, or use `dray get`")
  }

  private mutating func short(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = CurlOption.named("-\(letter)") else {
        throw OptionValue.bad(
          TextSafety.escaped("-\(letter)"), "this is not a known option of curl", advice: "omit it, or use `dray get`")
      }
      guard option.takesValue else {
        try take(option, "-\(letter)", nil, &rest)
        continue
      }
      return try take(option, "-\(letter)", letters.isEmpty ? nil : String(letters), &rest)
    }
  }

  private mutating func take(
    _ option: CurlOption, _ name: String, _ joined: String?, _ rest: inout ArraySlice<String>
  ) throws(Failure) {
    if case .refused(let advice) = option.meaning {
      throw OptionValue.bad("\(name) of curl", "dray does not have it", advice: Advice(advice))
    }
    let value = option.takesValue ? joined ?? rest.popFirst() : ""
    guard let value else { throw OptionValue.bad("\(name) of curl", "its value is missing") }
    switch option.meaning {
    case .usual, .refused: break
    case .unused: if !unused.contains(name) { unused.append(name) }
    case .field: headers.append(value)
    case .json: json.append(value)
    case .words(["%"]): urls.append(value)
    case .words(let words): add(words, value)
    case .decided(let decide, let advice):
      guard let words = decide(value) else {
        throw OptionValue.bad(
          "\(name) of curl", "\(OptionValue.quote(value)) has no meaning here", advice: Advice(advice))
      }
      if words.count == 2 { add(words[0], words[1]) } else { self.words += words }
    }
  }

  private mutating func add(_ words: [String], _ value: String) {
    guard words.count == 2 else { return self.words += words }
    add(words[0], words[1].replacing("%", with: value))
  }

  /// Adds an option with its value. The two become one word if the parser would otherwise take the value for an option.
  /// In all other cases they stay two words, because only then can a value be empty.
  private mutating func add(_ option: String, _ value: String) {
    words += value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value]
  }

  // MARK: Header fields

  /// The header fields of a browser's request that a later request must not repeat. These fields concern the
  /// connection, the cache or the range that the browser requested.
  private static let left = FieldRule.own.union([
    "keep-alive", "proxy-connection", "http2-settings", "if-none-match", "if-modified-since", "if-unmodified-since",
    "authority",
  ])
  /// Some browsers copy the pseudo-fields of HTTP/2 without their colons. These are the names of the pseudo-fields that
  /// occur together with `authority`.
  private static let besideAuthority: Set<String> = ["method", "path", "scheme"]

  /// Whether a header field is kept. If it is not, its name is recorded.
  private mutating func keeps(_ line: String) -> Bool {
    guard !line.hasPrefix("@") else { return true }
    let isPseudo = line.hasPrefix(":")
    let name = String((isPseudo ? line.dropFirst() : line[...]).prefix { $0 != ":" && $0 != ";" })
    let value = line.drop { $0 != ":" }.dropFirst().trimmingSpaces()
    let folded = name.lowercased()
    if folded == "host" { return value.lowercased() != authority }
    let hasAuthority = headers.contains { $0.lowercased().hasPrefix("authority:") }
    guard isPseudo || CurlLine.left.contains(folded) || hasAuthority && CurlLine.besideAuthority.contains(folded) else {
      return true
    }
    let shown = TextSafety.escaped((isPseudo ? ":" : "") + name)
    if !value.isEmpty || isPseudo, !fields.contains(shown) { fields.append(shown) }
    return false
  }

  /// The host and the port of the first URL, in the form in which a browser sends them.
  private var authority: String? {
    guard let typed = urls.first, let url = try? RequestURL.parse(SchemeGuess(typed)?.text ?? typed).url else {
      return nil
    }
    return url.port.map { "\(url.host):\($0)" } ?? url.host
  }
}
