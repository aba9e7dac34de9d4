// Keeps the journal of a transfer's written bytes (P21).

internal import Dispatch
public import DrayCore
internal import Synchronization

/// The journal in the state of a transfer.
struct TransferJournal {
  /// Where the journal is; `nil` for a transfer that needs none.
  var place: JournalPlace?
  var open: PartJournal?
  /// The bytes that a checkpoint covers, and the journal therefore need not have.
  var recorded = SegmentSet()
  /// Whether the journal of the present version exists or is being created.
  var isCurrent = false
  var hasEnded = false

  /// Records that no bytes count any more.
  mutating func clear() {
    (recorded, isCurrent) = (SegmentSet(), false)
    open?.clear()
  }

  mutating func note(_ segment: Segment, _ sum: CRC32C, all sums: BlockSums) {
    guard let open, !open.append(BlockSums.Extent(segment, sum)) else { return }
    open.begin(extents(of: sums))
  }

  /// Begins the journal again, without what a checkpoint covers.
  func renew(_ sums: BlockSums) { open?.begin(extents(of: sums)) }

  /// Returns the extents for the journal; if there are too many, the newest.
  func extents(of sums: BlockSums) -> [BlockSums.Extent] {
    let all = sums.extents.filter { !recorded.contains($0.segment) }
    guard all.count > TransferJournal.most else { return all }
    return Array(all.sorted { $0.mark > $1.mark }.prefix(TransferJournal.most))
  }

  /// The maximum number of extents that are recorded at once: half of the records, so that the others are free for new
  /// bytes.
  private static let most = JournalMemory.recordLimit / 2
}

extension Transfer {
  /// Journals are opened on this queue, so that the loop's thread does not wait for a disk.
  private static let journalQueue = DispatchQueue(label: "dray.journal", qos: .utility)

  /// Keeps a journal at a place. Called before the first byte.
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

  /// Creates the journal, unless it is open, and begins it with all bytes so far. If that fails, a crash loses what
  /// came since the last checkpoint.
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

  /// Removes from the journal what a recorded checkpoint of this transfer covers.
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
  /// - Returns: The place of the journal's file; `nil` if there is none.
  public func endJournal() -> JournalPlace? {
    state.withLock { state in
      state.journal.hasEnded = true
      return state.journal.open.take() == nil ? nil : state.journal.place
    }
  }
}
