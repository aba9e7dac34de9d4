// Rules that all stores share, as tables: free targets, waits, moves, and options that a job keeps.

import DrayCore
import Testing

@testable import DrayStore

@Suite struct ContractRuleTests {
  /// The name that a policy gives `a.bin`; `nil` for a refusal.
  private func free(
    _ policy: ConflictPolicy, owned: Set<String> = [], existing: Set<String> = []
  ) throws -> String? {
    do {
      return try FreeTarget.name("a.bin", in: "/d", policy: policy, taken: existing) {
        owned.contains($0) ? TargetClash(job: 7, state: .queued, wasSubmitted: false) : nil
      }
    } catch let failure as Failure {
      #expect(failure.kind == .file && failure.subject == "/d/a.bin" && failure.reason.contains("job 7"))
      return nil
    }
  }

  @Test("a target of another job is refused or renamed, and a file that exists is only renamed")
  func targets() throws {
    let numbered = { FileName.numbered("a.bin", $0) }
    #expect(try free(.fail) == "a.bin")
    #expect(try free(.fail, existing: ["a.bin"]) == "a.bin")
    #expect(try free(.fail, owned: ["a.bin"]) == nil)
    #expect(try free(.rename) == "a.bin")
    #expect(try free(.rename, owned: ["a.bin"]) == numbered(1))
    #expect(try free(.rename, existing: ["a.bin"]) == numbered(1))
    #expect(try free(.rename, owned: ["a.bin"], existing: [numbered(1)]) == numbered(2))
    #expect(try free(.rename, owned: ["a.bin", numbered(1), numbered(2)]) == numbered(3))
  }

  @Test("many names of jobs and of files are passed over, and the search ends")
  func manyTargets() throws {
    let names = (0..<3000).map { $0 == 0 ? "a.bin" : FileName.numbered("a.bin", $0) }
    let (jobs, files) = (Set(names[..<2000]), Set(names[1000...]))
    let cases: [(owned: Set<String>, existing: Set<String>, name: String)] = [
      (jobs, [], names[2000]), ([], Set(names[..<1000]), names[1000]), (jobs, files, FileName.numbered("a.bin", 3000)),
      ([], files, "a.bin"), (["a.bin"], files, names[1]),
    ]
    for (owned, existing, name) in cases {
      #expect(try free(.rename, owned: owned, existing: existing) == name)
      #expect(try free(.overwrite, owned: owned, existing: existing) == (owned.contains("a.bin") ? nil : "a.bin"))
    }
  }

  @Test("only an unfinished job is waited for")
  func waits() throws {
    for state in JobState.allCases where state != .failed {
      #expect(try WaitRule.needsWait(for: 2, in: state) == (state != .complete))
    }
    for state in [nil, .failed] as [JobState?] {
      let failure = #expect(throws: Failure.self) { try WaitRule.needsWait(for: 2, in: state) }
      #expect(failure?.kind == .usage && failure?.subject == "job 2")
    }
  }

  @Test("a dependent says how its prerequisite ended, and a chain keeps the first advice")
  func failedPrerequisites() throws {
    let text = try JSONColumn.text(Failure(.status, "http://h/a", "404 Not Found", advice: "check the URL"))
    let cases: [(FailedPrerequisite, Failure.Kind, String, Advice?)] = [
      (FailedPrerequisite(removed: 1), .other, "was removed before it was complete", "\(.retry, 2) fetches it anyway"),
      (
        try FailedPrerequisite(1, failure: text, waits: false), .status, "failed: http://h/a: 404 Not Found",
        "\(.retry, 1) tries all of them again"
      ),
      (
        try FailedPrerequisite(1, failure: nil, waits: false), .other, "failed", "\(.retry, 1) tries all of them again"
      ),
      (try FailedPrerequisite(1, failure: text, waits: true), .status, "cannot start", "check the URL"),
      (try FailedPrerequisite(1, failure: nil, waits: true), .other, "cannot start", "\(.retry, 2) fetches it anyway"),
    ]
    for (end, kind, words, advice) in cases {
      let failure = end.failure(of: 2, url: "http://u:secret@h/b")
      #expect(failure.kind == kind && failure.advice == advice)
      #expect(failure.reason == "it waits for job 1, which \(words)")
      #expect(!failure.subject.contains("secret"))
    }
  }

  @Test("only waiting jobs are moved")
  func moves() {
    for state in [.queued, .interrupted, .paused] as [JobState] {
      #expect(throws: Never.self) { try MoveRule.check(3, in: state) }
    }
    for state in [nil, .active, .complete, .failed] as [JobState?] {
      let failure = #expect(throws: Failure.self) { try MoveRule.check(3, in: state) }
      #expect(failure?.kind == .usage && failure?.subject == "job 3")
    }
  }

  @Test("a renewed request keeps the proof of a repair, unless it brings its own")
  func repairs() throws {
    let (old, new) = (try DigestValue.parse("md5:" + String(repeating: "0", count: 32)), JobOptions())
    var before = JobOptions()
    (before.digest, before.digestSource) = (old, .given)
    #expect(new.keepingRepair(of: before) == before)
    #expect(before.keepingRepair(of: new).digest == old)
    #expect(new.keepingAdoption(of: before) == new)
  }
}
