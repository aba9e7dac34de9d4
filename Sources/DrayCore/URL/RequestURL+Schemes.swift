// Applies the scheme's rules to the paths of URLs.

extension RequestURL {
  /// The last component of the path, decoded: the file name in an FTP request.
  public var fileNameBytes: [UInt8] {
    let decoded = PercentEncoding.decoded(Array(path.utf8)[...])
    return Array(decoded.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? [])
  }

  /// Checks path and query by the scheme's rules. In schemes where `?` is an ordinary character of a file name, path
  /// and query are joined to one path.
  /// - Parameter mayBeDirectory: Whether the path may end with a slash in a scheme whose paths name files.
  static func fitting(
    _ path: [UInt8], _ query: ArraySlice<UInt8>?, _ scheme: Scheme, mayBeDirectory: Bool = false
  ) throws(URLParseError) -> ([UInt8], ArraySlice<UInt8>?) {
    guard let file = scheme.form.file else { return (path, query) }
    // If the path is empty, add a slash, so that the text after `?` does not become part of the host.
    var whole = joined(path.isEmpty ? [UInt8(ascii: "/")] : path, query)
    try file.prepare?(&whole)
    whole = URLReference.removingDots(whole)
    try check(whole, file, of: scheme, mayBeDirectory: mayBeDirectory)
    return (whole, nil)
  }

  private static func joined(_ path: [UInt8], _ query: ArraySlice<UInt8>?) -> [UInt8] {
    query.map { path + Array("%3F".utf8) + $0 } ?? path
  }

  /// Refuses paths that would be misread: with a line end (which begins another protocol command), with NUL (the end of
  /// a C string), or without a file name.
  private static func check(
    _ path: [UInt8], _ file: Scheme.FilePath, of scheme: Scheme, mayBeDirectory: Bool
  ) throws(URLParseError) {
    let decoded = PercentEncoding.decoded(path[...])
    guard !decoded.contains(where: file.refuses) else {
      throw URLParseError("its path has a control character in it, encoded: no file of a \(scheme.name) URL has one")
    }
    guard !mayBeDirectory else { return }
    guard let last = decoded.last, last != UInt8(ascii: "/") else {
      throw URLParseError("it names a directory: write the path of a file after \(scheme.name)://")
    }
  }
}
