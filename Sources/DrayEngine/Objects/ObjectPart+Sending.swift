// Sends the full parts of an upload, several at once, while further bytes arrive.

#if ObjectStores

internal import DrayCore
internal import Posix
internal import Synchronization

extension ObjectPart {
  private static let mostAtOnce = 8

  private enum Step {
    case begin(String, ObjectDescription, UploadPlan, epoch: Int)
    case send(Parcel)
  }

  struct Parcel: Sendable {
    var number: Int
    var serial: Int
    var epoch: Int
    var buffer: PartBuffer
    var upload: ObjectUpload
    let hashing = HashedOnce()
  }

  func work() {
    // Once the run is stopped, send nothing new.
    guard !home.client.isEnding() else { return }
    let steps = state.withLock { state -> [Step] in
      guard state.failure == nil, !state.isClosed, !state.isSingle, let target = state.target, let plan = state.plan
      else {
        return []
      }
      guard let upload = state.upload else {
        // If the file will have several parts, begin before the first part is full, so that a refusal is known early.
        guard !state.isBeginning, state.announced != nil || state.hasParcels else { return [] }
        state.isBeginning = true
        state.begins += 1
        return [.begin(home.object.key(of: target.name), target.description, plan, epoch: state.epoch)]
      }
      return nextParcels(upload, &state).map { .send($0) }
    }
    for step in steps {
      switch step {
      case .begin(let key, let description, let plan, let epoch):
        Task { await begin(key, description, plan, epoch) }
      case .send(let parcel):
        Task {
          await parcel.hashing.wait()
          await send(parcel)
        }
      }
    }
  }

  /// Returns the next parts to send, lowest first.
  private func nextParcels(_ upload: ObjectUpload, _ state: inout State) -> [Parcel] {
    var parcels: [Parcel] = []
    // If an older request for the same part number is still in progress, wait for its end: it might end after the newer
    // one and replace the newer bytes.
    let full = state.cells.filter { $0.value.isFull && !state.underWay.contains($0.key) }.keys.sorted()
    for number in full {
      guard state.sending < ObjectPart.mostAtOnce else { break }
      guard var cell = state.cells[number], let buffer = cell.buffer else { continue }
      cell.phase = .sending
      state.cells[number] = cell
      state.sending += 1
      state.underWay.insert(number)
      let parcel = Parcel(number: number, serial: cell.serial, epoch: state.epoch, buffer: buffer, upload: upload)
      // Parts become full in any order, but hashing begins with the lowest part.
      if let hash = state.hash {
        hash.take(number, buffer) { parcel.hashing.end() }
      } else {
        parcel.hashing.end()
      }
      parcels.append(parcel)
    }
    return parcels
  }

  /// Whether an answer is too late, because the file has started over or the part is closed.
  private func isOver(_ epoch: Int) -> Bool { state.withLock { $0.epoch != epoch || $0.isClosed } }

  /// Whether the bytes are no longer wanted; their request is then not repeated.
  private func isGivenUp(_ parcel: Parcel) -> Bool {
    isOver(parcel.epoch) || state.withLock { $0.cells[parcel.number]?.serial != parcel.serial }
  }

  private func begin(_ key: String, _ description: ObjectDescription, _ plan: UploadPlan, _ epoch: Int) async {
    defer { state.withLock { $0.begins -= 1 } }
    do throws(Failure) {
      var upload: ObjectUpload
      do throws(ObjectError) {
        upload = try await home.client.begin(key, description, plan: plan, pass: pass) { [weak self] in
          self?.isOver(epoch) ?? true
        }
      } catch {
        throw home.client.failure(error, key)
      }
      upload.modified = description.modified
      do throws(Failure) {
        try await home.note(upload, of: name)
      } catch {
        // Without a mark, nobody could find and discard the upload later, so discard it now, even after the end of the
        // lease.
        await home.discard(upload, pass: .undo)
        throw error
      }
      let isWanted = state.withLock { state in
        guard state.epoch == epoch, !state.isClosed else { return false }
        (state.upload, state.isBeginning) = (upload, false)
        return true
      }
      if isWanted { work() } else { await home.discard(upload, pass: pass) }
    } catch {
      fail(error, epoch)
    }
  }

