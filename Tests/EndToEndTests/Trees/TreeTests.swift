// `-r`: filters, forbidden URLs, failures, and the group of the files.

import FaultServer
import Foundation
import Testing

@Suite("Directories")
struct TreeTests {
  static let content = Version.named("v1", size: 3000).content

  /// An index page with these links.
  private func page(_ links: [String], base: String = "") -> FaultServer.Resource {
    let list = links.map { "<li><a href=\"\($0)\">x</a></li>\n" }.joined()
    var resource = FaultServer.Resource(
      .init(.fixed("<title>Index of /</title>\(base)<ul>\(list)</ul>".utf8)))
    resource.contentType = "text/html"
    return resource
  }

  private func file() -> FaultServer.Resource {
    .init(.init(Self.content, lastModified: "Tue, 14 Nov 2023 22:13:20 GMT"))
  }

  private func expectTree(
    _ sandbox: Sandbox, _ paths: [String], _ context: some CustomStringConvertible,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    TreeSample(files: Dictionary(uniqueKeysWithValues: paths.map { ($0, Self.content) }))
      .expect(in: sandbox, "out", context, sourceLocation: sourceLocation)
  }

  /// A tree with two levels of directories.
  private func plant(_ server: FaultServer) {
    server["/d/"] = page(["a.iso", "b.txt", "x/", "y/"])
    server["/d/x/"] = page(["a.iso", "c.txt", "z/"])
    server["/d/x/z/"] = page(["d.iso"])
    server["/d/y/"] = page(["e.txt"])
    for path in ["a.iso", "b.txt", "x/a.iso", "x/c.txt", "x/z/d.iso", "y/e.txt"] { server["/d/\(path)"] = file() }
  }

