// Reads control files of zsync: text lines about a file, then the checksums of its blocks as bytes.

package import DrayCore

/// A control file of zsync (`NAME.zsync`), as zsyncmake writes it.
package struct ZsyncControl: Sendable {
  /// The checksums of the blocks, with the length of the file.
  package var table: BlockTable
  /// The URLs of the file. Those that are invalid, or relative in a local control file, are left out.
  package var urls: [RequestURL]
  /// The name of the file; `nil` if there is none, or if it is not a safe name.
  package var name: String?
  /// The SHA-1 of the whole file.
  package var digest: DigestValue
  /// When the file was last changed, in seconds since 1970; `nil` if that is not stated to the second, with a zone.
  package var modified: Int64?

  static let kind = "a control file of zsync"
  /// The maximum length of a control file in bytes, enough for a file of 100 GiB in blocks of 4 KiB.
  package static let longest = 256 << 20
  /// The bounds of its text.
  private static let (longestLine, mostLines, mostURLs) = (4096, 256, 64)
  private static let mark = Array("zsync: ".utf8)
  /// The last version of zsync whose control files are known.
  private static let version = [0, 6, 2]
  /// The fields that only matter to zsync itself.
  private static let ignored: Set<String> = ["Z-Filename", "Recompress", "zsync"]

  /// The maximum length of its text in bytes, with the map of a compressed file.
  package static let longestText = 2 << 20
  /// The checksums of a file must be shorter than one part in so many of it, unless they have at most `least` bytes.
  /// zsyncmake makes them a hundredth of the file or less.
  private static let (share, least): (Int64, Int64) = (32, 1 << 20)

  /// Whether bytes are the beginning of a control file.
  package static func isMeant(_ bytes: [UInt8]) -> Bool { bytes.starts(with: mark) }

  /// Reads a control file.
  /// - Parameter base: The URL of the control file; `nil` for a local one.
  /// - Throws: ``DocumentError`` for anything that does not describe the blocks of a file.
  package static func parse(_ bytes: [UInt8], base: RequestURL?) throws(DocumentError) -> ZsyncControl {
    let head = try head(of: bytes)
    guard let table = BlockTable(head.form, size: head.size, bytes: bytes, start: head.start) else {
      throw broken("it ends before the checksums of its \(head.count) blocks do")
    }
    guard bytes.count == head.length else { throw broken("it goes on after the checksums of its \(head.count) blocks") }
    return ZsyncControl(
      table: table, urls: head.fields.urls.compactMap { DocumentURL.resolve($0, against: base) },
      name: head.fields.name, digest: head.digest, modified: head.fields.modified)
  }

  /// Returns the length of the control file that begins with these bytes, which contain its whole text.
  /// - Parameter size: The length of the server's file; `nil` if unknown.
  /// - Throws: ``DocumentError`` for a control file that ``parse(_:base:)`` would refuse because of its text, and for one
  ///   of a file of another length.
  package static func length(beginning bytes: [UInt8], of size: Int64?) throws(DocumentError) -> Int {
    let head = try head(of: bytes)
    if let size, size != head.size {
      throw broken("it is of a file of \(head.size) bytes, and the server's has \(size)")
    }
    return head.length
  }

  /// Reads the text, and checks what it says about the checksums behind it.
  private static func head(of bytes: [UInt8]) throws(DocumentError) -> Head {
    guard isMeant(bytes) else { throw broken("it does not begin with \"zsync: \"", line: 1) }
    var reader = Reader(bytes: bytes)
    while let (name, value) = try reader.field() { try reader.take(name, value) }
    let fields = reader.fields
    guard reader.place <= longestText else { throw broken("its text is too long") }
    guard let size = fields.size, let blockSize = fields.blockSize else {
      throw broken("it has no \(fields.size == nil ? "Length" : "Blocksize")")
    }
    guard let digest = fields.digest else { throw broken("it has no SHA-1, so nothing would prove the whole file") }
    guard !fields.isPacked || !fields.urls.isEmpty else {
      throw broken("it describes the content of a compressed file (Z-URL), which is not supported")
    }
    let lengths = fields.lengths ?? (1, 4, MD4.byteCount)
    let form = BlockTable.Form(
      blockSize: blockSize, run: lengths.run, weakBytes: lengths.weak, strongBytes: lengths.strong)
    guard let form else { throw broken("blocks of \(blockSize) bytes with such checksums are not supported") }
    guard let count = BlockTable.count(size, form) else { throw broken("it has too many blocks") }
    let head = Head(fields: fields, size: size, form: form, digest: digest, count: count, start: reader.place)
    guard Int64(head.sums) <= max(least, size / share) else {
      throw broken(
        "its checksums take \(ByteCount.text(Int64(head.sums))) for a file of \(ByteCount.text(size)): its blocks are "
          + "too small")
    }
    return head
  }

  /// The description of the file that a control file offers.
  /// - Parameter place: The URL of the control file, or its absolute path on this machine; `nil` if it cannot be read
  ///   again.
  /// - Throws: ``DocumentError`` if no URL of the file is known.
  package func offer(from place: String?) throws(DocumentError) -> OfferedFile {
    guard !urls.isEmpty else {
      throw DocumentError(
        ZsyncControl.kind, "it has no URL that leads to the file from here: name the URL of the control file itself")
    }
    var file = OfferedFile(urls: urls, name: name, size: table.size, digest: digest)
    (file.digestSource, file.control) = (.zsync, place)
    return file
  }

  private static func broken(_ reason: String, line: Int? = nil) -> DocumentError {
    DocumentError(kind, reason, line: line)
  }

  /// The text of a control file.
  private struct Head {
    var fields: Fields
    var size: Int64
    var form: BlockTable.Form
    var digest: DigestValue
    /// The number of blocks.
    var count: Int
    /// Where the checksums begin.
    var start: Int
    /// The length of the checksums in bytes.
    var sums: Int { count * form.stride }
    /// The length of the whole control file in bytes.
    var length: Int { start + sums }
  }

  private struct Fields {
    var size: Int64?
    var blockSize: Int?
    var lengths: (run: Int, weak: Int, strong: Int)?
    var digest: DigestValue?
    var urls: [String] = []
    var name: String?
    var modified: Int64?
    var isPacked = false
    var safe: Set<String> = []
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0
    private var line = 0
    var fields = Fields()

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func broken(_ reason: String) -> DocumentError { ZsyncControl.broken(reason, line: line) }

    /// Returns the next field; `nil` after the empty line that ends the text.
    mutating func field() throws(DocumentError) -> (name: String, value: String)? {
      line += 1
      guard line <= ZsyncControl.mostLines else { throw broken("it has too many lines of text") }
      let limit = min(bytes.count, place + ZsyncControl.longestLine)
      guard let end = bytes[place..<limit].firstIndex(of: UInt8(ascii: "\n")) else {
        throw broken(limit == bytes.count ? "it ends within its text" : "the line is too long")
      }
      var text = bytes[place..<end]
      place = end + 1
      while let last = text.last, last == UInt8(ascii: "\r") || last == UInt8(ascii: " ") { text = text.dropLast() }
      if text.isEmpty { return nil }
      guard let whole = String(validating: text, as: UTF8.self), let mark = whole.firstRange(of: ": ") else {
        throw broken("the line is not \"Name: value\"")
      }
      return (String(whole[..<mark.lowerBound]), String(whole[mark.upperBound...]))
    }

    mutating func take(_ name: String, _ value: String) throws(DocumentError) {
      switch name {
      case "zsync" where value == "0.0.4": throw broken("it is of zsync 0.0.4, whose form is not known")
      case "Min-Version":
        let parts = value.split(separator: ".").map { Int($0) ?? .max }
        guard !ZsyncControl.version.lexicographicallyPrecedes(parts) else {
          throw broken("it needs version \(quote(value)) of zsync, which is not known")
        }
      case "Length":
        guard let size = Int64(value), size > 0 else { throw broken("Length is not a number of bytes") }
        fields.size = size
      case "Blocksize":
        guard let size = Int(value), BlockTable.blockSizes.contains(size), size & (size - 1) == 0 else {
          throw broken("Blocksize is not a power of two that is supported")
        }
        fields.blockSize = size
      case "Hash-Lengths":
        let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0.trimmingSpaces()) }
        guard numbers.count == 3, let run = numbers[0], let weak = numbers[1], let strong = numbers[2],
          BlockTable.Form(blockSize: 2048, run: run, weakBytes: weak, strongBytes: strong) != nil
        else { throw broken("Hash-Lengths are not three possible numbers") }
        fields.lengths = (run, weak, strong)
      case "SHA-1":
        guard let digest = try? DigestValue.parse("sha-1=\(value)") else { throw broken("its SHA-1 is invalid") }
        fields.digest = digest
      case "URL":
        guard fields.urls.count < ZsyncControl.mostURLs else { throw broken("it has too many URLs") }
        fields.urls.append(value)
      case "MTime": fields.modified = Reader.time(value)
      case "Filename": fields.name = DocumentPath.safe(value)
      case "Z-URL": fields.isPacked = true
      case "Z-Map2": try skipMap(value)
      case "Safe": fields.safe.formUnion(value.split { " :,".contains($0) }.map(String.init))
      case _ where ZsyncControl.ignored.contains(name) || fields.safe.contains(name): break
      default: throw broken("its field \(quote(name)) is not known, and may change what the others mean")
      }
    }

    /// Reads a date like `Mon, 30 Nov 2026 03:32:07 +0000`; `nil` without seconds or a zone, so that it cannot be compared.
    private static func time(_ value: String) -> Int64? {
      let words = value.split(separator: " ")
      guard words.count >= 5, words[words.count - 2].split(separator: ":").count == 3 else { return nil }
      return FeedDate.parse(value).flatMap { Int64(exactly: $0) }
    }

    /// Skips the map of a compressed file: entries of four bytes, in the middle of the text.
    private mutating func skipMap(_ value: String) throws(DocumentError) {
      fields.isPacked = true
      guard let count = Int(value), count >= 0, count <= (bytes.count - place) / 4 else {
        throw broken("its Z-Map2 is cut off")
      }
      place += 4 * count
    }
  }
}
