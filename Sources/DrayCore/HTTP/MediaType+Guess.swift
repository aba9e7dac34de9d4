// Finds the media type of an uploaded file: guessed from the extension, or given and checked.

extension MediaType {
  /// The type of unknown bytes.
  public static let bytes = "application/octet-stream"

  /// Guesses a media type by the extension of a name; ``bytes`` if it is unknown.
  package static func guess(fileName: String) -> String {
    guard let dot = fileName.lastIndex(of: ".") else { return bytes }
    return known[fileName[fileName.index(after: dot)...].lowercased()] ?? bytes
  }

  /// Whether a text is valid in `Content-Type`: `type/subtype`, optionally with parameters, on one line.
  package static func isValid(_ text: String) -> Bool {
    let parts = text.prefix { $0 != ";" }.trimmingSpaces().split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { FieldRule.isToken($0.utf8) } && FieldRule.isValue(text)
  }

  private static let known: [String: String] = [
    "txt": "text/plain", "log": "text/plain", "md": "text/markdown", "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "htm": "text/html", "html": "text/html", "css": "text/css", "js": "text/javascript", "mjs": "text/javascript",
    "json": "application/json", "xml": "application/xml", "plist": "application/x-plist", "yaml": "application/yaml",
    "yml": "application/yaml", "toml": "application/toml", "pdf": "application/pdf", "zip": "application/zip",
    "gz": "application/gzip", "tgz": "application/gzip", "bz2": "application/x-bzip2", "xz": "application/x-xz",
    "zst": "application/zstd", "tar": "application/x-tar", "7z": "application/x-7z-compressed",
    "iso": "application/x-iso9660-image", "deb": "application/vnd.debian.binary-package", "wasm": "application/wasm",
    "doc": "application/msword", "rtf": "application/rtf", "epub": "application/epub+zip",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
    "avif": "image/avif", "svg": "image/svg+xml", "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff",
    "ico": "image/vnd.microsoft.icon", "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg",
    "opus": "audio/opus",
    "flac": "audio/flac", "wav": "audio/wav", "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm",
    "mkv": "video/matroska", "mov": "video/quicktime", "avi": "video/vnd.avi", "mpeg": "video/mpeg",
    "ttf": "font/ttf", "otf": "font/otf", "woff": "font/woff", "woff2": "font/woff2",
  ]
}
