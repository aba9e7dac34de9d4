// The states of a job, its file names, and the exit statuses.

import Foundation
import Testing

@testable import DrayCore

@Suite struct JobTests {
  @Test(
    arguments: [
      (.queued, [.active, .paused, .failed, .interrupted]),
      (.active, [.queued, .complete, .failed, .interrupted, .paused]),
      (.interrupted, [.queued, .active, .paused, .failed]), (.paused, [.queued]), (.failed, [.queued]),
      (.complete, [.queued]),
    ] as [(JobState, Set<JobState>)])
  func legalMoves(state: JobState, next: Set<JobState>) {
    #expect(Set(JobState.allCases.filter(state.canMove)) == next)
  }

  /// Every job can be brought to an end, from any state.
  @Test(arguments: JobState.allCases)
  func everyStateLeadsToComplete(state: JobState) {
    var reached: Set<JobState> = [state]
    for _ in JobState.allCases { reached.formUnion(reached.flatMap(\.successors)) }
    #expect(reached.contains(.complete))
    #expect(state.isFinished == [.complete, .failed].contains(state))
    #expect(!state.canMove(to: state))
  }

  @Test(arguments: [(JobState.queued, "is queued"), (.failed, "has failed"), (.complete, "is complete")])
  func predicates(state: JobState, text: String) {
    #expect(state.predicate == text)
  }

  /// The present file against the recorded one (device 1, inode 2, 3 bytes, 5.25 s).
  @Test(
    arguments: [
      (1, 2, 3, 5_250_000_000, true, true),
      (1, 2, 3, 6_250_000_000, true, false),
      (1, 2, 3, 5_250_000_001, true, false),
      // After a reboot.
      (9, 2, 3, 5_250_000_000, true, true),
      (9, 2, 3, 6_250_000_000, false, false),
      // Whole seconds match any time within the second.
      (9, 2, 3, 5_000_000_000, true, true),
      (1, 2, 3, 4_000_000_000, true, true),
      (1, 2, 3, 3_000_000_000, true, false),
      (1, 2, 3, 6_000_000_000, true, false),
      // Another inode number: the file system renumbered the file, or it is another file.
      (1, 8, 3, 5_250_000_000, true, false),
      (1, 2, 4, 5_250_000_000, false, false),
      (9, 2, 3, Int64.min, false, false),
    ] as [(UInt64, UInt64, Int64, Int64, Bool, Bool)])
  func recognisesFiles(device: UInt64, inode: UInt64, size: Int64, modified: Int64, mayBe: Bool, isUnchanged: Bool) {
    let recorded = FileIdentity(device: 1, inode: 2, size: 3, modified: 5_250_000_000)
    let found = FileIdentity(device: device, inode: inode, size: size, modified: modified)
    // Only its inode number differs: its bytes decide.
    let renumbered = FileIdentity(device: device, inode: 77, size: size, modified: modified)
    #expect((found.recognition(of: recorded) != .other) == mayBe)
    #expect((found.recognition(of: recorded) == .retimed) == (mayBe && !isUnchanged && inode == 2))
    #expect(renumbered.recognition(of: recorded) == (isUnchanged || inode == 8 ? .renumbered : .other))
    #expect(found.isUnchanged(since: recorded) == isUnchanged)
  }

  @Test func theNamesOfItsFiles() throws {
    let uuid = try #require(UUID(uuidString: "0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70"))
    let request = TransferRequest(url: try url("http://h/f"))
    var job = Job(
      id: 1, uuid: uuid, specification: JobSpecification(request: request, directory: "/d"), addedAt: 0)
    #expect(job.partFile == "/d/.0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70.part")
    #expect(job.target == nil && job.partFileAtTarget == job.partFile)
    job.specification.options.partDirectory = "/t"
    #expect(job.partFile == "/t/.0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70.part")
    #expect(job.partFileAtTarget == "/d/.0F4C1B6A-9C0E-4E5B-8A1D-2B3C4D5E6F70.part")
    let place = job.specification.place
    #expect((place.partPlace, place.alone) == (DirectoryPlace("/t"), DirectoryPlace("/d")))
    job.fileName = "x"
    job.specification.directory = "/"
    #expect(job.target == "/x")
  }

  @Test(
    arguments: [
      ([], .success), ([.success, .success], .success), ([.success, .other], .other), ([.other, .store], .store),
      ([.status, .network, .success], .network), ([.integrity, .other, .file], .file), ([.interrupt], .interrupt),
    ] as [([DrayCore.ExitStatus], DrayCore.ExitStatus)])
  func theLowestExitStatusButOne(statuses: [DrayCore.ExitStatus], expected: DrayCore.ExitStatus) {
    #expect(DrayCore.ExitStatus.combined(statuses) == expected)
    #expect(DrayCore.ExitStatus.combined(statuses.reversed()) == expected)
  }

  @Test(
    arguments: [
      (.other, 1), (.usage, 2), (.file, 3), (.network, 4), (.tls, 5), (.authentication, 6), (.protocolViolation, 7),
      (.status, 8), (.integrity, 9), (.store, 10),
    ] as [(Failure.Kind, Int32)])
  func eachKindHasItsExitStatus(kind: Failure.Kind, expected: Int32) throws {
    let failure = Failure(kind, "u", "r", advice: "a", httpStatus: 5, recovery: .wait, retryAfter: 3)
    #expect(failure.exitStatus.rawValue == expected)
    #expect(failure.message(.plain) == "u: r; a" && "\(failure)" == "u: r")
    #expect(Failure(kind, "u", "r").message(.plain) == "u: r")
    #expect(try JSONDecoder().decode(Failure.self, from: JSONEncoder().encode(failure)) == failure)
  }
}
