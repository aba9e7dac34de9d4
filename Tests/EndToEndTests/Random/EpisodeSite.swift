// The servers of an episode: each answer is drawn from the seed, the server, the file and the number of the request.
// The oracle gets a record of all answers.

import FaultServer
import Foundation
import Synchronization

/// All servers of one episode. Must be stopped.
final class EpisodeSite: Sendable {
  /// One answer, for the report.
  struct Told: Sendable, CustomStringConvertible {
    var host: Int
    var file: Int
    var number: Int
    var asked: String
    var version: Int
    var what: [String]

    var description: String {
      "host \(host) f\(file) #\(number) \(asked): version \(version)"
        + (what.isEmpty ? "" : ", " + what.joined(separator: ", "))
    }
  }

  private struct Place {
    var count = 0
    var version = 0
  }

  private struct State {
    var places: [[Place]]
    var sent: [Set<Int>]
    var identified: [[String: Set<Int>]]
    var told: [Told] = []
    /// The versions that are served without faults once the servers are calm.
    var calm: [Int]?
    var unmodified = false
    var hasLeftover = false
  }

  let episode: Episode
  let contents: [[Content]]
  private let servers: [FaultServer]
  private let state: Mutex<State>
  private let gates = (asked: FaultServer.Gate(), sent: FaultServer.Gate())

  /// Starts the servers; `first` already runs, and ``stop()`` does not stop it.
  init(_ episode: Episode, first: FaultServer) throws {
    self.episode = episode
    servers = try [first] + (1..<max(1, episode.hosts)).map { _ in try FaultServer() }
    contents = episode.files.map { file in file.versions.indices.map(file.content) }
    let places = (0..<episode.hosts).map { host in
      episode.files.map { Place(version: min($0.places[host].first, $0.versions.count - 1)) }
    }
    state = Mutex(
      State(
        places: places, sent: episode.files.map { _ in [] }, identified: episode.files.map { _ in [:] }))
    for (host, server) in servers.enumerated() {
      for (index, file) in episode.files.enumerated() {
        var resource = Resource(.init(contents[index][0]))
        resource.decide = { [self] in answer($0, host: host, file: index) }
        server["/\(file.name)"] = resource
        var redirect = resource
        redirect.decide = { [self] in self.redirect($0, file: index) }
        server["/r/\(file.name)"] = redirect
      }
    }
  }

  /// Stops the servers.
  func stop() {
    for server in servers.dropFirst() { server.stop() }
    // Removes the resources: their closures hold this object.
    for (server, file) in servers.flatMap({ server in episode.files.map { (server, $0) } }) {
      server["/\(file.name)"] = nil
      server["/r/\(file.name)"] = nil
    }
  }

  /// The URL of a file at a server.
  func url(_ file: Int, host: Int = 0) -> String {
    let isRedirected = episode.client == .redirected && host == 0
    return servers[host].url((isRedirected ? "/r/" : "/") + episode.files[file].name)
  }

  /// The number of the server for this file; a leftover has its second file on another server.
  func host(of file: Int) -> Int { episode.client == .leftover && file == 1 ? 1 : 0 }

  // MARK: Queries of tests

  /// Bytes of bodies that were sent so far.
  var bytesSent: Int64 { servers.reduce(0) { $0 + $1.requests.reduce(0) { $0 + $1.bodySent } } }

  /// The answers so far.
  var told: [Told] { state.withLock { $0.told } }

  /// Whether there are no faults now.
  var isCalm: Bool { state.withLock { $0.calm != nil } }

  /// Whether an answer said that nothing has changed.
  var saidUnmodified: Bool { state.withLock { $0.unmodified } }

  /// Ends all faults; every server now has the first server's version, or the given one.
  func calm() {
    state.withLock { state in
      state.calm = episode.files.indices.map { index in
        let wanted = episode.files[index].demanded ?? -1
        return wanted >= 0 ? wanted : state.places[0][index].version
      }
    }
  }

  /// Ends the calm; earlier answers no longer count.
  func stir() {
    state.withLock { state in
      state.calm = nil
      state.unmodified = false
      for index in state.sent.indices { (state.sent[index], state.identified[index]) = ([], [:]) }
    }
  }

  /// Moves to the next run: the next versions appear where they are due.
  func pass() {
    state.withLock { state in
      for host in state.places.indices {
        for (index, file) in episode.files.enumerated() where file.places[host].changesBetween {
          state.places[host][index].version = min(state.places[host][index].version + 1, file.versions.count - 1)
        }
      }
    }
  }

  /// The facts about a file.
  func truth(of index: Int) -> Truth {
    let file = episode.files[index]
    return state.withLock { state in
      var truth = Truth()
      for number in state.sent[index] { truth.sent[number] = contents[index][number] }
      truth.identified = state.identified[index]
      let tellsNothing = file.places.contains { $0.validators.tellsNothing }
      if episode.resumesAlways, tellsNothing { truth.overlapping = state.sent[index] }
      truth.isProved = file.digests.proves
      truth.demanded = file.demanded.map { $0 < 0 ? [] : [contents[index][$0]] }
      // Only the servers state a digest, and no file has it. The answers around a leftover state none.
      let statesDigest = episode.client != .leftover || index == 2
      if file.digests == .wrong, file.demanded == nil, state.calm == nil, statesDigest { truth.demanded = [] }
      return truth
    }
  }

  // MARK: Answers

  private func redirect(_ request: SeenRequest, file: Int) -> Answer {
    state.withLock { state in
      state.places[0][file].count += 1
      var dice = Dice(seed: episode.seed &+ UInt64(state.places[0][file].count) &* 7919)
      let host = state.calm != nil ? 0 : Int(dice.place(in: Int64(episode.hosts)))
      let name = episode.files[file].name
      return .redirect(to: servers[host].url("/\(name)"), status: [302, 307, 301, 308][Int(dice.place(in: 4))])
    }
  }

