// Gives a job a part file that no earlier owner can write to, before anything touches one (P20).

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Begins a new generation of the part file, if the last owner may still write to the present one. Each step may be
  /// repeated after a crash: the record names the new file before it exists, and the old one until its copy is durable.
  /// - Returns: `false` if the attempt was cancelled.
  func takeOver() async throws(Failure) -> Bool {
    // Without a file, the destination takes each part as a whole.
    guard job.part.mustBeReplaced, job.specification.place.traits.keepsPartFiles else { return true }
    let (old, place, segments) = (job, job.specification.place, job.checkpoint.segments)
    let next = try await disk.run { [destinations] () throws(Failure) -> PartGeneration? in
      let destination = try destinations.open(place)
      let sourceExists = old.part.source.map { destination.hasPart(old.partFileName(of: $0)) } ?? false
      let next = old.part.next(.newGeneration(), sourceExists: sourceExists)
      // The present file is half a copy, or nothing of it is claimed. Another store's file stays (P17).
      let names = segments.isEmpty ? old.partFileNames : [old.partFileName]
      if segments.isEmpty || next?.source != old.part.number { _ = destinations.all.discardParts(names, at: place) }
      return next
    }
    guard let next else { return true }
    guard let source = next.source, !segments.isEmpty else {
      try await record(PartGeneration(next.number))
      return true
    }
    try await record(next)
    let copied = try await disk.run { [job, signal, destinations] () throws(Failure) -> Bool? in
      try destinations.open(place).copyPart(job.partFileName(of: source), to: job.partFileName, segments) {
        signal.isStopping
      }
    }
    guard copied != nil else { return false }
    try await record(PartGeneration(next.number))
    // Best effort: `dray clean` removes it, too.
    _ = await disk.attemptRun { [destinations] () throws(Failure) in
      _ = destinations.all.discardParts([old.partFileName(of: source)], at: place)
    }
    return true
  }

  private func record(_ part: PartGeneration) async throws(Failure) {
    guard try await store.recordPart(job.id, runner: runner, part) else { throw .leaseLost(job.id) }
    job.part = part
  }
}

extension UInt32 {
  /// Returns a number for a generation of a part file other than the first.
  static func newGeneration() -> UInt32 { .random(in: 1...UInt32.max) }
}
