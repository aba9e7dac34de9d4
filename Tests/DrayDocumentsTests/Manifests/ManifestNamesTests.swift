// Names in manifests, and their versions in locks.

import DrayCore
import DrayDocuments
import Testing

@Suite("Names in manifests") struct ManifestNamesTests {
  private func answer(_ paths: [String], revision: String = "c1") throws -> SourceAnswer {
    SourceAnswer(
      pinned: SourceName(scheme: "x", rest: "y@\(revision)"), revision: revision,
      entries: try paths.map { path in
        SourceAnswer.Entry(
          OfferedFile(urls: [try RequestURL.parse("https://h/\(path)?sig=1").url], name: path, size: 5), path: path)
      })
  }

  @Test("files below the directory, as the filter selects them")
  func files() throws {
    let manifest = try Manifest.parse(
      """
      [defaults]
      dir = "assets"
      [[source]]
      name = "x:y"
      dir = "m"
      include = ["*.bin"]
      exclude = ["old/**"]
      """)
    let name = try #require(manifest.names.first)
    #expect(manifest.files.isEmpty && name.text == "x:y" && name.directory == "assets/m")
    let found = try manifest.adding(try answer(["a.bin", "b.txt", "old/c.bin", "d/e.bin"]), of: name)
    #expect(found.files.map(\.target) == ["assets/m/a.bin", "assets/m/d/e.bin"])
    #expect(found.files[0].source?.exactName == "x:y@c1" && found.files[0].source?.name == "x:y")
    // The URL changes each time, so that the lock has the name and the path.
    #expect(SyncDecision.shown(found.files[0]) == "x:y: a.bin")
    #expect(found.pins == [SyncLock.Pin(name: "x:y", exactName: "x:y@c1", revision: "c1")])
    #expect(throws: DocumentError.self) { try manifest.adding(try answer(["b.txt"]), of: name) }
    #expect(throws: DocumentError.self) { try found.adding(try answer(["a.bin"]), of: name) }
    #expect(throws: DocumentError.self) { try found.adding(try answer(["a.bin/x.bin"]), of: name) }
  }

  @Test(
    arguments: [
      ("[[source]]\ndir = 'x'", "no name"), ("[[source]]\nname = 'x:y'\ndir = '../x'", "relative path"),
      ("[[source]]\nname = 'x:y'\ndir = '/x'", "relative path"), ("[[source]]\nname = 'x:y'\nincldue = []", "include"),
      ("[[source]]\nname = 'x:y'\ninclude = 'a'", "array of strings"),
      ("[[source]]\nname = 'x:y'\nhf-cache = 1", "true or false"),
      ("[[source]]\nname = 'x:y'\nplatform = 'arm64'", "platform"),
      ("[[source]]\nname = 'x:y'\n[[source]]\nname = 'x:y'\nplatform = 'linux/arm64'", "another platform"),
    ])
  func errors(_ text: String, _ part: String) {
    #expect {
      _ = try Manifest.parse(text)
    } throws: { ($0 as? DocumentError)?.reason.contains(part) ?? false }
  }

  @Test("images of one directory share files, and a file that is named by its digest is never a conflict")
  func shared() throws {
    let digest = DigestValue(.sha256, bytes: Array(repeating: 7, count: 32))
    func image(_ tag: String) throws -> SourceAnswer {
      var answer = try answer(["blobs/\(digest.hex)"])
      answer.entries[0].file.digest = digest
      answer.entries[0].arrangement = .image(
        ImageArrangement(manifest: digest, mediaType: "a/b", size: 5, layout: .index(tag: tag, image: "h/a:\(tag)")))
      return answer
    }
    let manifest = try Manifest.parse(
      """
      [[source]]
      name = "x:y"
      platform = "linux/arm64"
      [[source]]
      name = "x:z"
      hf-cache = true
      """)
    #expect(manifest.names.map(\.isHubCache) == [false, true])
    #expect(manifest.names.map(\.platform) == [ImagePlatform("linux/arm64"), nil])
    let found = try manifest.adding(try image("1"), of: manifest.names[0]).adding(try image("2"), of: manifest.names[1])
    #expect(found.files.count == 1 && found.files[0].source?.arrangements.count == 2 && found.pins.count == 2)
    let wrong = DigestValue(.sha256, bytes: Array(repeating: 8, count: 32))
    let damaged = TargetFile.file(size: 5, digests: [wrong], isPublished: false)
    #expect(SyncDecision.decide(found.files[0], lock: nil, local: damaged, .usual) == .fetch(replacing: true))
    var other = try image("2")
    other.entries[0].file.digest = wrong
    #expect(throws: DocumentError.self) { try found.adding(other, of: manifest.names[1]) }
  }

  @Test("P7: a lock has no secrets of names, and still knows them")
  func lockSecrets() throws {
    let name = "x:https://h/?token=PLANTED"
    let text = SyncLock([], [SyncLock.Pin(name: name, exactName: name, revision: "c1")]).text
    #expect(!text.contains("PLANTED"), "\(text)")
    let pin = try #require(try SyncLock.parse(text).pins.first)
    #expect(pin.isOf(name) && !pin.isOf("x:https://h/?other=1") && pin.asked(for: name) == name)
    #expect(SyncLock.Pin(name: "x:y", exactName: "x:y@c1", revision: nil).asked(for: "x:y") == "x:y@c1")
    #expect(SourceName(scheme: "x", rest: "https://h/?token=PLANTED\n").shown == "x:https://h/?token=…\\n")
  }

  @Test("a lock keeps the versions of names")
  func locks() throws {
    let pins = [
      SyncLock.Pin(name: "x:y", exactName: "x:y@c1", revision: "c1"),
      SyncLock.Pin(name: "a:b", exactName: "a:b", revision: nil),
    ]
    let lock = SyncLock([], pins)
    #expect(try SyncLock.parse(lock.text) == lock && lock.pins.map(\.name) == ["a:b", "x:y"])
    #expect(throws: DocumentError.self) { try SyncLock.parse("version = 1\n[[source]]\nname = 'x'") }
  }
}
