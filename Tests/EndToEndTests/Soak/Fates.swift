// A server that misbehaves at random: a seed determines its behaviour at each URL and the expected outcome.

import FaultServer
import Foundation

/// The server's behaviour at one URL, and the expected end of its job.
struct Fate: Sendable {
  /// The behaviour, in words for people.
  var name: String
  /// The resource; nil for 404.
  var resource: Resource?
  /// The state that the job must end in.
  var state = "complete"
  /// Whether it may fail as well: the first answer may be lost on a connection that the answer before has spoilt, for
  /// example with excess bytes. Then the second answer refuses a request for the whole.
  var mayFail = false
  /// The expected content of the target, if any.
  var content: Content? { state == "complete" ? final?.content : nil }
  /// The version at the end.
  var final: Version?

  /// The fate of the `index`-th URL.
  init(_ index: Int, seed: UInt64) {
    var dice = Dice(seed: seed &+ UInt64(index) &* 0x9E37_79B9)
    let isLarge = Int.random(in: 0..<40, using: &dice) == 0
    let size = Int64.random(in: isLarge ? 600_000...2_000_000 : 2000...40_000, using: &dice)
    let version = Version.named("f\(index)", size: size)
    let later = Version.named("later \(index)", size: size + 77)
    let place = Int64.random(in: 1..<size, using: &dice)
    let ending = Bool.random(using: &dice) ? FaultServer.Ending.close : .reset
    let cut = Answer.cut(after: place, ending)
    // A reset may discard unread bytes, and then nothing has arrived.
    let orderly = Answer.cut(after: place, .close)

    func bring(_ name: String, _ script: [Answer], _ end: Version? = nil) -> Fate {
      Fate(name: name, resource: Resource(version, script: script), final: end ?? version)
    }
    func lose(_ name: String, _ state: String, _ script: [Answer]) -> Fate {
      Fate(name: name, resource: Resource(version, script: script), state: state)
    }
    let chunked = Answer { $0.framing = .chunked(.init()) }
    switch Int.random(in: 0..<40, using: &dice) {
    case 0: self = Fate(name: "nothing", state: "failed")
    case 1: self = lose("gone", "failed", [.status(410)])
    case 2: self = lose("down for good", "failed", [.status(503)])
    case 3: self = lose("a redirect to itself", "failed", [.redirect(to: "/\(index)")])
    case 4:
      self = lose("a link that expires half-way", "interrupted", [orderly, .status(403)])
      mayFail = true
    case 5: self = lose("a hundred bytes an answer", "interrupted", [.cut(after: 100)])
    case 6, 7: self = bring("503, then well", [.status(503), .normal])
    case 8, 9, 10: self = bring("cut off", [cut, .normal])
    case 11: self = bring("cut off twice", [cut, .cut(after: 1), .normal])
    case 12, 13: self = bring("no answer", [Answer { ($0.headCut, $0.ending) = (0, ending) }, .normal])
    case 14: self = bring("chunks", [chunked])
    case 15, 16: self = bring("chunks that are cut off", [chunked.with { $0.bodyCut = place }, .normal])
    case 17: self = bring("another range than asked", [cut, Answer { $0.start = .shifted(1) }, .normal])
    case 18:
      self = bring("416", [orderly, .status(416, headers: ["Content-Range: bytes */\(size)"]), .normal])
      mayFail = true
    case 19: self = bring("no ranges", [cut, Answer { $0.ignoresRange = true }])
    case 20: self = bring("another version half-way", [cut, .changed(to: later), .normal], later)
    case 21: self = bring("too much", [Answer { $0.excess = 100 }])
    case 22: self = bring("interim answers", [Answer { $0.interim = .init(103, headers: ["Link: </a>"], count: 3) }])
    case 23: self = bring("late", [Answer { $0.latency = 0.2 }])
    case 24: self = bring("slow", [Answer { $0.rate = Int(size) * 2 }])
    case 25: self = bring("the end of the connection as that of the file", [Answer { $0.framing = .close }])
    default: self = bring("by the rules", [])
    }
  }

  private init(name: String, resource: Resource? = nil, state: String = "complete", final: Version? = nil) {
    (self.name, self.resource, self.state, self.final) = (name, resource, state, final)
  }
}
