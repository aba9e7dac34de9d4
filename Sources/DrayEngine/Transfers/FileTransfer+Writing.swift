// Writes the body of an answer: opens the part file, records the version, and gives up old bytes first.

internal import Curl
internal import DrayCore
internal import Threads

extension FileTransfer {
  func begin(
    at position: Int64, until: Int64?, total: Int64?, comparing: Int64, reason: StartOver?, _ head: ResponseHead
  ) {
    // Returns the bytes on disk that the answer continues. Even an answer that begins before the first byte on disk can
    // be the rest.
    let isRest = if case .rest = current.ask, head.status == 206 || comparing > 0 { true } else { false }
    if !isRest { forgetSeeds() }
    let kept = isRest ? version.recorded.segments : SegmentSet()
    if let failure = shortOfSpace(total: total, have: kept.count) { return fail(failure) }
    let file: any PartStorage
    do throws(Failure) {
      if let part = version.part { file = part } else { file = try plan.destination.createPart(plan.partName) }
      if !kept.isEmpty, comparing == 0 { try file.truncate(to: max(position, kept.end)) }
      file.expect(total)
      if let total { try file.checkLength(total) }
    } catch {
      return fail(error)
    }
    version.part = file
    exchange.receiver.usesBody()
    let record = record(head)
    version.response = record
    version.resumedFrom = kept.count
    let offered = isRest && !version.recorded.offered.isEmpty ? version.recorded.offered : plan.offered(by: head)
    let writer = BodyWriter(
      part: file, at: position, until: exchange.receiver.source?.showsLengthAtEnd ?? false ? nil : until,
      span: head.partRange?.upperBound, total: total, comparing: comparing,
      buffer: shared.buffers.take(large: plan.gathersMuch(of: total, offered: offered)))
    // For a complete answer, the digest of the whole file is compared instead.
    answer.proof = isRest && plan.verify != .none ? ContentProof(head, knowing: version.recorded.offered) : nil
    answer.withheld = isRest && comparing == 0 && head.isPartOfUnknownLength ? [] : nil
    let isGated = kept.isEmpty && version.mustReleaseRecord
    if isGated {
      version.startOver = reason ?? version.startOver ?? .rangesNotServed
      // Report the restart before the counts fall.
      observer.transferRestarts(version.startOver ?? .rangesNotServed)
      outside.abandonVersion()
    }
    outside.noteAnswer(record, in: file)
    // Set the size before reporting the answer, so that progress reports have a size.
    outside.noteSize(total)
    observer.transferReceives(record, from: version.resumedFrom, size: total)
    // From now on, this answer describes the file, and all checkpoints are of its version.
    version.recorded = Checkpoint(
      segments: version.recorded.segments, sums: version.recorded.sums, size: total,
      // An answer with the rest of a file may omit validators that the first answer had (RFC 9110 §15.3.7).
      validators: isRest && version.recorded.validators != Validators() ? version.recorded.validators : head.validators,
      offered: offered, provenance: provenance(head, isRest: isRest))

    if isGated {
      answer.mode = .gated(writer, .whole)
      waitForGate(file, version.startOver ?? .rangesNotServed)
    } else if let takingBack = version.takingBack {
      answer.mode = .gated(writer, .part)
      wait(for: takingBack)
    } else {
      answer.mode = .write(writer)
      if comparing == 0, answer.withheld == nil { beginVersion(writer) }
    }
  }

  /// Returns the provenance of the bytes on disk after this answer. For the rest of a file, the provenance is the
  /// answering URL only if samples of the file were compared.
  private func provenance(_ head: ResponseHead, isRest: Bool) -> Provenance {
    let new = Provenance(head, from: url)
    guard isRest, var kept = version.recorded.provenance else { return new }
    if version.comparedURL == url { (kept.url, kept.isImported) = (url, false) }
    return kept
  }

  func record(_ head: ResponseHead) -> ResponseRecord {
    ResponseRecord(
      head, after: exchange.receiver.chain, time: WallClock.now(),
      connection: exchange.handle.map { shared.peers.record($0.connection, to: url, $0.info, hasEnded: false) })
  }

  func beginVersion(_ writer: BodyWriter) {
    // The answer to an unsafe request cannot be continued, so there must be no record of its bytes (P10).
    guard plan.request.isSafe else {
      outside.noteSize(version.recorded.size)
      return outside.setReceived(0)
    }
    if version.recorded.size != nil { version.end = EndProof() }
    outside.begin(
      version.recorded, in: writer.part, hashing: plan.algorithms(offered: version.recorded.offered), shared.spares)
    writer.hand(to: outside.follower)
    share(writer)
  }

  /// Waits until no durable record covers the part file's bytes, then empties the part file and accepts the body.
  private func waitForGate(_ file: any PartStorage, _ reason: StartOver) {
    outside.closeGate()
    Task { [observer, outside, takingBack = version.takingBack] in
      do throws(Failure) {
        _ = await takingBack?.value
        try await observer.transferStartsOver(reason)
        try outside.unlessEnded { () throws(Failure) in try file.empty() }
        outside.openGate(.success(()))
      } catch {
        outside.openGate(.failure(error))
      }
    }
  }

  /// Waits until no durable record covers the bytes of a wrong part, then accepts the body.
  private func wait(for takingBack: Task<Result<Void, Failure>, Never>) {
    outside.closeGate()
    Task { [outside] in outside.openGate(await takingBack.value) }
  }

  func openGate(_ writer: BodyWriter, _ gate: Gate) {
    version.takingBack = nil
    answer.mode = .write(writer)
    switch gate {
    case .whole:
      (version.mustReleaseRecord, version.comparedURL, version.joint) = (false, nil, nil)
      (version.recorded.segments, version.recorded.sums) = (SegmentSet(), BlockSums())
      beginVersion(writer)
    case .part:
      if !writer.isComparing, answer.withheld == nil { beginVersion(writer) }
    }
  }

  /// The maximum length of files for which free space is not checked; for such files, the write itself would fail just
  /// as early.
  private static let sparedLook: Int64 = 64 << 10

  private func shortOfSpace(total: Int64?, have kept: Int64) -> Failure? {
    guard let total, total > FileTransfer.sparedLook, let unused = plan.destination.room else { return nil }
    // Space that is allocated to the part file beyond the kept bytes can be used for new bytes.
    let free = unused.saturatingSum(max(0, (version.part?.allocated ?? 0) - kept))
    let need = total - kept
    guard need > free else { return nil }
    return Failure(
      .file, plan.destination.path,
      "not enough space: needs \(ByteCount.text(need)), \(ByteCount.text(free)) free",
      advice: "free some space, then \(.run) continues", recovery: .wait
    ).ofStorage(.short)
  }
}
