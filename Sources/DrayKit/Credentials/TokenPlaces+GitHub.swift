// Finds the token for a GitHub server, in the order of GitHub's own program gh.

internal import DrayCore
internal import DrayDocuments

extension TokenPlaces {
  /// A token, and the place where it was found, for messages.
  struct GitHubToken: Sendable, Equatable {
    var value: String
    /// A variable, or the path of a file.
    var place: String
  }

  /// The header field with the token for a request to the API of a GitHub server; `nil` for any other URL, such as the
  /// signed ones to which the API redirects.
  func gitHubField(for url: RequestURL) -> HeaderField? {
    GitHubServer(api: url).flatMap(gitHubToken).map { HeaderField("Authorization", "Bearer \($0.value)") }
  }

  /// The server that names without a host mean: the one in `GH_HOST`, otherwise GitHub itself.
  /// - Throws: Kind `usage` for a value that is not a host.
  func gitHubServer() throws(Failure) -> GitHubServer {
    let text = variable("GH_HOST") ?? GitHubServer.main
    guard let server = GitHubServer(host: text) else {
      throw Failure(
        .usage, "GH_HOST", "\(TextSafety.escaped(URLRedaction.redacted(text))) is not a host",
        advice: "write it like \(GitHubServer.main), or unset it")
    }
    return server
  }

  /// Returns the token for a server; `nil` if there is none.
  ///
  /// | order | place | for |
  /// |---|---|---|
  /// | 1 | `GH_TOKEN`, `GITHUB_TOKEN` | `github.com`, and `GH_HOST` if it ends in `.ghe.com` |
  /// | 1 | `GH_ENTERPRISE_TOKEN`, `GITHUB_ENTERPRISE_TOKEN` | any other server, if `GH_HOST` names it |
  /// | 2 | `hosts.yml` of `gh` | the servers in it |
  ///
  /// A variable says nothing about the server that its token is for. A name such as `gh://evil.example/a/b`, which may
  /// come from elsewhere, therefore does not get it.
  func gitHubToken(for server: GitHubServer) -> GitHubToken? {
    let names = server.isOfGitHub ? ["GH_TOKEN", "GITHUB_TOKEN"] : ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]
    if server.isOpen || server.host == (try? gitHubServer())?.host {
      for name in names {
        if let value = variable(name).flatMap(TokenText.usable) { return GitHubToken(value: value, place: name) }
      }
    }
    guard let path = gitHubHostsFile, let text = read(path) else { return nil }
    return TokenPlaces.gitHubToken(in: text, host: server.host).flatMap(TokenText.usable).map {
      GitHubToken(value: $0, place: path)
    }
  }

  /// The path of the file in which `gh` records its logins.
  private var gitHubHostsFile: String? {
    if let directory = variable("GH_CONFIG_DIR") { return PathText.join(directory, "hosts.yml") }
    if let directory = variable("XDG_CONFIG_HOME") { return PathText.join(directory, "gh/hosts.yml") }
    return home.map { PathText.join($0, ".config/gh/hosts.yml") }
  }

  /// Finds the token of a server in `hosts.yml`.
  ///
  /// Reads only the form that `gh` writes: servers at the start of a line, below them indented `oauth_token: TOKEN`, or
  /// the same once more below `users:` and the name of the active `user`. Any other YAML is passed over. `gh` writes no
  /// token if it keeps it in a keyring.
  static func gitHubToken(in text: String, host: String) -> String? {
    var path: [(indent: Int, key: String)] = []
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let indent = line.prefix { $0 == " " }.count
      let rest = line.dropFirst(indent)
      guard let first = rest.first, first != "#", first != "-", let colon = separator(in: rest) else { continue }
      path.removeAll { $0.indent >= indent }
      let key = unquoted(rest[..<colon])
      path.append((indent, path.isEmpty ? key.lowercased() : key))
      let value = unquoted(rest[rest.index(after: colon)...])
      guard !value.isEmpty, path.first?.key == host else { continue }
      values[path.dropFirst().map(\.key).joined(separator: "\n")] = value
    }
    return values["oauth_token"] ?? values["user"].flatMap { values["users\n\($0)\noauth_token"] }
  }

  /// Returns the index of the colon after a key. A colon inside a host with a port is followed by a digit.
  private static func separator(in text: Substring) -> Substring.Index? {
    text.indices.first { index in
      guard text[index] == ":" else { return false }
      let next = text.index(after: index)
      return next == text.endIndex || text[next] == " "
    }
  }

  private static func unquoted(_ text: Substring) -> String {
    let plain = text.trimmingSpaces()
    guard let sign = plain.first, sign == "\"" || sign == "'" else {
      return String(plain.prefix { $0 != "#" }.trimmingSpaces())
    }
    return String(plain.dropFirst().prefix { $0 != sign })
  }
}
