// Invariants of a bucket after a crash, and after the next run.

import FaultServer
import Foundation

extension ListedJob {
  /// Whether its target is an object.
  var isObject: Bool { target?.hasPrefix("s3://") ?? false }
}

extension CrashCheck {
  /// Checks the objects of the sandbox's bucket: each is a whole version (P1, P2), a complete job has its object (P12), and
  /// at the end all are there and no upload with parts is left (P5). An upload whose id never reached the program has none.
  mutating func checkObjects(_ jobs: [ListedJob], isEnd: Bool) throws {
    guard !scenario.objects.isEmpty else { return }
    let bucket = try sandbox.bucket()
    for key in bucket.keys {
      let versions = scenario.objects[key, default: []]
      note(versions.contains { bucket.has(key, $0.content) }, "P1 the object \(key) is no version")
    }
    for job in jobs where job.isObject && job.state == "complete" {
      let key = String(job.target?.dropFirst("s3://\(FaultBucket.name)/".count) ?? "")
      note(bucket.object(key) != nil, "P12 job \(job.id) is complete, and there is no object \(key)")
    }
    guard isEnd else { return }
    note(bucket.keys == Set(scenario.objects.keys), "P12 at the end the objects are \(bucket.keys)")
    let left = bucket.uploads.keys.filter { bucket.parts(of: $0) > 0 }
    note(left.isEmpty, "P5 uploads are left: \(left), \(bucket.calls)")
  }
}
