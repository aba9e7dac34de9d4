// A partial file of another program, which is kept open. The file is never changed. It is copied before its content is
// examined.

internal import DrayEngine

struct AdoptedFile: Sendable {
  let file: any StoredBytes
  private let adoption: Adoption

  /// Opens the file. The call blocks the calling thread.
  /// - Throws: The refusal, if this is not the file that was named.
  init(_ adoption: Adoption) throws(AdoptionError) {
    guard let (directory, name) = try? Adoption.place(of: adoption.path),
      let file = try? LocalDestination(directory, store: nil).openTarget(name)
    else { throw .refused(.gone) }
    (self.file, self.adoption) = (file, adoption)
    guard isUnchanged else { throw .refused(.changed) }
  }

  /// Whether the file is unchanged since the user named it.
  private var isUnchanged: Bool { (try? file.identity().isUnchanged(since: adoption.identity)) ?? false }

  /// The ranges that may have data, found without reading the file. The call blocks the calling thread.
  var candidates: SegmentSet {
    AdoptionRule.longest(AdoptionRule.candidates(adoption).segments.flatMap { file.dataSegments(in: $0) })
  }

  /// Copies `candidates` into the part file of a plan, and finds the data in the copy. The copy belongs to the job, so
  /// nobody else can change it after it was compared with the server's file. The call blocks the calling thread.
  func copy(
    _ candidates: SegmentSet, for plan: TransferPlan, isCancelled: () -> Bool
  ) throws(AdoptionError) -> AdoptedCopy {
    let copied = try AdoptionError.calling { () throws(Failure) -> AdoptedCopy? in
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

/// The copy, in the part file of the job.
struct AdoptedCopy: Sendable {
  let part: any PartStorage
  /// The ranges with bytes other than zero.
  let data: SegmentSet
  let blocks: [BlockSums.Extent]

  /// Makes the bytes of `kept` durable before they are recorded (P4). The call blocks the calling thread.
  /// - Returns: The checksums of `kept`.
  func makeDurable(
    _ kept: SegmentSet, for plan: TransferPlan, isCancelled: () -> Bool
  ) throws(AdoptionError) -> BlockSums {
    let sums = try AdoptionError.calling { () throws(Failure) -> BlockSums? in
      try part.truncate(to: kept.end)
      let sums = try part.sums(of: kept, knowing: blocks, isCancelled: isCancelled)
      let durable = try part.makeDurable(kept)
      try part.destination.syncNames()
      // Bytes that are not durable are fetched together with the missing ones.
      return sums?.restricted(to: durable)
    }
    guard let sums else { throw .cancelled }
    return sums
  }
}
