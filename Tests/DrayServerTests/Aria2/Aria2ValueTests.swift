// The values that clients see: GIDs, pieces, parts of lists, states and errors.

import DrayCore
import DrayKit
import DrayStore
import Foundation
import Testing

@testable import DrayServer

@Suite struct Aria2ValueTests {
  @Test func gidOfAJob() {
    #expect(GID(uuid: "01020304-0506-4708-890A-0B0C0D0E0FFF").text == "0102030405064708")
  }

  @Test(
    arguments: [
      ([], 0, "", 0), ([0..<10], nil, "", 0), ([0..<1], 1, "80", 1), ([], 1, "00", 1),
      ([0..<1_048_576], 3_145_735, "80", 4), ([0..<1_048_575], 3_145_735, "00", 4),
      ([1..<2_097_152], 3_145_735, "40", 4), ([3_145_728..<3_145_735], 3_145_735, "10", 4),
      ([0..<3_145_735], 3_145_735, "f0", 4), ([0..<9_437_184], 9_437_184, "ff80", 9),
    ] as [([Segment], Int64?, String, Int)])
  func pieces(_ segments: [Segment], _ size: Int64?, _ text: String, _ count: Int) {
    var set = SegmentSet()
    for segment in segments { set.insert(segment) }
    let map = PieceMap(set, size: size)
    #expect(map.text ?? "" == text)
    #expect(map.count == count)
  }

  @Test(arguments: [17_179_869_184, 17_179_869_185, Int64.max])
  func piecesOfLargeFilesAreLonger(_ size: Int64) {
    let map = PieceMap(SegmentSet(0..<size), size: size)
    #expect(map.count <= PieceMap.mostPieces)
    #expect(map.bits.allSatisfy { $0 != 0 })
  }

  @Test(
    arguments: [
      (0, 2, [1, 2]), (3, 5, [4]), (4, 1, []), (-1, 2, [4, 3]), (-4, 1, [1]), (-5, 9, []), (0, 0, []), (-1, 0, []),
      (.min, 1, []), (.max, .max, []), (0, .max, [1, 2, 3, 4]), (-1, .max, [4, 3, 2, 1]),
    ] as [(Int64, Int64, [Int])])
  func partsOfLists(_ offset: Int64, _ count: Int64, _ part: [Int]) {
    #expect(Aria2Window(offset: offset, count: count).part(of: [1, 2, 3, 4]) == part)
  }

  @Test(
    arguments: [
      (.queued, false, .waiting), (.queued, true, .waiting), (.active, true, .active), (.paused, true, .paused),
      (.complete, false, .complete), (.failed, true, .error), (.interrupted, true, .error),
      (.interrupted, false, .waiting),
    ] as [(JobState, Bool, Aria2Status)])
  func states(_ state: JobState, _ hasFailed: Bool, _ status: Aria2Status) {
    #expect(Aria2Status(state, hasFailed: hasFailed) == status)
  }

  @Test(
    arguments: [
      (.network, nil, .final, .network), (.status, 404, .final, .notFound), (.status, 410, .final, .notFound),
      (.status, 500, .final, .badAnswer), (.status, 503, .keep, .overloaded), (.status, 429, .keep, .overloaded),
      (.authentication, 401, .final, .authentication), (.authentication, nil, .final, .authentication),
      (.authentication, 403, .keep, .badAnswer), (.authentication, 407, .keep, .authentication),
      (.file, nil, .final, .file), (.file, nil, .wait, .diskFull), (.integrity, nil, .final, .checksum),
      (.protocolViolation, 206, .final, .badAnswer), (.tls, nil, .final, .unknown), (.store, nil, .final, .unknown),
      (.usage, nil, .final, .badOption),
    ] as [(Failure.Kind, Int?, Failure.Recovery, Aria2ErrorCode)])
  func errorCodes(_ kind: Failure.Kind, _ status: Int?, _ recovery: Failure.Recovery, _ code: Aria2ErrorCode) {
    let failure = Failure(kind, "s", "r", httpStatus: status, recovery: recovery)
    #expect(Aria2ErrorCode(.error, failure) == code)
    #expect(Aria2ErrorCode(.complete, failure) == .finished)
    #expect(Aria2ErrorCode(.removed, failure) == .removed)
  }

  @Test(
    arguments: [
      (.unresolvedName, .nameResolution), (.unknownName, .nameResolution), (.refusedPort, .unknown),
      (.missingInterface, .network),
    ] as [(Failure.Obstacle, Aria2ErrorCode)])
  func codesOfUnreachableServers(_ obstacle: Failure.Obstacle, _ code: Aria2ErrorCode) {
    var failure = Failure(.network, "s", "r", recovery: .retry)
    failure.obstacle = obstacle
    #expect(Aria2ErrorCode(failure) == code)
  }

  @Test func theCodeOfATakenName() {
    let taken = Failure(.file, "/d/f", "it exists", advice: "use \(.onConflict) rename")
    #expect(Aria2ErrorCode(taken) == .fileExists)
    #expect(Aria2ErrorCode(Failure(.file, "/d/f", "r", advice: "choose another \(.directory)")) == .file)
  }

  @Test func segmentsOfARunningJob() throws {
    let url = try RequestURL.parse("http://host/f").url
    let specification = JobSpecification(request: TransferRequest(url: url), directory: "/d")
    var job = Job(id: 1, uuid: UUID(), specification: specification, addedAt: 0)
    job.state = .active
    job.checkpoint = Checkpoint(segments: SegmentSet(0..<10), size: 100)
    let parts = FileParts(done: SegmentSet(50..<60), fetching: [])
    let live = ProgressEntry(
      job: 1, received: 10, size: 100, rate: 7.9, phase: .receiving, connections: 3, parts: parts)
    let shown = Aria2Job(job, live: live)
    #expect(shown.segments == SegmentSet(50..<60))
    #expect(shown.rate == 7)
    #expect(shown.connections == 3)
    #expect(Aria2Job(job, live: nil).segments == SegmentSet(0..<10))
    // The count is now the request body's.
    #expect(Aria2Job(job, live: ProgressEntry(job: 1, received: 77, size: 78, rate: 1, phase: .sending)).received == 10)
  }
}
