// Who of aria2's clients is told what happens to jobs. As long as nobody is, nothing is read for it.

internal import DrayCore
internal import DrayKit

/// The open WebSockets, and the task that tells them.
actor Aria2Notices {
  private let manager: DownloadManager
  private var readers: [Int: WebSocket] = [:]
  private var last = 0
  private var task: Task<Void, Never>?
  /// How often reading has begun, and whether it knows how the jobs were then.
  private var reading = (number: 0, hasBegun: false)
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ manager: DownloadManager) { self.manager = manager }

  /// Tells a client from now on: when this returns, it misses nothing that it asks for next.
  /// - Returns: what it is removed by.
  func add(_ socket: WebSocket) async -> Int {
    last += 1
    let reader = last
    readers[reader] = socket
    if task == nil {
      reading = (reading.number + 1, false)
      task = Task { [number = reading.number] in await self.read(number) }
    }
    if !reading.hasBegun { await withCheckedContinuation { waiting.append($0) } }
    return reader
  }

  func remove(_ reader: Int) {
    readers[reader] = nil
    guard readers.isEmpty else { return }
    task?.cancel()
    task = nil
  }

  private func read(_ number: Int) async {
    var notifier = Aria2Notifier()
    // A store that cannot be used ends the service elsewhere.
    do {
      for try await batch in manager.changes().batches {
        for notification in batch.changes.compactMap({ notifier.notification(of: $0) }) { tell(notification) }
        hasBegun(number)
      }
    } catch {}
    hasBegun(number)
  }

  private func tell(_ notification: Aria2Notification) {
    let text = String(decoding: notification.bytes, as: UTF8.self)
    for (reader, socket) in readers {
      // A client that has gone, or reads too slowly, is removed by its own task.
      do throws(WebGone) { try socket.send(.text(text)) } catch { readers[reader] = nil }
    }
  }

  /// The first batch has come, or none ever will.
  private func hasBegun(_ number: Int) {
    guard number == reading.number, !reading.hasBegun else { return }
    reading.hasBegun = true
    for one in waiting { one.resume() }
    waiting = []
  }
}
