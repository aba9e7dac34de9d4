// The address of the server, and the times to wait for it.

package struct PostgresConfiguration: Sendable, Equatable {
  /// A connection string of libpq: `postgresql://user@host1,host2/db?target_session_attrs=read-write`, or `host=…
  /// dbname=…`. Parameters that it leaves out come from the service file, then from `PG…` variables, the password file,
  /// and the properties here.
  package var connection: String
  /// The name in `pg_stat_activity`, unless the connection string has one.
  package var applicationName: String
  /// Seconds to wait for each host.
  package var connectTimeout: Double
  /// Seconds to wait for the answer to a call. A connection that takes longer is closed.
  package var callTimeout: Double

  package init(
    _ connection: String, applicationName: String = "dray", connectTimeout: Double = 10, callTimeout: Double = 30
  ) {
    (self.connection, self.applicationName) = (connection, applicationName)
    (self.connectTimeout, self.callTimeout) = (connectTimeout, callTimeout)
  }

  package static func isURI(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// The connection string without its passwords, for messages.
  package var displayed: String { PostgresSecrets.hidden(in: connection) }

  /// Returns the parameters for libpq. If a name occurs twice, the last one counts; the ones before `dbname` are
  /// defaults.
  /// - Parameter hosts: The hosts that replace the ones of the connection string.
  func parameters(replacing hosts: PostgresHosts?, environment: (String) -> String?) -> [(name: String, value: String)]
  {
    var result = [("fallback_application_name", applicationName)]
    // With these settings a dead server is noticed within about 25 seconds, also by connections that only listen.
    // Defaults cannot override a service file, so such a file must contain the settings itself.
    if environment("PGSERVICE") == nil, !connection.contains("service=") {
      result += [
        ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "25000"),
      ]
    }
    result += [("dbname", connection), ("client_encoding", "UTF8")]
    if let hosts {
      result += [
        ("host", hosts.names.joined(separator: ",")), ("hostaddr", hosts.addresses.joined(separator: ",")),
        ("port", hosts.ports.joined(separator: ",")),
      ]
    }
    return result.map { (name: $0.0, value: $0.1) }
  }
}
