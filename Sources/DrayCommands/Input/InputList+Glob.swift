// Expands a typed URL that contains patterns, such as `file[1-9].bin`.

internal import DrayKit

extension InputList {
  /// Adds all URLs that a typed one expands to.
  /// - Parameters:
  ///   - isPlain: Whether brackets and braces have no special meaning.
  ///   - output: The name that the user typed for the files, which may contain `#1`.
  ///   - isOwn: Whether this name is meant only for this URL.
  mutating func append(typed text: String, isPlain: Bool, output: String?, isOwn: Bool = false) throws(Failure) {
    let links = LinkText.links(text)
    guard links.count < 2 else {
      // The user pasted several URLs between quotation marks.
      for link in links { try append(typed: link, isPlain: isPlain, output: output) }
      return
    }
    let glob: URLGlob
    do throws(URLGlobError) {
      glob = isPlain ? URLGlob(verbatim: text) : try URLGlob(text)
    } catch {
      throw OptionValue.bad(InputList.place(text), error.message, advice: "-g takes brackets and braces as they are")
    }
    if !isPlain, let wildcard = URLWildcard(text) {
      remark(
        "\(InputList.place(text)): * means nothing in a URL; `dray get -r \(wildcard.arguments)` fetches all that match"
      )
    }
    let template = output.flatMap { isOwn || glob.names($0) ? $0 : nil }
    for index in 0..<glob.count {
      let url = glob.url(index)
      try append(url, place: InputList.place(url))
      guard let template else { continue }
      changeLast { $0.patternName = glob.name(template, index) }
    }
  }

  /// Checks the name that the user typed for the files.
  /// - Throws: Kind `usage` if several files would get the same name.
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

/// A URL with a pattern as for a shell, such as `https://h/pub/*.iso`.
struct URLWildcard: Equatable {
  let directory: String
  let pattern: String

  /// - Returns: `nil` if the last part of the path contains no `*`.
  init?(_ typed: String) {
    let whole = typed.prefix { $0 != "?" && $0 != "#" }
    guard typed.contains("://"), let slash = whole.lastIndex(of: "/"), whole[slash...].contains("*"),
      whole[..<slash].last != "/"
    else { return nil }
    (directory, pattern) = (String(whole[...slash]), String(whole[slash...].dropFirst()))
  }

  /// The arguments that fetch the same files with `-r`.
  var arguments: String {
    "--include \(CommandWords.joined([pattern])) \(TextSafety.escaped(URLRedaction.redacted(directory)))"
  }
}
