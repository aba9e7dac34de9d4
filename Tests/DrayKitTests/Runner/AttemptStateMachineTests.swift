// The life of an attempt: each state, each event, and the action that follows.

import DrayCore
import DrayStore
import Foundation
import MemoryDestination
import Testing

@testable import DrayEngine
@testable import DrayKit

@Suite struct AttemptStateMachineTests {
  private static let job = JobID(7)
  private static let destinations = MemoryDestinations()

  private static func job(method: String = "GET") throws -> Job {
    var request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    request.method = method
    return Job(
      id: job, uuid: UUID(),
      specification: JobSpecification(request: request, options: JobOptions(), directory: "/d", output: "f"), addedAt: 0
    )
  }

  private static func part(_ path: String = "/d") throws -> any PartStorage {
    let destination = destinations[path]
    // Make it answer like a server.
    if path == "/bucket" { destination.lie { _ in false } }
    return try destination.createPart("part")
  }

  private static func file() throws -> WholeFile { WholeFile(part: try part(), size: 3, isResumed: true) }

  private static func failure(
    _ kind: Failure.Kind = .network, _ reason: String = "it", status: Int? = nil, _ recovery: Failure.Recovery = .final
  ) -> Failure { Failure(kind, "/d/f", reason, httpStatus: status, recovery: recovery) }

  private static func outcome(_ end: TransferEnd) throws -> TransferOutcome {
    TransferOutcome(
      end: end, response: nil, resumedFrom: 0, reached: 0, startedOver: nil,
      lastURL: try RequestURL.parse("http://h/f").url)
  }

  private static func published(_ result: PublishResult, in path: String = "/d") throws -> Published {
    let item = PublishItem(
      JobBox(try job()), Publication(part: try part(path), size: 3), fileName: "f", isNamed: true,
      facts: PublishFacts())
    return Published(item: item, name: "g", result: result)
  }

  // MARK: States

  /// The states, each with one way to reach it.
  enum Place: CaseIterable {
    case preparing, transferring, checking, staging, publishing, doubting, uploadingAgain, mismatched, pageCame,
      failing,
      judging, ending
  }

  private static func machine(_ place: Place) throws -> AttemptStateMachine {
    let beginning: AttemptStateMachine.Beginning
    let events: [Event]
    switch place {
    case .preparing: (beginning, events) = (.slot, [])
    case .transferring: (beginning, events) = (.transfer, [])
    case .checking: (beginning, events) = (.transfer, [.received(.whole)])
    case .staging: (beginning, events) = (.slot, [.foundReady])
    case .publishing: (beginning, events) = (.publish, [])
    case .doubting: (beginning, events) = (.publish, [.published(.failed)])
    case .uploadingAgain: (beginning, events) = (.publish, [.published(.partsRefused)])
    case .mismatched: (beginning, events) = (.transfer, [.received(.whole), .wrong(.length)])
    case .pageCame: (beginning, events) = (.publish, [.published(.page)])
    case .failing: (beginning, events) = (.slot, [.planned(.failed)])
    case .judging: (beginning, events) = (.slot, [.planned(.failed), .polled])
    case .ending: (beginning, events) = (.slot, [.planned(.skip)])
    }
    var machine = AttemptStateMachine(job, beginning)
    for event in events { _ = try send(event, to: &machine) }
    return machine
  }

  // MARK: Events

  enum Plan: CaseIterable { case failed, skip, cancelled, transfer }
  enum Found: CaseIterable { case renamed, nothing, nothingOfUnsafe, failed }
  enum Receipt: CaseIterable { case whole, answered, upToDate, otherLength, cancelled, failed }
  enum Step: CaseIterable {
    case rulesStore, rulesFinal, rulesPassing, length, repair, blocks, store, lists, digests, digestsUnread, target
  }
  enum Result: CaseIterable {
    case published, skipped, equal, stopped, halted, next, busy, page, unfinished, store, wrongObject, unproved
    case partsRefused, readBack, nameLost, failed, otherBytes
  }

