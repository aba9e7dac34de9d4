// The addresses of a GitHub server: its web pages and its API.

package import DrayCore

/// GitHub itself, a tenant of it below `ghe.com`, or a company's own GitHub Enterprise Server.
package struct GitHubServer: Sendable, Equatable {
  /// The host of GitHub itself.
  package static let main = "github.com"

  /// In lowercase, with a port if there is one.
  package let host: String
  package let scheme: String
  /// Where the API is, without a slash at the end.
  private let api: String

  /// - Returns: `nil` if the text is not a host.
  package init?(host text: String) {
    let text = text.lowercased()
    let scheme = ServiceAddress.isLocal(text) ? "http" : "https"
    guard !text.isEmpty, let parsed = try? RequestURL.parse("\(scheme)://\(text)/"), parsed.userInfo == nil,
      parsed.url.path == "/", parsed.url.query == nil
    else { return nil }
    let host = parsed.url.port.map { "\(parsed.url.host):\($0)" } ?? parsed.url.host
    self.host = host == "www.\(GitHubServer.main)" ? GitHubServer.main : host
    self.scheme = scheme
    let hasOwnHost = self.host == GitHubServer.main || self.host.hasSuffix(".ghe.com")
    api = hasOwnHost ? "https://api.\(self.host)" : "\(scheme)://\(self.host)/api/v3"
  }

  /// Creates the server whose API has a URL.
  /// - Returns: `nil` for a URL that is not one of an API.
  package init?(api url: RequestURL) {
    let authority = url.port.map { "\(url.host):\($0)" } ?? url.host
    // A company's own server may be called api.example.org.
    let hosts = [authority] + (authority.hasPrefix("api.") ? [String(authority.dropFirst("api.".count))] : [])
    let servers = hosts.compactMap { GitHubServer(host: $0) }.filter { server in
      server.api("").map { $0.origin == url.origin && url.path.hasPrefix($0.path) } ?? false
    }
    guard let server = servers.first else { return nil }
    self = server
  }

  /// Whether everybody sees public repositories. Any other server may want a login for them.
  package var isOpen: Bool { host == GitHubServer.main }

  /// Whether the tokens for GitHub itself are meant for this server, too.
  package var isOfGitHub: Bool { isOpen || host.hasSuffix(".ghe.com") }

  /// The variable for a token, which `gh` reads as well.
  package var tokenVariable: String { isOfGitHub ? "GH_TOKEN" : "GH_ENTERPRISE_TOKEN" }

  /// Returns a URL of the API.
  /// - Parameter path: The encoded path and query, without a slash at the start.
  package func api(_ path: String) -> RequestURL? { try? RequestURL.parse("\(api)/\(path)").url }

  /// Returns the URL of a web page or a download.
  package func web(_ path: String) -> RequestURL? { try? RequestURL.parse("\(scheme)://\(host)/\(path)").url }
}
