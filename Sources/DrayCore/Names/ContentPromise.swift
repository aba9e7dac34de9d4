// The type that a file's name promises, and whether a web page can be of that type.

/// The type that a name promises.
struct ContentPromise: Equatable {
  /// The extension of the name, lowercase.
  let ending: String
  private let kinds: [ContentKind]

  /// Creates the promise of a name; `nil` if it promises nothing: any text, or a program that may send anything
  /// (`.php`).
  init?(_ name: String) {
    ending = FileName.ending(name)
    kinds = ContentKind.promised(by: name)
    guard !kinds.isEmpty || FileName.isNeverPage(name) || isPage else { return nil }
  }

  /// Whether it promises a web page.
  var isPage: Bool { ContentPromise.pages.contains(ending) }
  /// Whether it promises something other than text.
  var isBinary: Bool { !ContentPromise.texts.contains(ending) }
  /// Whether the promised file is itself compressed. Content codings compress, too.
  var isCompressed: Bool {
    kinds.contains { [.gzip, .bzip2, .xz, .zstd].contains($0) } || ["br", "lz4"].contains(ending)
  }

  /// Whether a web page may be such a file: text, or HTML for office software. The Content-Type then decides.
  var mayBePage: Bool { !isBinary || ["doc", "xls", "ppt"].contains(ending) }

  /// The message if a web page comes instead.
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

  /// Extensions of files that are no web pages and have no signature here.
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
  /// Whether a name is of a file that is no web page and has no signature.
  static func isNeverPage(_ name: String) -> Bool { ContentPromise.neverPages.contains(ending(name)) }
}