  private func send(_ parcel: Parcel) async {
    let epoch = parcel.epoch
    let result: Result<ObjectUpload.Part, Failure>
    do throws(ObjectError) {
      var part = try await home.client.upload(
        parcel.buffer, parcel.number, of: parcel.upload, pass: pass
      ) { [weak self] in
        self?.isGivenUp(parcel) ?? true
      }
      part.head = EndCheck.head(of: parcel.buffer.bytes)
      part.tail = EndCheck.tail(of: parcel.buffer.bytes)
      result = .success(part)
    } catch {
      result = .failure(home.client.failure(error, parcel.upload.key))
    }
    state.withLock { state in
      state.sending -= 1
      if state.epoch == epoch { state.underWay.remove(parcel.number) }
      guard state.epoch == epoch, var cell = state.cells[parcel.number], cell.serial == parcel.serial else { return }
      if case .success(let part) = result {
        (cell.phase, cell.buffer, cell.filled) = (.confirmed(part), nil, SegmentSet())
      } else {
        // This attempt fails, and the next one fetches the bytes again.
        (cell.phase, cell.buffer, cell.filled) = (.filling, nil, SegmentSet())
      }
      if case .failure(let failure) = result, !state.isClosed { state.failure = state.failure ?? failure }
      state.cells[parcel.number] = cell
    }
    memory.countLeaving(-1)
    memory.giveBack(parcel.buffer)
    work()
  }

  /// Makes the part accept no more bytes. The next write fails, and the transfer fails with it.
  private func fail(_ failure: Failure, _ epoch: Int) {
    state.withLock { state in
      guard state.epoch == epoch, !state.isClosed else { return }
      state.isBeginning = false
      state.failure = state.failure ?? failure
    }
  }

  // MARK: The whole file

  var isAway: Bool {
    state.withLock { state in
      guard !state.isSingle || state.length == nil && state.announced == nil else { return false }
      guard let length = state.length, let plan = state.plan else { return true }
      return (1...plan.count(of: length)).contains { state.cells[$0]?.part == nil }
    }
  }

  func isStaged(size: Int64) throws(Failure) -> Bool? {
    let isSingle = state.withLock { state in
      state.length = size
      if state.plan == nil { state.plan = UploadPlan(length: size) ?? UploadPlan.unknownLength }
      for number in state.cells.keys { _ = becomesFull(number, state.range(of: number), &state) }
      return state.isSingle
    }
    if isSingle { return true }
    work()
    return try state.withLock { state throws(Failure) in
      if let failure = state.failure { throw failure }
      // A closed part sends nothing more.
      guard !state.isClosed else { throw .moved(home.path) }
      let count = state.plan?.count(of: size) ?? 1
      let lost = (1...count).first { number in
        guard let cell = state.cells[number] else { return true }
        return cell.isFilling
      }
      if let lost {
        throw Failure(
          .integrity, home.path, "part \(lost) of the upload is not whole", advice: "\(.retry) fetches it again",
          recovery: .retry)
      }
      return (1...count).allSatisfy { state.cells[$0]?.part != nil }
    }
  }

  func stage(size: Int64, isCancelled: () -> Bool) throws(Failure) -> (any PartStorage)? {
    while try isStaged(size: size) != true {
      if isCancelled() { return nil }
      System.pause(0.005)
    }
    return self
  }

  /// Makes the part send nothing more, and repeat no request.
  func stop() { state.withLock { $0.isClosed = true } }
}

final class HashedOnce: Sendable {
  private let state = Mutex<(isDone: Bool, waiter: CheckedContinuation<Void, Never>?)>((false, nil))

  func end() {
    let waiter = state.withLock { state in
      state.isDone = true
      return state.waiter.take()
    }
    waiter?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if !state.isDone { state.waiter = continuation }
        return state.isDone
      }
      if isDone { continuation.resume() }
    }
  }
}

#endif
