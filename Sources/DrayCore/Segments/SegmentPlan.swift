// Which connection of a file fetches which of its bytes: the bookkeeping. What follows from it is decided in
// SegmentPlan+Decisions.swift. Pure: the time is an argument, in seconds of a clock that never goes back.

/// The number of a piece within its plan; never used twice.
public typealias PieceID = Int

/// What each connection of a file fetches, and what follows: who is done, who is slow, what is opened next.
///
/// At all times each byte of the file is in exactly one place: `done`, `unowned`, or one of the `pieces`.
public struct SegmentPlan: Sendable {
  /// A segment that one connection is fetching.
  public struct Piece: Sendable, Identifiable {
    /// Its number.
    public let id: PieceID
    /// Which of the file's URLs it comes from (0 is the job's own).
    public let source: Int
    /// Its first byte.
    public let lower: Int64
    /// One past its last byte; shrinks when another connection takes over its end.
    public internal(set) var upper: Int64
    /// Where its next byte goes.
    public internal(set) var position: Int64
    /// Whether its connection was asked to close.
    public internal(set) var isClosing = false
    /// Whether it has reached its end, holds back the bytes beyond it, and waits for the connection that will fetch them.
    public internal(set) var isWaiting = false
    /// When it was asked for.
    let openedAt: Double
    /// How often the connection for this place was replaced because it was too slow.
    var replacements = 0
    /// Whether it was closed because it was too slow.
    var isReplaced = false
    var window: RateWindow

    /// Whether a byte has come.
    public var hasBytes: Bool { position > lower }
    /// Bytes that are missing.
    public var remaining: Int64 { upper - position }
    /// Bytes a second over the last three seconds, or since it began if that is less.
    public func rate(now: Double) -> Double { window.rate(now: now) }

    init(id: PieceID, source: Int, segment: Segment, now: Double) {
      self.id = id
      self.source = source
      lower = segment.lowerBound
      upper = segment.upperBound
      position = segment.lowerBound
      openedAt = now
      window = RateWindow(count: segment.lowerBound, now: now)
    }
  }

  /// The actions, in this order.
  public enum Action: Sendable, Equatable {
    /// The piece fetches no further than this: what lies beyond belongs to the `open` that follows.
    case trim(PieceID, to: Int64)
    /// Open a connection for this segment.
    case open(PieceID, Segment, source: Int)
    /// Close this connection; ``SegmentPlan/end(_:at:now:)`` is called when it has.
    case close(PieceID)
  }

  /// The limits on connections.
  public struct Room: Sendable, Equatable {
    /// Connections of the file at once, over all sources.
    public var connections: Int
    /// For each source the most connections at once; 0 if it must not be used (now).
    public var perSource: [Int]
    /// Connections that are not closed, though no more are opened: they leave when their pieces end.
    public var kept: Int
    /// Bytes of the most that a new connection takes over from another; `nil` for its share.
    public var firstPiece: Int64?

    /// Limits in total and for each source.
    public init(connections: Int, perSource: [Int], kept: Int = 0, firstPiece: Int64? = nil) {
      (self.connections, self.perSource, self.kept, self.firstPiece) = (connections, perSource, kept, firstPiece)
    }
  }

  /// What is known of one of the file's URLs.
  struct SourceRecord: Sendable {
    /// Connections that were ever opened to it.
    var opened = 0
    /// Bytes a second of a connection that is over, newer ones counting more; `nil` before one is.
    var endedRate: Double?
    var endedAt = 0.0
  }

  /// The length of the file in bytes.
  public let size: Int64
  /// Bytes of ended pieces, and those that were there before.
  public internal(set) var done: SegmentSet
  /// The segments that are being fetched, in the order they were begun.
  public internal(set) var pieces: [Piece] = []
  /// Bytes that are neither done nor being fetched.
  public internal(set) var unowned: SegmentSet
  /// Seconds from asking for a segment to its first byte, a mean in which newer ones count more; `nil` before the first.
  public private(set) var latency: Double?

