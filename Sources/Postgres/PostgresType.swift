// The types of PostgreSQL that this room reads and writes in binary format.

/// The object id of a type (`pg_type.dat` of PostgreSQL's source). These numbers never change.
struct PostgresType: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(_ rawValue: UInt32) { self.rawValue = rawValue }

  static let bool = PostgresType(16)
  static let bytea = PostgresType(17)
  static let int8 = PostgresType(20)
  static let int2 = PostgresType(21)
  static let int4 = PostgresType(23)
  static let text = PostgresType(25)
  static let oid = PostgresType(26)
  static let json = PostgresType(114)
  static let float4 = PostgresType(700)
  static let float8 = PostgresType(701)
  static let timestamptz = PostgresType(1184)
  static let numeric = PostgresType(1700)
  static let void = PostgresType(2278)
  static let uuid = PostgresType(2950)
  static let jsonb = PostgresType(3802)
  static let xid8 = PostgresType(5069)

  /// Types whose binary format is their text: `name`, `text`, `unknown`, `bpchar`, `varchar`.
  static let texts: Set<PostgresType> = [
    PostgresType(19), .text, PostgresType(705), PostgresType(1042), PostgresType(1043),
  ]

  static let arrays: [PostgresType: PostgresType] = [
    PostgresType(1000): .bool, PostgresType(1001): .bytea, PostgresType(1005): .int2, PostgresType(1007): .int4,
    PostgresType(1009): .text, PostgresType(1015): PostgresType(1043), PostgresType(1016): .int8,
    PostgresType(1021): .float4,
    PostgresType(1022): .float8, PostgresType(1185): .timestamptz, PostgresType(1231): .numeric,
    PostgresType(199): .json, PostgresType(2951): .uuid, PostgresType(3807): .jsonb,
  ]
}
