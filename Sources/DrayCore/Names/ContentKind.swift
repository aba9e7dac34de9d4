// Kinds of content, which names and media types imply, and which the first bytes show.

/// A kind of content with a signature at a fixed place (specifications of the formats; WHATWG MIME Sniffing §6, §7).
enum ContentKind: CaseIterable, Sendable {
  case webPage, zip, gzip, bzip2, xz, zstd, sevenZip, rar, tar, debian, rpm, iso, qcow2, pdf, rtf, torrent
  case png, jpeg, gif, webP, matroska, flac, ogg, gguf, parquet, hdf5, sqlite, webAssembly

  /// The number of first bytes that ``found(in:)`` needs to recognise all kinds.
  static let farLook = 32_774
  /// The number of first bytes that suffices for all kinds except tar archives, disk images and PDF documents.
  static let nearLook = 64
  /// A PDF signature begins within this many bytes, after blank lines (PDF 1.7, implementation note 13).
  static let pdfLook = 1024

  /// The kind in words, such as "a ZIP archive".
  var words: String {
    switch self {
    case .webPage: "a web page"
    case .zip: "a ZIP archive"
    case .gzip: "gzip data"
    case .bzip2: "bzip2 data"
    case .xz: "XZ data"
    case .zstd: "Zstandard data"
    case .sevenZip: "a 7-Zip archive"
    case .rar: "a RAR archive"
    case .tar: "a tar archive"
    case .debian: "a Debian package"
    case .rpm: "an RPM package"
    case .iso: "an ISO 9660 image"
    case .qcow2: "a QCOW2 image"
    case .pdf: "a PDF document"
    case .rtf: "an RTF document"
    case .torrent: "a torrent file"
    case .png: "a PNG image"
    case .jpeg: "a JPEG image"
    case .gif: "a GIF image"
    case .webP: "a WebP image"
    case .matroska: "Matroska or WebM video"
    case .flac: "FLAC audio"
    case .ogg: "an Ogg file"
    case .gguf: "a GGUF model"
    case .parquet: "a Parquet file"
    case .hdf5: "an HDF5 file"
    case .sqlite: "an SQLite database"
    case .webAssembly: "a WebAssembly module"
    }
  }

  /// Whether every file of this kind has the signature. Old tar archives and UDF images do not have it.
  var isAlwaysMarked: Bool { self != .tar && self != .iso && self != .webPage }

  /// Whether this is a kind of image: servers choose the smallest image format, regardless of the name.
  var isImage: Bool { [.png, .jpeg, .gif, .webP].contains(self) }

  /// Recognises the kind by the first bytes; returns `nil` if they match no kind.
  static func found(in start: [UInt8]) -> ContentKind? {
    if isWebPage(start) { return .webPage }
    if isTorrent(start) { return .torrent }
    // Skip blank lines: programs often write them before a PDF document, and all readers accept them.
    if start.prefix(pdfLook).drop(while: isBlank).starts(with: pdfMark) { return .pdf }
    return marks.first { mark in
      start.count >= mark.offset + mark.bytes.count && start[mark.offset...].starts(with: mark.bytes)
    }?.kind
  }

  /// Whether the first bytes look like text.
  static func isText(_ start: [UInt8]) -> Bool {
    !TextSafety.isBinary(start.prefix(nearLook))
  }

  /// Returns the kinds that the extension of a name implies; empty if it implies none.
  static func promised(by name: String) -> [ContentKind] {
    byExtension[FileName.ending(name)] ?? []
  }

  /// Returns the kinds that have a media type for which `isMeant` is true.
  static func kinds(ofTypes isMeant: (String) -> Bool) -> Set<ContentKind> {
    Set(byType.filter { isMeant($0.key) }.values)
  }

  private struct Mark {
    var kind: ContentKind
    var offset = 0
    var bytes: [UInt8]

    init(_ kind: ContentKind, at offset: Int = 0, _ bytes: [UInt8]) {
      (self.kind, self.offset, self.bytes) = (kind, offset, bytes)
    }

    init(_ kind: ContentKind, at offset: Int = 0, _ text: String) { self.init(kind, at: offset, Array(text.utf8)) }
  }

