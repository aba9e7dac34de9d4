// The type that a file's name promises, and whether a web page can be of that type.

/// The type that a name promises.
struct ContentPromise: Equatable {
  /// Lowercase.
  let ending: String
  private let kinds: [ContentKind]

  /// `nil` for a name that promises no type: any text, or a program that may send any type (`.php`).
  init?(_ name: String) {
    ending = FileName.ending(name)
    kinds = ContentKind.promised(by: name)
    guard !kinds.isEmpty || FileName.isNeverPage(name) || isPage else { return nil }
  }

  var isPage: Bool { ContentPromise.pages.contains(ending) }
  /// Anything but text.
  var isBinary: Bool { !ContentPromise.texts.contains(ending) }
  /// Whether the file itself is compressed, as by a content coding.
  var isCompressed: Bool {
    kinds.contains { [.gzip, .bzip2, .xz, .zstd].contains($0) } || ["br", "lz4"].contains(ending)
  }

  /// Whether the file may be a web page: text, or HTML for office software. The Content-Type then decides.
  var mayBePage: Bool { !isBinary || ["doc", "xls", "ppt"].contains(ending) }

  /// For messages about a web page instead of the file.
  var broken: String {
    let wanted = kinds.first?.words ?? "the .\(ending) file that its name promises"
    return "it is a web page, not \(wanted)"
  }

  private static let pages: Set<String> = ["html", "htm", "xhtml", "xht", "shtml"]

  /// Text formats that no web page uses.
  private static let texts: Set<String> = [
    "csv", "tsv", "json", "jsonl", "sig", "asc", "minisig", "svg", "ps", "eps", "rtf", "srt", "vtt", "metalink",
    "meta4",
  ]

  /// No web pages, and without a signature here.
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
