// `dray feed`: queued entries, remembered entries, destinations of credentials.

import FaultServer
import Foundation
import Testing

@Suite("Feeds from the command line")
struct FeedCommandTests {
  /// A podcast with `names`, the newest first.
  static func podcast(_ names: [String]) -> String {
    let items = names.enumerated().map { index, name in
      """
      <item><title>Episode \(name)</title><guid isPermaLink="false">guid-\(name)</guid>
      <pubDate>Sat, \(28 - index) Feb 2026 06:00:00 +0000</pubDate>
      <enclosure url="/audio/\(name).mp3" length="1" type="audio/mpeg"/></item>
      """
    }
    return "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Pod</title>\(items.joined())</channel></rss>"
  }

  static func feed(_ names: [String], etag: String = "\"f1\"") -> FaultServer.Resource {
    .init(.init(.fixed(podcast(names).utf8), etag: etag))
  }

  @Test("enclosures are queued newest first, and fetched whole even if the feed lies about their length")
  func queues() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/feed.xml"] = Self.feed(["b", "a"])
      let (a, b) = (FaultServer.Version.named("a", size: 50_000), FaultServer.Version.named("b", size: 60_000))
      (server["/audio/a.mp3"], server["/audio/b.mp3"]) = (.init(a), .init(b))
      let queued = try await sandbox.dray("feed", server.url("/feed.xml"))
      expect(queued, exits: 0, saying: "2 queued")
      #expect(queued.output == "1\n2\n")
      #expect(try await sandbox.jobs().map(\.url) == [server.url("/audio/b.mp3"), server.url("/audio/a.mp3")])
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(["a.mp3": a.content, "b.mp3": b.content])
    }
  }

  @Test("no entry is queued twice: not after `remove`, not after `clean`, not by the feed's new URL")
  func remembers() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/feed.xml"] = .init(.named("x", size: 1), script: [.redirect(to: "/new.xml", status: 301)])
      server["/new.xml"] = Self.feed(["b", "a"])
      expect(try await sandbox.dray("feed", server.url("/feed.xml")), exits: 0, saying: "2 queued")
      expect(try await sandbox.dray("remove", "1", "2"), exits: 0)
      for path in ["/feed.xml", "/new.xml"] {
        let again = try await sandbox.dray("feed", server.url(path))
        expect(again, exits: 0, saying: "nothing new")
        #expect(again.output.isEmpty)
      }
      #expect(try await sandbox.jobs().isEmpty)
      server["/new.xml"] = Self.feed(["c", "b", "a"], etag: "\"f2\"")
      expect(try await sandbox.dray("feed", server.url("/new.xml")), exits: 0, saying: "1 queued, 2 already known")
      #expect(try await sandbox.onlyJob().url == server.url("/audio/c.mp3"))
      expect(try await sandbox.dray("feed", "--again", server.url("/new.xml")), exits: 0, saying: "3 queued")
      #expect(try await sandbox.jobs().count == 3)
    }
  }

  @Test("a conditional request gets a 304; entries not queued before are queued from the copy")
  func unchanged() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/feed.xml"] = Self.feed(["b", "a"])
      server["/feed.xml"]?.script = [.normal, .status(304)]
      let url = server.url("/feed.xml")
      expect(try await sandbox.dray("feed", "--limit", "1", url), exits: 0, saying: "1 queued")
      #expect(try await sandbox.onlyJob().url == server.url("/audio/b.mp3"))
      expect(try await sandbox.dray("feed", "--limit", "1", url), exits: 0, saying: "nothing new")
      expect(try await sandbox.dray("feed", url), exits: 0, saying: "1 queued, 1 already known")
      #expect(server.requests.map { $0["if-none-match"] } == [nil, "\"f1\"", "\"f1\""])
    }
  }

  @Test("a feed with unrequested compression, in the charset of its answer, with HTML entities")
  func fromTheField() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      let text =
        "\n<?xml version='1.0'?><rss><channel><item><title>Caf\\351 &amp; &eacute; & more</title>"
        + "<enclosure url='/audio/a.mp3'/></item></channel></rss>"
      let made = try await sandbox.shell("printf \"\(text.replacing("&", with: "\\046"))\" | gzip -c > feed.gz")
      expect(made, exits: 0)
      let packed = try #require(FileManager.default.contents(atPath: sandbox.path("feed.gz")))
      var resource = FaultServer.Resource(Version(.fixed(packed), etag: "\"1\""))
      resource.contentType = "application/rss+xml; charset=iso-8859-1"
      server["/plain.gz"] = resource
      var coded = Answer()
      coded.headers = ["Content-Encoding: gzip"]
      resource.script = [coded]
      server["/feed.xml"] = resource
      for path in ["/feed.xml", "/plain.gz"] {
        let list = try await sandbox.dray("feed", "--list", "--json", server.url(path))
        expect(list, exits: 0, saying: "Café & é & more")
      }
    }
  }

  @Test("--match selects and --list shows; --list queues nothing")
  func lists() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/feed.xml"] = Self.feed(["interview", "news", "talk"])
      let url = server.url("/feed.xml")
      let list = try await sandbox.dray("feed", "--list", "--json", "--match", "INTER|talk\\.mp3$", url)
      expect(list, exits: 0)
      let objects = try #require(try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
      #expect(objects.map { $0["title"] as? String } == ["Episode interview", "Episode talk"])
      #expect(objects.allSatisfy { $0["known"] as? Bool == false && $0["id"] is NSNull })
      #expect(sandbox.names(in: sandbox.root).contains("home") == false)
      expect(try await sandbox.dray("feed", "--match", "news", url), exits: 0)
      let table = try await sandbox.dray("feed", "--dry-run", url)
      expect(table, exits: 0)
      #expect(table.output.contains("known") && table.output.contains("new") && table.output.contains("Episode talk"))
      for words in [["--match", "nothing"], ["--match", "^news"], ["--list", "--match", "nothing"]] {
        expect(try await sandbox.dray(["feed"] + words + [url]), exits: 0, saying: "3 entries, none matches")
      }
      for bad in ["(", "(?i)news", #"\d"#] {
        expect(try await sandbox.dray("feed", "--match", bad, url), exits: 2, saying: "regular expression")
      }
      expect(try await sandbox.dray("feed", "--limit", "0", url), exits: 2, saying: "--limit")
      expect(try await sandbox.dray("feed", "-o", "x", url), exits: 2, saying: "-o")
    }
  }

  @Test("credentials for the feed go to its origin only")
  func secrets() async throws {
    try await Sandbox.use { sandbox in
      let (server, other) = (sandbox.server, try FaultServer())
      defer { other.stop() }
      let item = "<item><enclosure url=\"%\"/></item>"
      let feed = "<rss><channel>\(item.replacing("%", with: "/own"))\(item.replacing("%", with: other.url("/theirs")))"
      server["/feed"] = .init(.init(.fixed("\(feed)</channel></rss>".utf8)))
      server["/own"] = .init(.named("own", size: 1000))
      other["/theirs"] = .init(.named("theirs", size: 1000))
      let arguments = ["feed", "-H", "X-Key: geheim", "-u", "ann:pw", server.url("/feed")]
      expect(try await sandbox.dray(arguments), exits: 0)
      expect(try await sandbox.dray("run"), exits: 0)
      #expect(server.requests.map { $0["x-key"] } == ["geheim", "geheim"])
      #expect(server.requests.allSatisfy { $0["authorization"] != nil })
      #expect(other.requests.count == 1)
      #expect(other.requests.allSatisfy { $0["x-key"] == nil && $0["authorization"] == nil })
    }
  }

  @Test("entries with one file name all arrive, also weeks apart; what failed is queued again")
  func sameNames() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      func feed(_ count: Int) -> FaultServer.Resource {
        let items = (1...count).map {
          "<item><guid>g\($0)</guid><pubDate>Sat, 0\($0) Feb 2026 06:00:00 GMT</pubDate><enclosure url=\"/\($0)/m.mp3\"/></item>"
        }
        return .init(.init(.fixed("<rss><channel>\(items.joined())</channel></rss>".utf8), etag: "\"\(count)\""))
      }
      var files: [String: FaultServer.Content] = [:]
      for number in 1...3 {
        let version = FaultServer.Version.named("m\(number)", size: 5000 + Int64(number))
        server["/\(number)/m.mp3"] = .init(version)
        files[number == 1 ? "m.mp3" : "m.2026-02-0\(number).mp3"] = version.content
      }
      server["/3/m.mp3"]?.script = [.status(404), .normal]
      for count in 1...3 {
        server["/feed"] = feed(count)
        expect(try await sandbox.dray("feed", server.url("/feed")), exits: 0, saying: "1 queued")
        expect(try await sandbox.dray("run"), exits: count == 3 ? 8 : 0)
      }
      expect(try await sandbox.dray("feed", server.url("/feed")), exits: 0, saying: "1 failed before and queued again")
      expect(try await sandbox.dray("run"), exits: 0)
      sandbox.expectFiles(files)
      expect(try await sandbox.dray("feed", server.url("/feed")), exits: 0, saying: "nothing new")
    }
  }

  @Test("a long history is queued only if that is asked for")
  func history() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      let items = (1...22).map { "<item><enclosure url=\"/\($0).mp3\"/></item>" }.joined()
      server["/feed"] = .init(.init(.fixed("<rss><channel>\(items)</channel></rss>".utf8), etag: "\"1\""))
      let url = server.url("/feed")
      expect(try await sandbox.dray("feed", url), exits: 2, saying: "22 entries, none queued; --limit 5")
      #expect(try await sandbox.jobs().isEmpty)
      expect(try await sandbox.dray("feed", "--limit", "1", url), exits: 0, saying: "1 queued")
      expect(try await sandbox.dray("feed", url), exits: 2, saying: "21 entries older")
      expect(try await sandbox.dray("feed", "--all", url), exits: 0, saying: "21 queued")
      expect(try await sandbox.dray("feed", url), exits: 0, saying: "nothing new")
    }
  }

  @Test("a failed feed does not stop the others; the status reports it")
  func failures() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/good"] = Self.feed(["a"])
      let page = "<!DOCTYPE html><link rel=alternate type=application/rss+xml href=/good>"
      server["/page"] = .init(.init(.fixed(page.utf8)))
      let bomb = "<!DOCTYPE a [<!ENTITY x \"xxxxxxxx\"><!ENTITY y \"&x;&x;&x;\">]><rss><channel>&y;</channel></rss>"
      server["/bomb"] = .init(.init(.fixed(bomb.utf8)))
      let finished = try await sandbox.dray(
        "feed", server.url("/page"), server.url("/good"), server.url("/bomb"), server.url("/missing"))
      expect(finished, exits: 7, saying: "its feed is at \(server.url("/good"))")
      #expect(finished.text.contains("document type") && finished.text.contains("404"))
      #expect(try await sandbox.onlyJob().url == server.url("/audio/a.mp3"))
      server["/huge"] = .init(.named("huge", size: 17 << 20))
      expect(try await sandbox.dray("feed", server.url("/huge")), exits: 7, saying: "longer than")
    }
  }
}
