// Sends notifications to aria2's clients. While no client listens, nothing is read from the store.

internal import DrayCore
internal import DrayKit
internal import WebServer

/// The open WebSockets, and the task that notifies them.
actor Aria2Notices {
  private let manager: DownloadManager
  private let isRemoved: @Sendable (JobID) async -> Bool
  private var readers: [Int: WebSocket] = [:]
  private var last = 0
  private var task: Task<Void, Never>?
  /// The number of the present reading of changes, and whether that reading knows the initial state of the jobs.
  private var reading = (number: 0, hasBegun: false)
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter isRemoved: Returns whether a client removed the given job, which is paused now.
  init(_ manager: DownloadManager, isRemoved: @escaping @Sendable (JobID) async -> Bool = { _ in false }) {
    (self.manager, self.isRemoved) = (manager, isRemoved)
  }

  /// Sends notifications to a client from now on. Once this method returns, the client misses no event that its later
  /// calls cause.
  /// - Returns: The number with which the client can be taken off the list again.
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
    // If the store cannot be used, another part of the service notices that and ends the service.
    do {
      for try await batch in manager.changes().batches {
        for change in batch.changes {
          let isRemoval = change.kind == .paused ? await isRemoved(change.id) : false
          if let notification = notifier.notification(of: change, isRemoval: isRemoval) { tell(notification) }
        }
        hasBegun(number)
      }
    } catch {}
    hasBegun(number)
  }

  private func tell(_ notification: Aria2Notification) {
    let text = String(decoding: notification.bytes, as: UTF8.self)
    for (reader, socket) in readers {
      // The task that serves the client also takes it off the list if the client has left or reads too slowly.
      do throws(WebGone) { try socket.send(.text(text)) } catch { readers[reader] = nil }
    }
  }

  /// Records that the first batch of changes has arrived, or that none will arrive.
  private func hasBegun(_ number: Int) {
    guard number == reading.number, !reading.hasBegun else { return }
    reading.hasBegun = true
    for one in waiting { one.resume() }
    waiting = []
  }
}
