// Who may ask which source, and which version of a file a repeated name means.

import Foundation
import Testing

@testable import DrayCore

@Suite("Sources and their askers") struct SourceRuleTests {
  @Test(
    "clients ask without tokens, and never a program for files",
    arguments: [
      // asker, files of dray's, files of a program, link of dray's, link of a program, tokens
      (nil, true, true, true, true, true), ([], true, false, true, false, false),
      ([.keys], true, false, true, false, true), ([.hooks], true, false, true, true, false),
      (Set(OutsideGrant.allCases), true, false, true, true, true),
    ] as [(Set<OutsideGrant>?, Bool, Bool, Bool, Bool, Bool)])
  func table(
    _ grants: Set<OutsideGrant>?, _ files: Bool, _ programFiles: Bool, _ link: Bool, _ programLink: Bool,
    _ tokens: Bool
  ) {
    let rule = grants.map(SourceRule.client) ?? .user
    #expect(rule.allows(.files, isProgram: false) == files)
    #expect(rule.allows(.files, isProgram: true) == programFiles)
    #expect(rule.allows(.link, isProgram: false) == link)
    #expect(rule.allows(.link, isProgram: true) == programLink)
    #expect(rule.givesTokens == tokens)
  }

  @Test(
    "a password in a name is not shown",
    arguments: [
      ("oci:user:geheim@h:5000/x:y", "oci:…@h:5000/x:y"), ("hf:user:geheim@h", "hf:…@h"),
      // Base64 has slashes, too.
      ("oci:user:ab/c=@ghcr.io/x", "oci:…@ghcr.io/x"), ("oci:user:a/b@h/x:y@sha256:00", "oci:…@h/x:y@sha256:00"),
      ("oci:user:geheim@h/x@sha512:00", "oci:…@h/x@sha512:00"), ("pypi:a@1.0", nil), ("hf:o/m@main:x/a@b", nil),
      ("oci:h:5000/x:y@sha256:00", nil), ("oci:x:y@sha256:00", nil), ("gh:o/r@v1/a:b@c", nil), ("hf:o/m@main/a", nil),
      ("doi:10.1/x", nil), ("pypi:a", nil), ("a", nil),
    ] as [(String, String?)])
  func passwords(_ name: String, _ shown: String?) { #expect(SourceReference.shown(name) == shown ?? name) }

  private func specification(
    _ text: String = "http://h/a", _ revision: String? = nil, size: Int64? = nil, digest: UInt8? = nil
  ) throws -> JobSpecification {
    var one = JobSpecification(request: TransferRequest(url: try url(text)), directory: "/d", output: "a")
    one.options.source = SourceReference(name: "x:y", revision: revision, path: "a")
    one.options.expectedSize = size
    one.options.digest = digest.map { DigestValue(.sha256, bytes: Array(repeating: $0, count: 32)) }
    return one
  }

  @Test("digests decide, then sizes, then revisions; otherwise only the server can tell")
  func versions() throws {
    func verdict(_ asked: JobSpecification, _ job: JobSpecification) -> SourceAgainRule.Verdict {
      SourceAgainRule.compare(asked, with: Job(id: 1, uuid: UUID(), specification: job, addedAt: 1))
    }
    #expect(verdict(try specification(digest: 1), try specification("http://h/b", "1", digest: 1)) == .same)
    #expect(verdict(try specification(digest: 1), try specification(digest: 2)) == .different)
    #expect(verdict(try specification(size: 1), try specification(size: 2)) == .different)
    #expect(verdict(try specification("http://h/b", "1"), try specification("http://h/a", "1")) == .same)
    #expect(verdict(try specification("http://h/a", "2"), try specification("http://h/a", "1")) == .different)
    #expect(verdict(try specification(), try specification()) == .unknown)
    #expect(verdict(try specification("http://h/a?sig=2"), try specification("http://h/a?sig=1")) == .unknown)
  }
}
