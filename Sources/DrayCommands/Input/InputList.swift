// Lists of URLs as aria2 has them (`-i`): a pure parser, which reads all before anything is queued.

internal import DrayKit

/// What the indented lines below a URL said of it, and what was typed in the URL itself.
struct LineOptions: Equatable, Sendable {
  var out: String?
  var dir: String?
  var headers: [HeaderField] = []
  var digest: DigestValue?
  var priority: Int?
  var userAgent: String?
  var referer: String?
  var userInfo: RequestURL.UserInfo?
  /// The document that named the URL; secrets of the command line are for its origin.
  var home: RequestURL?

  static let names = ["out", "dir", "header", "checksum", "priority", "user-agent", "referer"]

  mutating func set(_ name: Substring, _ value: String, _ place: String) throws(Failure) {
    switch name {
    case "out": out = value
    case "dir": dir = value
    case "header": headers.append(try HeaderLine.parse(value, place))
    case "checksum": digest = try OptionValue.digest(value, place)
    case "priority": priority = try OptionValue.count(value, place, JobTemplate.priorities)
    case "user-agent": userAgent = value
    case "referer": referer = value
    default:
      throw OptionValue.bad(
        place, "\(OptionValue.quote(String(name))) is no option of a list",
        advice: "use \(LineOptions.names.map { $0 + "=" }.joined(separator: ", "))")
    }
  }
}

/// A list of URLs: small entries, as there may be 100,000 of them.
struct InputList: Sendable {
  struct Entry: Sendable {
    var url: RequestURL
    var line: Int32
    /// The place of its options in ``InputList/options``, -1 where it has none.
    var options: Int32 = -1
  }

  private(set) var entries: [Entry] = []
  private(set) var options: [LineOptions] = []

  /// The options of an entry.
  func options(of entry: Entry) -> LineOptions {
    options.indices.contains(Int(entry.options)) ? options[Int(entry.options)] : LineOptions()
  }

  /// Adds one URL.
  mutating func append(_ text: String, place: String, line: Int = 0) throws(Failure) {
    do throws(URLParseError) {
      let parsed = try RequestURL.parse(text)
      entries.append(Entry(url: parsed.url, line: Int32(clamping: line)))
      if let info = parsed.userInfo { changeLast { $0.userInfo = info } }
    } catch {
      throw OptionValue.bad(place, error.message)
    }
  }

  /// Puts another URL in the place of each.
  mutating func changeURLs(_ change: (RequestURL) throws(Failure) -> RequestURL) throws(Failure) {
    for index in entries.indices { entries[index].url = try change(entries[index].url) }
  }

  private mutating func changeLast<Thrown: Error>(_ change: (inout LineOptions) throws(Thrown) -> Void) throws(Thrown) {
    guard let last = entries.indices.last else { return }
    if entries[last].options < 0 {
      entries[last].options = Int32(options.count)
      options.append(LineOptions())
    }
    try change(&options[Int(entries[last].options)])
  }

  /// Reads a list.
  /// - Parameters:
  ///   - bytes: the list; line ends may be CR LF, a byte order mark is passed over.
  ///   - name: what to call it in errors.
  /// - Throws: kind `usage`, with the number of the line.
  mutating func read(_ bytes: [UInt8], name: String) throws(Failure) {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let before = entries.count
    var number = 0
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      var line = rest[..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      try read(line, number, name, isFirst: entries.count == before)
    }
    guard entries.count > before else {
      throw OptionValue.bad(name, "there is no URL in it: write one a line")
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, _ number: Int, _ name: String, isFirst: Bool) throws(Failure) {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }), bytes[start] != UInt8(ascii: "#") else { return }
    let place = "\(name):\(number)"
    guard let text = String(validating: bytes[start...], as: UTF8.self) else {
      throw OptionValue.bad(place, "the line is not UTF-8: save the list as UTF-8")
    }
    guard start > bytes.startIndex else {
      guard !text.contains("\t") else {
        throw OptionValue.bad(place, "several URLs in a line are mirrors, which are not supported yet: keep one")
      }
      return try append(String(text.trimmingSpaces()), place: place, line: number)
    }
    guard !isFirst else {
      throw OptionValue.bad(place, "an indented line belongs to the URL above it, and there is none")
    }
    guard let mark = text.firstIndex(of: "=") else {
      throw OptionValue.bad(place, "this is no option: write it like out=NAME, or begin the line with the URL")
    }
    let option = text[..<mark].trimmingSpaces()
    let value = String(text[text.index(after: mark)...].trimmingSpaces())
    try changeLast { (last: inout LineOptions) throws(Failure) in try last.set(option, value, place) }
  }
}
