// Where the server with the objects of a repository is, by git's settings:
// https://github.com/git-lfs/git-lfs/blob/main/docs/api/server-discovery.md

package import DrayCore

/// The settings that `git config -z` prints: each with its name, a line end, its value, and a zero byte.
package struct GitSettings: Sendable, Equatable {
  /// The last value of each name.
  private var values: [String: String] = [:]

  package init() {}

  package init(_ bytes: [UInt8]) {
    for entry in bytes.split(separator: 0) {
      let parts = entry.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = String(validating: parts[0], as: UTF8.self) else { continue }
      // A name without a value means true.
      let value = parts.count > 1 ? String(validating: parts[1], as: UTF8.self) : "true"
      values[name] = value ?? values[name]
    }
  }

  /// The value of a setting; `nil` if it is missing or empty. Sections and names are in lowercase.
  package subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
}

/// The server with the objects of a repository.
package enum LFSServerPlace: Sendable, Equatable {
  /// The root of the API.
  case web(RequestURL, user: String?, password: String?)
  /// A server that gives the root of the API, and a token, to a program over ssh.
  case ssh(LFSShell)

  private static let kind = "the address of a git-lfs server"

  /// Returns the setting with the address for a remote: `lfs.url`, or that of the remote; `nil` if the address of the
  /// remote itself counts.
  /// - Parameters:
  ///   - own: The settings of the user and the repository.
  ///   - shared: The settings in `.lfsconfig`, which come with the repository's files.
  package static func setting(of remote: String, own: GitSettings, shared: GitSettings) -> String? {
    let names = ["lfs.url", "remote.\(remote).lfsurl"]
    return names.lazy.compactMap { own[$0] ?? shared[$0] }.first
  }

  /// Reads an address.
  /// - Parameters:
  ///   - text: The address.
  ///   - isRemote: Whether it is the address of a remote, below which the API is, and not that of the API.
  package init(_ text: String, isRemote: Bool) throws(DocumentError) {
    guard !text.isEmpty, text.utf8.count <= 4096, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw DocumentError(Self.kind, "it is empty, too long, or contains blanks")
    }
    // `NAME::ADDRESS` is for a helper of git's (gitremote-helpers(7)), such as `ext::`, which runs commands.
    let helper = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    if !helper.isEmpty, text.dropFirst(helper.count).hasPrefix("::") {
      throw DocumentError(Self.kind, "only http, https and ssh reach such a server")
    }
    if let shell = try LFSShell(text) {
      self = .ssh(shell)
      return
    }
    var address = text
    if text.hasPrefix("git://") { address = "https" + text.dropFirst(3) }
    guard address.hasPrefix("https://") || address.hasPrefix("http://"),
      let parsed = try? RequestURL.parse(address)
    else {
      throw DocumentError(Self.kind, "only http, https and ssh reach such a server")
    }
    let url = isRemote ? Self.root(below: parsed.url) : parsed.url
    guard let url else { throw DocumentError(Self.kind, "it is too long") }
    self = .web(url, user: parsed.userInfo?.user, password: parsed.userInfo?.password)
  }

  /// Returns the root of the API of a remote: `https://host/org/repo.git/info/lfs`.
  static func root(below remote: RequestURL) -> RequestURL? {
    var text = remote.withoutQuery.string
    while text.hasSuffix("/") { text.removeLast() }
    return try? RequestURL.parse(text + (text.hasSuffix(".git") ? "/info/lfs" : ".git/info/lfs")).url
  }

  /// Returns the URL of the batch API.
  /// - Parameter root: The root of the API.
  package static func batch(below root: RequestURL) -> RequestURL? {
    var text = root.withoutQuery.string
    while text.hasSuffix("/") { text.removeLast() }
    return try? RequestURL.parse(text + "/objects/batch" + (root.query.map { "?" + $0 } ?? "")).url
  }
}

/// A server that is reached by ssh, and the path of the repository on it.
package struct LFSShell: Sendable, Equatable {
  /// The host, with the user before it if there is one.
  package var host: String
  package var port: Int?
  package var path: String

  package init(host: String, port: Int? = nil, path: String) {
    (self.host, self.port, self.path) = (host, port, path)
  }

  private static let kind = "the address of a git-lfs server"

  /// Reads `ssh://[USER@]HOST[:PORT]/PATH` or `[USER@]HOST:PATH`; `nil` for an address of another kind.
  init?(_ text: String) throws(DocumentError) {
    var host: Substring
    let rest: Substring
    let schemes = ["ssh://", "git+ssh://", "ssh+git://"]
    if let scheme = schemes.first(where: text.hasPrefix) {
      let after = text.dropFirst(scheme.count)
      guard let slash = after.firstIndex(of: "/") else { throw DocumentError(Self.kind, "it has no path") }
      (host, rest) = (after[..<slash], after[slash...])
      let afterUser = host.lastIndex(of: "@").map { host.index(after: $0) } ?? host.startIndex
      if !host.hasSuffix("]"), let colon = host[afterUser...].lastIndex(of: ":") {
        guard let number = Int(host[host.index(after: colon)...]), (1...65_535).contains(number) else {
          throw DocumentError(Self.kind, "its port is not a number")
        }
        port = number
        host = host[..<colon]
      }
    } else {
      guard !text.contains("://"), !text.hasPrefix("/"), !text.hasPrefix("."), let colon = text.firstIndex(of: ":"),
        !text[..<colon].contains("/")
      else { return nil }
      (host, rest) = (text[..<colon], text[text.index(after: colon)...])
    }
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@[]:%+")
    // A name that begins with a hyphen would be an option of ssh.
    guard !host.isEmpty, !host.hasPrefix("-"), !host.hasPrefix("@"), host.allSatisfy(allowed.contains) else {
      throw DocumentError(Self.kind, "its host is not a name")
    }
    guard !rest.isEmpty, !rest.hasPrefix("-") else { throw DocumentError(Self.kind, "its path is not one") }
    (self.host, path) = (String(host), String(rest))
  }

  /// The line for the shell of the server.
  package var command: String { "git-lfs-authenticate \(Self.quoted(path)) download" }

  /// The arguments of ssh.
  package var arguments: [String] { (port.map { ["-p", String($0)] } ?? []) + [host, command] }

  /// Returns a word for a shell. Most servers split the line themselves, so quotes are used only where they are needed.
  private static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "/._-~+".utf8.contains($0)
    }
    return plain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// Reads what `git-lfs-authenticate` answers: the root of the API, and its header fields.
  /// - Parameter now: In seconds since 1970.
  package static func access(_ bytes: [UInt8], now: Double) throws(DocumentError) -> LFSAction {
    let kind = "an answer of git-lfs-authenticate"
    let root = try JSONNode.parse(bytes, kind: kind)
    guard let text = root["href"]?.string, let url = DocumentURL.resolve(text, against: nil),
      url.scheme == "https" || url.scheme == "http"
    else { throw DocumentError(kind, "it has no URL that can be used") }
    guard let fields = LFSBatch.fields(root["header"]) else {
      throw DocumentError(kind, "a header field in it cannot be sent")
    }
    return LFSAction(url, headers: fields, expiresAt: LFSBatch.expiry(root, now), isAuthenticated: true)
  }
}
