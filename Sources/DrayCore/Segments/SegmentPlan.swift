// Assigns the bytes of a file to its connections. SegmentPlan+Decisions.swift decides the next steps. The time is an
// argument of the methods, in seconds of a monotonic clock.

/// The number of a piece, which is used only once within its plan.
public typealias PieceID = Int

/// The segments that the connections of a file fetch. The plan decides when connections are opened and closed, and
/// which segments they fetch. By default, the segments are as long as possible; in order, they are short and near the
/// first missing byte (``front``).
///
/// Each byte of the file is always in exactly one of `done`, `unowned` and the `pieces`.
public struct SegmentPlan: Sendable {
  /// A segment that one connection is fetching.
  public struct Piece: Sendable, Identifiable {
    /// The number of the piece.
    public let id: PieceID
    /// The index of the source among the file's URLs; 0 is the job's own URL.
    public let source: Int
    /// The position of the piece's first byte.
    public let lower: Int64
    /// The position after the last byte. It becomes lower when another connection gets the end of the piece.
    public internal(set) var upper: Int64
    /// The position of the next byte to receive.
    public internal(set) var position: Int64
    /// The number of bytes behind `position` that wait in the system's buffer: another connection would only bring them
    /// a second time.
    var buffered: Int64 = 0
    /// Whether the connection was told to close.
    public internal(set) var isClosing = false
    /// Whether the piece has reached its end, and keeps bytes from behind it to compare them with those of the
    /// connection that fetches that part.
    public internal(set) var isWaiting = false
    /// The time at which the segment was requested.
    let openedAt: Double
    /// How often the connection for this place was replaced because it was too slow.
    var replacements = 0
    /// Whether the connection was closed because it was too slow.
    var isReplaced = false
    var window: RateWindow

    /// Whether any byte of the piece has arrived.
    public var hasBytes: Bool { position > lower }
    /// The number of bytes that are missing from the piece.
    public var remaining: Int64 { upper - position }
    /// The position after the bytes that have arrived at this machine.
    var reached: Int64 { min(upper, position.saturatingSum(buffered)) }
    /// The number of bytes that have not arrived at this machine.
    var coming: Int64 { upper - reached }
    /// Returns the bytes per second over the last three seconds, or since the start if that was later.
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

  /// A step of the plan; the caller carries out steps in order.
  public enum Action: Sendable, Equatable {
    /// End the piece at this position; the bytes behind it belong to the `open` that follows.
    case trim(PieceID, to: Int64)
    /// Open a connection for this segment.
    case open(PieceID, Segment, source: Int)
    /// Close this connection, and then call ``SegmentPlan/end(_:at:now:)``.
    case close(PieceID)
  }

  /// The limits on connections.
  public struct Room: Sendable, Equatable {
    /// The maximum number of connections at once, over all sources.
    public var connections: Int
    /// The maximum number of connections at once, by source; 0 for a source that must not be used now.
    public var perSource: [Int]
    /// The number of connections that may finish their pieces, although no more are opened.
    public var kept: Int
    /// The maximum number of bytes that a new connection takes over from another; `nil` for its full share.
    public var firstPiece: Int64?

    /// The limits of each line, if there are several; otherwise empty.
    public var lines: [Line] = []
    /// The line of each source, if there are several lines.
    public var lineOfSource: [Int] = []

    /// The limits of a line (a network interface of this machine).
    public struct Line: Sendable, Equatable {
      /// The maximum number of connections at once.
      public var connections: Int
      /// The number of connections that may finish their pieces, although no more are opened.
      public var kept: Int

      /// Creates limits.
      public init(connections: Int, kept: Int = 0) { (self.connections, self.kept) = (connections, kept) }
    }

    /// Returns the sources whose connections go over a line.
    func sources(of line: Int) -> [Int] {
      perSource.indices.filter { lineOfSource.indices.contains($0) && lineOfSource[$0] == line }
    }

    /// Creates limits.
    public init(connections: Int, perSource: [Int], kept: Int = 0, firstPiece: Int64? = nil) {
      (self.connections, self.perSource, self.kept, self.firstPiece) = (connections, perSource, kept, firstPiece)
    }
  }

  /// The facts about one of the file's URLs.
  struct SourceRecord: Sendable {
    /// The number of connections that were opened to the URL so far.
    var opened = 0
    /// How many connections have ended that received bytes, but for too short a time to measure their rate.
    var brief = 0
    /// The mean bytes per second of ended connections, with more weight on newer ones; `nil` before one has ended.
    var endedRate: Double?
    var endedAt = 0.0
  }

