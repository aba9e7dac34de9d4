// Events are delivered one by one and in order, from any number of threads, and end with the run.

import Foundation
import Testing

@testable import DrayKit

@Suite struct JobEventsTests {
  @Test func eachThreadsEventsComeInOrderAndThenTheEnd() async {
    let (told, sink) = AsyncStream.makeStream(of: [JobEvent].self)
    let (outbox, events) = (EventOutbox(sink), JobEvents(batches: told))
    let count = 2000
    async let sent: Void = withTaskGroup { group in
      for id in JobID(1)...4 {
        group.addTask {
          for number in 1...count {
            outbox.send(JobEvent(id: id, time: 0, kind: .started(attempt: number)))
            if number.isMultiple(of: 500) { try? await Task.sleep(for: .milliseconds(7)) }
          }
        }
      }
      await group.waitForAll()
      outbox.finish()
    }
    var attempts: [JobID: [Int]] = [:]
    for await event in events {
      if case .started(let attempt, _, _) = event.kind { attempts[event.id, default: []].append(attempt) }
    }
    await sent
    #expect(attempts == Dictionary(uniqueKeysWithValues: (JobID(1)...4).map { ($0, Array(1...count)) }))
  }

  @Test func whatIsReadInPartsGoesOnWhereItStopped() async {
    let (told, sink) = AsyncStream.makeStream(of: [JobEvent].self)
    let all = (1...7).map { JobEvent(id: 1, time: 0, kind: .started(attempt: $0)) }
    for batch in [all[..<3], [], all[3..<4], all[4...]] { sink.yield(Array(batch)) }
    sink.finish()
    var iterator = JobEvents(batches: told).makeAsyncIterator()
    var read: [JobEvent] = []
    while let event = await iterator.next() { read.append(event) }
    #expect(read == all)
    #expect(await iterator.next() == nil)
  }
}
