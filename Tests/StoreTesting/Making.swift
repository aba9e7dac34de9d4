// Helpers that make jobs and records for tests of stores, and that run tasks.

package import DrayCore
package import DrayStore
import Foundation

/// Parses a URL.
package func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

/// Parses a label.
package func label(_ text: String) throws -> JobLabel { try JobLabel.parse(text) }

/// Creates a specification of a download.
package func specification(
  _ text: String, output: String? = nil, priority: Int = 0, policy: ConflictPolicy = .fail,
  directory: String = "/d"
) throws -> JobSpecification {
  var options = JobOptions()
  options.onConflict = policy
  return JobSpecification(
    request: TransferRequest(url: try url(text)), options: options, directory: directory, output: output,
    priority: priority)
}

extension Finished {
  /// Returns the record of a published file of three bytes.
  package static func sample(_ id: JobID) -> Finished {
    Finished(
      id: id, published: FileIdentity(device: 1, inode: 2, size: 3, modified: 4), received: 3, size: 3,
      attempt: AttemptRecord(startedAt: 2, endedAt: 3, outcome: "complete", firstByte: 0, lastByte: 3))
  }
}

/// Returns the failure that `body` throws; `nil` if it throws none.
package func thrown(_ body: () async throws -> Void) async -> Failure? {
  do {
    try await body()
    return nil
  } catch {
    return error as? Failure
  }
}

extension Sequence {
  /// Returns the transformed elements. They are transformed one at a time.
  package func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
    var all: [T] = []
    for element in self { all.append(try await transform(element)) }
    return all
  }
}

/// Runs `body` in `count` concurrent tasks, and returns when all have ended.
package func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
  await withTaskGroup { group in
    for number in 0..<count { group.addTask { await body(number) } }
  }
}
