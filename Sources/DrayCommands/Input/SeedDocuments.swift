// `--seed` and `--zsync` in a list of URLs: which of them cannot use seeds, and which are control files of zsync.

internal import DrayKit

enum SeedDocuments {
  /// Refuses seeds for URLs that cannot use them.
  /// - Throws: Kind `usage`.
  static func check(_ arguments: JobArguments, _ list: InputList) throws(Failure) {
    guard !arguments.seed.isEmpty || arguments.zsync != nil else { return }
    if arguments.zsync != nil, list.entries.count > 1 {
      throw OptionValue.bad("--zsync", "it is for one file, and there are \(list.entries.count): name one URL")
    }
    for url in list.entries.lazy.map(\.url) where !(Scheme(url)?.speaksHTTP ?? false) {
      throw OptionValue.bad(
        arguments.seed.isEmpty ? "--zsync" : "--seed",
        "parts of a file are asked for over HTTP only, and this is a URL of \(url.scheme): omit it")
    }
  }

  /// Fetches the control files among the URLs of a list, and replaces each by the file that it describes. A URL that
  /// ends in `.zsync` but leads to something else stays unchanged.
  static func resolve(
    _ list: InputList, _ template: JobTemplate, _ arguments: JobArguments
  ) async throws(Failure) -> InputList {
    func isNamed(_ url: RequestURL) -> Bool {
      url.scheme.hasPrefix("http") && url.path.lowercased().hasSuffix(Seeding.suffix)
    }
    guard !arguments.seed.isEmpty, list.entries.contains(where: { isNamed($0.url) }) else { return list }
    var resolved = list.emptied
    for entry in list.entries {
      guard isNamed(entry.url),
        let offer = try await ZsyncSource.ask(template.request.request(for: entry, list.options(of: entry)))
      else {
        resolved.append(entry, of: list)
        continue
      }
      try resolved.append(
        offer, home: entry.url, keepsName: arguments.output == nil, place: entry.url.description)
    }
    return resolved
  }
}
