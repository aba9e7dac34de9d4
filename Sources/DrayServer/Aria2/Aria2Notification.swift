// The notifications that aria2 sends over a WebSocket (manual, "Notifications").

internal import DrayCore
internal import DrayKit
internal import DrayStore

struct Aria2Notification: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    case start = "aria2.onDownloadStart"
    case pause = "aria2.onDownloadPause"
    /// A client removed an active job.
    case stop = "aria2.onDownloadStop"
    case complete = "aria2.onDownloadComplete"
    case error = "aria2.onDownloadError"
  }

  var kind: Kind
  var gid: GID

  var bytes: [UInt8] {
    var json = JSONText()
    json.beginObject()
    json.field("jsonrpc", "2.0")
    json.field("method", kind.rawValue)
    json.key("params")
    RPCValue.list([.of(["gid": .string(gid.text)])]).write(to: &json)
    json.endObject()
    return json.bytes
  }
}

/// Derives notifications from changes of jobs. A job is reported as started once, however often it is tried.
struct Aria2Notifier: Sendable {
  /// The jobs that have started and have not ended yet.
  private var running: [JobID: GID] = [:]

  /// Returns the notification for a change; `nil` if aria2 does not report such a change.
  /// - Parameter isRemoval: Whether the job is paused because a client removed it and its bytes are kept.
  mutating func notification(of change: JobChange, isRemoval: Bool = false) -> Aria2Notification? {
    notification(
      of: change.kind, change.id, change.record.map { GID(uuid: $0.uuidText) },
      hasFailed: change.record?.failureText != nil, isActive: change.record?.state == .active, isRemoval: isRemoval)
  }

  /// Returns the notification for a change, given as its parts.
  mutating func notification(
    of change: JobChange.Kind, _ id: JobID, _ gid: GID?, hasFailed: Bool, isActive: Bool = false,
    isRemoval: Bool = false
  ) -> Aria2Notification? {
    switch change {
    case .present:
      // An active job that is not known here started before the first client connected. Its end must be reported
      // nevertheless.
      if isActive { running[id] = gid }
      return nil
    case .added, .answered, .retrying, .progress: return nil
    case .started:
      guard running[id] == nil, let gid else { return nil }
      running[id] = gid
      return Aria2Notification(kind: .start, gid: gid)
    case .queued: return end(id, nil)
    case .removed: return end(id, .stop)
    // A job that was not active can be paused as well, but aria2 does not report that.
    case .paused: return end(id, isRemoval ? .stop : .pause)
    case .complete: return end(id, .complete, gid)
    case .failed: return end(id, .error, gid)
    case .interrupted: return hasFailed ? end(id, .error, gid) : end(id, nil)
    }
  }

  private mutating func end(_ id: JobID, _ kind: Aria2Notification.Kind?, _ gid: GID? = nil) -> Aria2Notification? {
    let gid = running.removeValue(forKey: id) ?? gid
    guard let kind, let gid else { return nil }
    return Aria2Notification(kind: kind, gid: gid)
  }
}
