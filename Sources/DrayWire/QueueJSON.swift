// Named queues as JSON, for `dray queue list --json` and the API.

package import DrayCore
package import DrayKit

extension DownloadManager.QueueReport {
  /// The state in a word: `open`, `paused`, `spent` when its quota is used up, or `closed` outside its window.
  package var stateName: String {
    switch gate {
    case .open: "open"
    case .paused: "paused"
    case .spent: "spent"
    case .closed: "closed"
    }
  }

  /// The time at which the queue opens without a command, in seconds since 1970; `nil` if it is open or paused.
  package var opensAt: Double? {
    switch gate {
    case .open, .paused: nil
    case .spent(let until), .closed(let until): until
    }
  }

  /// Writes the fields of a queue into an open object. A field never changes its meaning.
  package func writeFields(to json: inout JSONText) {
    json.field("name", name)
    json.field("state", stateName)
    json.field("opensAt", seconds: opensAt)
    json.field("jobs", settings.jobs)
    json.field("rate", settings.rate)
    json.field("between", settings.between)
    json.field("directory", settings.directory)
    if let quota = settings.quota {
      json.object("quota") { json in
        json.field("bytes", quota.bytes)
        json.field("period", quota.period.rawValue)
        json.field("used", used)
      }
    } else {
      json.field("quota", String?.none)
    }
    json.object("counts") { json in
      for state in JobState.allCases { json.field(state.rawValue, counts[state] ?? 0) }
    }
  }
}
