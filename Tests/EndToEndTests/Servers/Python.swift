// Python's own server: no ranges, no ETag, HTTP/1.0.

extension ServerKind {
  /// `python3 -m http.server`.
  static let python = ServerKind(
    name: "python", program: "python3", servesRanges: false, tags: .none, places: [.tree]
  ) { setup in
    ServerStart(arguments: ["-m", "http.server", "\(setup.port)", "--bind", "127.0.0.1", "--directory", setup.site])
  }
}
