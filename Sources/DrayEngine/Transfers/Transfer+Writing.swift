// What the writers of a transfer's bytes report to it, on the loop's thread.

internal import DrayCore

extension Transfer {
  /// Receives what was written and does not count yet.
  typealias Keeper = (BlockSums.Extent) -> Void

  /// Counts what a writer has taken since it stood at `before`, and notes what it has written, unless that is a keeper's.
  func note(_ writer: BodyWriter, from before: Int64, _ keeper: Keeper? = nil) {
    noteReceived(Int(writer.position - before))
    noteFlushed(writer, keeper)
  }

  /// Writes what a writer has gathered; with a time, only what has waited too long by then. Returns the failure, if any.
  func flush(_ writer: BodyWriter, ifDue now: Double? = nil, _ keeper: Keeper? = nil) -> Failure? {
    do throws(Failure) {
      if let now { try writer.flush(ifDue: now) } else { try writer.flush() }
    } catch {
      return error
    }
    noteFlushed(writer, keeper)
    return nil
  }

  private func noteFlushed(_ writer: BodyWriter, _ keeper: Keeper?) {
    if let keeper { return writer.takeFlushed(keeper) }
    writer.takeFlushed { noteWritten($0.segment, $0.sum) }
  }

  /// Gives up durably what `checkpoint` does not claim any more.
  /// - Parameter before: ends first.
  static func unclaim(
    _ checkpoint: Checkpoint, in part: any PartStorage, _ observer: any TransferObserver,
    after before: Task<Result<Void, Failure>, Never>? = nil
  ) -> Task<Result<Void, Failure>, Never> {
    Task {
      _ = await before?.value
      do throws(Failure) {
        return .success(try await observer.transferTakesBack(checkpoint, in: part))
      } catch {
        return .failure(error)
      }
    }
  }
}
