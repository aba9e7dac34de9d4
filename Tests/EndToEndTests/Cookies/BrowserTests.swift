// Firefox's cookies, from a profile like a real one.

import FaultServer
import Foundation
import Testing

@Suite("Cookies from a browser")
struct BrowserTests {
  /// Creates a profile whose database is open for writing, with its cookies still in the log, like a running browser's.
  private static let firefox = """
    import os, sqlite3, sys, time
    root, secret = sys.argv[1:3]
    os.makedirs(root + "/abc.default-release")
    open(root + "/profiles.ini", "w").write(
        "[Install1]\\nDefault=abc.default-release\\n\\n"
        "[Profile0]\\nName=default-release\\nIsRelative=1\\nPath=abc.default-release\\n")
    db = sqlite3.connect(root + "/abc.default-release/cookies.sqlite", isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA wal_autocheckpoint=0")
    db.execute("CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', name TEXT,"
               " value TEXT, host TEXT, path TEXT, expiry INTEGER, lastAccessed INTEGER, creationTime INTEGER,"
               " isSecure INTEGER, isHttpOnly INTEGER)")
    later = int(time.time()) + 9999
    for row in [("", "sid", secret, "127.0.0.1", "/", later, 0), ("", "milli", "2", "127.0.0.1", "/", later * 1000, 0),
                ("", "old", "x", "127.0.0.1", "/", 5, 0), ("^userContextId=1", "box", "x", "127.0.0.1", "/", later, 0),
                ("", "safe", "x", "127.0.0.1", "/", later, 1), ("", "other", "x", ".example.org", "/", later, 0)]:
        db.execute("INSERT INTO moz_cookies (originAttributes, name, value, host, path, expiry, lastAccessed,"
                   " creationTime, isSecure, isHttpOnly) VALUES (?, ?, ?, ?, ?, ?, 1, 1, ?, 1)", row)
    print("ready", flush=True)
    time.sleep(600)
    """

  @Test("--cookies-from-browser firefox", arguments: [".mozilla/firefox", "snap/firefox/common/.mozilla/firefox"])
  func firefox(_ place: String) async throws {
    try await Sandbox.use { sandbox in
      let browser = try sandbox.launch(
        try toolPath("python3"), ["-c", Self.firefox, "\(sandbox.root)/user/\(place)", CookieTests.secret])
      try await browser.wait(for: "the profile") { browser.output.contains("ready") }
      let server = sandbox.server
      server["/f"] = .init(CookieTests.version)
      for text in ["firefox", "firefox:default-release", "firefox:\(sandbox.root)/user/\(place)/abc.default-release"] {
        let name = "f\(text.count)"
        let finished = try await sandbox.dray("get", "--cookies-from-browser", text, server.url("/f"), "-o", name)
        expect(finished, exits: 0)
        let sent = Set((server.requests("/f").last?["Cookie"] ?? "").components(separatedBy: "; "))
        // libcurl and browsers treat this machine as a secure origin, like https (RFC 6265bis §5.7).
        #expect(sent == ["sid=\(CookieTests.secret)", "milli=2", "safe=x"])
      }
      let shown = try await sandbox.dray("show", "1")
      #expect(!shown.text.contains(CookieTests.secret), "\(shown)")
      #expect(!(try await sandbox.dray("show", "1", "--json")).text.contains(CookieTests.secret))
    }
  }

  @Test(
    "another browser or profile is refused by name, with the reason",
    arguments: [("chrome", "encrypts"), ("lynx", "not a browser"), ("firefox:work", "work"), ("firefox", "profile")])
  func refused(_ text: String, _ said: String) async throws {
    try await Sandbox.use { sandbox in
      let finished = try await sandbox.dray("get", "--cookies-from-browser", text, sandbox.server.url("/f"))
      expect(finished, exits: 2, saying: said)
      #expect(sandbox.server.requests.isEmpty)
    }
  }
}
