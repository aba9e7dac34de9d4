// Names for files, from names that strangers suggest: always one component, always inside the directory (P6).

/// Rules for file names.
public enum FileName {
  /// Bytes that a name may have: 255 less what a number and a suffix need.
  public static let limit = 240

  /// The name where a URL has none.
  public static let fallback = "index.html"

  private static let deviceNames: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// Extensions that stand before another and belong to it.
  private static let innerExtensions: Set<String> = ["tar", "cpio"]

  /// A name that can be used, made of the last component of what was suggested; `nil` where nothing is left of it.
  public static func safe(_ raw: String, limit: Int = FileName.limit) -> String? {
    let last = raw.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
    return clean(String(last), limit: limit)
  }

  /// The name for a file at the path of a URL: its last component, decoded.
  public static func fromURLPath(_ path: String) -> String {
    let last = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? path.utf8[...]
    var bytes: [UInt8] = []
    var rest = Array(last)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first?.hexValue, let low = rest.dropFirst().first?.hexValue {
        rest = rest.dropFirst(2)
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    // A slash that was encoded is no separator, but it may not become one either.
    let text = TextSafety.decoded(bytes) { "%\(TextSafety.hex($0))" }
    let name = String(text.map { $0 == "/" || $0 == "\\" ? "_" : $0 })
    return clean(name, limit: limit) ?? fallback
  }

  /// The `n`-th other name for a file: `name.1.ext`.
  public static func numbered(_ name: String, _ n: Int) -> String {
    let (stem, suffix) = parts(name)
    return "\(stem).\(n)\(suffix)"
  }

  /// A name cut into what is before its extension, and the extension with its dot: `.tar.gz` stays together.
  static func parts(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 16 else {
      return (name, "")
    }
    let before = name[..<dot]
    if let inner = before.lastIndex(of: "."), inner > name.startIndex,
      innerExtensions.contains(before[before.index(after: inner)...].lowercased())
    {
      return (String(name[..<inner]), String(name[inner...]))
    }
    return (String(before), String(name[dot...]))
  }

  private static func clean(_ raw: String, limit: Int) -> String? {
    var name = String(String.UnicodeScalarView(raw.unicodeScalars.filter { !$0.isUnprintable }))
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    while name.first == " " { name.removeFirst() }
    // "C:x" is a drive and a name.
    if name.utf8.count >= 2, let drive = name.utf8.first, drive.isLetter, name.dropFirst().first == ":" {
      name.removeFirst(2)
    }
    guard let first = name.first else { return nil }
    let stem = name.prefix { $0 != "." }.trimmingSpaces().lowercased()
    if first == "." || first == "-" || first == "~" || deviceNames.contains(stem) { name = "_" + name }
    return cut(name, limit)
  }

  /// At most `limit` bytes, cut at a character before the extension.
  private static func cut(_ name: String, _ limit: Int) -> String {
    guard name.utf8.count > limit else { return name }
    let (stem, suffix) = parts(name)
    var kept = ""
    var room = limit - suffix.utf8.count
    for character in stem {
      room -= character.utf8.count
      if room < 0 { break }
      kept.append(character)
    }
    return kept + suffix
  }
}
