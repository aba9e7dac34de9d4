// Where the server of a repository is, and what git says about accounts.

import DrayCore
import DrayDocuments
import Testing

@Suite("Servers of git-lfs")
struct LFSServerPlaceTests {
  private func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  @Test(
    "the API of a remote",
    arguments: [
      ("https://git.example/o/r", "https://git.example/o/r.git/info/lfs", nil, nil),
      ("https://git.example/o/r.git/", "https://git.example/o/r.git/info/lfs", nil, nil),
      ("http://ann@git.example:8080/r.git", "http://git.example:8080/r.git/info/lfs", "ann", nil),
      ("https://ann:pw@git.example/r", "https://git.example/r.git/info/lfs", "ann", "pw"),
      ("git://git.example/r.git", "https://git.example/r.git/info/lfs", nil, nil),
    ] as [(String, String, String?, String?)])
  func remotes(text: String, root: String, user: String?, password: String?) throws {
    #expect(try LFSServerPlace(text, isRemote: true) == .web(try url(root), user: user, password: password))
  }

  @Test("an address of the API is taken as it is")
  func root() throws {
    let root = try url("https://lfs.example/api/")
    #expect(try LFSServerPlace("https://lfs.example/api/", isRemote: false) == .web(root, user: nil, password: nil))
    #expect(LFSServerPlace.batch(below: root)?.string == "https://lfs.example/api/objects/batch")
    #expect(
      LFSServerPlace.batch(below: try url("https://lfs.example/api?x=1"))?.string
        == "https://lfs.example/api/objects/batch?x=1")
  }

  @Test(
    "servers that are reached by ssh",
    arguments: [
      ("git@git.example:o/r.git", ["git@git.example", "git-lfs-authenticate o/r.git download"]),
      ("git.example:/srv/r", ["git.example", "git-lfs-authenticate /srv/r download"]),
      ("ssh://git@git.example:22022/o/r", ["-p", "22022", "git@git.example", "git-lfs-authenticate /o/r download"]),
      ("ssh://git.example/a'b", ["git.example", #"git-lfs-authenticate '/a'\''b' download"#]),
      ("git@git.example:$(id)", ["git@git.example", "git-lfs-authenticate '$(id)' download"]),
    ])
  func shells(text: String, arguments: [String]) throws {
    guard case .ssh(let shell) = try LFSServerPlace(text, isRemote: true) else {
      Issue.record("\(text) is not reached by ssh")
      return
    }
    #expect(shell.arguments == arguments)
  }

  @Test(
    "addresses of no server",
    arguments: [
      "", "/srv/r.git", "../r", "file:///srv/r", "ftp://git.example/r", "https://", "-oProxyCommand=id:r",
      "ssh://-oProxyCommand=id/r", "ssh://git.example", "ssh://git.example:x/r", "git@git.example:-r", "a b:c",
      "git.example:r\n", "@git.example:r", "ext::sh", "https://git.example/a b",
    ])
  func refused(text: String) {
    #expect(throws: DocumentError.self) { try LFSServerPlace(text, isRemote: true) }
  }

  @Test("settings: the last value counts, and those of the user count more than those of the files")
  func settings() {
    let own = GitSettings(Array("remote.up.url\nhttps://a\0lfs.url\nx\0lfs.url\ny\0flag\0empty\n\0".utf8))
    #expect(
      own["lfs.url"] == "y" && own["flag"] == "true" && own["empty"] == nil && own["remote.up.url"] == "https://a")
    let shared = GitSettings(Array("lfs.url\nshared\0remote.up.lfsurl\nz\0".utf8))
    #expect(LFSServerPlace.setting(of: "up", own: own, shared: shared) == "y")
    #expect(LFSServerPlace.setting(of: "up", own: GitSettings(), shared: shared) == "shared")
    #expect(LFSServerPlace.setting(of: "up", own: GitSettings(), shared: GitSettings()) == nil)
  }

  @Test("what ssh answers")
  func access() throws {
    let text = #"{"href":"https://lfs.example/x","header":{"Authorization":"RemoteAuth t"},"expires_in":60}"#
    let access = try LFSShell.access(Array(text.utf8), now: 100)
    #expect(access.headers == [HeaderField("Authorization", "RemoteAuth t")] && access.expiresAt == 160)
    for wrong in ["", "{}", #"{"href":"ssh://x/y"}"#, #"{"href":"https://x/y","header":{"A":"\n"}}"#] {
      #expect(throws: DocumentError.self) { try LFSShell.access(Array(wrong.utf8), now: 100) }
    }
  }

  @Test("accounts of git")
  func accounts() throws {
    let question = GitCredential.question(try url("https://git.example:444/o/r.git/info/lfs"), user: "ann")
    #expect(
      question == "protocol=https\nhost=git.example:444\npath=o/r.git/info/lfs\nusername=ann\n\n")
    let answer = "protocol=https\nhost=git.example\nusername=ann\npassword=a=b\n"
    let account = try #require(GitCredential(Array(answer.utf8)))
    #expect(account.user == "ann" && account.password == "a=b" && account.text == answer + "\n")
    #expect(account.basic == "Basic YW5uOmE9Yg==")
    for none in ["", "protocol=https\n", "username=\npassword=\n", "username=ann\n"] {
      #expect(GitCredential(Array(none.utf8)) == nil)
    }
  }
}
