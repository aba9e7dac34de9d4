// The files that name an image are written once all its blobs are there.

import DrayCore
import DrayDocuments
import Foundation
import MemoryDestination
import Posix
import Testing

@testable import DrayEngine
@testable import DrayKit

@Suite("Image layouts on disk")
struct ImageLayoutTests {
  private static let layer = Array("layer".utf8)
  private static let config = Array("{}".utf8)
  private static let mediaType = "application/vnd.oci.image.manifest.v1+json"

  private static func digest(_ bytes: [UInt8]) -> DigestValue { FileDigest.of(bytes, .sha256) }

  private static let manifest: [UInt8] = {
    func blob(_ bytes: [UInt8]) -> String {
      "{\"mediaType\": \"a/b\", \"digest\": \"\(ImageDigest.text(digest(bytes)))\", \"size\": \(bytes.count)}"
    }
    return Array("{\"schemaVersion\": 2, \"config\": \(blob(config)), \"layers\": [\(blob(layer))]}".utf8)
  }()

  private func image(_ layout: ImageArrangement.Layout) -> ImageArrangement {
    ImageArrangement(
      manifest: Self.digest(Self.manifest), mediaType: Self.mediaType, size: Int64(Self.manifest.count), layout: layout)
  }

  private func inDirectory(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func put(_ bytes: [UInt8], _ path: String) throws {
    let directory = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  @Test("the index appears with the last blob, in any order, and once")
  func index() throws {
    try inDirectory { base in
      let image = image(.index(tag: "1", image: "reg.example/a:1"))
      let blobs = [Self.manifest, Self.layer, Self.config]
      for (number, bytes) in blobs.enumerated() {
        let path = ImageDigest.path(Self.digest(bytes))
        try put(bytes, "\(base)/\(path)")
        let place = DirectoryPlace(base: base, below: "blobs/sha256")
        #expect(try ImageLayout.arrange(image, after: path, in: place) == (number == 2))
        #expect((text("\(base)/index.json") != nil) == (number == 2))
      }
      let index = try #require(text("\(base)/index.json"))
      #expect(text("\(base)/oci-layout")?.contains("1.0.0") ?? false)
      let place = DirectoryPlace(base: base, below: "blobs/sha256")
      #expect(try ImageLayout.arrange(image, after: ImageDigest.path(Self.digest(Self.layer)), in: place))
      #expect(text("\(base)/index.json") == index)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: base).sorted() == ["blobs", "index.json", "oci-layout"])
    }
  }

  @Test("blobs of another size, a damaged manifest, links and an invalid index")
  func refusals() throws {
    try inDirectory { base in
      let image = image(.index(tag: "1", image: "reg.example/a:1"))
      let place = DirectoryPlace(base: base, below: "blobs/sha256")
      func path(_ bytes: [UInt8]) -> String { "\(base)/\(ImageDigest.path(Self.digest(bytes)))" }
      func arrange() throws -> Bool {
        try ImageLayout.arrange(image, after: ImageDigest.path(Self.digest(Self.layer)), in: place)
      }
      for bytes in [Self.manifest, Self.layer] { try put(bytes, path(bytes)) }
      try put(Self.config + [32], path(Self.config))
      #expect(try !arrange())
      try put(Self.config, path(Self.config))
      try put([UInt8](repeating: 32, count: Self.manifest.count), path(Self.manifest))
      #expect(try !arrange())
      try put(Self.manifest, path(Self.manifest))
      try put(Array("{".utf8), "\(base)/index.json")
      let failure = #expect(throws: Failure.self) { try arrange() }
      #expect(failure?.kind == .file)
      #expect(text("\(base)/index.json") == "{")
      try FileManager.default.removeItem(atPath: "\(base)/index.json")
      try FileManager.default.removeItem(atPath: path(Self.config))
      try FileManager.default.createSymbolicLink(atPath: path(Self.config), withDestinationPath: "/etc/hostname")
      #expect(try !arrange())
      #expect(text("\(base)/index.json") == nil)
    }
  }

  @Test("P12: a blob that has the length but not the digest does not count, and its image gets no name")
  func wrongBlob() throws {
    try inDirectory { base in
      let image = image(.index(tag: "1", image: "reg.example/a:1"))
      let place = DirectoryPlace(base: base, below: "blobs/sha256")
      func path(_ bytes: [UInt8]) -> String { "\(base)/\(ImageDigest.path(Self.digest(bytes)))" }
      func arrange() throws -> Bool {
        try ImageLayout.arrange(image, after: ImageDigest.path(Self.digest(Self.config)), in: place)
      }
      for bytes in [Self.manifest, Self.config] { try put(bytes, path(bytes)) }
      try put(Array("LAYER".utf8), path(Self.layer))
      for _ in 0..<2 { #expect(try !arrange()) }
      #expect(text("\(base)/index.json") == nil)
      try FileManager.default.removeItem(atPath: path(Self.layer))
      try put(Self.layer, path(Self.layer))
      #expect(try arrange())
      #expect(text("\(base)/index.json") != nil)
    }
  }

  @Test("P12: a known digest counts until the file changes")
  func known() throws {
    try inDirectory { base in
      let (files, directory) = (ProvedFiles(), try TargetDirectory(DirectoryPlace(base)))
      let other = Self.digest(Self.config)
      try put(Self.layer, "\(base)/f")
      #expect(try files.has(Self.digest(Self.layer), "f", in: directory))
      #expect(try !files.has(other, "f", in: directory) && !files.has(other, "g", in: directory))
      // What was published with a digest is not hashed again.
      files.put(other, of: "f", in: directory)
      #expect(try files.has(other, "f", in: directory))
      try put(Self.layer + [32], "\(base)/f")
      #expect(try !files.has(other, "f", in: directory))
    }
  }

  @Test("P13, P17: a program that keeps the directory locked does not stop the publisher")
  func locked() throws {
    try inDirectory { base in
      let image = image(.index(tag: "1", image: "reg.example/a:1"))
      for bytes in [Self.manifest, Self.layer, Self.config] {
        try put(bytes, "\(base)/\(ImageDigest.path(Self.digest(bytes)))")
      }
      let other = try System.open(base, [.reading, .directory])
      defer { System.unlockAndClose(other) }
      #expect(try System.tryLock(other))
      let path = ImageDigest.path(Self.digest(Self.layer))
      let place = DirectoryPlace(base: base, below: "blobs/sha256")
      let patience = LockPatience(seconds: 0.1)
      for _ in 0..<100 { #expect(try ImageLayout.arrange(image, after: path, in: place, patience)) }
      #expect(text("\(base)/index.json") != nil)
    }
  }

  @Test("P13: all files of a group together wait for locks no longer than their patience")
  func patience() {
    let patience = LockPatience(seconds: 0.1)
    var attempts = 0
    let held = patience.lock { () throws(SystemError) in
      attempts += 1
      return attempts == 3 ? 7 : nil
    }
    #expect(held == 7)
    let begin = ContinuousClock.now
    for _ in 0..<100 { #expect(patience.lock { () throws(SystemError) in nil } == nil) }
    #expect(ContinuousClock.now - begin < .seconds(5))
    let refused = patience.lock { () throws(SystemError) -> Int32? in throw SystemError("flock", SystemError.exists) }
    #expect(refused == nil)
  }

  @Test("the manifest of a model is copied to its name, not through a link")
  func model() throws {
    try inDirectory { base in
      let file = "manifests/registry.ollama.ai/library/m/latest"
      let image = image(.model(path: file))
      for bytes in [Self.layer, Self.config, Self.manifest] {
        #expect(text("\(base)/\(file)") == nil)
        let path = ImageDigest.modelPath(Self.digest(bytes))
        try put(bytes, "\(base)/\(path)")
        try ImageLayout.arrange(image, after: path, in: DirectoryPlace(base: base, below: "blobs"))
      }
      #expect(text("\(base)/\(file)") == String(decoding: Self.manifest, as: UTF8.self))
      try FileManager.default.removeItem(atPath: "\(base)/manifests")
      try FileManager.default.createSymbolicLink(atPath: "\(base)/manifests", withDestinationPath: "/tmp")
      #expect(throws: Failure.self) {
        try ImageLayout.arrange(
          image, after: ImageDigest.modelPath(Self.digest(Self.layer)), in: DirectoryPlace(base: base, below: "blobs"))
      }
    }
  }

  @Test("a blob that another job published in the meantime is not said to be missing", arguments: [false, true])
  func lateBlob(isThere: Bool) async throws {
    try await KitFixture.use { fixture in
      let (base, blob) = (fixture.directory + "/image", ImageDigest.path(Self.digest(Self.layer)))
      for bytes in [Self.manifest, Self.layer] { try put(bytes, "\(base)/\(ImageDigest.path(Self.digest(bytes)))") }
      var file = try fixture.specification("/f")
      file.directory = base + "/blobs/sha256"
      let arrangement = SourceArrangement.image(image(.index(tag: "1", image: "reg.example/a:1")))
      file.options.source = SourceReference(name: "oci:a", path: blob, arrangements: [arrangement])
      let job = Job(id: 7, uuid: UUID(), specification: file, addedAt: 0)
      let part = try MemoryDestinations()["/d"].createPart("part")
      let item = PublishItem(
        JobBox(job), Publication(part: part, size: 3), fileName: Self.digest(Self.layer).hex, isNamed: true,
        facts: PublishFacts())
      var group = PublishGroup(items: [item])
      group.arrange(syncs: false)
      if isThere { try put(Self.config, "\(base)/\(ImageDigest.path(Self.digest(Self.config)))") }
      await group.notePartialImages(fixture.store)
      let note = group.results.first?.note
      #expect(note?.contains("is missing, and no job fetches it") == (isThere ? nil : true))
      #expect((text("\(base)/index.json") != nil) == isThere)
    }
  }
}
