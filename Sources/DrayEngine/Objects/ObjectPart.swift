// The part of a job whose target is an object: its bytes stay in memory until the server has confirmed them.

#if ObjectStores

internal import Crypto
internal import DrayCore
internal import Posix
internal import Synchronization

/// The storage of an unfinished object. Its bytes are gathered in the parts of an upload. Bytes that the server does
/// not confirm soon after an attempt has ended are fetched again.
final class ObjectPart: PartStorage, PartUpload, PartBackpressure {
  struct State: Sendable {
    /// The boundaries of the upload's parts; `nil` before the first byte arrives.
    var plan: UploadPlan?
    var announced: Int64?
    /// The length of the file, once all bytes have arrived.
    var length: Int64?
    var cells: [Int: PartCell] = [:]
    /// The target, once its name is fixed.
    var target: (name: String, description: ObjectDescription)?
    /// The known checksums and the known digest of the content.
    var content: (sums: BlockSums?, digest: DigestValue?)
    /// The upload, once it has begun; its list of parts is empty here.
    var upload: ObjectUpload?
    var isBeginning = false
    /// The number of uploads that are just beginning, including those for older versions.
    var begins = 0
    /// The number of parts that are being sent.
    var sending = 0
    /// The numbers of the parts that are being sent to ``upload``, even if their content was given up in the meantime.
    var underWay: Set<Int> = []
    /// The failure that ended the acceptance of bytes.
    var failure: Failure?
    /// The number of the file's version; answers to requests for an older version are ignored.
    var epoch = 0
    var lastSerial = 0
    var isResting = false
    /// Whether the object is published, or the part is discarded or no longer used.
    var isClosed = false
    var hash: OrderedHash?
    /// The first bytes of the file.
    var start: [UInt8] = []
    /// Comparisons in progress with the ends of parts, by part number.
    var tails: [Int: EndChecks] = [:]
    /// Comparisons in progress with the starts of parts, by part number.
    var heads: [Int: EndChecks] = [:]
    var published: FileIdentity?
    var algorithms: [DigestAlgorithm] = []
    var judge: (@Sendable ([DigestValue]) throws(Failure) -> SourcedDigest?)?
    var proved: SourcedDigest?

    var known: Int64? { length ?? announced }

    /// Whether one request without an upload will create the object.
    var isSingle: Bool {
      guard upload == nil, !isBeginning, let known else { return false }
      return (plan ?? UploadPlan(length: known))?.count(of: known) == 1
    }

    func range(of number: Int) -> Segment { plan?.range(of: number, in: known) ?? 0..<0 }

    var parts: [ObjectUpload.Part] { cells.values.compactMap(\.part).sorted { $0.number < $1.number } }
  }

  let home: ObjectDestination
  let name: String
  let memoryNumber: Int
  let state: Mutex<State>
  /// With this pass, the part's requests may go on after its attempt, but not after the lease under which the part
  /// began.
  let pass: WriteFence.Pass?

  /// The number of bytes kept from the start of the file: enough to recognise any kind of file.
  static let startLength = 33 << 10

  init(_ name: String, in home: ObjectDestination) {
    (self.name, self.home) = (name, home)
    (pass, memoryNumber) = (home.tools.fence?.pass, home.memory.enter())
    state = Mutex(State())
  }

  /// - Parameter upload: The recorded upload, with the parts that the server has.
  init(_ name: String, in home: ObjectDestination, continuing upload: ObjectUpload, length: Int64?) {
    (self.name, self.home) = (name, home)
    (pass, memoryNumber) = (home.tools.fence?.pass, home.memory.enter())
    var state = State(plan: upload.plan, announced: length)
    for part in upload.parts {
      state.lastSerial += 1
      state.cells[part.number] = PartCell(phase: .confirmed(part), serial: state.lastSerial)
    }
    state.upload = upload
    state.upload?.parts = []
    state.start = upload.startBytes
    self.state = Mutex(state)
  }

  deinit {
    for cell in state.withLock({ Array($0.cells.values) }) { release(cell) }
    memory.leave(memoryNumber)
  }

  var memory: UploadMemory { home.memory }

  var destination: any Destination { home }

  var path: String {
    PathText.join(home.path, state.withLock { $0.target?.name ?? PathText.name(of: $0.upload?.key ?? name) })
  }