  /// The events of an attempt.
  enum Event: Hashable {
    case planned(Plan), found(Found), foundReady, received(Receipt)
    case right, checkedUpToDate, checkStopped, wrong(Step)
    case staged, stagingStopped, stagingFailed
    case published(Result), hasName, hasNoName, firstRetry, secondRetry
    case otherPieces, cleanFetch, noRemedy, polled, shareFault, shareLost, noFault

    static let all: [Event] =
      Plan.allCases.map { .planned($0) } + Found.allCases.map { .found($0) } + Receipt.allCases.map { .received($0) }
      + Step.allCases.map { .wrong($0) } + Result.allCases.map { .published($0) } + [
        .foundReady, .right, .checkedUpToDate, .checkStopped, .staged, .stagingStopped, .stagingFailed, .hasName,
        .hasNoName, .firstRetry, .secondRetry, .otherPieces, .cleanFetch, .noRemedy, .polled, .shareFault, .shareLost,
        .noFault,
      ]
  }

  private static func send(_ event: Event, to machine: inout AttemptStateMachine) throws -> AttemptStateMachine.Action {
    switch event {
    case .planned(.failed): return machine.planned(.failure(failure()))
    case .planned(.skip): return machine.planned(.success(.skip(path: "/d/f")))
    case .planned(.cancelled): return machine.planned(.success(.cancelled))
    case .planned(.transfer):
      let plan = try TransferPlan(
        request: try job().specification.request, destination: destinations["/d"], partName: "part",
        recorded: Checkpoint(), resume: .always, digestIsKnown: false)
      return machine.planned(.success(.transfer(plan)))
    case .found(.renamed): return machine.found(.success(.renamed(path: "/d/f", finished)), of: try job())
    case .found(.nothing): return machine.found(.success(.neither), of: try job())
    case .found(.nothingOfUnsafe): return machine.found(.success(.neither), of: try job(method: "POST"))
    case .found(.failed): return machine.found(.failure(failure(.file)), of: try job())
    case .foundReady: return machine.found(.success(.ready(try part(), size: 3)), of: try job())
    case .received(.whole): return machine.transferEnded(.whole(try file()))
    case .received(.answered): return machine.transferEnded(.answered(nil))
    case .received(.upToDate): return machine.transferEnded(.upToDate(nil, hasOtherLength: false))
    case .received(.otherLength): return machine.transferEnded(.upToDate(nil, hasOtherLength: true))
    case .received(.cancelled): return machine.transferEnded(.cancelled)
    case .received(.failed): return machine.transferEnded(.failed(failure(), try outcome(.failed(failure()))))
    case .right: return machine.checked(.right(try part(), PublishFacts()))
    case .checkedUpToDate: return machine.checked(.upToDate)
    case .checkStopped: return machine.checked(.stopped)
    case .wrong(let step):
      let (failure, at) = try wrong(step)
      return machine.checked(.wrong(failure, at))
    case .staged: return machine.staged(.success(try part()))
    case .stagingStopped: return machine.staged(.success(nil))
    case .stagingFailed: return machine.staged(.failure(failure(.file)))
    case .published(let result):
      let isRead = result == .readBack
      return machine.published(
        try published(end(result), in: isRead ? "/bucket" : "/d"), halt: result == .halted ? .end(.shutdown) : nil)
    case .hasName: return machine.lookedAgain(.renamed(path: "/d/f", finished), of: try job())
    case .hasNoName: return machine.lookedAgain(.neither, of: try job())
    case .firstRetry: return machine.retryRecorded(isFirst: true)
    case .secondRetry: return machine.retryRecorded(isFirst: false)
    case .otherPieces: return machine.remedied(.otherPieces)
    case .cleanFetch: return machine.remedied(.cleanFetch)
    case .noRemedy: return machine.remedied(nil)
    case .polled: return machine.commandsPolled()
    case .shareFault: return machine.judged(failure(.file))
    case .shareLost: return machine.judged(failure(.store))
    case .noFault: return machine.judged(nil)
    }
  }

