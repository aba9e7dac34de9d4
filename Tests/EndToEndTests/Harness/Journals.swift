// The journals that a killed program leaves, and the bytes that the next run keeps.

import DrayCore
import Foundation

extension Sandbox {
  /// The journal that a program has written or left; `nil` if there is none.
  /// - Parameter store: The directory of another store than the sandbox's.
  func journal(store: String? = nil) throws -> (version: JournaledVersion, sums: BlockSums)? {
    let folder = (store ?? home) + "/journals"
    guard let name = names(in: folder).first, let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)"),
      let content = bytes.withUnsafeBytes({ JournalMemory.read($0) })
    else { return nil }
    return (try JSONDecoder().decode(JournaledVersion.self, from: Data(content.text)), content.sums)
  }

  /// The bytes of the first job, from its start on, that the next run keeps: those that are recorded, and those that
  /// were written before a kill.
  /// - Parameter store: The directory of another store than the sandbox's.
  func kept(store: String? = nil) async throws -> Int64 {
    var kept = SegmentSet()
    for segment in try await shown(1, store: store)?.segments ?? [] { kept.insert(segment) }
    for segment in try journal(store: store)?.sums.covered.segments ?? [] { kept.insert(segment) }
    return kept.prefix
  }
}
