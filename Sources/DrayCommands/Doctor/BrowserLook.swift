// Collects the facts about browsers for `dray doctor`.

internal import DrayDocuments
internal import DrayKit
internal import FoundationEssentials
internal import Posix

extension DoctorLook {
  static func browsers(_ environment: [String: String]) -> BrowserFacts {
    guard let places = try? BrowserPlaces(environment) else { return BrowserFacts() }
    var facts = BrowserFacts(registrations: places.registrations(), sandboxed: places.sandboxed())
    for place in facts.registrations {
      if case .own(let manifest) = place.state { facts.launchers[manifest.path] = launcher(manifest.path) }
    }
    return facts
  }

  private static func launcher(_ path: String) -> BrowserFacts.Launcher {
    guard System.kind(path) != .missing else { return .missing }
    guard FileManager.default.isExecutableFile(atPath: path),
      let bytes = try? System.read(path, limit: BrowserManifest.longest),
      let program = BrowserLauncher.program(in: String(decoding: bytes, as: UTF8.self))
    else { return .unusable }
    return .starts(program, exists: System.isFile(program) && FileManager.default.isExecutableFile(atPath: program))
  }
}