  private static let marks: [Mark] = [
    Mark(.zip, "PK\u{3}\u{4}"), Mark(.zip, "PK\u{5}\u{6}"), Mark(.zip, "PK\u{7}\u{8}"),
    Mark(.gzip, [0x1F, 0x8B]), Mark(.bzip2, "BZh"), Mark(.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
    Mark(.zstd, [0x28, 0xB5, 0x2F, 0xFD]), Mark(.zstd, [0x50, 0x2A, 0x4D, 0x18]),
    Mark(.sevenZip, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    Mark(.rar, "Rar!\u{1A}\u{7}"), Mark(.debian, "!<arch>\ndebian"), Mark(.rpm, [0xED, 0xAB, 0xEE, 0xDB]),
    Mark(.qcow2, [0x51, 0x46, 0x49, 0xFB]), Mark(.rtf, "{\\rtf"),
    Mark(.png, [0x89, 0x50, 0x4E, 0x47, 0xD, 0xA, 0x1A, 0xA]),
    Mark(.jpeg, [0xFF, 0xD8, 0xFF]), Mark(.gif, "GIF87a"), Mark(.gif, "GIF89a"), Mark(.webP, at: 8, "WEBP"),
    Mark(.matroska, [0x1A, 0x45, 0xDF, 0xA3]), Mark(.flac, "fLaC"), Mark(.ogg, "OggS"), Mark(.gguf, "GGUF"),
    Mark(.parquet, "PAR1"), Mark(.hdf5, [0x89, 0x48, 0x44, 0x46, 0xD, 0xA, 0x1A, 0xA]),
    Mark(.sqlite, "SQLite format 3\0"),
    Mark(.webAssembly, [0, 0x61, 0x73, 0x6D]), Mark(.tar, at: 257, "ustar"), Mark(.iso, at: 32_769, "CD001"),
  ]

  private static let byExtension: [String: [ContentKind]] = [
    "zip": [.zip], "jar": [.zip], "apk": [.zip, .gzip], "whl": [.zip], "epub": [.zip], "cbz": [.zip], "docx": [.zip],
    "xlsx": [.zip], "pptx": [.zip], "odt": [.zip], "ods": [.zip], "npz": [.zip], "gz": [.gzip], "tgz": [.gzip],
    "bz2": [.bzip2], "tbz2": [.bzip2], "xz": [.xz], "txz": [.xz], "zst": [.zstd], "tzst": [.zstd], "7z": [.sevenZip],
    "rar": [.rar], "cbr": [.rar, .zip], "tar": [.tar], "deb": [.debian], "rpm": [.rpm], "iso": [.iso],
    "qcow2": [.qcow2],
    "pdf": [.pdf], "rtf": [.rtf], "torrent": [.torrent], "png": [.png], "jpg": [.jpeg], "jpeg": [.jpeg], "gif": [.gif],
    "webp": [.webP], "mkv": [.matroska],
    "webm": [.matroska], "flac": [.flac], "ogg": [.ogg], "oga": [.ogg], "ogv": [.ogg], "opus": [.ogg], "gguf": [.gguf],
    "parquet": [.parquet], "h5": [.hdf5], "hdf5": [.hdf5], "wasm": [.webAssembly],
  ]

  private static let byType: [String: ContentKind] = [
    "text/html": .webPage, "application/xhtml+xml": .webPage, "application/zip": .zip,
    "application/x-zip-compressed": .zip, "application/java-archive": .zip, "application/epub+zip": .zip,
    "application/vnd.android.package-archive": .zip, "application/gzip": .gzip, "application/x-gzip": .gzip,
    "application/x-bzip2": .bzip2, "application/x-xz": .xz, "application/zstd": .zstd,
    "application/x-7z-compressed": .sevenZip, "application/vnd.rar": .rar, "application/x-tar": .tar,
    "application/vnd.debian.binary-package": .debian, "application/x-debian-package": .debian,
    "application/x-rpm": .rpm, "application/x-iso9660-image": .iso, "application/pdf": .pdf, "application/rtf": .rtf,
    "text/rtf": .rtf, "application/x-bittorrent": .torrent, "image/png": .png,
    "image/jpeg": .jpeg, "image/gif": .gif, "image/webp": .webP, "video/x-matroska": .matroska,
    "video/webm": .matroska, "audio/flac": .flac, "audio/ogg": .ogg, "video/ogg": .ogg,
    "application/vnd.apache.parquet": .parquet, "application/x-hdf5": .hdf5, "application/vnd.sqlite3": .sqlite,
    "application/wasm": .webAssembly,
  ]

  /// Whether the bytes begin, after white space, with a tag that begins only web pages (MIME Sniffing §7.1).
  private static func isWebPage(_ start: [UInt8]) -> Bool {
    var rest = start.prefix(nearLook)[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop(while: isBlank)
    guard rest.first == UInt8(ascii: "<") else { return false }
    let text = Array(rest.dropFirst().prefix(16)).map { $0 | ($0 >= 0x41 && $0 <= 0x5A ? 0x20 : 0) }
    return pageTags.contains { tag in
      guard text.starts(with: tag) else { return false }
      return text.dropFirst(tag.count).first.map { [0x09, 0x0A, 0x0C, 0x0D, 0x20, 0x3E].contains($0) } ?? true
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }

  private static let pdfMark = Array("%PDF-".utf8)

  /// Whether the bytes begin like a torrent file, a bencoded dictionary: `d`, the length of the first key, `:` (BEP 3).
  private static func isTorrent(_ start: [UInt8]) -> Bool {
    guard start.first == UInt8(ascii: "d") else { return false }
    let rest = start.dropFirst().drop(while: \.isDigit)
    return rest.startIndex > 1 && rest.startIndex < 5 && rest.first == UInt8(ascii: ":")
  }

  private static let pageTags = ["!doctype html", "html", "head", "script", "iframe", "title", "body"].map {
    Array($0.utf8)
  }
}

extension FileName {
  /// Returns the text after the last dot, in lowercase; empty if the name has no dot.
  static func ending(_ name: String) -> String {
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) {
      let rest = name.utf8[dot...].dropFirst()
      // Usually, no Unicode characters are needed.
      if !rest.isEmpty, rest.allSatisfy({ $0.isDigit || $0 &- 0x61 < 26 }) { return String(Substring(rest)) }
    }
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }
}
