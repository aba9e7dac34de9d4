// A statement with its arguments, for pipelines.

package struct PostgresStatement: Sendable {
  package let sql: String
  package let arguments: PostgresArguments

  package init(_ sql: String, _ arguments: PostgresArguments = []) { (self.sql, self.arguments) = (sql, arguments) }
}
