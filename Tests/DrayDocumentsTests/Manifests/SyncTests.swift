// Manifests, locks, and the decision for each file.

import DrayCore
import DrayDocuments
import Testing

@Suite("Manifests and locks")
struct SyncTests {
  private static let sha = DigestValue(.sha256, bytes: Array(repeating: 1, count: 32))
  private static let other = DigestValue(.sha256, bytes: Array(repeating: 2, count: 32))

  @Test("defaults, base, several URLs")
  func manifest() throws {
    let manifest = try Manifest.parse(
      """
      [defaults]
      base = "https://h.example/files/"
      dir = "assets"
      user-agent = "T"
      headers = { X-A = "1", X-B = "2" }

      [[file]]
      url = "a.bin"
      headers = { x-a = "own" }

      [[file]]
      urls = ["https://m.example/b", "ftp://n.example/b"]
      target = "sub/b.bin"
      digest = "\(Self.sha)"
      size = 7
      """)
    #expect(manifest.files.map(\.target) == ["assets/a.bin", "assets/sub/b.bin"])
    #expect(manifest.files[0].urls.map(\.string) == ["https://h.example/files/a.bin"])
    #expect(manifest.files[0].headers.map(\.value) == ["own", "2"] && manifest.files[0].userAgent == "T")
    #expect(manifest.files[1].urls.count == 2 && manifest.files[1].digest == Self.sha && manifest.files[1].size == 7)
  }

