// The arrangements of a file that several images or snapshots share: merging them, and jobs that want the same file.

import DrayCore
import Foundation
import Testing

@Suite struct ArrangementRuleTests {
  private static func digest(_ byte: UInt8) -> DigestValue {
    DigestValue(.sha256, bytes: Array(repeating: byte, count: 32))
  }

  private static func image(_ manifest: UInt8, _ layout: ImageArrangement.Layout) -> SourceArrangement {
    .image(ImageArrangement(manifest: digest(manifest), mediaType: "a/b", size: 1, layout: layout))
  }

  private static func index(_ manifest: UInt8, _ tag: String?, _ name: String = "h/a") -> SourceArrangement {
    image(manifest, .index(tag: tag, image: tag.map { "\(name):\($0)" } ?? name))
  }

  private static func links(_ paths: [String], note: String? = nil, time: Double = 1) -> SourceArrangement {
    .links(LinkArrangement(paths: paths, note: note.map { .init(path: $0, text: "c", time: time) }))
  }

  @Test(
    "what is the same is replaced, everything else is added",
    arguments: [
      ([index(1, "1")], index(2, "1"), [index(2, "1")]),
      ([index(1, "1")], index(1, "2"), [index(1, "1"), index(1, "2")]),
      ([index(1, "1")], index(1, "1", "h/b"), [index(1, "1"), index(1, "1", "h/b")]),
      ([index(1, nil)], index(2, nil), [index(1, nil), index(2, nil)]),
      ([index(1, nil)], index(1, nil), [index(1, nil)]),
      ([index(1, "1"), index(2, "2")], index(3, "1"), [index(3, "1"), index(2, "2")]),
      ([image(1, .model(path: "m"))], image(2, .model(path: "m")), [image(2, .model(path: "m"))]),
      (
        [image(1, .model(path: "m"))], image(1, .model(path: "n")),
        [image(1, .model(path: "m")), image(1, .model(path: "n"))]
      ),
      ([links(["a"])], links(["b"]), [links(["a"]), links(["b"])]),
      ([links(["a"])], links(["a", "b"]), [links(["a", "b"])]),
      ([links(["a", "b"])], links(["a"]), [links(["a", "b"])]),
      ([links(["a"], note: "r", time: 1)], links(["a"], note: "r", time: 2), [links(["a"], note: "r", time: 2)]),
      // A reference that was wanted is never lost.
      ([links(["a"], note: "r")], links(["a"]), [links(["a"], note: "r")]),
      ([links(["a"])], links(["a"], note: "r"), [links(["a"], note: "r")]),
      ([links(["a"], note: "r")], links(["a"], note: "s"), [links(["a"], note: "r"), links(["a"], note: "s")]),
      ([links(["a"])], index(1, "1"), [links(["a"]), index(1, "1")]),
    ] as [([SourceArrangement], SourceArrangement, [SourceArrangement])])
  func merge(_ old: [SourceArrangement], _ new: SourceArrangement, _ expected: [SourceArrangement]) {
    #expect(ArrangementRule.merged([new], into: old) == expected)
    #expect(ArrangementRule.merged([new], into: expected) == expected)
  }

  @Test("P22: who may only add replaces nothing")
  func adding() {
    let (old, new) = ([Self.index(1, "1")], [Self.index(2, "1"), Self.index(2, "2")])
    #expect(ArrangementRule.merged(new, into: old, mayReplace: false) == [Self.index(1, "1"), Self.index(2, "2")])
  }

  @Test("P13: there are at most so many")
  func bound() {
    let all = (0..<ArrangementRule.most).map { Self.links(["\($0)"]) }
    #expect(ArrangementRule.merged(all, into: [])?.count == ArrangementRule.most)
    #expect(ArrangementRule.merged([Self.links(["x"])], into: all) == nil)
    #expect(ArrangementRule.merged([Self.links(["1", "x"])], into: all)?.count == ArrangementRule.most)
    #expect(ArrangementRule.tooMany("job 1").kind == .usage)
  }

