// What `dray show g1` says about a group, and the names of its jobs.

import DrayKit
import DrayStore
import Foundation
import Testing

@testable import DrayCommands

@Suite("Groups that are shown")
struct GroupHeadTests {
  private static func group(_ url: String, _ name: String) -> StoredGroup {
    StoredGroup(label: GroupLabel(id: 3, name: name), url: url, directory: "/d", addedAt: 0)
  }

  private static let pub = group("http://h/pub/?token=s3cret", "pub")

  @Test(
    arguments: [
      ([], "no jobs"), ([(.queued, 0, nil)], "1 queued, 1 of unknown size"),
      ([(.complete, 5, 5), (.complete, 7, nil)], "2 complete, 12 B"),
      ([(.complete, 0, 1024), (.active, 512, 1024)], "1 active, 1 complete, 1.5 of 2.0 KiB"),
      ([(.failed, 0, 100), (.queued, 0, nil)], "1 queued, 1 failed, 0 of 100 B, 1 of unknown size"),
      ([(.active, 512, 1024), (.active, 9000, nil)], "2 active, 512 B of 1.0 KiB, 1 of unknown size"),
    ] as [([(JobState, Int64, Int64?)], String)])
  func facts(_ jobs: [(JobState, Int64, Int64?)], expected: String) {
    var head = GroupHead(Self.pub)
    for (state, received, size) in jobs { head.add(state, received: received, size: size) }
    #expect(head.text() == "Group 3: http://h/pub/?token=… in /d: " + expected)
    #expect(head.text(reveals: true).contains("s3cret"))
  }

  @Test("a source is shown by its name")
  func source() throws {
    let made = try #require(JobGroup(source: "hf:org/model", directory: "/d"))
    let head = GroupHead(Self.group(made.url.string, "hf:org/model"))
    #expect(head.text() == "Group 3: hf:org/model in /d: no jobs")
  }

  @Test(
    "names are paths below the group's directory",
    arguments: [
      ("/d", "f", nil, "f"), ("/d/a/b", "f", nil, "a/b/f"), ("/d2", "f", nil, "f"), ("/e", "f", nil, "f"),
      ("/d/a", "\u{1B}f", nil, "a/\\u{1B}f"), ("/d/blobs", "0f3a", "dir/weights.bin", "dir/weights.bin"),
      ("/d/a", nil, nil, "a/x.iso"),
    ] as [(String, String?, String?, String)])
  func names(directory: String, file: String?, title: String?, expected: String) throws {
    let url = try RequestURL.parse("http://h/pub/x.iso").url
    let specification = JobSpecification(request: TransferRequest(url: url), directory: directory)
    var job = Job(id: 1, uuid: UUID(), specification: specification, addedAt: 0)
    job.fileName = file
    var summary = JobSummary(job, rank: 1, waitsFor: [])
    summary.title = title
    #expect(JobTableRow.name(summary, in: Self.pub) == expected)
  }
}
