// Expands a typed URL with patterns: `file[1-9].bin`.

internal import DrayKit

extension InputList {
  /// Adds all URLs that a typed one stands for.
  /// - Parameters:
  ///   - isPlain: Whether brackets and braces have no special meaning.
  ///   - output: The typed name for the files, which may contain `#1`.
  mutating func append(typed text: String, isPlain: Bool, output: String?) throws(Failure) {
    let glob: URLGlob
    do throws(URLGlobError) {
      glob = isPlain ? URLGlob(verbatim: text) : try URLGlob(text)
    } catch {
      throw OptionValue.bad(InputList.place(text), error.message, advice: "-g takes brackets and braces as they are")
    }
    let template = output.flatMap { glob.names($0) ? $0 : nil }
    for index in 0..<glob.count {
      let url = glob.url(index)
      try append(url, place: InputList.place(url))
      guard let template else { continue }
      changeLast { $0.patternName = glob.name(template, index) }
    }
  }

  /// Checks the typed name for the files.
  /// - Throws: kind `usage` if several files would have the same name.
  func checkNames(_ output: String?) throws(Failure) {
    guard let output, entries.count > 1 else { return }
    let names = entries.map { options(of: $0).patternName }
    guard !names.contains(nil) else {
      throw OptionValue.bad("-o", "\(entries.count) files cannot have one name", advice: "use -d, or #1 in the name")
    }
    var seen: Set<String> = []
    for name in names.compactMap(\.self) where !seen.insert(name).inserted {
      throw OptionValue.bad(
        "-o \(TextSafety.escaped(output.start(80)))", "several files would be \(OptionValue.quote(name))",
        advice: "use the number of each pattern: #1, #2, …")
    }
  }
}
