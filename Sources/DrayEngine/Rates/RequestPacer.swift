internal import Curl
internal import DrayCore
internal import Synchronization

/// Decides when requests start, so that a server gets no more requests in a given time than the user wants (`--pace`).
/// At each origin, requests start in the order in which they were announced.
///
/// Only one start at an origin is reserved at a time. Processes that share a store therefore take turns, and a process
/// that ends leaves at most one start unused.
public final class RequestPacer: Sendable {
  /// Reserves the next start at an origin (as text), among all processes. A pause of `pause` seconds follows the start.
  /// Returns the seconds until the start; `nil` if no start can be reserved.
  public typealias Reserve = @Sendable (_ origin: String, _ pause: Double) async -> Double?

  /// The maximum number of origins whose last requests are remembered, if no store records them.
  private static let limit = 256

  /// The minimum number of seconds between two requests of this process, unless twice this number exceeds the pause.
  private static let leastPause = 0.05

  private let reserve: Reserve?
  /// The waiting requests, by origin.
  private let lines = Mutex<[String: [Place]]>([:])
  /// The last requests that no store has recorded.
  private let own = Mutex<[String: PaceRecord]>([:])

  /// - Parameter reserve: Reserves starts among all processes; `nil` if no other process counts.
  public init(reserve: Reserve? = nil) { self.reserve = reserve }

  /// Joins the line for an origin. Returns `nil` if the request may start at once.
  /// - Parameter jitter: The maximum number of random seconds that are added to the pause. Without a pace, the random
  ///   seconds are the whole pause before this request.
  func turn(at origin: Origin, _ pace: RequestPace?, jitter: Double?) -> Turn? {
    let extra = jitter.map { Double.random(in: 0...max(0, $0)) } ?? 0
    guard let pace else { return extra > 0 ? Turn(origin, Place(start: TransferLoop.now() + extra)) : nil }
    let place = Place(pause: pace.pause + extra)
    let name = origin.description
    let isFirst = lines.withLock { lines in
      defer { lines[name, default: []].append(place) }
      return lines[name] == nil
    }
    if isFirst { Task { await self.serve(name) } }
    return Turn(origin, place)
  }

  /// Runs until no request waits at the origin.
  private func serve(_ origin: String) async {
    // Whether a start is reserved although its request was given up before it started.
    var isSpare = false
    // The earliest next start: even if the process was held up, requests do not follow each other directly.
    var earliest = 0.0
    while let place = next(at: origin) {
      let delay = await isSpare ? 0 : reserveNext(at: origin, place.pause)
      let start = max(TransferLoop.now() + delay, earliest)
      place.begin(at: start)
      let rest = start - TransferLoop.now()
      if rest > 0 { try? await Task.sleep(for: .seconds(rest)) }
      isSpare = place.isUnused
      if !isSpare { earliest = start + min(place.pause / 2, RequestPacer.leastPause) }
    }
  }

  /// Returns the next request; `nil` if no request waits, which ends the line.
  private func next(at origin: String) -> Place? {
    lines.withLock { lines in
      while let place = lines[origin]?.first {
        lines[origin]?.removeFirst()
        if !place.isUnused { return place }
      }
      lines[origin] = nil
      return nil
    }
  }

  /// Returns the seconds until the reserved start.
  private func reserveNext(at origin: String, _ pause: Double) async -> Double {
    if let delay = await reserve?(origin, pause) { return max(0, delay) }
    return own.withLock { records in
      let now = TransferLoop.now()
      if records.count >= RequestPacer.limit { records = records.filter { $0.value.start > now } }
      let record = PaceRecord.next(after: records[origin], pause: pause, now: now)
      records[origin] = record
      return max(0, record.start - now)
    }
  }
}

extension RequestPacer {
  /// The place of a request in the line. The request and the line share this object.
  fileprivate final class Place: Sendable {
    private struct State {
      var start: Double?
      var isUnused = false
    }

    let pause: Double
    private let state: Mutex<State>

    init(pause: Double = 0, start: Double? = nil) {
      self.pause = pause
      state = Mutex(State(start: start))
    }

    /// The start; `nil` while it is unknown.
    var start: Double? { state.withLock { $0.start } }

    var isUnused: Bool { state.withLock { $0.isUnused } }

    func begin(at time: Double) { state.withLock { $0.start = time } }

    func leave() {
      let now = TransferLoop.now()
      state.withLock { state in state.isUnused = state.start.map { now < $0 } ?? true }
    }
  }

  /// A request that waits for its start. Releasing the object before the start gives up the place.
  final class Turn: Sendable {
    /// The minimum and maximum number of seconds after which a request asks again while its start is unknown. While
    /// other requests wait, a start is known one pause in advance.
    private static let steps = 0.005...0.05

    let origin: Origin
    private let place: Place

    fileprivate init(_ origin: Origin, _ place: Place) { (self.origin, self.place) = (origin, place) }

    deinit { place.leave() }

    /// Returns when to start, or when to ask again.
    func start(now: Double) -> Double {
      place.start ?? now + min(max(place.pause / 4, Turn.steps.lowerBound), Turn.steps.upperBound)
    }
  }
}