  var sources: [SourceRecord] = []
  var nextID: PieceID = 0
  /// How often connections that begin at a place were replaced because they were too slow.
  var replacements: [Int64: Int] = [:]
  var lastReplacement = -Double.infinity
  private var first: PieceID?

  /// The plan of a file of `size` bytes of which `done` are there.
  public init(size: Int64, done: SegmentSet) {
    self.size = size
    self.done = done.clamped(to: 0..<max(0, size))
    unowned = self.done.missing(from: size)
  }

  /// Whether every byte is in `done`.
  public var isWhole: Bool { done.isWhole(size) }

  /// Missing bytes, including those of open pieces.
  public var remaining: Int64 { pieces.reduce(unowned.count) { $0 + $1.remaining } }

  /// Bytes per second of all pieces together.
  public func rate(now: Double) -> Double { pieces.reduce(0) { $0 + $1.rate(now: now) } }

  /// An existing connection (the first) fetches `segment`, which must be unowned.
  public mutating func adopt(_ segment: Segment, source: Int, now: Double) -> PieceID {
    let id = begin(segment, source: source, now: now)
    // Its head has come already: the time until its first byte says nothing about a new connection.
    first = id
    return id
  }

  /// A piece has come to `position`, and may be waiting there for the connection that was given what lies beyond.
  public mutating func note(_ id: PieceID, at position: Int64, isWaiting: Bool = false, now: Double) {
    guard let index = pieces.firstIndex(where: { $0.id == id }) else { return }
    let began = pieces[index].hasBytes
    pieces[index].isWaiting = isWaiting
    pieces[index].position = min(max(position, pieces[index].position), pieces[index].upper)
    if pieces[index].hasBytes {
      pieces[index].window.note(pieces[index].position, now: now)
      if !began, id != first { noteLatency(now - pieces[index].openedAt) }
    } else {
      // The time before the first byte is latency, no part of the rate.
      pieces[index].window.restart(count: pieces[index].lower, now: now)
    }
  }

  /// A connection is over (whole, failed or closed) and all before `position` is there; what it did not bring is
  /// unowned again. `position` may lie before what was noted.
  public mutating func end(_ id: PieceID, at position: Int64, now: Double) {
    note(id, at: position, now: now)
    guard let index = pieces.firstIndex(where: { $0.id == id }) else { return }
    let piece = pieces.remove(at: index)
    let position = min(max(position, piece.lower), piece.upper)
    done.insert(piece.lower..<position)
    unowned.insert(position..<piece.upper)
    if piece.isReplaced {
      // One that was fast before it slowed down does not indicate a bad place.
      let before = position - piece.lower > 1 << 20 ? 0 : piece.replacements
      replacements[position] = before + 1
    }
    if piece.hasBytes || piece.isReplaced { noteEnded(piece, now) }
  }

  /// Creates a piece from an unowned segment.
  mutating func begin(_ segment: Segment, source: Int, now: Double) -> PieceID {
    precondition(unowned.contains(segment), "a segment has one owner")
    unowned.remove(segment)
    while sources.count <= source { sources.append(SourceRecord()) }
    sources[source].opened += 1
    var piece = Piece(id: nextID, source: source, segment: segment, now: now)
    piece.replacements = replacements.removeValue(forKey: segment.lowerBound) ?? 0
    pieces.append(piece)
    nextID += 1
    return piece.id
  }

  private mutating func noteLatency(_ seconds: Double) {
    latency = latency.map { $0 * 0.75 + seconds * 0.25 } ?? seconds
  }

  private mutating func noteEnded(_ piece: Piece, _ now: Double) {
    let rate = piece.rate(now: now)
    // One that ended immediately says nothing.
    guard now - piece.window.start >= 0.05 || piece.isReplaced else { return }
    sources[piece.source].endedRate = sources[piece.source].endedRate.map { ($0 + rate) / 2 } ?? rate
    sources[piece.source].endedAt = now
  }
}
