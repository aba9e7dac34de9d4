// file, for local files.

extension Scheme {
  /// Local files (RFC 8089): `file:///path` or `file://localhost/path`.
  package static let file = Scheme(
    "file", port: 0, .disk, authors: [.user], listing: nil, [.resume], Form(hasHost: false, file: FilePath()))
}

extension RequestURL {
  static func local(
    _ scheme: Scheme, _ authority: ArraySlice<UInt8>, path: [UInt8], query: ArraySlice<UInt8>?
  ) throws(URLParseError) -> Parsed {
    let host = String(decoding: authority, as: UTF8.self).lowercased()
    guard host.isEmpty || host == "localhost" else {
      throw URLParseError("a file URL names a file of this machine: write file:///PATH")
    }
    let (whole, _) = try fitting(path, query, scheme)
    return Parsed(url: try fit(Origin(scheme: scheme.name, host: "", port: 0), path: whole, query: nil), userInfo: nil)
  }

  /// The path of a `file` URL on disk, as bytes. The path need not be valid text.
  public var filePath: [UInt8] { PercentEncoding.decoded(Array(path.utf8)[...]) }
}
