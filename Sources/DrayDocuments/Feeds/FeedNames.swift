// Names for files of a feed whose URLs would give several entries the same name.

internal import DrayCore

extension Feed {
  /// Extensions of programs on servers. Such a name is not the file's; the server's answer has that.
  private static let programs: Set<String> = ["php", "asp", "aspx", "cgi", "pl", "jsp", "do"]

  /// Returns the names of entries whose URLs have the same one, by key: `media.2026-02-28.mp3`.
  ///
  /// | the name from the URL | the file's name |
  /// |---|---|
  /// | of one entry only | that name, or the server's |
  /// | of several, without an extension or with that of a program | the server's |
  /// | of several, without a date | numbered in the order of arrival |
  /// | of several, with a date | that name with the date; on one day also numbered |
  ///
  /// Jobs of feeds rename, so names that still clash are numbered.
  package func fileNames() -> [String: String] {
    let named = entries.map { (entry: $0, name: FileName.fromURLPath($0.url.path)) }
    let counts = Dictionary(named.map { ($0.name, 1) }, uniquingKeysWith: +)
    var result: [String: String] = [:]
    for (entry, name) in named where counts[name, default: 0] > 1 {
      guard let date = entry.published, let type = name.split(separator: ".").last?.lowercased(),
        !Feed.programs.contains(type), let dated = FileName.dated(name, date)
      else { continue }
      result[entry.key] = dated
    }
    return result
  }
}
