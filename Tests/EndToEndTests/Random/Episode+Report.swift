// Runs an episode and reports its findings, with all details for their investigation.

import FaultServer
import Foundation

/// The outcome of an episode.
struct EpisodeReport: Sendable, CustomStringConvertible {
  let episode: Episode
  /// The findings.
  var problems: [String] = []
  /// The commands and the servers' answers.
  var course = ""

  var description: String {
    """
    episode \(episode.seed): \(episode.summary)
    \(problems.joined(separator: "\n"))
    --- what happened
    \(course)
    --- again: DRAY_RANDOM_EPISODE=\(episode.seed) swift test --filter RandomSoakTests
    """
  }
}

extension Episode {
  /// Runs the episode in a new sandbox.
  func report() async -> EpisodeReport {
    var report = EpisodeReport(episode: self)
    do {
      try await Sandbox.use { sandbox in
        let site = try EpisodeSite(self, first: sandbox.server)
        defer { site.stop() }
        let run = EpisodeRun(self, sandbox, site)
        do { try await run.perform() } catch { report.problems.append("\(error)") }
        report.problems += run.problems
        report.course = (run.log + site.told.suffix(60).map { "\($0)" }).joined(separator: "\n")
      }
    } catch {
      report.problems.append("\(error)")
    }
    return report
  }
}
