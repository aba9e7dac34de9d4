// Parses lists of URLs (`-i`), either in aria2's format or as lines of JSON. The whole list is parsed before anything
// is queued. The code in this file has no effects outside its values.

internal import DrayDocuments
internal import DrayKit

/// The places of a name's files in a cache that stores files under their digests.
struct CacheSnapshot: Equatable, Sendable {
  /// The directory with the snapshot's links, or the link if the name is that of one file.
  var path: String
  /// The directory of the files themselves.
  var blobs: String
}

/// A list of URLs with their options. The entries take little memory, because there may be 100,000 of them.
struct InputList: Sendable {
  struct Entry: Sendable {
    var url: RequestURL
    var line: Int32
    /// The index in ``InputList/options`` of the entry's options; -1 if it has none.
    var options: Int32 = -1
  }

  private(set) var entries: [Entry] = []
  private(set) var options: [LineOptions] = []
  /// The origins that are contacted over https only because the user typed no scheme.
  private(set) var assumedOrigins: Set<String> = []
  /// Remarks of one line each, for example on options that have no meaning for dray.
  private(set) var remarks: [String] = []
  /// The snapshots of the names in the list that go to a Hugging Face cache.
  var snapshots: [CacheSnapshot] = []
  private var remarked: Set<String> = []
  /// The number of URLs in the last line that contains any.
  private var urlsInLine = 0

  /// The sources whose names a list may contain.
  private let sources = CommandContext.current.sources

  init() {}

  /// Creates an empty list that has the remarks of another list.
  init(remarksOf other: InputList) { remarks = other.remarks }

  /// Whether the user says that `dray export` wrote the list. A list from an export may contain settings that other
  /// lists may not contain.
  var isOwn = false

  func options(of entry: Entry) -> LineOptions {
    options.indices.contains(Int(entry.options)) ? options[Int(entry.options)] : LineOptions()
  }

  mutating func append(_ text: String, place: String, line: Int = 0) throws(Failure) {
    let text = visible(text, place)
    if let name = sources.name(in: text) {
      if let objection = name.objection { throw OptionValue.bad(place, objection, advice: SourceInput.helpAdvice) }
      return append(name, line, place: place)
    }
    do throws(URLParseError) {
      let guess = SchemeGuess(text)
      let parsed = try RequestURL.parse(guess?.text ?? text)
      if guess?.isAssumed == true { assumedOrigins.insert(parsed.url.origin.description) }
      entries.append(Entry(url: parsed.url, line: Int32(clamping: line)))
      if let info = parsed.userInfo { changeLast { $0.userInfo = info } }
    } catch {
      // A text that is not the URL of a file may be the URL of a directory.
      let isDirectory = (try? RequestURL.parse(directory: text)) != nil
      // The number of the line is not enough, because the user's editor may count lines differently; so the URL is
      // quoted.
      let quoted = line > 0 ? "\(OptionValue.quote(URLRedaction.redacted(text))): " : ""
      throw OptionValue.bad(
        place, quoted + error.message,
        advice: isDirectory ? "`dray get -r` fetches all files below it" : sources.advice(onUnknown: text))
    }
  }

  /// Removes invisible characters from both ends of a URL, and adds a remark.
  private mutating func visible(_ text: String, _ place: String) -> String {
    let (text, invisible) = LinkText.trimmed(text)
    if let first = invisible.first {
      remark("\(place): invisible characters around the URL were cut off (\(LinkText.code(first)))")
    }
    return text
  }

  mutating func append(directory text: String, place: String) throws(Failure) {
    let text = visible(text, place)
    do throws(URLParseError) {
      let guess = SchemeGuess(text)
      let parsed = try RequestURL.parse(directory: guess?.text ?? text)
      if guess?.isAssumed == true { assumedOrigins.insert(parsed.url.origin.description) }
      entries.append(Entry(url: parsed.url, line: 0))
      if let info = parsed.userInfo { changeLast { $0.userInfo = info } }
    } catch {
      throw OptionValue.bad(place, error.message)
    }
  }