  private func answer(_ request: SeenRequest, host: Int, file index: Int) -> Answer {
    state.withLock { state in
      let file = episode.files[index]
      let plan = file.places[host]
      var place = state.places[host][index]
      defer { state.places[host][index] = place }
      let number = place.count
      place.count += 1
      var dice = Dice(
        seed: episode.seed ^ UInt64(host + 1) &* 0x9E37_79B9 ^ UInt64(index + 1) &* 0x85EB_CA6B ^ UInt64(number) << 40)
      if state.calm == nil, plan.changes.contains(number) {
        place.version = min(place.version + 1, file.versions.count - 1)
      }
      let version = state.calm?[index] ?? place.version
      let isCalm = state.calm != nil
      let word = plan.validators.word(
        on: version, owner: plan.owner, answer: isCalm ? -1 : number, &dice)
      var served = Version(contents[index][version], etag: word.etag, lastModified: word.lastModified)
      // A server that sometimes omits tags sends them in the end.
      if isCalm, plan.validators == .sometimes { served.etag = "\"\(plan.owner)v\(version)\"" }

      var honest = Answer { answer in
        answer.version = served
        answer.framing = file.framing
        answer.rate = isCalm ? nil : plan.rate
        answer.ignoresIfRange = file.ignoresIfRange && !isCalm
        if let date = word.date { answer.headers.append(date) }
        if !word.hasDate { answer.without.insert("Date") }
      }
      if isCalm { honest.framing = .length }
      let question = Question(
        request, served, honest, isAlone: episode.connections == 1 && episode.client != .mirrored,
        isProved: file.demanded != nil || file.digests.proves, tellsLength: honest.framing.isLength)
      var told = Told(
        host: host, file: index, number: number, asked: Self.text(request), version: version,
        what: ["\(question.status)"])
      if question.status == 304 { state.unmodified = true }
      state.sent[index].insert(version)
      if let identity = word.identity {
        // A date proves nothing about another server's file (P16); an equal tag does.
        let place = word.etag == nil ? "at \(host): " : ""
        state.identified[index][place + identity, default: []].insert(version)
      }
      defer { state.told.append(told) }

      if isCalm { return Self.digested(honest, question, question.carried, file.digests.proves ? file.digests : .none) }
      if let answer = leftover(question, host: host, file: index, &state) {
        told.what.append("leftover")
        return answer
      }
      var answer = honest
      var carried = question.carried
      // Separate dice, so that the draws below stay the same.
      var more = dice
      more = Dice(seed: more.next() ^ 0x9AD)
      if let refusal = plan.refusal(of: number, question, &more) {
        told.what.append("refused")
        return refusal
      }
      if more.happens(file.pads), question.showsCuts {
        answer = question.padded(&more)
        told.what.append("padded \(answer.padding) at \(answer.bodyCut ?? 0)")
        return Self.digested(answer, question, carried, file.digests)
      }
      if dice.happens(file.lies),
        let lie = dice.pick(Lie.allCases.map { ($0.weight(question, file), $0) })
      {
        answer = lie.answer(question, file, &dice)
        carried = lie.carried(question)
        told.what.append("\(lie)")
      } else if dice.happens(file.faults), let fault = dice.pick(Fault.allCases.map { ($0.weight(question, file), $0) })
      {
        fault.apply(to: &answer, question, &dice)
        if case .partly = fault {
          carried = carried.lowerBound..<min(carried.upperBound, carried.lowerBound + (answer.rangeLimit ?? 0))
        }
        told.what.append("\(fault)")
      }
      return Self.digested(answer, question, carried, file.digests)
    }
  }

  private static func digested(
    _ answer: Answer, _ question: Question, _ carried: Range<Int64>, _ digests: DigestPolicy
  ) -> Answer {
    guard question.status == 200 || question.status == 206, let field = digests.field(question.content, part: carried)
    else { return answer }
    return answer.with { $0.headers.append(field) }
  }

  private static func text(_ request: SeenRequest) -> String {
    let fields = ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since"]
    return fields.compactMap { name in request[name].map { "\(name): \($0)" } }.joined(separator: ", ")
  }

  // MARK: Leftovers

  /// Sends an unrequested second answer after the first answer for the first file. It arrives before the answer for the
  /// second file, which is on another server, so before the request for the third file, on the first server.
  private func leftover(_ question: Question, host: Int, file: Int, _ state: inout State) -> Answer? {
    guard episode.client == .leftover, question.status == 200 else { return nil }
    switch file {
    case 0 where !state.hasLeftover && !gates.asked.isOpen:
      state.hasLeftover = true
      let seed = episode.seed
      let other = Content.generated(seed: seed ^ 0x5EED, size: contents[2][0].size)
      let stranger = seed % 3 == 0 ? question.content : other
      return question.honest.with { answer in
        answer.wire = [
          Self.wire(question.content, question.version), .gate(gates.asked), Self.wire(stranger, nil),
          .delivered, .opens(gates.sent),
        ]
        answer.wireEnd = .stay
      }
    case 1 where !gates.asked.isOpen:
      gates.asked.open()
      guard state.hasLeftover else { return nil }
      return question.honest.with { $0.holds = [.gate(gates.sent, after: 0)] }
    default:
      return nil
    }
  }

  private static func wire(_ content: Content, _ version: Version?) -> FaultServer.Wire {
    var head = "HTTP/1.1 200 OK\r\nContent-Length: \(content.size)\r\nAccept-Ranges: bytes\r\n"
    if let etag = version?.etag { head += "ETag: \(etag)\r\n" }
    return .bytes(Array((head + "\r\n").utf8) + content.allBytes)
  }
}
