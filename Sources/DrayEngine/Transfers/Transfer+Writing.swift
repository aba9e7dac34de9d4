// The reports that a transfer's writers make on the loop's thread.

internal import DrayCore

extension Transfer {
  /// Receives written bytes that do not count yet.
  typealias Keeper = (BlockSums.Extent) -> Void

  /// Counts the bytes that a writer has taken since its position was `before`. Records the written bytes; if there is a
  /// keeper, it receives them instead.
  func note(_ writer: BodyWriter, from before: Int64, _ keeper: Keeper? = nil) {
    noteReceived(Int(writer.position - before))
    noteFlushed(writer, keeper)
  }

  /// Writes gathered bytes; if `now` is given, only bytes that have waited too long at that time. Returns the failure
  /// if writing failed.
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

  /// Gives up durably all bytes outside `checkpoint`.
  /// - Parameter before: An earlier change, which must end first.
  static func reduceRecord(
    to checkpoint: Checkpoint, in part: any PartStorage, _ observer: any TransferObserver,
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
