// Writes the events of jobs to the log of a service.

internal import DrayKit
internal import Logging

extension Logger {
  func log(_ event: JobEvent) {
    switch event.kind {
    case .started(let attempt, _, _): debug("[\(event.id)] attempt \(attempt) begins")
    case .complete(let path, let size, _, _): info("[\(event.id)] complete: \(path), \(size) bytes")
    case .response, .redirected:
      guard let notice = Notice(event) else { return }
      debug("\(notice.text)")
    default:
      guard let notice = Notice(event) else { return }
      log(level: notice.level == .failure ? .warning : .info, "\(notice.text)")
    }
  }
}
