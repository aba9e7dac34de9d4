// Keeps the journal of a transfer's written bytes (P21).

internal import Dispatch
public import DrayCore
internal import Synchronization

/// The journal as a part of a transfer's state.
struct TransferJournal {
  /// The location of the journal; `nil` for a transfer that needs none.
  var place: JournalPlace?
  var open: PartJournal?
  /// The bytes that a checkpoint covers, which the journal therefore need not contain.
  var recorded = SegmentSet()
  /// Whether the journal of the present version exists or is being created.
  var isCurrent = false
  var hasEnded = false

  /// Records that no bytes are valid any more.
  mutating func clear() {
    (recorded, isCurrent) = (SegmentSet(), false)
    open?.clear()
  }

  mutating func note(_ segment: Segment, _ sum: CRC32C, all sums: BlockSums) {
    guard let open, !open.append(BlockSums.Extent(segment, sum)) else { return }
    open.begin(extents(of: sums))
  }

  /// Empties the journal, and records the bytes that no checkpoint covers.
  func renew(_ sums: BlockSums) { open?.begin(extents(of: sums)) }

  /// Returns the extents for the journal; if there are too many, only the newest.
  func extents(of sums: BlockSums) -> [BlockSums.Extent] {
    let all = sums.extents.filter { !recorded.contains($0.segment) }
    guard all.count > TransferJournal.most else { return all }
    return Array(all.sorted { $0.mark > $1.mark }.prefix(TransferJournal.most))
  }

  /// The maximum number of extents that are recorded at once: half of the journal's records, so that the other half is
  /// free for new bytes.
  private static let most = JournalMemory.recordLimit / 2
}

extension Transfer {
  /// Journals are opened on this queue, so that the loop's thread does not wait for a disk.
  private static let journalQueue = DispatchQueue(label: "dray.journal", qos: .utility)

  /// Sets the location of the journal; `nil` for no journal. Called before the first byte.
  func setJournal(_ place: JournalPlace?) { state.withLock { $0.journal.place = place } }

  /// Begins the journal of the present version if it does not exist, and returns at once.
  func beginJournal() {
    let part = state.withLock { state -> (any PartStorage)? in
      guard state.journal.place != nil, !state.journal.isCurrent, !state.journal.hasEnded,
        let part = state.version?.part, part.isReadable
      else { return nil }
      state.journal.isCurrent = true
      return part
    }
    guard let part else { return }
    Transfer.journalQueue.async { [self] in openJournal(of: part) }
  }

  /// Creates the journal, unless it is open, and records all bytes so far in it. If this fails, a crash loses the bytes
  /// since the last checkpoint.
  private func openJournal(of part: any PartStorage) {
    let (place, known) = state.withLock { ($0.journal.place, $0.journal.open) }
    guard let place, let boot = JournalPlace.boot, let identity = try? part.identity(),
      let journal = try? known ?? PartJournal(at: place)
    else { return }
    let isWanted = state.withLock { state in
      guard !state.journal.hasEnded else { return false }
      state.journal.open = journal
      guard state.journal.isCurrent, let version = state.version, version.part === part, let answer = state.answer
      else {
        return true
      }
      let facts = Checkpoint(
        size: version.size, validators: version.validators, offered: version.offered, provenance: version.provenance)
      journal.begin(
        JournaledVersion(
          facts, answeredAt: answer.time, of: place.job, attempt: place.attempt, in: identity,
          named: PathText.name(of: part.path), boot: boot),
        state.journal.extents(of: state.sums))
      return true
    }
    if !isWanted { place.remove() }
  }

  /// Removes from the journal the bytes that a recorded checkpoint of this transfer covers.
  public func noteRecorded(_ checkpoint: Checkpoint) {
    state.withLock { state in
      guard let version = state.version, version.validators == checkpoint.validators,
        version.provenance == checkpoint.provenance
      else { return }
      state.journal.recorded = checkpoint.segments.intersection(state.written)
      state.journal.renew(state.sums)
    }
  }

  /// Ends writing to the journal.
  /// - Returns: The location of the journal's file; `nil` if there is none.
  public func endJournal() -> JournalPlace? {
    state.withLock { state in
      state.journal.hasEnded = true
      return state.journal.open.take() == nil ? nil : state.journal.place
    }
  }
}