  private static var finished: Finished {
    Finished(id: job, published: FileIdentity(device: 0, inode: 0, size: 3, modified: 0), received: 3, size: 3)
  }

  private static func wrong(_ step: Step) throws -> (Failure, AttemptStateMachine.CheckStep) {
    switch step {
    case .rulesStore: (failure(.store), .rules)
    case .rulesFinal: (failure(.file), .rules)
    case .rulesPassing: (failure(.file, .retry), .rules)
    case .length: (failure(.integrity), .length)
    case .repair: (failure(.integrity), .repair)
    case .blocks: (failure(.integrity), .blocks)
    case .store: (failure(.file), .store)
    case .lists: (failure(.integrity), .lists)
    case .digests: (failure(.integrity), .digests(of: try file()))
    case .digestsUnread: (failure(.file), .digests(of: try file()))
    case .target: (failure(.integrity), .target)
    }
  }

  private static func failure(_ kind: Failure.Kind, _ recovery: Failure.Recovery) -> Failure {
    failure(kind, "it", status: nil, recovery)
  }

  private static func end(_ result: Result) -> PublishResult {
    switch result {
    case .published: .published(path: "/d/f")
    case .skipped: .skipped(path: "/d/f")
    case .equal: .equal
    case .stopped, .halted: .stopped
    case .next: .next
    case .busy: .busy(failure(.file))
    case .page: .refused(failure(.integrity))
    case .otherBytes: .mismatched(failure(.integrity))
    case .unfinished: .unfinished(failure(.file))
    case .store: .failed(failure(.store))
    case .wrongObject: .failed(failure(.integrity, "it is wrong, so the wrong object is still there"))
    case .unproved: .failed(failure(.file, "its digest is not known before it would replace the object there"))
    case .partsRefused: .failed(failure(.integrity, "it", status: 400, .retry))
    case .readBack: .failed(failure(.integrity, .retry))
    case .nameLost: .failed(failure(.file, "its name was taken while it was uploaded"))
    case .failed: .failed(failure(.file))
    }
  }

  // MARK: The table

  /// The action that follows each event in each state. Other events do nothing, because they are late.
  private static let table: [Place: [Event: String]] = [
    .preparing: [
      .planned(.failed): "poll", .planned(.skip): "end skipped", .planned(.cancelled): "end shutdown",
      .planned(.transfer): "transfer", .found(.renamed): "record", .found(.nothing): "plan",
      .found(.nothingOfUnsafe): "end answerLost", .found(.failed): "judge share", .foundReady: "stage",
    ],
    .transferring: [
      .received(.whole): "check", .received(.answered): "finish without file", .received(.upToDate): "up to date",
      .received(.otherLength): "plan", .received(.cancelled): "end shutdown", .received(.failed): "poll",
    ],
    .checking: [
      .right: "publish", .checkedUpToDate: "up to date", .checkStopped: "end shutdown",
      .wrong(.rulesStore): "leave failing", .wrong(.rulesFinal): "end refused", .wrong(.rulesPassing): "poll",
      .wrong(.length): "seek remedy, afresh", .wrong(.repair): "seek remedy", .wrong(.blocks): "end otherVersion",
      .wrong(.store): "leave failing", .wrong(.lists): "poll", .wrong(.digests): "seek remedy, pieces, afresh",
      .wrong(.digestsUnread): "poll", .wrong(.target): "poll",
    ],
    .staging: [.staged: "publish", .stagingStopped: "end shutdown", .stagingFailed: "look again"],
    .publishing: [
      .published(.published): "leave complete", .published(.skipped): "end skipped",
      .published(.equal): "up to date, compared", .published(.stopped): "poll", .published(.halted): "end shutdown",
      .published(.busy): "end targetBusy", .published(.page): "abandon part, seek remedy",
      .published(.otherBytes): "seek remedy",
      .published(.unfinished): "judge share", .published(.store): "leave failing",
      .published(.wrongObject): "abandon part, end refused", .published(.unproved): "record retry",
      .published(.partsRefused): "record retry", .published(.readBack): "seek remedy, afresh",
      .published(.nameLost): "abandon part, end uploadNameTaken", .published(.failed): "look again",
    ],
    .doubting: [.hasName: "record", .hasNoName: "poll"],
    .uploadingAgain: [.firstRetry: "abandon part, end partsRefused", .secondRetry: "abandon part, end refused"],
    .mismatched: [
      .otherPieces: "end mismatched", .cleanFetch: "end mismatched", .noRemedy: "poll", .polled: "end mismatched",
    ],
    .pageCame: [
      .otherPieces: "end mismatched", .cleanFetch: "end mismatched", .noRemedy: "poll", .polled: "end pageInstead",
    ],
    .failing: [.polled: "judge share"],
    .judging: [.shareFault: "end shareRefused", .shareLost: "leave failing", .noFault: "end failed"],
    .ending: [.polled: "withdraw command"],
  ]

