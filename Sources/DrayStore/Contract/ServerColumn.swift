// The servers of a job's source and target as SQL: both stores have them in the texts of requests and options.

import DrayCore

/// Expressions with the values of ``DrayCore/DownloadKey/source`` and ``DrayCore/DownloadKey/target``.
enum ServerColumn {
  /// Returns the expression for a signature's server (``DrayCore/AWSSignature/server``).
  /// - Parameter property: returns the expression for a property of the signature.
  private static func server(_ property: (String) -> String) -> String {
    let region = property("region")
    let partitions = AWSSignature.partitions.map { "WHEN \(region) LIKE '\($0)%' THEN '\($0)'" }
    return "coalesce(rtrim(\(property("endpoint")), '/'), CASE \(partitions.joined(separator: " ")) END, '')"
  }

  /// Returns the expression for the server of a target; directories have none.
  private static func ofTarget(_ server: String) -> String {
    "CASE WHEN directory LIKE '\(ObjectPlace.start)%' THEN \(server) ELSE '' END"
  }

  /// The server of the source.
  static let source = server { "json_extract(request, '$.signature.\($0)')" }
  /// The server of objects that the job would write.
  static let ofObjects = server { "json_extract(options, '$.object.access.signature.\($0)')" }
  /// The server of the target.
  static let target = ofTarget(ofObjects)

  /// The server of an upload.
  static let upload = server { "json_extract(signature, '$.\($0)')" }

  /// As ``source``, in PostgreSQL.
  static let fleetSource = server { "(request::jsonb #>> '{signature,\($0)}')" }
  /// As ``ofObjects``, in PostgreSQL.
  static let fleetObjects = server { "(options #>> '{object,access,signature,\($0)}')" }
  /// As ``target``, in PostgreSQL.
  static let fleetTarget = ofTarget(fleetObjects)
  /// As ``upload``, in PostgreSQL.
  static let fleetUpload = server { "(signature::jsonb ->> '\($0)')" }
}
