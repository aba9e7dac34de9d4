// What happens to jobs as lines of a service's log.

internal import DrayKit
internal import DrayServer

extension ServiceLog {
  /// Writes what happened to a job.
  func write(_ event: JobEvent) {
    switch event.kind {
    case .started(let attempt, _): write(.debug, "[\(event.id)] attempt \(attempt) begins")
    case .complete(let path, let size, _, _): write(.info, "[\(event.id)] complete: \(path), \(size) bytes")
    case .response, .redirected:
      guard let notice = Notice(event) else { return }
      write(.debug, notice.text)
    default:
      guard let notice = Notice(event) else { return }
      write(notice.level == .failure ? .warning : .info, notice.text)
    }
  }
}