  @Test("P3: when jobs are removed, what other names want of their files remains")
  func removal() throws {
    func job(_ path: String, revision: String = "c1", _ arrangements: [SourceArrangement]) throws -> JobSpecification {
      var job = try specification("x:a", path, nil)
      job.options.source = SourceReference(
        name: "x:a", revision: revision, path: path, arrangements: arrangements)
      return job
    }
    func link(_ commit: String, _ path: String, note: String? = nil) -> SourceArrangement {
      Self.links(["m/snapshots/\(commit)/\(path)"], note: note)
    }
    func others(_ jobs: [JobSpecification]) -> [[SourceArrangement]] {
      let removed = ArrangementRule.Removed(jobs)
      return jobs.map { removed.wantedByOthers(of: $0) }
    }
    let (one, two) = (Self.index(1, "1"), Self.index(2, "2"))
    #expect(others([try job("p", [one, two])]) == [[two]])
    #expect(others([try job("p", [one]), try job("q", [one, two])]) == [[], [two]])
    // Both images are removed.
    #expect(others([try job("p", [one, two]), try job("q", [two])]) == [[], []])
    // Another tag of the same image is another name.
    #expect(others([try job("p", [one, Self.index(1, "2")])]) == [[Self.index(1, "2")]])
    let (mine, next) = (link("c1", "d/p"), link("c2", "e/q"))
    #expect(others([try job("d/p", [mine, next])]) == [[next]])
    #expect(others([try job("d/p", [mine, next]), try job("z", revision: "c2", [link("c2", "z")])]) == [[], []])
    // The same commit by another name has another note.
    let (main, tag) = (link("c1", "p", note: "refs/main"), link("c1", "p", note: "refs/v1"))
    #expect(others([try job("p", [main, tag]), try job("q", [link("c1", "q", note: "refs/main")])]) == [[tag], []])
    // The name has another commit now.
    let moved = [link("c1", "p", note: "refs/main"), link("c2", "p", note: "refs/main")]
    #expect(others([try job("p", revision: "c2", moved)]) == [[]])
    #expect(others([try specification("x:a", "p", nil)]) == [[]])
  }

  @Test("a job of an earlier version has one arrangement in place of the list")
  func stored() throws {
    let source = SourceReference(
      name: "x:y", pinned: "x:y@c", revision: "c", path: "p", arrangements: [Self.links(["a"])])
    let both = try JSONEncoder().encode(source)
    #expect(try JSONDecoder().decode(SourceReference.self, from: both) == source)
    let one = try JSONEncoder().encode(Self.links(["a"]))
    let old = """
      {"name": "x:y", "pinned": "x:y@c", "revision": "c", "path": "p",
       "arrangement": \(String(decoding: one, as: UTF8.self))}
      """
    #expect(try JSONDecoder().decode(SourceReference.self, from: Data(old.utf8)) == source)
    let none = try JSONDecoder().decode(SourceReference.self, from: Data(#"{"name": "x:y", "path": "p"}"#.utf8))
    #expect(none == SourceReference(name: "x:y", path: "p"))
    #expect(try !String(decoding: JSONEncoder().encode(none), as: UTF8.self).contains("arrangement"))
    #expect(throws: (any Error).self) {
      let bad = Data(#"{"name": "x:y", "path": "p", "arrangement": 1}"#.utf8)
      return try JSONDecoder().decode(SourceReference.self, from: bad)
    }
  }

  private func specification(
    _ name: String, _ output: String, _ arrangement: SourceArrangement?, digest: DigestValue? = digest(7)
  ) throws -> JobSpecification {
    var options = JobOptions()
    options.digest = digest
    options.source = SourceReference(name: name, path: "p", arrangements: [arrangement].compactMap(\.self))
    return JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("https://h/\(output)").url), options: options, directory: "/d",
      output: output)
  }