  @Test(
    "filters and depth",
    arguments: [
      ([], ["a.iso", "b.txt", "x/a.iso", "x/c.txt", "x/z/d.iso", "y/e.txt"], []),
      (["--include", "*.iso"], ["a.iso", "x/a.iso", "x/z/d.iso"], []),
      (["--include", "/*.iso", "--include", "/y/"], ["a.iso", "y/e.txt"], ["/d/x/"]),
      (["--include", "x/**/*.iso"], ["x/a.iso", "x/z/d.iso"], ["/d/y/"]),
      (["--exclude", "x"], ["a.iso", "b.txt", "y/e.txt"], ["/d/x/"]),
      (["--exclude", "*.iso", "--exclude", "y/e.*"], ["b.txt", "x/c.txt"], []),
      (["--depth", "1"], ["a.iso", "b.txt"], ["/d/x/", "/d/y/"]),
      (["--depth", "2"], ["a.iso", "b.txt", "x/a.iso", "x/c.txt", "y/e.txt"], ["/d/x/z/"]),
      (["-np", "-l", "1", "--accept", "iso"], ["a.iso"], ["/d/x/"]),
      (["-np", "-nH", "--cut-dirs=0", "--include", "/y/"], ["d/y/e.txt"], ["/d/x/"]),
      (["-nH", "--cut-dirs", "1", "--depth", "1"], ["a.iso", "b.txt"], ["/d/x/"]),
      (["--reject", "*.iso,txt"], [], []),
    ] as [([String], [String], [String])])
  func wanted(_ options: [String], _ files: [String], _ unasked: [String]) async throws {
    try await Sandbox.use { sandbox in
      plant(sandbox.server)
      let finished = try await sandbox.dray(["get", "-r", "-d", "out"] + options + [sandbox.server.url("/d")])
      expect(finished, exits: 0)
      expectTree(sandbox, files, finished)
      let asked = Set(sandbox.server.requests.map(\.path))
      for path in unasked { #expect(!asked.contains(path), "\(path)") }
    }
  }

  @Test("a directory whose link looks like a file's is reported, and its listing is not saved as the file")
  func directoryTakenForFile() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/d/"] = page(["a.iso", "x/", "app.iso"])
      server["/d/x/"] = page(["c.txt"])
      server["/d/app.iso"] = .init(.named("x", size: 1), script: [.redirect(to: "/d/app.iso/")])
      server["/d/app.iso/"] = page(["inner.txt"])
      (server["/d/a.iso"], server["/d/x/c.txt"]) = (file(), file())
      let finished = try await sandbox.dray("get", "-r", "-d", "out", server.url("/d/"))
      expect(finished, exits: 8, saying: "/d/app.iso: it is a directory; fetch \(server.url("/d/app.iso/")) with -r")
      expectTree(sandbox, ["a.iso", "x/c.txt"], finished)
      #expect(server.requests("/d/app.iso").count == 1 && server.requests("/d/app.iso/").isEmpty)
      // A typed URL is followed to its page.
      expect(try await sandbox.dray("get", server.url("/d/app.iso"), "-o", "page.html"), exits: 0)
    }
  }

  @Test("only URLs below the directory are requested, whatever its pages and redirects say")
  func confined() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/d/"] = page([
        "?C=N;O=D", "../", "/", "/e/f", "..", "http://127.0.0.1:1/d/x", "a", "a?x=1", "a#b", "../e/f", "%2e%2e/f",
        "%2e%2e%2ff",
        "b%2Fc", "moved/", "out/", "//127.0.0.1:1/x", "q//r", "javascript:x", "\u{1B}[2Jx", "./a",
      ])
      server["/d/moved/"] = .init(.named("x", size: 1), script: [.redirect(to: "/e/")])
      server["/d/out/"] = .init(.named("x", size: 1), script: [.redirect(to: "http://127.0.0.1:1/d/out/")])
      server["/e/"] = page(["f"])
      (server["/d/a"], server["/e/f"], server["/f"]) = (file(), file(), file())
      let finished = try await sandbox.dray("get", "-r", "-d", "out", server.url("/d/"))
      expect(finished, exits: 7, saying: "not below")
      expectTree(sandbox, ["a"], finished)
      let asked = Set(server.requests.map(\.target))
      // A server may write its internal port into links, so /d/x is requested from this server.
      #expect(asked.subtracting(["/d/", "/d/a", "/d/moved/", "/d/out/", "/d/x"]).isEmpty, "\(asked)")
      #expect(!finished.errors.unicodeScalars.contains("\u{1B}"))
    }
  }

  @Test("a start URL that redirects elsewhere, is not an index, or is missing")
  func starts() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/away/"] = .init(.named("x", size: 1), script: [.redirect(to: "/e/")])
      server["/e/"] = page(["f"])
      var page = FaultServer.Resource(.init(.fixed("<a href=\"https://example.org/\">x</a>".utf8)))
      page.contentType = "text/html"
      server["/page/"] = page
      expect(
        try await sandbox.dray("get", "-r", "-d", "out", server.url("/away/")), exits: 7,
        saying: "if that is the directory, give its URL")
      expect(
        try await sandbox.dray("get", "-r", "-d", "out", server.url("/page/")), exits: 7,
        saying: "no link to anything below itself")
      expect(try await sandbox.dray("add", "-r", "-d", "out", server.url("/gone/")), exits: 8, saying: "404")
      expect(try await sandbox.dray("get", "-r", server.url("/gone")), exits: 8, saying: "without -r")
      expect(try await sandbox.dray("get", "-r", server.url("/d/?x")), exits: 2, saying: "no query")
      expect(try await sandbox.dray("get", "-r", "file:///etc"), exits: 2, saying: "cp -r")
      expect(try await sandbox.dray("get", "-r", "-o", "x", server.url("/e/")), exits: 2, saying: "-d")
      expect(try await sandbox.dray("get", "--depth", "2", server.url("/e/")), exits: 2, saying: "-r")
      #expect(try await sandbox.jobs().isEmpty)
    }
  }

  @Test("a failed directory is reported, the rest is fetched, and the next run fetches it")
  func partly() async throws {
    try await Sandbox.use { sandbox in
      plant(sandbox.server)
      let good = try #require(sandbox.server["/d/x/"])
      sandbox.server["/d/x/"] = .init(.named("x", size: 1), script: [.status(403)])
      let finished = try await sandbox.dray("get", "-r", "-d", "out", sandbox.server.url("/d/"))
      expect(finished, exits: 6, saying: "/d/x/: 403 Forbidden")
      #expect(finished.errors.contains("3 queued, 1 not read"), "\(finished)")
      expectTree(sandbox, ["a.iso", "b.txt", "y/e.txt"], finished)
      sandbox.server["/d/x/"] = good
      // A temporary error is waited out.
      sandbox.server["/d/y/"]?.script = [.status(503), .normal]
      expect(try await sandbox.dray("get", "-r", "-d", "out", sandbox.server.url("/d/")), exits: 0)
      expectTree(sandbox, ["a.iso", "b.txt", "x/a.iso", "x/c.txt", "x/z/d.iso", "y/e.txt"], finished)
    }
  }

  @Test("two names for one file, and a file in place of a directory, are errors")
  func clashes() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/d/"] = page(["a%01", "a", "x/y", "x"])
      for path in ["/d/a%01", "/d/a", "/d/x/y", "/d/x"] { server[path] = file() }
      let finished = try await sandbox.dray("get", "-r", "-d", "out", server.url("/d/"))
      expect(finished, exits: 3, saying: "same name here")
      #expect(finished.errors.contains("2 queued, 2 not read"), "\(finished)")
      expectTree(sandbox, ["a", "x/y"], finished)
    }
  }

  @Test("a link in the local directory is not followed, and the user's files may stay")
  func planted() async throws {
    try await Sandbox.use { sandbox in
      plant(sandbox.server)
      try FileManager.default.createDirectory(atPath: sandbox.path("out"), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: sandbox.path("away"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: sandbox.path("out/x"), withDestinationPath: sandbox.path("away"))
      let get = ["get", "-r", "-d", "out", sandbox.server.url("/d/")]
      let finished = try await sandbox.dray(get)
      #expect(finished.status == 3, "\(finished)")
      #expect(sandbox.names(in: sandbox.path("away")).isEmpty)
      #expect(Self.content.difference(fromFileAt: sandbox.path("out/y/e.txt")) == nil)
      // The user's existing file stays on request.
      let other = ["get", "-r", "-d", "mine", "--exclude", "x", "--on-conflict", "skip", sandbox.server.url("/d/")]
      try FileManager.default.createDirectory(atPath: sandbox.path("mine"), withIntermediateDirectories: true)
      try sandbox.write("mine", to: "mine/b.txt")
      expect(try await sandbox.dray(other), exits: 0, saying: "2 queued, 1 skipped")
      #expect(sandbox.read("mine/b.txt") == "mine")
    }
  }

  @Test(
    "links that lead back to a directory above end, with and without times in the listing", arguments: [true, false])
  func loops(hasTimes: Bool) async throws {
    try await Sandbox.use { sandbox in
      let time = hasTimes ? " 14-Nov-2023 22:13 3000" : ""
      var resource = FaultServer.Resource(
        .init(.fixed("<a href=\"a\">a</a>\(time)<a href=\"up/\">up</a><a href=\"down/\">down</a>".utf8)))
      resource.contentType = "text/html"
      // Every directory has the same listing, which names two subdirectories.
      var paths = ["/d/"]
      for _ in 0..<4 { paths += paths.flatMap { [$0 + "up/", $0 + "down/"] } }
      for path in Set(paths) {
        sandbox.server[path] = resource
        sandbox.server[path + "a"] = file()
      }
      let finished = try await sandbox.dray("get", "-r", "-d", "out", sandbox.server.url("/d/"))
      #expect(finished.errors.contains("back to a directory above"), "\(finished)")
      if hasTimes {
        expect(finished, exits: 0)
        expectTree(sandbox, ["a"], finished)
      }
      #expect(sandbox.server.requests.count < 80, "\(sandbox.server.requests.count)")
    }
  }

  @Test(
    "links to directories without a slash are walked, and a page that is a file stays a file", arguments: [true, false])
  func openLinks(redirects: Bool) async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      let up = "<a href=\"/\">~</a> / <a href=\"/d\">d</a>"
      func listing(_ links: [String]) -> FaultServer.Resource {
        var resource = FaultServer.Resource(
          .init(.fixed((up + links.map { "<li><a href=\"\($0)\">x</a>" }.joined()).utf8)))
        resource.contentType = "text/html"
        return resource
      }
      server["/d/"] = listing(["/d/a.iso", "/d/README", "/d/page", "/d/x"])
      server[redirects ? "/d/x/" : "/d/x"] = listing(["/d/x/c.txt", "/d/x/z", "/d"])
      server[redirects ? "/d/x/z/" : "/d/x/z"] = listing(["/d/x/z/d.iso"])
      if redirects {
        server["/d/x"] = .init(.named("x", size: 1), script: [.redirect(to: "/d/x/")])
        server["/d/x/z"] = .init(.named("x", size: 1), script: [.redirect(to: "/d/x/z/")])
      }
      server["/d/page"] = file()
      server["/d/page"]?.contentType = "text/html"
      for path in ["a.iso", "README", "x/c.txt", "x/z/d.iso"] { server["/d/\(path)"] = file() }
      let finished = try await sandbox.dray("get", "-r", "-d", "out", server.url("/d/"))
      expect(finished, exits: 0, saying: "5 files in 3 directories: 5 queued")
      expectTree(sandbox, ["a.iso", "README", "page", "x/c.txt", "x/z/d.iso"], finished)
      #expect(server.requests("/d/README").map(\.method) == ["HEAD", "GET"])
    }
  }

  @Test("files are fetched while directories are still read, and Ctrl-C ends both")
  func meanwhile() async throws {
    try await Sandbox.use { sandbox in
      plant(sandbox.server)
      let gate = Gate()
      sandbox.server["/d/x/"]?.script = [.held(by: gate, after: 10)]
      let get = ["get", "-r", "-d", "out", sandbox.server.url("/d/")]
      let program = try sandbox.start(get)
      try await program.wait(for: "the first files") {
        sandbox.names(in: sandbox.path("out")).isSuperset(of: ["a.iso", "b.txt"])
      }
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      gate.open()
      expect(try await sandbox.dray(get), exits: 0)
      expectTree(sandbox, ["a.iso", "b.txt", "x/a.iso", "x/c.txt", "x/z/d.iso", "y/e.txt"], "")
    }
  }

  @Test("the files are a group: one row on a terminal, each a job for programs, and acted on together")
  func group() async throws {
    try await Sandbox.use { sandbox in
      plant(sandbox.server)
      sandbox.server["/other"] = file()
      let url = sandbox.server.url("/d/")
      let added = try await sandbox.dray("add", "-r", "-d", "out", url)
      expect(added, exits: 0, saying: "6 files in 4 directories: 6 queued")
      #expect(added.output == (1...6).map { "\($0)\n" }.joined())
      expect(try await sandbox.dray("add", sandbox.server.url("/other")), exits: 0)
      let jobs = try await sandbox.jobs()
      #expect(jobs.map(\.group?.name) == [String?](repeating: "d", count: 6) + [nil])
      #expect(try await sandbox.dray("list").output.split(separator: "\n").count == 8)
      let one = try await sandbox.dray("list", "--json", "--group", "d")
      #expect(one.output.components(separatedBy: "\"uuid\"").count == 7, "\(one)")

      let terminal = try PseudoTerminal(width: 120)
      let list = try sandbox.start(["list"], on: terminal)
      #expect(try await list.finish(on: terminal) == .code(0))
      let rows = terminal.screen.text.split(separator: "\n")
      #expect(
        rows.contains { $0.contains("g1") && $0.contains("queued") && $0.contains("0/6") && $0.contains("d/") },
        "\(rows)")
      #expect(!rows.contains { $0.contains("a.iso") } && rows.contains { $0.contains("other") }, "\(rows)")

      expect(try await sandbox.dray("pause", "g1"), exits: 0, saying: "6 jobs paused")
      #expect(try await sandbox.jobs().filter { $0.state == "paused" }.count == 6)
      expect(try await sandbox.dray("resume", "--group", "d"), exits: 0, saying: "6 jobs queued")
      expect(try await sandbox.dray("set", "g1", "retries=9"), exits: 0, saying: "changed")
      #expect(try await sandbox.dray("export", "g1").output.split(separator: "\n").count == 6)
      #expect(try await sandbox.dray("path", "g1").output.split(separator: "\n").count == 6)
      expect(try await sandbox.dray("move", "g1", "--first"), exits: 0, saying: "moved")
      let shown = try await sandbox.dray("show", "g1")
      let lines = shown.output.split(separator: "\n")
      #expect(lines.count == 8 && lines[0].hasPrefix("Group 1: http") && lines[0].contains("/d/ in "), "\(shown)")
      #expect(lines[0].contains("/out: 6 queued"), "\(shown)")
      #expect(lines.contains { $0.contains(" x/z/d.iso ") } && lines.contains { $0.contains(" x/a.iso ") }, "\(shown)")
      expect(try await sandbox.dray("pause", "all"), exits: 2, saying: "--all")
      expect(try await sandbox.dray("run"), exits: 0)
      expectTree(sandbox, ["a.iso", "b.txt", "x/a.iso", "x/c.txt", "x/z/d.iso", "y/e.txt"], "")
      expect(try await sandbox.dray("pause", "g1"), exits: 0, saying: "nothing was paused")
      expect(try await sandbox.dray("pause", "g7"), exits: 2, saying: "no such group")
      expect(try await sandbox.dray("remove", "--group", "nobody"), exits: 2, saying: "no such group")
      expect(try await sandbox.dray("remove", "g1"), exits: 0, saying: "6 jobs removed")
      #expect(try await sandbox.jobs().map(\.id) == [7])
      expectTree(sandbox, ["a.iso", "b.txt", "x/a.iso", "x/c.txt", "x/z/d.iso", "y/e.txt"], "what was fetched stays")
      expect(try await sandbox.dray("remove", "g1"), exits: 2, saying: "no such group")
    }
  }

  @Test("credentials go to the listings and to the files, and to no other origin")
  func secrets() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      plant(server)
      for path in ["/d/", "/d/x/", "/d/x/z/", "/d/y/", "/d/a.iso", "/d/x/z/d.iso"] {
        server[path]?.credentials = "ann:s3cret"
      }
      let named = server.url("/d/").replacingOccurrences(of: "http://", with: "http://ann:s3cret@")
      let finished = try await sandbox.dray("get", "-r", "-d", "out", "--include", "*.iso", named)
      expect(finished, exits: 0)
      expectTree(sandbox, ["a.iso", "x/a.iso", "x/z/d.iso"], finished)
      #expect(!finished.text.contains("s3cret"))
      let refused = try await sandbox.dray("get", "-r", "-d", "no", server.url("/d/"))
      expect(refused, exits: 6, saying: "401")
    }
  }
}
