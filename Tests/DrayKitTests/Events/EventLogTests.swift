// The lines of the log: what each event says, at which level, and without secrets.

import DrayCore
import Foundation
import Logging
import Testing

@testable import DrayKit

@Suite struct EventLogTests {
  private static func line(_ kind: JobEvent.Kind) -> EventLog.Line? {
    EventLog.line(JobEvent(id: 7, time: 100, kind: kind))
  }

  @Test(
    arguments: [
      (.waiting(until: 160, queue: "films"), .info, "queue is closed", ["queue": "films", "seconds": "60"]),
      (.waiting(until: nil), .info, "outside its window", [:]),
      (
        .waiting(until: nil, share: "/srv"), .notice, "handed back: its share does not work here", ["share": "/srv"]
      ),
      (
        .hook(HookReport(program: "h", ending: .exited(3), output: ["a", "b"])), .warning, "hook failed",
        ["hook": "h", "reason": "it ended with exit status 3", "output": "a | b"]
      ),
      (
        .hook(HookReport(program: "h", ending: .exited(0), output: ["a"])), .info, "hook finished",
        ["hook": "h", "output": "a"]
      ),
      (
        .interfaceChanged("eth0", problem: "it is silent"), .notice, "interface not used for now",
        ["interface": "eth0", "reason": "it is silent"]
      ),
      (
        .complete(path: "/d/f", size: 3, digest: nil, note: nil), .info, "complete", ["path": "/d/f", "bytes": "3"]
      ),
    ] as [(JobEvent.Kind, Logger.Level, String, [String: String])])
  func lines(kind: JobEvent.Kind, level: Logger.Level, message: String, facts: [String: String]) {
    #expect(Self.line(kind) == EventLog.Line(level: level, message: message, facts: facts))
  }

  @Test func whatOnlyADisplayNeedsIsNotLogged() {
    #expect(Self.line(.added) == nil)
    #expect(Self.line(.hook(HookReport(program: "h", ending: .exited(0)))) == nil)
  }

  @Test func aSourceIsNamedWithoutItsSecrets() {
    let line = Self.line(.linkRenewed(source: "x:https://ann:geheim@h/a", status: 403))
    #expect(line?.facts["source"]?.contains("geheim") == false)
  }

  @Test func failuresNameActionsAsTheProgramDoes() {
    let failure = Failure(.network, "http://h/f", "it is gone", advice: "\(.run) continues from there")
    let names = Advice.Names(action: { _, _ in "dray go" }, setting: { _ in "" })
    let line = EventLog.line(JobEvent(id: 7, time: 0, kind: .failed(failure)), names)
    #expect(line?.facts["error"]?.contains("dray go continues") == true)
  }
}
