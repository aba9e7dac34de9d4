// Merges a repeated request for a download into its job: accepted settings stay, and newly given ones replace them
// (P3).

/// The changes that a repeated request makes to the job.
package struct Repetition: Sendable, Equatable {
  /// The names of the settings that the request replaced, without those that a document states.
  package var replaced: [String] = []
  /// The names of the settings that a restarted job keeps although the request does not give them.
  package var kept: [String] = []
  /// The names of the limits that an unfinished job keeps although the request does not give them. They may be the
  /// reason why it fails again.
  package var limits: [String] = []
  /// Whether the replacements take effect. They do not while the job is being transferred.
  package var isApplied = true

  /// Creates a repetition that changes nothing.
  package init() {}

  /// Whether there is no change to report.
  package var isSilent: Bool { replaced.isEmpty && kept.isEmpty && limits.isEmpty }
}

extension AskedAgainRule {
  /// Settings that belong to the identity of the download, or that the store itself applies.
  private static let apart: Set<String> = ["dir", "out", "temp-dir", "part-stem", "after", "start-at", "if-changed"]

  /// Settings that make a transfer slower, or end it, so that a job that keeps them may surprise its user.
  private static let limits: Set<String> = [
    "limit-rate", "pace", "between", "max-time", "max-filesize", "connect-timeout", "stall-timeout", "max-retry-wait",
  ]

  /// Returns the specification of `job` after a repeated request for its download, and the changes.
  ///
  /// | the request | the job |
  /// |---|---|
  /// | does not give a setting | keeps it |
  /// | gives a setting | has the new value; header fields are replaced one by one, by their names |
  /// | has keys of the same signed access | has the new keys, because keys may be renewed at any time |
  /// | fetches only a changed file, or replaces or adopts one file | does so for that file |
  ///
  /// A setting counts as given if ``JobSpecification/given`` names it; if there are no such names, it counts as given
  /// if its value is not the default.
  package static func merged(_ asked: JobSpecification, into job: Job) -> (JobSpecification, Repetition) {
    var (merged, change) = (job.specification, Repetition())
    var isChanged = false
    for setting in Setting.all where !apart.contains(setting.name) {
      let isGiven = gives(asked, setting)
      let (before, now) = (setting.values(job.specification), setting.values(asked))
      guard isGiven else {
        guard setting.isTyped, before != now, !before.isEmpty else { continue }
        if job.state.isFinished {
          change.kept.append(setting.name)
        } else if job.state != .active, limits.contains(setting.name) {
          change.limits.append(setting.name)
        }
        continue
      }
      let new = setting.name == "header" ? fields(job.specification, asked) : asked
      guard setting.values(new) != before else { continue }
      isChanged = true
      if !asked.stated.contains(setting.name) { change.replaced.append(setting.name) }
      if let choice = setting.choice {
        for other in Setting.all where other.choice == choice { other.copy(.plain, &merged) }
      }
      setting.copy(new, &merged)
    }
    takeKeys(of: asked, into: &merged)
    (merged.after, merged.startAt, merged.group) = (asked.after, asked.startAt, asked.group)
    merged.foreignDepth = asked.foreignDepth
    let before = merged.options.source
    merged.options.source = asked.options.source?.keepingArrangements(of: before) ?? before
    merged.options.adopts = asked.options.adopts ?? merged.options.adopts
    merged.options.replaces = asked.options.replaces ?? (job.state.isFinished ? nil : merged.options.replaces)
    if asked.request.cache?.ifChanged != nil || job.state.isFinished, merged.request.cache != asked.request.cache {
      let noCache = merged.request.cache?.noCache ?? false
      let baseline = asked.request.cache?.ifChanged
      merged.request.cache = baseline == nil && !noCache ? nil : CachePolicy(ifChanged: baseline, noCache: noCache)
    }
    // The part file no longer exists, so the seeds are read again.
    if job.state.isFinished { merged.options.seeding = merged.options.seeding?.again }
    if job.state == .complete {
      // The part file no longer exists, so its name and place are chosen again.
      merged.options.partStem = asked.options.partStem
      merged.options.partDirectory = asked.options.partDirectory
      merged.options.askedDirectory = asked.options.askedDirectory
    }
    // A client's job that the user changes is the user's from then on.
    if isChanged { merged.request.isOfClient = asked.request.isOfClient }
    (merged.given, merged.stated) = (nil, [])
    return (merged, change)
  }

  /// Whether a request gives a setting.
  static func gives(_ asked: JobSpecification, _ name: String) -> Bool {
    Setting.named(name).map { gives(asked, $0) } ?? false
  }

  private static func gives(_ asked: JobSpecification, _ setting: Setting) -> Bool {
    asked.given?.contains(setting.name) ?? !setting.isUnset(in: asked)
  }

  /// Adds the job's header fields that the request does not replace.
  private static func fields(_ job: JobSpecification, _ asked: JobSpecification) -> JobSpecification {
    let names = Set(asked.request.headers.map { $0.name.lowercased() })
    var asked = asked
    asked.request.headers = job.request.headers.filter { !names.contains($0.name.lowercased()) } + asked.request.headers
    return asked
  }

  private static func takeKeys(of asked: JobSpecification, into merged: inout JobSpecification) {
    guard var mine = merged.request.signature, var theirs = asked.request.signature else { return }
    let token = theirs.sessionToken
    (mine.sessionToken, theirs.sessionToken) = (nil, nil)
    guard mine == theirs, asked.request.credentials != nil else { return }
    merged.request.signature?.sessionToken = token
    merged.request.credentials = asked.request.credentials
  }
}
