// Judges for `dray doctor` whether browsers can start dray. The code in this file has no effects outside its values.

internal import DrayDocuments
internal import DrayKit

/// The facts found about the browsers.
struct BrowserFacts: Sendable {
  /// The script that browsers start.
  enum Launcher: Sendable, Equatable {
    case missing
    /// Another program's file, or one that cannot be executed.
    case unusable
    /// The path of dray in it, and whether there is such a program.
    case starts(String, exists: Bool)
  }

  var registrations: [BrowserRegistration] = []
  /// The scripts that the manifests name.
  var launchers: [String: Launcher] = [:]
  /// The titles of browsers in sandboxes, with the kind of sandbox.
  var sandboxed: [(title: String, kind: String)] = []
}

enum BrowserRules {
  private static let advice = "`dray browser install`"

  static func findings(_ facts: BrowserFacts) -> [Finding] {
    guard !facts.registrations.isEmpty else {
      return [Finding("browser", .good, "none hands downloads over; \(advice) registers dray with them")]
    }
    let problems = facts.registrations.compactMap { finding($0, facts.launchers) }
    let sandboxed = facts.sandboxed.map(sandboxed)
    guard problems.isEmpty else { return problems + sandboxed }
    let titles = facts.registrations.map(\.title).uniqued.joined(separator: ", ")
    return [Finding("browser", .good, "\(titles): the extension can start dray")] + sandboxed
  }

  private static func finding(
    _ place: BrowserRegistration, _ launchers: [String: BrowserFacts.Launcher]
  ) -> Finding? {
    let manifest: BrowserManifest
    switch place.state {
    case .missing: return nil
    case .foreign(let reason):
      return Finding(
        "browser", .limited, "\(place.title) cannot start dray: \(place.path): \(reason)",
        advice: "move it away, then \(advice)")
    case .own(let own): manifest = own
    }
    let own = BrowserManifest(place.family, path: manifest.path).extensions
    guard Set(own).isSubset(of: manifest.extensions) else {
      return Finding("browser", .limited, "\(place.title) does not let the extension start dray", advice: advice)
    }
    switch launchers[manifest.path] ?? .missing {
    case .missing:
      return Finding(
        "browser", .limited, "\(place.title) starts \(manifest.path), which does not exist", advice: advice)
    case .unusable:
      return Finding(
        "browser", .limited, "\(place.title) starts \(manifest.path), which is no script of dray",
        advice: "move it away, then \(advice)")
    case .starts(let program, exists: false):
      return Finding("browser", .limited, "\(place.title) starts \(program), which does not exist", advice: advice)
    case .starts: return nil
    }
  }

  private static func sandboxed(_ browser: (title: String, kind: String)) -> Finding {
    Finding(
      "browser", .limited, "\(browser.title) (\(browser.kind)) cannot start programs",
      advice: "it reaches `dray serve` over HTTP: docs/browser.md")
  }
}

extension [String] {
  /// The elements without repetitions, in their order.
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