  mutating func changeURLs(_ change: (RequestURL) throws(Failure) -> RequestURL) throws(Failure) {
    for index in entries.indices { entries[index].url = try change(entries[index].url) }
  }

  mutating func keepOnly(_ isWanted: (RequestURL) -> Bool) { entries.removeAll { !isWanted($0.url) } }

  mutating func append(_ url: RequestURL, _ own: LineOptions, line: Int32 = 0) {
    entries.append(Entry(url: url, line: line, options: Int32(options.count)))
    options.append(own)
  }

  /// Adds a name, whose URLs its source will give.
  private mutating func append(_ name: SourceName, _ line: Int, place: String) {
    guard let url = RequestURL(normalized: InputList.unknownURL) else { return }
    entries.append(Entry(url: url, line: Int32(clamping: line)))
    changeLast { ($0.name, $0.place) = (name, line > 0 ? place : nil) }
  }

  /// Stands for the URL of an entry that is still a name. No job ever has it.
  private static let unknownURL = "https://name.invalid/"

  /// The first name whose source has not been asked.
  var firstName: SourceName? { options.lazy.compactMap(\.name).first }

  /// This list without its entries.
  var emptied: InputList {
    var list = self
    (list.entries, list.options) = ([], [])
    return list
  }

  /// Adds an entry of another list unchanged.
  mutating func append(_ entry: Entry, of other: InputList) {
    guard entry.options >= 0 else { return entries.append(entry) }
    append(entry.url, other.options(of: entry), line: entry.line)
  }

  mutating func changeLast<Thrown: Error>(_ change: (inout LineOptions) throws(Thrown) -> Void) throws(Thrown) {
    guard let last = entries.indices.last else { return }
    if entries[last].options < 0 {
      entries[last].options = Int32(options.count)
      options.append(LineOptions())
    }
    try change(&options[Int(entries[last].options)])
  }

  /// Adds a remark, unless the list already has it.
  mutating func remark(_ text: String) {
    if remarked.insert(text).inserted { remarks.append(text) }
  }

  static func place(_ text: String) -> String {
    text.isEmpty ? "the URL" : TextSafety.escaped(URLRedaction.redacted(text.start(200)))
  }

  /// Reads a list.
  /// - Parameters:
  ///   - bytes: The list. Lines may end in CR LF, and a byte order mark is skipped.
  ///   - name: How errors name the list.
  ///   - line: The number of lines that precede these bytes.
  ///   - mayBeEmpty: Whether a list without URLs is permitted.
  /// - Throws: Kind `usage` with the number of the line.
  mutating func read(_ bytes: [UInt8], name: String, after line: Int = 0, mayBeEmpty: Bool = false) throws(Failure) {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let before = entries.count
    let isJSON = rest.first { $0 > 0x20 } == UInt8(ascii: "{")
    var number = line
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      var line = rest[..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      // Most lines of a long list have the same beginning as the line before.
      if !isJSON, let last = entries.last?.url, last.string != InputList.unknownURL,
        let url = RequestURL(line, at: last)
      {
        entries.append(Entry(url: url, line: Int32(clamping: number)))
        urlsInLine = 1
        continue
      }
      if isJSON {
        guard line.contains(where: { $0 > 0x20 }) else { continue }
        let place = "\(name):\(number)"
        let object = try JSONLine(line, place)
        try append(object.url, place: place, line: number)
        try changeLast { (last: inout LineOptions) throws(Failure) in try object.apply(to: &last, place) }
        judgeSource(place)
      } else {
        try read(line, number, name, isFirst: entries.count == before)
      }
    }
    guard entries.count > before || mayBeEmpty else {
      throw OptionValue.bad(name, "it contains no URL: write one per line")
    }
  }

