// SQL expressions for the servers of a job's source and target. Both databases read the servers from the JSON of
// requests and options.

internal import DrayCore

/// Expressions with the values of ``DrayCore/DownloadKey/source`` and ``DrayCore/DownloadKey/target``.
enum ServerColumn {
  /// Returns the expression for a signature's server (``DrayCore/AWSSignature/server``).
  /// - Parameter property: Returns the expression for a property of the signature.
  private static func server(_ property: (String) -> String) -> String {
    let region = property("region")
    let partitions = AWSSignature.partitions.map { "WHEN \(region) LIKE '\($0)%' THEN '\($0)'" }
    return "coalesce(rtrim(\(property("endpoint")), '/'), CASE \(partitions.joined(separator: " ")) END, '')"
  }

  /// Returns the expression for the server of a target. The result is empty for directories.
  private static func ofTarget(_ server: String) -> String {
    "CASE WHEN directory LIKE '\(ObjectPlace.start)%' THEN \(server) ELSE '' END"
  }

  private static func both(
    _ sqlite: String, _ postgres: String, _ expression: ((String) -> String) = { $0 }
  ) -> SQL {
    func server(_ pattern: String) -> SQL {
      SQL(raw: expression(self.server { pattern.replacing("*", with: $0) }))
    }
    return "\(sqlite: server(sqlite), postgres: server(postgres))"
  }

  /// The signature of the objects that the job would write, in both dialects; `*` stands for a property of the
  /// signature.
  private static let objects = (
    "json_extract(options, '$.object.access.signature.*')", "(options #>> '{object,access,signature,*}')"
  )

  static let source = both("json_extract(request, '$.signature.*')", "(request::jsonb #>> '{signature,*}')")
  /// The server of objects that the job would write.
  static let ofObjects = both(objects.0, objects.1)
  static let target = both(objects.0, objects.1, ofTarget)
  static let upload = both("json_extract(signature, '$.*')", "(signature::jsonb ->> '*')")
}
