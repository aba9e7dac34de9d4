// The type that a file's name implies, and whether a web page can have this type.

/// The type that a name implies.
struct ContentPromise: Equatable {
  /// The extension in lowercase.
  let ending: String
  private let kinds: [ContentKind]

  /// Returns `nil` for a name that implies no type: the name of a text, because texts may be anything, or of a program
  /// whose output may have any type (`.php`).
  init?(_ name: String) {
    ending = FileName.ending(name)
    kinds = ContentKind.promised(by: name)
    guard !kinds.isEmpty || FileName.isNeverPage(name) || isPage else { return nil }
  }

  var isPage: Bool { ContentPromise.pages.contains(ending) }
  /// Whether the type is not a text format.
  var isBinary: Bool { !ContentPromise.texts.contains(ending) }
  /// Whether the file itself is compressed, as by a content coding.
  var isCompressed: Bool {
    kinds.contains { [.gzip, .bzip2, .xz, .zstd].contains($0) } || ["br", "lz4"].contains(ending)
  }

  /// Whether a file of this type may look like a web page: text, or HTML written for office software. For such a file,
  /// the Content-Type decides.
  var mayBePage: Bool { !isBinary || ["doc", "xls", "ppt"].contains(ending) }

  /// The message about a web page that arrived in place of a file of this type.
  var broken: String {
    let wanted = kinds.first?.words ?? "the .\(ending) file that its name promises"
    return "it is a web page, not \(wanted)"
  }

  private static let pages: Set<String> = ["html", "htm", "xhtml", "xht", "shtml"]

  /// Text formats that are never used for web pages.
  private static let texts: Set<String> = [
    "csv", "tsv", "json", "jsonl", "sig", "asc", "minisig", "svg", "ps", "eps", "rtf", "srt", "vtt", "metalink",
    "meta4",
  ]

  /// Formats that are never web pages and whose signatures ``ContentKind`` does not know.
  fileprivate static let neverPages: Set<String> =
    texts.union([
      "bin", "img", "raw", "vmdk", "vhd", "vhdx", "vdi", "ova", "exe", "msi", "msix", "dll", "so", "dylib", "dmg",
      "pkg",
      "appimage", "snap", "flatpak", "cab", "lz", "lz4", "lzma", "br", "safetensors", "pt", "pth", "ckpt", "onnx",
      "npy",
      "pkl", "mp3", "mp4", "m4a", "m4b", "m4v", "mov", "avi", "wav", "wmv", "wma", "flv", "mpg", "mpeg", "aac", "3gp",
      "bmp", "tif", "tiff", "ico", "avif", "heic", "jxl", "psd", "djvu", "mobi", "azw3", "doc", "xls", "ppt", "ttf",
      "otf", "woff", "woff2",
    ])
}

extension FileName {
  static func isNeverPage(_ name: String) -> Bool { ContentPromise.neverPages.contains(ending(name)) }
}
