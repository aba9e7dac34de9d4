// Who of aria2's clients is told what happens to jobs. As long as nobody is, nothing is read for it.

internal import DrayCore
internal import DrayKit

/// The open WebSockets, and the task that tells them.
actor Aria2Notices {
  private let manager: DownloadManager
  private var readers: [Int: WebSocket] = [:]
  private var last = 0
  private var task: Task<Void, Never>?

  init(_ manager: DownloadManager) { self.manager = manager }

  /// Tells a client from now on.
  /// - Returns: what it is removed by.
  func add(_ socket: WebSocket) -> Int {
    last += 1
    readers[last] = socket
    if task == nil { task = Task { await self.read() } }
    return last
  }

  func remove(_ reader: Int) {
    readers[reader] = nil
    guard readers.isEmpty else { return }
    task?.cancel()
    task = nil
  }

  private func read() async {
    var notifier = Aria2Notifier()
    // A store that cannot be used ends the service elsewhere.
    do {
      for try await change in manager.changes() {
        guard let notification = notifier.notification(of: change) else { continue }
        for (reader, socket) in readers {
          // Who has gone, or reads too slowly, is removed by its own task.
          let text = String(decoding: notification.bytes, as: UTF8.self)
          do throws(WebGone) { try socket.send(.text(text)) } catch { readers[reader] = nil }
        }
      }
    } catch {}
  }
}