  @Test("each event has one action in each state", arguments: Place.allCases)
  func follows(place: Place) throws {
    for event in Event.all {
      var machine = try Self.machine(place)
      let words = try Self.send(event, to: &machine).words
      #expect(words == Self.table[place]?[event] ?? "wait", "\(event)")
    }
  }

  // MARK: Cancelling

  /// The events after which a cancelled attempt ends with the reason of its cancellation.
  private static let heeding: [(Place, [Event])] = [
    (.preparing, [.planned(.transfer), .planned(.cancelled)]), (.transferring, [.received(.cancelled)]),
    (.checking, [.checkStopped, .wrong(.length), .wrong(.repair), .wrong(.digests)]), (.staging, [.stagingStopped]),
    (
      .publishing,
      [
        .published(.stopped), .published(.halted), .published(.unproved), .published(.readBack),
        .published(.otherBytes),
      ]
    ),
    (.mismatched, [.polled]), (.pageCame, [.polled]), (.failing, [.polled]), (.ending, [.polled]),
  ]

  @Test(
    "a cancelled attempt ends by its first reason, when it is next asked",
    arguments: [
      (CancelReason.end(.command(.pause)), "end command"), (.end(.queueClosed("q", opening: nil)), "end queueClosed"),
      (.end(.failed(failure())), "poll"), (.end(.leaseLost(.leaseLost(job))), "end lost"),
      (.runFails(failure(.store)), "leave failing"),
    ] as [(CancelReason, String)])
  func cancelled(reason: CancelReason, words: String) throws {
    for (place, events) in Self.heeding {
      for event in events {
        var machine = try Self.machine(place)
        let isFirst = [machine.cancel(reason), machine.cancel(.end(.shutdown))]
        #expect(isFirst == [true, false])
        let action = try Self.send(event, to: &machine).words
        #expect(action == words, "\(place) \(event)")
      }
    }
  }

  private static func upToDate() throws -> CancelReason {
    .upToDate(
      ResponseRecord(
        finalURL: try RequestURL.parse("http://h/f").url, redirects: [], head: ResponseHead(status: 200), time: 0))
  }

  @Test("a target is judged once as up to date: what stops or fails that ends the attempt")
  func upToDateOnce() throws {
    for (place, events) in Self.heeding {
      for event in events {
        var machine = try Self.machine(place)
        let counts = [machine.cancel(try Self.upToDate()), machine.cancel(try Self.upToDate())]
        #expect(counts == [true, false])
        let action = try Self.send(event, to: &machine).words
        #expect(action == "up to date" && !machine.isCancelled, "\(place) \(event)")
        var (stopped, failed, paused) = (machine, machine, machine)
        let isFirst = paused.cancel(.end(.command(.pause)))
        #expect(isFirst)
        var words = [stopped.stopped().words, paused.stopped().words]
        words += [failed.failed(Self.failure(.integrity)).words, failed.commandsPolled().words]
        #expect(words == ["end shutdown", "end command", "poll", "judge share"], "\(place) \(event)")
      }
    }
  }