  @Test("files that are named by their digests are shared, whatever the name in a source is")
  func sharing() throws {
    let hex = Self.digest(7).hex
    let own = try specification("x:a", hex, Self.index(1, "1"))
    let job = Job(id: 1, uuid: UUID(), specification: own, addedAt: 1)
    #expect(own.isNamedByDigest)
    #expect(try specification("x:b", "sha256-\(hex.uppercased())", Self.index(2, "2")).isNamedByDigest)
    #expect(SourceAgainRule.isShared(try specification("x:b", hex, Self.index(2, "2")), with: job))
    for other in [
      try specification("x:b", hex, nil), try specification("x:b", "file", Self.index(2, "2")),
      try specification("x:b", hex, Self.index(2, "2"), digest: Self.digest(8)),
      try specification("x:b", hex, Self.index(2, "2"), digest: nil),
    ] {
      #expect(!SourceAgainRule.isShared(other, with: job))
    }
    let bare = Job(id: 1, uuid: UUID(), specification: try specification("x:a", hex, nil), addedAt: 1)
    #expect(!SourceAgainRule.isShared(try specification("x:b", hex, Self.index(2, "2")), with: bare))
  }

  @Test("P7, P13: another server for the same bytes becomes a mirror, once, and up to a limit")
  func mirrors() throws {
    func asked(_ host: String, _ digit: UInt8 = 7) throws -> JobSpecification {
      let digest = Self.digest(digit)
      var job = try specification("x:b", digest.hex, Self.index(2, "2"), digest: digest)
      job.request.url = try RequestURL.parse("https://\(host)/\(digest.hex)").url
      return job
    }
    var job = try asked("h")
    #expect(SourceAgainRule.mirrors(of: job, joinedBy: try asked("h")) == nil)
    #expect(SourceAgainRule.mirrors(of: job, joinedBy: try asked("other", 8)) == nil)
    for number in 0..<16 {
      let other = try asked("m\(number)")
      let mirrors = try #require(SourceAgainRule.mirrors(of: job, joinedBy: other))
      #expect(mirrors == (job.options.mirrors ?? []) + [other.request.url])
      job.options.mirrors = mirrors
      #expect(SourceAgainRule.mirrors(of: job, joinedBy: other) == nil)
    }
    #expect(SourceAgainRule.mirrors(of: job, joinedBy: try asked("one-more")) == nil)
    // A new token from the job's own source leaves the mirrors unchanged.
    let present = Job(id: 1, uuid: UUID(), specification: job, addedAt: 1)
    var offer = RenewalRule.Offer(url: job.request.url)
    #expect(RenewalRule.judge(offer, for: present) == .same)
    offer.hasNewFields = true
    #expect(RenewalRule.judge(offer, for: present) == .take)
    var renewed = job
    RenewalRule.take(offer, into: &renewed)
    #expect(renewed.options.mirrors == job.options.mirrors)
    let plain = try specification("x:a", "file", Self.index(1, "1"))
    #expect(SourceAgainRule.mirrors(of: plain, joinedBy: try asked("m")) == nil)
  }

  @Test("a repeated request and a new link keep what is to be done with the file")
  func again() throws {
    let hex = Self.digest(7).hex
    let job = Job(id: 1, uuid: UUID(), specification: try specification("x:a", hex, Self.index(1, "1")), addedAt: 1)
    let asked = try specification("x:a", hex, Self.index(1, "2"))
    let both = [Self.index(1, "1"), Self.index(1, "2")]
    #expect(AskedAgainRule.merged(asked, into: job).0.arrangements == both)
    #expect(SourceAgainRule.requested(asked, of: job).specification.arrangements == both)
    let bare = try specification("x:a", hex, nil)
    #expect(AskedAgainRule.merged(bare, into: job).0.arrangements == [Self.index(1, "1")])
  }
}
