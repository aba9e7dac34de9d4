// The kinds of errors, and the secrets that messages must not contain.

import Testing

@testable import Postgres

@Suite("PostgreSQL: errors")
struct ErrorTests {
  @Test(
    "an SQLSTATE has a kind",
    arguments: [
      (nil, .connectionLost), ("08006", .connectionLost), ("08P01", .connectionLost), ("57P01", .connectionLost),
      ("57P02", .connectionLost), ("57P03", .connectionLost), ("57P05", .connectionLost), ("57014", .cancelled),
      ("55P03", .cancelled),
      ("40001", .repeatable), ("40P01", .repeatable), ("40002", .other), ("25006", .readOnly), ("25P02", .other),
      ("25P03", .connectionLost),
      ("53100", .full), ("53200", .other), ("53300", .tooManyConnections), ("28000", .notAuthorised),
      ("28P01", .notAuthorised), ("42501", .notAuthorised), ("42P01", .undefined), ("3F000", .undefined),
      ("42703", .other), ("23505", .unique), ("23503", .other), ("3D000", .other), ("XX000", .other),
    ] as [(String?, PostgresError.Kind)])
  func kinds(_ state: String?, _ kind: PostgresError.Kind) {
    #expect(PostgresError.kind(ofState: state) == kind)
  }

  @Test("the message of a failed connection contains its SQLSTATE; the last host's counts")
  func states() {
    let text = """
      connection to server at "h", port 1 failed: FATAL:  28P01: password authentication failed for user "u"
      LOCATION:  auth_failed, auth.c:326
      connection to server at "g", port 2 failed: FATAL:  57P03: the database system is starting up
      """
    let (state, message) = PostgresText.withoutState(text)
    #expect(state == "57P03")
    #expect(
      PostgresText.line(message)
        == "connection to server at \"h\", port 1 failed: FATAL:  password authentication failed for user \"u\"; "
        + "connection to server at \"g\", port 2 failed: FATAL:  the database system is starting up")
    for text in ["", "Connection refused", "a:  b", "a:  12345", "a:  12a45: b", "FATAL:  : x"] {
      #expect(PostgresText.withoutState(text).state == nil, "\(text)")
    }
  }

  @Test("a message is one line, without guesses")
  func line() {
    let text =
      "server closed the connection unexpectedly\n\tThis probably means the server …\n\tbefore or while processing\n"
    #expect(PostgresText.line(text) == "server closed the connection unexpectedly")
    #expect(PostgresError(state: "22012", "division\nby zero").description == "division; by zero (SQLSTATE 22012)")
  }

  @Test(
    "a connection string is shown without its passwords",
    arguments: [
      ("postgresql://u:p@h/db", "postgresql://u:…@h/db"),
      ("postgres://u:p@h,g:5433/db?x=1", "postgres://u:…@h,g:5433/db?x=1"),
      ("postgresql://u@h/db", "postgresql://u@h/db"), ("postgresql:///db", "postgresql:///db"),
      ("postgresql://h:5432/db?options=a@b", "postgresql://h:5432/db?options=a@b"),
      ("postgresql://h/db?password=p&user=u", "postgresql://h/db?password=…&user=u"),
      ("postgresql://h/db?user=u&sslpassword=p", "postgresql://h/db?user=u&sslpassword=…"),
      ("postgresql://u:p@h", "postgresql://u:…@h"), ("postgresql://u:@h", "postgresql://u:…@h"),
      ("postgresql://u:p?q@h/db", "postgresql://u:…@h/db"), ("postgresql://u:a:b@h/db", "postgresql://u:…@h/db"),
      // Wrong: the password is not escaped.
      ("postgresql://u:p@q@h/db", "postgresql://u:…@h/db"), ("postgresql://u:p/q@h/db", "postgresql://u:…@h/db"),
      ("postgresql://u:1/2@h/db", "postgresql://u:…@h/db"), ("postgresql://u:p/q@h/db?a=b@c", "postgresql://u:…@c"),
      ("host=h password=p dbname=d", "host=h password=… dbname=d"), ("password = 'p w' host=h", "password=… host=h"),
      ("password='p\\'w' host=h", "password=… host=h"), ("password=p\\ w host=h", "password=… host=h"),
      ("host=h password=p w", "host=h password=… …"), ("password='open", "password=…"), ("", ""), ("db", "…"),
    ])
  func secrets(_ text: String, _ shown: String) {
    #expect(PostgresSecrets.hidden(in: text) == shown)
  }

  @Test("libpq's message about a connection string is shown without what it quotes, but for the name of an option")
  func quotes() {
    #expect(
      PostgresText.withoutQuotes("missing \"=\" after \"secret\" in connection info string\n")
        == "missing \"…\" in connection info string")
    #expect(PostgresText.withoutQuotes("invalid connection option \"foo\"\n") == "invalid connection option \"foo\"")
    #expect(PostgresText.withoutQuotes("out of memory") == "out of memory")
  }

  @Test("names and texts are quoted for SQL")
  func quoting() {
    #expect(PostgresText.identifier("a\"b") == "\"a\"\"b\"" && PostgresText.identifier("") == "\"\"")
    #expect(PostgresText.literal("a'b") == "'a''b'")
  }

  @Test("the hosts behind one that does not answer are left")
  func hosts() {
    let all = PostgresHosts(names: "a,b,c", addresses: "", ports: "1,2,3")
    #expect(all.after("a", port: "1") == PostgresHosts(names: "b,c", addresses: "", ports: "2,3"))
    #expect(all.after("b", port: "2") == PostgresHosts(names: "c", addresses: "", ports: "3"))
    #expect(all.after("c", port: "3") == nil && all.after("a", port: "2") == nil && all.after("x", port: "1") == nil)
    let onePort = PostgresHosts(names: "a,a", addresses: "", ports: "5")
    #expect(onePort.after("a", port: "5") == PostgresHosts(names: "a", addresses: "", ports: "5"))
    let addresses = PostgresHosts(names: "", addresses: "10.0.0.1,10.0.0.2", ports: "")
    #expect(addresses.after("10.0.0.1", port: "5432") == PostgresHosts(names: "", addresses: "10.0.0.2", ports: ""))
    #expect(PostgresHosts(names: "", addresses: "", ports: "").after("", port: "5432") == nil)
  }

  @Test("a missing library is an error that says what to install")
  func noLibrary() {
    let error = #expect(throws: PostgresError.self) { try LibPQ("libpq-missing.so.5") }
    #expect(error?.kind == .noLibrary && error?.message.contains("install libpq5") == true)
    // A library without libpq's functions.
    let other = #expect(throws: PostgresError.self) { try LibPQ("libc.so.6") }
    #expect(other?.kind == .noLibrary && other?.message.contains("PostgreSQL 14") == true)
  }
}