  /// The length of the file in bytes.
  public let size: Int64
  /// Whether connections work near the first missing byte, so that the file can be read while it arrives.
  let isInOrder: Bool
  /// Pieces may be split at multiples of this number; `nil` for any place.
  let unit: Int64?
  /// The bytes of pieces that have ended, and the bytes that were present at the start.
  public internal(set) var done: SegmentSet
  /// The segments that are being fetched, in the order in which they lie in the file.
  public internal(set) var pieces: [Piece] = []
  /// Bytes that are neither done nor being fetched.
  public internal(set) var unowned: SegmentSet
  /// The mean seconds from requesting a segment to its first byte, with more weight on newer ones; `nil` before the
  /// first.
  public private(set) var latency: Double?

  var sources: [SourceRecord] = []
  var nextID: PieceID = 0
  /// How often connections that started at a place were replaced because they were too slow.
  var replacements: [Int64: Int] = [:]
  var lastReplacement = -Double.infinity
  private var first: PieceID?

  /// Creates the plan of a file of `size` bytes; those in `done` are present.
  /// - Parameters:
  ///   - unit: Pieces may be split at multiples of this number; `nil` for any place.
  ///   - isInOrder: Whether connections work near the first missing byte.
  public init(size: Int64, done: SegmentSet, unit: Int64? = nil, isInOrder: Bool = false) {
    self.size = size
    self.isInOrder = isInOrder
    self.unit = unit
    self.done = done.clamped(to: 0..<max(0, size))
    unowned = self.done.missing(from: size)
  }

  /// Whether every byte is in `done`.
  public var isWhole: Bool { done.isWhole(size) }

  /// The number of missing bytes, including those of pieces that are being fetched.
  public var remaining: Int64 { pieces.reduce(unowned.count) { $0 + $1.remaining } }

  /// The rate of all pieces together in bytes per second.
  public func rate(now: Double) -> Double { pieces.reduce(0) { $0 + $1.rate(now: now) } }

  /// Records that `segment`, until now unowned, is fetched by the first connection, which is already open.
  public mutating func adopt(_ segment: Segment, source: Int, now: Double) -> PieceID {
    let id = begin(segment, source: source, now: now)
    // Its head has already arrived, so its first byte does not show the latency of a new connection.
    first = id
    return id
  }

  /// Records how far a piece has got, and whether it waits there for the connection that will fetch the bytes behind
  /// it.
  /// - Parameter buffered: The number of bytes that wait in the system's buffer.
  public mutating func note(
    _ id: PieceID, at position: Int64, buffered: Int = 0, isWaiting: Bool = false, now: Double
  ) {
    guard let index = pieces.firstIndex(where: { $0.id == id }) else { return }
    let began = pieces[index].hasBytes
    (pieces[index].buffered, pieces[index].isWaiting) = (Int64(max(0, buffered)), isWaiting)
    pieces[index].position = min(max(position, pieces[index].position), pieces[index].upper)
    if pieces[index].hasBytes {
      pieces[index].window.note(pieces[index].position, now: now)
      if !began, id != first { noteLatency(now - pieces[index].openedAt) }
    } else {
      // The time before the first byte is latency and not part of the rate.
      pieces[index].window.restart(count: pieces[index].lower, now: now)
    }
  }

  /// Records that a connection ended (because it was finished, failed or closed), and that all bytes of its piece
  /// before `position` are present. The rest of the piece becomes unowned. `position` may be lower than the last
  /// recorded one.
  public mutating func end(_ id: PieceID, at position: Int64, now: Double) {
    note(id, at: position, now: now)
    guard let index = pieces.firstIndex(where: { $0.id == id }) else { return }
    let piece = pieces.remove(at: index)
    let position = min(max(position, piece.lower), piece.upper)
    done.insert(piece.lower..<position)
    unowned.insert(position..<piece.upper)
    if piece.isReplaced {
      // If the connection was fast before it slowed down, this place in the file is not the cause.
      let before = position - piece.lower > 1 << 20 ? 0 : piece.replacements
      replacements[position] = before + 1
    }
    if piece.hasBytes || piece.isReplaced { noteEnded(piece, now) }
  }

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
    // A connection that ended at once shows no rate, and one that ended during its slow start hardly shows any.
    let isKnown = sources[piece.source].endedRate != nil
    guard now - piece.window.start >= 0.05 && !(isKnown && isYoung(piece, now: now)) || piece.isReplaced else {
      sources[piece.source].brief += 1
      return
    }
    sources[piece.source].endedRate = sources[piece.source].endedRate.map { ($0 + rate) / 2 } ?? rate
    sources[piece.source].endedAt = now
  }
}
