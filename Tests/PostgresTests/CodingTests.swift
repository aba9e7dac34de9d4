// Values as bytes and back, without a server.

import Testing

@testable import Postgres

@Suite("PostgreSQL: values")
struct CodingTests {
  private func decoded(_ bytes: [UInt8], _ type: PostgresType) throws -> PostgresValue {
    try bytes.withUnsafeBytes { bytes throws(PostgresError) in try PostgresDecoding.decode(bytes, type) }
  }

  @Test(
    "a value is written as the type of its parameter, and read again",
    arguments: [
      (.integer(-2), .int2, [255, 254]), (.integer(1), .int4, [0, 0, 0, 1]),
      (.integer(.min), .int8, [128, 0, 0, 0, 0, 0, 0, 0]), (.integer(4_294_967_295), .oid, [255, 255, 255, 255]),
      (.real(1.5), .float8, [63, 248, 0, 0, 0, 0, 0, 0]), (.real(1.5), .float4, [63, 192, 0, 0]),
      (.bool(true), .bool, [1]),
      (.text("é"), .text, [195, 169]), (.text(""), .text, []), (.bytes([0, 255]), .bytea, [0, 255]),
      (.text("{}"), .jsonb, [1, 123, 125]), (.text("{}"), .json, [123, 125]),
      (.time(946_684_800_000_001), .timestamptz, [0, 0, 0, 0, 0, 0, 0, 1]),
      (.time(.max), .timestamptz, [127, 255, 255, 255, 255, 255, 255, 255]),
      (.time(.min), .timestamptz, [128, 0, 0, 0, 0, 0, 0, 0]),
      (.bytes(Array(repeating: 7, count: 16)), .uuid, Array(repeating: 7, count: 16)),
      (.array([]), PostgresType(rawValue: 1016), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20]),
      (
        .array([.integer(3), .null]), PostgresType(rawValue: 1007),
        [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 23, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 3, 255, 255, 255, 255]
      ),
    ] as [(PostgresValue, PostgresType, [UInt8])])
  func binary(_ value: PostgresValue, _ type: PostgresType, _ bytes: [UInt8]) throws {
    #expect(try PostgresEncoding.encode(value, as: type) == EncodedValue(bytes: bytes))
    #expect(try decoded(bytes, type) == value)
  }

  @Test(
    "a value whose type has no binary form here is written as text",
    arguments: [
      (.integer(5), .numeric, "5"), (.text("a"), PostgresType(rawValue: 99_999), "a"), (.real(1.5), .numeric, "1.5"),
      (.text("0f0e"), .uuid, "0f0e"), (.bool(false), .text, "f"),
      (.array([.text("a")]), PostgresType(rawValue: 99_999), "{\"a\"}"),
      (.array([.text("uuid")]), PostgresType(rawValue: 2951), "{\"uuid\"}"),
      (.time(0), .text, "1970-01-01 00:00:00.000000+00"),
    ] as [(PostgresValue, PostgresType, String)])
  func text(_ value: PostgresValue, _ type: PostgresType, _ text: String) throws {
    #expect(try PostgresEncoding.encode(value, as: type) == EncodedValue(bytes: Array(text.utf8), isBinary: false))
  }

  @Test(
    "a value that does not fit in is refused",
    arguments: [
      (.integer(40_000), .int2), (.integer(1 << 40), .int4), (.integer(-1), .oid), (.bytes([1]), .uuid),
      (.text("a"), .bytea),
    ] as [(PostgresValue, PostgresType)])
  func refused(_ value: PostgresValue, _ type: PostgresType) {
    let error = #expect(throws: PostgresError.self) { try PostgresEncoding.encode(value, as: type) }
    #expect(error?.kind == .mismatch)
  }

  @Test(
    "bytes that are not of their type are refused",
    arguments: [
      ([1, 2], .int4), ([], .bool), ([1], .uuid), ([2, 123], .jsonb), ([0, 0, 0, 2], PostgresType(rawValue: 1016)),
      ([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 9, 0, 0, 0, 1], PostgresType(rawValue: 1016)),
      ([0, 1], .numeric),
      ([0], PostgresType(rawValue: 1186)), ([255, 254], PostgresType(rawValue: 20_000)),
    ] as [([UInt8], PostgresType)])
  func damaged(_ bytes: [UInt8], _ type: PostgresType) {
    let error = #expect(throws: PostgresError.self) { try decoded(bytes, type) }
    #expect(error?.kind == .mismatch)
  }

  @Test(
    "texts for COPY and for arrays",
    arguments: [
      (.null, nil), (.real(.infinity), "Infinity"), (.real(-.infinity), "-Infinity"), (.real(.nan), "NaN"),
      (.bytes([0, 171]), "\\x00ab"), (.time(.max), "infinity"), (.time(.min), "-infinity"),
      (.time(-1), "1969-12-31 23:59:59.999999+00"), (.time(951_782_400_000_000), "2000-02-29 00:00:00.000000+00"),
      (.time(-62_135_596_800_000_001), "0001-12-31 23:59:59.999999+00 BC"),
      (.array([.text("a\"\\"), .null, .integer(1)]), "{\"a\\\"\\\\\",NULL,\"1\"}"), (.array([]), "{}"),
    ] as [(PostgresValue, String?)])
  func texts(_ value: PostgresValue, _ text: String?) {
    #expect(PostgresEncoding.text(of: value) == text)
  }

  @Test("a row of COPY has its separators escaped")
  func copyRow() {
    var bytes: [UInt8] = []
    PostgresEncoding.appendRow([.text("a\tb\n\\\r"), .null, .text(""), .text("\\N")], to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "a\\tb\\n\\\\\\r\t\\N\t\t\\\\N\n")
  }

  @Test("a value converts to a Swift type if nothing is lost")
  func conversions() {
    #expect(Int.fromPostgresValue(.integer(7)) == 7 && Int32.fromPostgresValue(.integer(1 << 40)) == nil)
    #expect(Int.fromPostgresValue(.real(7)) == nil && Int.fromPostgresValue(.text("7")) == nil)
    #expect(Double.fromPostgresValue(.integer(7)) == 7 && Double.fromPostgresValue(.time(1_500_000)) == 1.5)
    #expect(Double.fromPostgresValue(.time(.max)) == .infinity && Double.fromPostgresValue(.time(.min)) == -.infinity)
    #expect(String.fromPostgresValue(.bytes([65])) == nil && Bool.fromPostgresValue(.integer(1)) == nil)
    #expect([UInt8].fromPostgresValue(.bytes([1])) == [1] && [UInt8].fromPostgresValue(.array([.integer(1)])) == nil)
    #expect([Int].fromPostgresValue(.array([.integer(1), .null])) == nil)
    #expect([Int?].fromPostgresValue(.array([.integer(1), .null])) == [1, nil])
    #expect(String?.fromPostgresValue(.null) == .some(nil) && String.fromPostgresValue(.null) == nil)
    #expect([UInt8]().postgresValue == .bytes([]) && [String]().postgresValue == .array([]))
    #expect([Int64]().postgresValue == .array([]) && [[UInt8]]().postgresValue == .array([]))
    #expect([Int?].fromPostgresValue(.bytes([])) == nil && [String].fromPostgresValue(.array([])) == [])
    #expect([[UInt8]]([[1], []]).postgresValue == .array([.bytes([1]), .bytes([])]))
    #expect(PostgresEncoding.microseconds(.infinity) == .max && PostgresEncoding.microseconds(-1.5) == -1_500_000)
  }

  @Test("arguments are counted, and added by their parameter")
  func arguments() throws {
    var arguments: PostgresArguments = [1, nil, "a"]
    #expect(arguments.add(true) == "$4" && arguments.values == [.integer(1), .null, .text("a"), .bool(true)])
    #expect(throws: PostgresError.self) { try EncodedArguments([1], as: []) }
    // libpq would take a text in text format to end at a zero byte.
    #expect(throws: PostgresError.self) { try EncodedArguments(["a\u{0}b"], as: [PostgresType(rawValue: 99_999)]) }
  }
}