  @Test("a stop comes before a target that is up to date, as long as that was not judged")
  func stoppedBefore() throws {
    var machine = try Self.machine(.transferring)
    let counts = [
      machine.cancel(try Self.upToDate()), machine.cancel(.runFails(Self.failure(.store))),
      machine.cancel(try Self.upToDate()), machine.cancel(.end(.shutdown)),
    ]
    #expect(counts == [true, true, false, false])
    let action = try Self.send(.received(.cancelled), to: &machine).words
    #expect(action == "leave failing")
  }

  @Test("a command that comes while an end is recorded comes first; a withdrawn one leaves the job in the queue")
  func commandFirst() throws {
    var machine = try Self.machine(.ending)
    _ = machine.cancel(.end(.shutdown))
    var words = [machine.commandCameFirst().words]
    #expect(!machine.isCancelled)
    words += [machine.commandsPolled().words, machine.commandCameFirst().words]
    _ = machine.cancel(.end(.command(.remove)))
    words.append(machine.commandsPolled().words)
    #expect(words == ["poll", "withdraw command", "poll", "end command"])
  }

  @Test("the loss of the job is not recorded, in any state", arguments: Place.allCases)
  func lost(place: Place) throws {
    var machine = try Self.machine(place)
    let action = machine.failed(.leaseLost(Self.job))
    #expect(action.words == "end lost")
  }

  // MARK: Slots

  @Test(
    "a file that is published at once holds no slot, unless a command waits",
    arguments: [
      (true, nil, "publish"), (false, nil, "receive"), (true, CancelReason.end(.command(.pause)), "receive"),
      (true, .end(.queueClosed("q", opening: nil)), "publish"),
    ] as [(Bool, CancelReason?, String)])
  func direct(isHandedOn: Bool, reason: CancelReason?, words: String) throws {
    var machine = try Self.machine(.transferring)
    if let reason { _ = machine.cancel(reason) }
    let outcome = try Self.outcome(.whole(try Self.part(), size: 3, .proved))
    let action = machine.directTransferEnded(outcome, isHandedOn: isHandedOn) { _, _ in PublishFacts() }
    #expect(action.words == words)
    #expect(machine.place == (isHandedOn ? .backlog : .slot))
  }

  @Test("what fails to be published counts among the running ones again, for its commands", arguments: Result.allCases)
  func place(result: Result) throws {
    var machine = try Self.machine(.publishing)
    _ = try Self.send(.published(result), to: &machine)
    let stays: Set<Result> = [.published, .skipped, .next, .unfinished, .store]
    #expect(machine.place == (stays.contains(result) ? .publisher : .backlog))
    #expect(machine.phase == .publishing)
  }

  @Test("the phase to show does not go back")
  func phases() throws {
    var machine = try Self.machine(.transferring)
    #expect(machine.phase == .connecting)
    machine.answered()
    #expect(machine.phase == .receiving)
    machine.verifying()
    machine.answered()
    #expect(machine.phase == .verifying)
    machine.handedOver(as: "f")
    #expect(machine.phase == .publishing)
    #expect(machine.names.chosen == "f")
  }

  // MARK: Proofs

  @Test(
    "an object that could not be proved ends as its publish would",
    arguments: [
      (nil, "end publishingCutOff"), (failure(.store), "leave failing"),
      (failure(.network, .retry), "end publishingCutOff"),
      (failure(.integrity, "it is wrong, so the wrong object is still there"), "end refused"),
      (failure(.integrity, .retry), "seek remedy, afresh"), (failure(.integrity), "poll"),
    ] as [(Failure?, String)])
  func notProved(failure: Failure?, words: String) throws {
    var machine = try Self.machine(.preparing)
    let action = machine.notProved(failure, path: "/d/f")
    #expect(action.words == words)
  }
}
