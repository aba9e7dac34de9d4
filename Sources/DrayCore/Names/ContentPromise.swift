// What the name of a file promises, and whether a web page can keep that.

/// The type that a name promises.
struct ContentPromise: Equatable {
  /// The extension of the name, lower case.
  let ending: String
  private let kinds: [ContentKind]

  /// `nil` for a name that promises nothing: any text, or a program that may answer with anything (`.php`).
  init?(_ name: String) {
    ending = FileName.ending(name)
    kinds = ContentKind.promised(by: name)
    guard !kinds.isEmpty || FileName.isNeverPage(name) || isPage else { return nil }
  }

  /// Whether it promises a page.
  var isPage: Bool { ContentPromise.pages.contains(ending) }
  /// Whether what it promises is something other than text.
  var isBinary: Bool { !ContentPromise.texts.contains(ending) }
  /// Whether it is compressed by itself, as an answer may be.
  var isCompressed: Bool {
    kinds.contains { [.gzip, .bzip2, .xz, .zstd].contains($0) } || ["br", "lz4"].contains(ending)
  }

  /// Whether a web page may be such a file: text, or HTML written for office software. Then the server's type decides.
  var mayBePage: Bool { !isBinary || ["doc", "xls", "ppt"].contains(ending) }

  /// What is said of a page in its place.
  var broken: String {
    let wanted = kinds.first?.words ?? "the .\(ending) file that its name promises"
    return "it is a web page, not \(wanted)"
  }

  private static let pages: Set<String> = ["html", "htm", "xhtml", "xht", "shtml"]

  /// Those of the extensions that no page has whose files are text.
  private static let texts: Set<String> = [
    "csv", "tsv", "json", "jsonl", "sig", "asc", "minisig", "svg", "ps", "eps", "rtf", "srt", "vtt", "metalink",
    "meta4",
  ]

  /// Extensions of files that are not pages, and have no signature here.
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
  /// Whether a name is of a file that is not a page and has no signature.
  static func isNeverPage(_ name: String) -> Bool { ContentPromise.neverPages.contains(ending(name)) }
}
