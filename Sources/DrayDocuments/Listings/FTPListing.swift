// Reads FTP listings: MLSD (RFC 3659 §7), and LIST in the Unix and DOS forms. SFTP listings have the Unix form.

package import DrayCore

package enum FTPListing {
  private static let kind = "a listing of a directory"
  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Reads the answer to `MLSD`, with exact sizes and times.
  /// - Throws: ``DocumentError`` if there are lines, but none of them in the form of MLSD.
  package static func machine(_ bytes: [UInt8], of directory: RequestURL) throws(DocumentError) -> Listing {
    try read(bytes) { line, listing in
      guard let mark = line.firstIndex(of: 0x20), line[..<mark].last == UInt8(ascii: ";") else { return false }
      var (type, facts) = ("", ListedFacts())
      for fact in line[..<mark].split(separator: UInt8(ascii: ";")) {
        let parts = fact.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let value = String(decoding: parts[1], as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "type": type = value.lowercased()
        case "size": facts.size = number(parts[1])
        case "modify": facts.modified = time(parts[1])
        default: break
        }
      }
      let name = line[(mark + 1)...]
      switch type {
      case "file": listing.add(name, in: directory, isDirectory: false, facts)
      case "dir": listing.add(name, in: directory, isDirectory: true, ListedFacts())
      case "cdir", "pdir": break
      case "": return false
      default: listing.others += 1
      }
      return true
    }
  }

  /// Reads the answer to `LIST`. Only sizes are exact, because times lack seconds and zone.
  /// - Throws: ``DocumentError`` if there are lines, but none of them in a known form.
  package static func lines(_ bytes: [UInt8], of directory: RequestURL) throws(DocumentError) -> Listing {
    try read(bytes) { line, listing in
      guard let found = unix(line) ?? dos(line) else { return line.starts(with: "total ".utf8) }
      switch found.type {
      case .file, .directory:
        guard !found.name.elementsEqual(".".utf8), !found.name.elementsEqual("..".utf8) else { return true }
        let isDirectory = found.type == .directory
        listing.add(
          found.name, in: directory, isDirectory: isDirectory, ListedFacts(size: isDirectory ? nil : found.size),
          row: found.row)
      case .other:
        listing.others += 1
      }
      return true
    }
  }

  /// Passes each line to `take`, which returns whether it knows the line's form.
  private static func read(
    _ bytes: [UInt8], _ take: (ArraySlice<UInt8>, inout Listing) -> Bool
  ) throws(DocumentError) -> Listing {
    var listing = Listing()
    var (read, first) = (0, Int?.none)
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let line = line.last == 0x0D ? line.dropLast() : line
      guard !line.isEmpty else { continue }
      if take(line, &listing) { read += 1 } else { first = first ?? number + 1 }
    }
    guard read > 0 || first == nil else { throw DocumentError(kind, "its lines are of an unknown form", line: first) }
    return listing
  }

  private enum EntryType {
    case file, directory, other
  }

  private struct Line {
    var type: EntryType
    var name: ArraySlice<UInt8>
    var size: Int64?
    var row: String
  }

  /// `-rw-r--r--   1 ann  users   18 Nov 14  2023 name`. The columns before the size vary, so the date is looked for.
  private static func unix(_ line: ArraySlice<UInt8>) -> Line? {
    guard let first = line.first, "-dlbcps".utf8.contains(first),
      line.dropFirst().prefix(9).allSatisfy({ "rwxsStT-".utf8.contains($0) }), line.count > 10
    else { return nil }
    let words = words(line, limit: 12)
    for index in words.indices.dropFirst(2) where index + 2 < words.count {
      guard let size = number(words[index - 1]), let end = dateEnd(words, index) else { continue }
      // After one space comes the name, which may begin with spaces.
      let name = line[end...].dropFirst()
      guard !name.isEmpty else { return nil }
      let type: EntryType = first == UInt8(ascii: "-") ? .file : first == UInt8(ascii: "d") ? .directory : .other
      let row = String(decoding: line[words[index - 1].startIndex..<end], as: UTF8.self)
      return Line(type: type, name: name, size: size, row: row)
    }
    return nil
  }

  /// Returns the end of a date that begins with this word: `Nov 14 2023`, `Nov 14 22:13`, `14 Nov 2023`, `2023-11-14
  /// 22:13`; `nil` if none does.
  private static func dateEnd(_ words: [ArraySlice<UInt8>], _ index: Int) -> Int? {
    let texts = words[index...].prefix(3).map { String(decoding: $0, as: UTF8.self).lowercased() }
    let isDay = { (text: String) in Int(text).map { (1...31).contains($0) } ?? false }
    let isTime = { (text: String) in
      text.count <= 8 && text.contains(":") && text.utf8.allSatisfy { (0x30...0x3A).contains($0) }
    }
    if texts.count == 3, months.contains(texts[0]) && isDay(texts[1]) || isDay(texts[0]) && months.contains(texts[1]),
      isTime(texts[2]) || texts[2].count == 4 && Int(texts[2]) != nil
    {
      return words[index + 2].endIndex
    }
    let date = texts[0].split(separator: "-")
    if date.count == 3, date[0].count == 4, date.allSatisfy({ Int($0) != nil }), isTime(texts[1]) {
      return words[index + 1].endIndex
    }
    return nil
  }

  /// `11-14-23  10:13PM       <DIR>          name`.
  private static func dos(_ line: ArraySlice<UInt8>) -> Line? {
    let words = words(line, limit: 3)
    guard words.count == 3, words[0].count >= 8, words[0].allSatisfy({ (0x2D...0x39).contains($0) }),
      words[1].contains(UInt8(ascii: ":"))
    else { return nil }
    let isDirectory = words[2].elementsEqual("<DIR>".utf8)
    let size = number(words[2])
    guard isDirectory || size != nil else {
      return words[2].first == UInt8(ascii: "<") ? Line(type: .other, name: line[line.endIndex...], row: "") : nil
    }
    let rest = line[words[2].endIndex...]
    // The name of a directory has its own column; a file's name follows one space.
    let name = isDirectory ? rest.drop { $0 == 0x20 } : rest.dropFirst()
    guard !name.isEmpty else { return nil }
    return Line(
      type: isDirectory ? .directory : .file, name: name, size: size,
      row: String(decoding: line[..<words[2].endIndex], as: UTF8.self))
  }

  private static func words(_ line: ArraySlice<UInt8>, limit: Int) -> [ArraySlice<UInt8>] {
    Array(line.split(separator: 0x20, maxSplits: limit).prefix(limit))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
    guard bytes.count < 19, !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(String(decoding: bytes, as: UTF8.self))
  }

  /// `20231114221320` in UTC, optionally with a fraction (RFC 3659 §2.3).
  private static func time(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let digits = bytes.prefix { $0 != UInt8(ascii: ".") }
    guard digits.count == 14, let all = number(digits) else { return nil }
    return HTTPDate.seconds(
      year: all / 10_000_000_000, month: Int(all / 100_000_000 % 100), day: all / 1_000_000 % 100,
      hour: all / 10_000 % 100, minute: all / 100 % 100, second: all % 100)
  }
}