  /// Frees the memory of a part, unless it is being sent.
  func release(_ cell: PartCell) {
    guard let buffer = cell.buffer, !cell.isSending else { return }
    if cell.isFull || cell.isCounted { memory.countLeaving(-1) }
    memory.giveBack(buffer)
  }

  // MARK: Bytes

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64, stayingInMemory: Bool) throws(Failure) -> Bool {
    let hasFull = try state.withLock { state throws(Failure) -> Bool in
      if let failure = state.failure { throw failure }
      state.isResting = false
      var (rest, position, hasFull) = (bytes, position, false)
      while !rest.isEmpty {
        let (number, range) = try place(of: position, &state)
        let count = Int(min(Int64(rest.count), range.upperBound - position))
        fill(number, range, UnsafeRawBufferPointer(rebasing: rest[..<count]), at: position, &state)
        if becomesFull(number, range, &state) { hasFull = true }
        position += Int64(count)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return hasFull
    }
    if hasFull { work() }
    return true
  }

  private func place(of position: Int64, _ state: inout State) throws(Failure) -> (Int, Segment) {
    if state.plan == nil {
      state.plan = state.announced.flatMap { UploadPlan(length: $0) } ?? UploadPlan.unknownLength
    }
    guard let plan = state.plan, let number = plan.number(at: position) else { throw tooLong }
    let range = state.range(of: number)
    // Until the transfer ends, the last part also accepts bytes beyond the announced length.
    return (number, range.contains(position) ? range : plan.range(of: number))
  }

  private var tooLong: Failure {
    Failure(.file, home.path, "the file is too long for an object of \(UploadPlan.mostParts) parts")
  }

  private func fill(
    _ number: Int, _ range: Segment, _ bytes: UnsafeRawBufferPointer, at position: Int64, _ state: inout State
  ) {
    var cell = cell(number, &state)
    let offset = Int(position - range.lowerBound)
    let needed = offset + bytes.count
    if cell.buffer.map({ $0.capacity < needed }) ?? true {
      let size = min(range.count, max(needed, (cell.buffer?.capacity ?? 0) * 2))
      exchange(&cell, memory.takeAtOnce(size))
    }
    cell.buffer?.write(bytes, at: offset)
    cell.filled.insert(position..<position + Int64(bytes.count))
    state.cells[number] = cell
    if position == Int64(state.start.count), state.start.count < ObjectPart.startLength {
      state.start += bytes.prefix(ObjectPart.startLength - state.start.count)
    }
  }

  /// The new buffer has the same bytes.
  private func exchange(_ cell: inout PartCell, _ new: PartBuffer) {
    if let old = cell.buffer {
      new.write(old.bytes, at: 0)
      memory.giveBack(old)
    }
    cell.buffer = new
  }

  /// Returns the part to which to write. If the part was full or confirmed, its first new byte discards all of its old
  /// bytes.
  private func cell(_ number: Int, _ state: inout State) -> PartCell {
    if let cell = state.cells[number], cell.isFilling { return cell }
    if let old = state.cells[number] {
      state.hash?.stop()
      release(old)
    }
    state.lastSerial += 1
    return PartCell(serial: state.lastSerial)
  }

  /// Marks a part as full, and returns whether to send it.
  func becomesFull(_ number: Int, _ range: Segment, _ state: inout State) -> Bool {
    guard var cell = state.cells[number], cell.isFilling, !range.isEmpty, cell.filled.contains(range), !state.isSingle
    else { return false }
    cell.phase = .full
    // If the file was longer before, the buffer may contain bytes beyond the end.
    cell.buffer?.cut(to: range.count)
    if !cell.isCounted { memory.countLeaving(1) }
    cell.isCounted = false
    state.cells[number] = cell
    return true
  }

  func admits(_ count: Int, at position: Int64) -> Bool {
    state.withLock { state in
      // Admit the bytes: writing them then fails, which ends the transfer.
      guard state.failure == nil, let (first, _) = try? place(of: position, &state) else { return true }
      var (number, lower) = (first, position)
      while lower < position + Int64(count) {
        let range = state.range(of: number)
        guard range.contains(lower) else { return true }
        let room = state.cells[number].flatMap { $0.isFilling ? $0.buffer?.capacity : nil } ?? 0
        if room < range.count {
          // The bytes may begin in a part with memory and end in the next part. Waiting for the next part's memory
          // could last forever, because that part may wait for this one. The few bytes beyond the part's end get a
          // small separate buffer.
          guard let buffer = memory.take(range.count, for: memoryNumber) else { return number > first }
          var cell = cell(number, &state)
          exchange(&cell, buffer)
          if state.isSingle, !cell.isCounted {
            cell.isCounted = true
            memory.countLeaving(1)
          }
          state.cells[number] = cell
        }
        (number, lower) = (number + 1, range.upperBound)
      }
      return true
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(Failure) -> Int {
    let count = state.withLock { state -> Int? in
      if let length = state.known, position >= length { return 0 }
      let wanted = Int(min(Int64(buffer.count), (state.known ?? .max) - position))
      if position < Int64(state.start.count) {
        let bytes = state.start.dropFirst(Int(position)).prefix(wanted)
        // Only the start of a published or continued file is in memory.
        if bytes.count == wanted || state.cells[1]?.buffer == nil {
          buffer.copyBytes(from: bytes)
          return bytes.count
        }
      }
      guard let number = state.plan?.number(at: position), let cell = state.cells[number],
        let bytes = cell.buffer?.bytes
      else { return nil }
      let range = state.range(of: number)
      let end = min(position + Int64(wanted), range.upperBound)
      guard position < end, cell.filled.contains(position..<end) else { return nil }
      let offset = Int(position - range.lowerBound)
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(end - position)]))
      return Int(end - position)
    }
    guard let count else {
      throw Failure(.file, path, "an unfinished upload cannot be read", recovery: .keep)
    }
    return count
  }

  func identity() throws(Failure) -> FileIdentity { state.withLock { identity($0) } }

  func lock() -> Bool { true }

  func dataSegments(in range: Segment) -> [Segment] { [range] }

  func take(_ segments: SegmentSet, from other: any StoredBytes, isCancelled: () -> Bool) throws(Failure) -> Bool {
    for segment in segments.segments {
      var position = segment.lowerBound
      while position < segment.upperBound {
        let bytes = try other.bytes(Int(min(1 << 20, segment.upperBound - position)), at: position)
        guard !bytes.isEmpty else { throw .becameShorter(other.path) }
        while !admits(bytes.count, at: position) {
          if isCancelled() { return false }
          System.pause(0.01)
        }
        let result = bytes.withUnsafeBytes { bytes -> Result<Bool, Failure> in
          do throws(Failure) {
            return .success(try write(bytes, at: position, stayingInMemory: true))
          } catch {
            return .failure(error)
          }
        }
        _ = try result.get()
        position += Int64(bytes.count)
      }
    }
    return true
  }

  func truncate(to length: Int64) throws(Failure) {
    guard length == 0 else {
      return state.withLock { state in
        state.isResting = true
        for (number, cell) in state.cells {
          let lower = state.range(of: number).lowerBound
          let end = cell.part.map { lower + $0.size } ?? cell.filled.end
          guard end > length else { continue }
          if cell.isFilling, lower < length {
            state.cells[number]?.filled.remove(length..<end)
          } else {
            release(cell)
            state.cells[number] = nil
          }
        }
      }
    }
    startOver()
  }

  // MARK: Room

  var upload: (any PartUpload)? { self }
  var receiver: (any PartBackpressure)? { self }

  var units: PartUnits? {
    let (unit, isHashed) = state.withLock { state in
      ((state.plan ?? state.announced.flatMap { UploadPlan(length: $0) })?.unit, state.hash?.isBroken == false)
    }
    // Each connection fetches a part while its previous part is sent. Hashing needs the parts in order. The parts of a
    // second connection would have to leave memory before the earlier ones have arrived.
    return unit.map { PartUnits(unit: $0, mostWriters: isHashed ? 1 : max(1, memory.limit / Int($0) / 2)) }
  }

  func checkLength(_ length: Int64) throws(Failure) {
    if UploadPlan(length: length) == nil { throw tooLong }
  }

  func expect(_ length: Int64?) { state.withLock { $0.announced = length } }

  func reserve(_ range: Segment) throws(Failure) {}

  var allocated: Int64 { state.withLock { $0.cells.values.reduce(0) { $0 + Int64($1.buffer?.capacity ?? 0) } } }
}

#endif