  /// Checks the source in a line of JSON. A foreign list may name a built-in source, which renews expired links. It
  /// must not name a program, or links and entries outside the file's directory (P22).
  private mutating func judgeSource(_ place: String) {
    guard let last = entries.last, last.options >= 0, var source = options(of: last).source else { return }
    let name = sources.name(in: source.name)
    let isProgram = name.flatMap { sources[$0.scheme]?.isProgram } ?? false
    guard !isOwn else {
      if name == nil {
        remark("\(place): no source \(source.shownName) is configured here, so an expired link fails")
      }
      return
    }
    if name == nil || !SourceRule.client([]).allows(.files, isProgram: isProgram) {
      remark("\(place): a list cannot choose \(source.shownName) as a source, so it is left out")
      changeLast { $0.source = nil }
    } else if !source.arrangements.isEmpty {
      remark("\(place): a list makes no links and no entries of images; `dray import` does, for your own exports")
      source.arrangements = []
      changeLast { $0.source = source }
    }
  }

  /// Whether a byte is a space or a tab.
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Returns a line of URLs without the comment at its end, as in `URL  # comment`. A comment is recognised by the
  /// blank before it, because a URL contains no blank.
  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let mark = line.indices.dropFirst().first { line[$0] == UInt8(ascii: "#") && isBlank(line[$0 - 1]) }
    return mark.map { line[..<$0] } ?? line
  }

  /// Whether the text before the first tab is the name of a file, and not a URL without its scheme.
  private static func isName(_ text: String) -> Bool {
    !text.contains("://") && (!text.contains("/") || SchemeGuess(text) == nil)
  }

  /// Reads `URL`, `URL<TAB>MIRROR` or `NAME<TAB>URL`. Several URLs that are separated by blanks are several files.
  private mutating func read(urls text: String, _ number: Int, _ place: String) throws(Failure) {
    var parts = text.split(separator: "\t").map { String($0.trimmingSpaces()) }.filter { !$0.isEmpty }
    let isNamed = parts.count > 1 && InputList.isName(parts[0]) && parts[1].contains("://")
    let name = isNamed ? parts.removeFirst() : nil
    let links = LinkText.links(parts.first ?? "")
    urlsInLine = links.count
    guard links.count < 2 || parts.count == 1 && name == nil else {
      throw OptionValue.bad(
        place, "\(links.count) URLs without a tab between them", advice: "write one file per line")
    }
    for link in links.isEmpty ? [""] : links { try append(link, place: place, line: number) }
    if let name { changeLast { $0.out = name } }
    for url in parts.dropFirst() {
      try changeLast { (last: inout LineOptions) throws(Failure) in try last.addMirror(url, place) }
    }
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>, _ number: Int, _ name: String, isFirst: Bool) throws(Failure) {
    let isBlank = InputList.isBlank
    guard let start = bytes.firstIndex(where: { !isBlank($0) }), bytes[start] != UInt8(ascii: "#") else { return }
    let place = "\(name):\(number)"
    let isOption = start > bytes.startIndex
    let content = isOption ? bytes[start...] : InputList.withoutComment(bytes)
    guard let text = String(validating: content, as: UTF8.self) else {
      throw OptionValue.bad(place, "the line is not UTF-8: save the list as UTF-8")
    }
    guard isOption else { return try read(urls: text, number, place) }
    guard !isFirst else {
      throw OptionValue.bad(place, "an indented line belongs to the URL above it, and there is none")
    }
    guard let mark = text.firstIndex(of: "=") else {
      throw OptionValue.bad(
        place,
        "\(OptionValue.quote(URLRedaction.redacted(text))) is not an option: write it like out=NAME, "
          + "or begin the line with the URL")
    }
    guard urlsInLine < 2 else {
      throw OptionValue.bad(
        place, "the line above has \(urlsInLine) URLs, and options are for one",
        advice: "write one URL per line")
    }
    let option = text[..<mark].trimmingSpaces()
    let value = String(text[text.index(after: mark)...].trimmingSpaces())
    var isUsed = true
    try changeLast { (last: inout LineOptions) throws(Failure) in
      let before = last.settings
      isUsed = try last.set(option, value, place)
      last.lines[String(option)] = Int32(clamping: number)
      for one in last.settings where !before.contains(one) { last.lines[one.name] = Int32(clamping: number) }
    }
    if !isUsed, remarked.insert(String(option)).inserted {
      remarks.append("\(place): \(option)= of aria2 has no meaning here and is ignored")
    }
  }
}
