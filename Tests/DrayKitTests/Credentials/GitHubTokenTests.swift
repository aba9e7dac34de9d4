// Where tokens for GitHub servers are looked for, and which servers get them.

import DrayCore
import DrayDocuments
import Testing

@testable import DrayKit

@Suite("Tokens for GitHub") struct GitHubTokenTests {
  private static let hosts = """
    # A comment.
    github.com:
        user: ann
        oauth_token: gho_main   # of ann
        git_protocol: https
        users:
            ann:
                oauth_token: gho_main
    "ghe.example:8443":
        users:
            bob:
                oauth_token: gho_other
            eve:
                oauth_token: 'gho_eve'
        user: eve
    keyring.example:
        user: ann
        users:
            ann:
    """

  private func token(
    _ host: String, _ environment: [String: String] = [:], files: [String: String] = [:]
  ) throws -> String? {
    let places = TokenPlaces(environment: environment, home: "/h") { files[$0] }
    let found = places.gitHubToken(for: try #require(GitHubServer(host: host)))
    return found.map { "\($0.value) \($0.place)" }
  }

  @Test(
    "variables go to GitHub and to GH_HOST, and nowhere else",
    arguments: [
      ("github.com", ["GH_TOKEN": "a", "GITHUB_TOKEN": "b"], "a GH_TOKEN"),
      ("github.com", ["GH_TOKEN": "", "GITHUB_TOKEN": " b\n"], "b GITHUB_TOKEN"),
      ("github.com", ["GH_ENTERPRISE_TOKEN": "a"], nil),
      ("ghe.example", ["GH_TOKEN": "a", "GH_HOST": "ghe.example"], nil),
      ("ghe.example", ["GH_ENTERPRISE_TOKEN": "a", "GH_HOST": "ghe.example"], "a GH_ENTERPRISE_TOKEN"),
      ("ghe.example", ["GITHUB_ENTERPRISE_TOKEN": "a", "GH_HOST": "GHE.example"], "a GITHUB_ENTERPRISE_TOKEN"),
      ("evil.example", ["GH_ENTERPRISE_TOKEN": "a", "GH_HOST": "ghe.example"], nil),
      ("evil.example", ["GH_ENTERPRISE_TOKEN": "a"], nil),
      ("acme.ghe.com", ["GH_TOKEN": "a", "GH_HOST": "acme.ghe.com"], "a GH_TOKEN"),
      ("acme.ghe.com", ["GH_TOKEN": "a"], nil),
      ("github.com", ["GH_TOKEN": "a\r\nX: y"], nil), ("github.com", ["GH_TOKEN": "a b"], nil),
      ("github.com", [:], nil),
    ] as [(String, [String: String], String?)])
  func variables(_ host: String, _ environment: [String: String], _ found: String?) throws {
    #expect(try token(host, environment) == found)
  }

  @Test("the field is for the API of the token's server only")
  func field() throws {
    let places = TokenPlaces(environment: ["GH_TOKEN": "t"], home: nil) { _ in nil }
    func field(_ url: String) throws -> HeaderField? { places.gitHubField(for: try RequestURL.parse(url).url) }
    #expect(try field("https://api.github.com/repos/o/r/releases/assets/1") == HeaderField("Authorization", "Bearer t"))
    for other in ["https://github.com/o/r", "https://ghe.example/api/v3/x", "https://api.github.com.evil.example/x"] {
      #expect(try field(other) == nil)
    }
  }

  @Test("the file of gh: the first directory that is named")
  func places() throws {
    let text = "github.com:\n  oauth_token: t\n"
    let paths = ["/g/hosts.yml", "/x/gh/hosts.yml", "/h/.config/gh/hosts.yml"]
    let files = Dictionary(uniqueKeysWithValues: paths.map { ($0, text) })
    #expect(try token("github.com", ["GH_CONFIG_DIR": "/g", "XDG_CONFIG_HOME": "/x"], files: files) == "t \(paths[0])")
    #expect(try token("github.com", ["XDG_CONFIG_HOME": "/x"], files: files) == "t \(paths[1])")
    #expect(try token("github.com", files: files) == "t \(paths[2])")
    #expect(try token("github.com", ["GH_CONFIG_DIR": "/none"], files: files) == nil)
    #expect(try token("github.com", ["GH_TOKEN": "v"], files: files) == "v GH_TOKEN")
  }

  @Test(
    "the form that gh writes",
    arguments: [
      ("github.com", "gho_main"), ("ghe.example:8443", "gho_eve"), ("keyring.example", nil), ("ghe.example", nil),
      ("ann", nil),
    ] as [(String, String?)])
  func hosts(_ host: String, _ found: String?) { #expect(TokenPlaces.gitHubToken(in: Self.hosts, host: host) == found) }

  @Test(
    "other texts give no token",
    arguments: ["", "::", "\u{0}", "github.com", "- a: b", "github.com: {oauth_token: t}", "oauth_token: t"])
  func others(_ text: String) { #expect(TokenPlaces.gitHubToken(in: text, host: "github.com") == nil) }
}