  @Test(
    "errors",
    arguments: [
      ("", "no [[file]]"), ("x = ", "not TOML"), ("[[fiel]]\nurl = 'http://h/a'", "did you mean file?"),
      ("[[file]]\nurl = 'http://h/a'\ndigets = 'x'", "did you mean digest?"), ("[[file]]\ntarget = 'x'", "no url"),
      ("[[file]]\nurl = 'a'", "not a URL"), ("[[file]]\nurl = 'file:///etc/passwd'", "not a URL"),
      ("[[file]]\nurl = 'http://h/a'\ntarget = '../x'", "relative path"),
      ("[[file]]\nurl = 'http://h/a'\ntarget = '/x'", "relative path"),
      ("[[file]]\nurl = 'http://h/a'\ntarget = 's3://bucket//x'", "s3://BUCKET/KEY"),
      ("[[file]]\nurl = 'http://h/a'\ntarget = 's3://bucket/x/'", "s3://BUCKET/KEY"),
      ("[[file]]\nurl = 'http://h/a'\ntarget = 's3://bucket/../x'", "s3://BUCKET/KEY"),
      ("[defaults]\ndir = 's3://bucket//p'\n[[file]]\nurl = 'http://h/a'", "s3://BUCKET/KEY"),
      ("[[file]]\nurl = 'http://h/a'\ntarget = '.ssh/x'", "relative path"),
      ("[[file]]\nurl = 'http://h/a'\nsize = -1", "bytes"),
      ("[[file]]\nurl = 'http://h/a'\ndigest = 'md5=1'", "digest"),
      ("[[file]]\nurl = 'http://h/a'\n[[file]]\nurl = 'http://i/a'", "same target as another"),
      ("[[file]]\nurl = 'http://h/a'\n[[file]]\nurl = 'http://i/b'\ntarget = 'a/b'", "directory of another"),
      ("[defaults]\nbsae = 'x'\n[[file]]\nurl = 'http://h/a'", "did you mean base?"),
    ])
  func wrong(_ text: String, _ part: String) {
    #expect {
      _ = try Manifest.parse(text)
    } throws: { ($0 as? DocumentError)?.reason.contains(part) ?? false }
  }

  @Test(
    "targets may be objects",
    arguments: [
      ("[[file]]\nurl = 'http://h/a'\ntarget = 's3://bucket/p/x y'", "s3://bucket/p/x y"),
      ("[defaults]\ndir = 's3://bucket/p'\n[[file]]\nurl = 'http://h/a'", "s3://bucket/p/a"),
      ("[defaults]\ndir = 's3://bucket/p/'\n[[file]]\nurl = 'http://h/a'", "s3://bucket/p/a"),
      ("[defaults]\ndir = 'local'\n[[file]]\nurl = 'http://h/a'\ntarget = 's3://bucket/x'", "s3://bucket/x"),
    ])
  func objects(_ text: String, _ target: String) throws {
    #expect(try Manifest.parse(text).files.map(\.target) == [target])
    let lock = SyncLock([SyncLock.Entry(target: target, url: "http://h/a", size: 1, digest: Self.sha)])
    #expect(try SyncLock.parse(lock.text).entries.map(\.target) == [target])
  }

  @Test("a lock is read back as written, sorted by target, without secrets or odd values")
  func lock() throws {
    var entry = SyncLock.Entry(target: "b", url: "https://h/a?token=…", size: 7, digest: Self.sha)
    entry.etag = "W/\"a\\b\""
    entry.lastModified = "Sat, 01 Feb 2025 00:00:00 GMT"
    let lock = SyncLock([entry, SyncLock.Entry(target: "a", url: "https://h/a", size: 0, digest: Self.other)])
    #expect(lock.entries.map(\.target) == ["a", "b"])
    #expect(try SyncLock.parse(lock.text) == lock)
    #expect(try SyncLock.parse(lock.text).text == lock.text)
    #expect(throws: DocumentError.self) { try SyncLock.parse("version = 2") }
    #expect(throws: DocumentError.self) { try SyncLock.parse("version = 1\n[[file]]\ntarget = '../x'") }
  }

  @Test(
    "names that are one in the directory: all but the first are left out (N7)",
    arguments: [
      (["a/X", "a/x", "A/x", "b"], [nil, "a/X", "a/X", nil], NameFolding(foldsCase: true, normalizes: false)),
      (["a/X", "a/x", "A/x", "b"], [nil, nil, nil, nil], NameFolding.none),
      (["\u{E9}", "e\u{301}", "E\u{301}"], [nil, "\u{E9}", nil], NameFolding(foldsCase: false, normalizes: true)),
    ])
  func twins(_ targets: [String], _ expected: [String?], _ folding: NameFolding) {
    #expect(SyncDecision.twins(targets, folding) == expected)
  }

  private enum Step: Equatable { case right, fetch, replace, conflict, leftOut, differs }

  private static func step(_ decision: SyncDecision) -> Step {
    switch decision {
    case .right: .right
    case .fetch(let replacing): replacing ? .replace : .fetch
    case .conflict: .conflict
    case .leftOut: .leftOut
    case .differs: .differs
    }
  }

  @Test("every decision")
  func decisions() throws {
    let url = try RequestURL.parse("http://h/a").url
    var file = Manifest.File(target: "a", urls: [url])
    let lock = SyncLock.Entry(target: "a", url: "http://h/a", size: 7, digest: Self.sha)
    func there(_ digest: DigestValue, size: Int64 = 7, published: Bool = false) -> TargetFile {
      .file(size: size, digests: [digest], isPublished: published)
    }
    func expect(
      _ lock: SyncLock.Entry?, _ local: TargetFile, _ free: Step, _ locked: Step, line: Int = #line
    ) {
      let decide = { SyncDecision.decide(file, lock: lock, local: local, $0 ? .locked : .usual) }
      #expect(Self.step(decide(false)) == free, "line \(line)")
      #expect(Self.step(decide(true)) == locked, "line \(line)")
    }
    expect(nil, .missing, .fetch, .differs)
    expect(nil, .other, .conflict, .differs)
    expect(nil, there(Self.sha), .conflict, .differs)
    expect(nil, there(Self.sha, published: true), .right, .differs)
    expect(lock, .missing, .fetch, .fetch)
    expect(lock, there(Self.sha), .right, .right)
    expect(lock, there(Self.other), .replace, .differs)
    expect(lock, there(Self.sha, size: 8), .replace, .differs)
    // Not even what dray fetched since replaces a version in the lock.
    expect(lock, there(Self.other, published: true), .replace, .differs)
    // The requested digest differs from that of the present file.
    file.digest = Self.other
    expect(lock, there(Self.sha), .replace, .differs)
    expect(nil, there(Self.sha), .conflict, .differs)
    expect(nil, there(Self.other), .right, .differs)
    // Another URL.
    file = Manifest.File(target: "a", urls: [try RequestURL.parse("http://h/b").url])
    expect(lock, there(Self.sha), .replace, .differs)
    file = Manifest.File(target: "a", urls: [url], size: 9)
    expect(lock, .missing, .fetch, .differs)
    expect(lock, there(Self.sha), .replace, .differs)
  }

  @Test("a lock says the version unless the manifest says another one since, or an update is asked for")
  func pins() throws {
    let (here, there) = (try RequestURL.parse("http://h/a").url, try RequestURL.parse("http://h/b").url)
    let md5 = DigestValue(.md5, bytes: Array(repeating: 3, count: 16))
    var lock = SyncLock.Entry(target: "a", url: "http://h/a", size: 7, digest: Self.sha)
    lock.manifestDigest = md5
    for (url, size, digest, isPinned) in [
      (here, nil, nil, true), (here, 7, Self.sha, true), (here, nil, md5, true), (there, nil, nil, false),
      (here, 8, nil, false), (here, nil, Self.other, false),
    ] as [(RequestURL, Int64?, DigestValue?, Bool)] {
      var file = Manifest.File(target: "a", urls: [url], size: size)
      file.digest = digest
      #expect((SyncDecision.pin(of: file, lock) != nil) == isPinned)
      #expect(SyncDecision.pin(of: file, nil) == nil)
    }
    let file = Manifest.File(target: "a", urls: [here])
    let published = TargetFile.file(size: 7, digests: [Self.other], isPublished: true)
    let updated = SyncDecision.decide(file, lock: lock, local: published, .update)
    #expect(Self.step(updated) == .right)
  }
}
