// A partial file of another program, held open: it is only read, and copied before it is looked into.

internal import DrayEngine

/// Why nothing of a file is taken over.
enum AdoptionError: Error {
  /// For good.
  case refused(AdoptionRefusal)
  /// This time: the server refuses this request, and perhaps the one for the whole file, too.
  case postponed(AdoptionRefusal)
  /// The attempt fails.
  case failed(Failure)
  case cancelled
}

/// A file that is to be taken over.
struct AdoptedFile: Sendable {
  let file: any StoredBytes
  private let adoption: Adoption

  /// Opens it. Blocks.
  /// - Throws: what stands against it where it is not the file that was named.
  init(_ adoption: Adoption) throws(AdoptionError) {
    guard let (directory, name) = try? Adoption.place(of: adoption.path),
      let file = try? LocalDestination(directory, store: nil).openTarget(name)
    else { throw .refused(.gone) }
    (self.file, self.adoption) = (file, adoption)
    guard isUnchanged else { throw .refused(.changed) }
  }

  /// Whether it is still as it was named.
  private var isUnchanged: Bool { (try? file.identity().isUnchanged(since: adoption.identity)) ?? false }

  /// Where it may have data, as far as that is known without reading it. Blocks.
  var candidates: SegmentSet {
    AdoptionRule.longest(AdoptionRule.candidates(adoption).segments.flatMap { file.dataSegments(in: $0) })
  }

  /// Copies `candidates` into the part file of a plan, and looks for data in the copy: nobody else can change a byte of that
  /// between the comparison and its use. Blocks.
  func copy(
    _ candidates: SegmentSet, for plan: TransferPlan, isCancelled: () -> Bool
  ) throws(AdoptionError) -> AdoptedCopy {
    let copied = try AdoptedCopy.calling { () throws(Failure) -> AdoptedCopy? in
      let part = try plan.destination.createPart(plan.partName)
      guard try part.take(candidates, from: file, isCancelled: isCancelled),
        let found = try part.scan(candidates, isCancelled: isCancelled)
      else { return nil }
      return AdoptedCopy(part: part, data: AdoptionRule.longest(found.data), blocks: found.blocks)
    }
    guard let copied else { throw .cancelled }
    guard isUnchanged else { throw .refused(.changed) }
    return copied
  }
}

/// The copy of a file that is taken over, in the part file of its job.
struct AdoptedCopy: Sendable {
  let part: any PartStorage
  /// The bytes other than zeros.
  let data: SegmentSet
  /// What its blocks sum to.
  let blocks: [BlockSums.Extent]

  /// Makes `kept` of it durable, before that is claimed (P4). Blocks.
  /// - Returns: its checksums.
  func makeDurable(
    _ kept: SegmentSet, for plan: TransferPlan, isCancelled: () -> Bool
  ) throws(AdoptionError) -> BlockSums {
    let sums = try AdoptedCopy.calling { () throws(Failure) -> BlockSums? in
      try part.truncate(to: kept.end)
      let sums = try part.sums(of: kept, knowing: blocks, isCancelled: isCancelled)
      let durable = try part.makeDurable(kept)
      try part.destination.syncNames()
      // Bytes that did not get there are fetched with the rest.
      return sums?.restricted(to: durable)
    }
    guard let sums else { throw .cancelled }
    return sums
  }

  /// Runs calls whose failure is that of the attempt.
  fileprivate static func calling<Value>(_ body: () throws(Failure) -> Value) throws(AdoptionError) -> Value {
    do throws(Failure) { return try body() } catch { throw .failed(error) }
  }
}
